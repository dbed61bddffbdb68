-- People, who come in by a password. No account is ever removed: things carry its name.
CREATE TABLE account (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT NOT NULL UNIQUE,
    folded      TEXT NOT NULL UNIQUE,
    password    TEXT NOT NULL,
    role        TEXT NOT NULL CHECK (role IN ('owner', 'admin')),
    language    TEXT,
    created_at  INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;

-- Browsers that are signed in. Of a secret only its SHA-256 is here; what has ended is gone.
CREATE TABLE session (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id   INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    hash         TEXT NOT NULL UNIQUE,
    agent        TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_account ON session (account_id, id);

-- By whom a token was made: none opens more than its maker may.
ALTER TABLE token ADD COLUMN maker INTEGER REFERENCES account (id);
CREATE INDEX token_maker ON token (maker);
