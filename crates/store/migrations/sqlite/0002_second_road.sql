-- Downloads, and the clients that they are in. Lists and what is remembered are JSON of a fixed shape.

CREATE TABLE download (
    id          INTEGER PRIMARY KEY REFERENCES work (id) ON DELETE CASCADE,
    magnet      TEXT,
    torrent     BLOB,
    name        TEXT,
    size_bytes  INTEGER,
    in_client   INTEGER NOT NULL DEFAULT 0 CHECK (in_client IN (0, 1)),
    measures    TEXT NOT NULL DEFAULT '{}',
    filing      TEXT,
    placed      TEXT NOT NULL DEFAULT '[]',
    candidates  TEXT NOT NULL DEFAULT '[]',
    merged_into INTEGER REFERENCES work (id) ON DELETE SET NULL,
    CHECK (magnet IS NOT NULL OR torrent IS NOT NULL)
) STRICT;
CREATE INDEX download_merged ON download (merged_into);
-- All that is looked at together, every few seconds.
CREATE INDEX work_followed ON work (id) WHERE milestone = 'downloading';

-- What a torrent is called. Whether one of them is another's as well is asked where one becomes active.
CREATE TABLE download_hash (
    hash        TEXT NOT NULL,
    download_id INTEGER NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    PRIMARY KEY (hash, download_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX download_hash_of ON download_hash (download_id);

-- Those who are told.
CREATE TABLE download_sender (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    download_id INTEGER NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    source      TEXT NOT NULL CHECK (source IN ('cli', 'http', 'telegram', 'folder')),
    reply_to    TEXT,
    owner       TEXT
) STRICT;
CREATE INDEX download_sender_of ON download_sender (download_id, id);

-- The record by which a client is watched, and since when it answers without a break, or does not.
CREATE TABLE client (
    id              INTEGER PRIMARY KEY REFERENCES work (id) ON DELETE CASCADE,
    name            TEXT NOT NULL UNIQUE,
    answering_since INTEGER,
    silent_since    INTEGER,
    CHECK (answering_since IS NULL OR silent_since IS NULL)
) STRICT;

-- What people said of series, for the next file of them: one value.
CREATE TABLE naming (
    one    INTEGER PRIMARY KEY CHECK (one = 1),
    memory TEXT NOT NULL
) STRICT;
