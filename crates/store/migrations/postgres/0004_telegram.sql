-- What a bot remembers.

-- Which update is asked for next, and which instance asks.
CREATE TABLE bot (
    id          bigint PRIMARY KEY,
    next_update bigint NOT NULL DEFAULT 0,
    holder      text,
    held_until  bigint NOT NULL DEFAULT 0
);

-- Updates: what one says is there until it was acted on, its number a while longer.
CREATE TABLE bot_update (
    bot_id bigint NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
    id     bigint NOT NULL,
    at     bigint NOT NULL,
    body   text,
    tries  bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, id)
);
CREATE INDEX bot_update_pending ON bot_update (bot_id, at, id) WHERE body IS NOT NULL;
CREATE INDEX bot_update_done ON bot_update (at) WHERE body IS NULL;

CREATE TABLE chat (
    id       bigint PRIMARY KEY,
    owner    text,
    language text
);
CREATE INDEX chat_owner ON chat (owner) WHERE owner IS NOT NULL;

-- Codes that link a chat to an account, by their hashes.
CREATE TABLE chat_code (
    hash       text COLLATE "C" PRIMARY KEY,
    owner      text NOT NULL,
    expires_at bigint NOT NULL,
    taken_by   bigint
);

-- The message that tells in a chat how a thing stands.
CREATE TABLE chat_message (
    work_id  bigint NOT NULL REFERENCES work (id) ON DELETE CASCADE,
    chat_id  bigint NOT NULL,
    asked_in bigint NOT NULL,
    message  bigint NOT NULL,
    sent_at  bigint NOT NULL,
    said     text NOT NULL,
    PRIMARY KEY (work_id, chat_id)
);
CREATE INDEX chat_message_of ON chat_message (chat_id, work_id);
