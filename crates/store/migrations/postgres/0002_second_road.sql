-- Downloads, and the clients that they are in. Lists and what is remembered are JSON of a fixed shape.

CREATE TABLE download (
    id          bigint PRIMARY KEY REFERENCES work (id) ON DELETE CASCADE,
    magnet      text,
    torrent     bytea,
    name        text,
    size_bytes  bigint,
    in_client   boolean NOT NULL DEFAULT false,
    measures    text NOT NULL DEFAULT '{}',
    filing      text,
    placed      text NOT NULL DEFAULT '[]',
    candidates  text NOT NULL DEFAULT '[]',
    merged_into bigint REFERENCES work (id) ON DELETE SET NULL,
    CHECK (magnet IS NOT NULL OR torrent IS NOT NULL)
);
CREATE INDEX download_merged ON download (merged_into);
-- All that is looked at together, every few seconds.
CREATE INDEX work_followed ON work (id) WHERE milestone = 'downloading';

-- What a torrent is called. Whether one of them is another's as well is asked where one becomes active.
CREATE TABLE download_hash (
    hash        text COLLATE "C" NOT NULL,
    download_id bigint NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    PRIMARY KEY (hash, download_id)
);
CREATE INDEX download_hash_of ON download_hash (download_id);

-- Those who are told.
CREATE TABLE download_sender (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    download_id bigint NOT NULL REFERENCES download (id) ON DELETE CASCADE,
    source      text NOT NULL CHECK (source IN ('cli', 'http', 'telegram', 'folder')),
    reply_to    text,
    owner       text
);
CREATE INDEX download_sender_of ON download_sender (download_id, id);

-- The record by which a client is watched, and since when it answers without a break, or does not.
CREATE TABLE client (
    id              bigint PRIMARY KEY REFERENCES work (id) ON DELETE CASCADE,
    name            text COLLATE "C" NOT NULL UNIQUE,
    answering_since bigint,
    silent_since    bigint,
    CHECK (answering_since IS NULL OR silent_since IS NULL)
);

-- What people said of series, for the next file of them: one value.
CREATE TABLE naming (
    one    bigint PRIMARY KEY CHECK (one = 1),
    memory text NOT NULL
);
