-- What a bot remembers.

-- Which update is asked for next, and which instance asks.
CREATE TABLE bot (
    id          INTEGER PRIMARY KEY,
    next_update INTEGER NOT NULL DEFAULT 0,
    holder      TEXT,
    held_until  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Updates: what one says is there until it was acted on, its number a while longer.
CREATE TABLE bot_update (
    bot_id INTEGER NOT NULL REFERENCES bot (id) ON DELETE CASCADE,
    id     INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    body   TEXT,
    tries  INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (bot_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bot_update_pending ON bot_update (bot_id, at, id) WHERE body IS NOT NULL;
CREATE INDEX bot_update_done ON bot_update (at) WHERE body IS NULL;

CREATE TABLE chat (
    id       INTEGER PRIMARY KEY,
    owner    TEXT,
    language TEXT
) STRICT;
CREATE INDEX chat_owner ON chat (owner) WHERE owner IS NOT NULL;

-- Codes that link a chat to an account, by their hashes.
CREATE TABLE chat_code (
    hash       TEXT PRIMARY KEY,
    owner      TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    taken_by   INTEGER
) STRICT;

-- The message that tells in a chat how a thing stands.
CREATE TABLE chat_message (
    work_id  INTEGER NOT NULL REFERENCES work (id) ON DELETE CASCADE,
    chat_id  INTEGER NOT NULL,
    asked_in INTEGER NOT NULL,
    message  INTEGER NOT NULL,
    sent_at  INTEGER NOT NULL,
    said     TEXT NOT NULL,
    PRIMARY KEY (work_id, chat_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_message_of ON chat_message (chat_id, work_id);
