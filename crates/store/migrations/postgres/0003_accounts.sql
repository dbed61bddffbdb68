-- People, who come in by a password. No account is ever removed: things carry its name.
CREATE TABLE account (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text COLLATE "C" NOT NULL UNIQUE,
    folded      text COLLATE "C" NOT NULL UNIQUE,
    password    text NOT NULL,
    role        text NOT NULL CHECK (role IN ('owner', 'admin')),
    language    text,
    created_at  bigint NOT NULL,
    disabled_at bigint
);

-- Browsers that are signed in. Of a secret only its SHA-256 is here; what has ended is gone.
CREATE TABLE session (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id   bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    hash         text COLLATE "C" NOT NULL UNIQUE,
    agent        text NOT NULL,
    created_at   bigint NOT NULL,
    last_used_at bigint NOT NULL
);
CREATE INDEX session_account ON session (account_id, id);

-- By whom a token was made: none opens more than its maker may.
ALTER TABLE token ADD COLUMN maker bigint REFERENCES account (id);
CREATE INDEX token_maker ON token (maker);
