-- Links by which anybody may look at a recording. Of a secret only its SHA-256 is here.
CREATE TABLE share (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    recording_id INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
    hash         TEXT NOT NULL UNIQUE,
    author       TEXT NOT NULL,
    maker        INTEGER REFERENCES account (id),
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    revoked_at   INTEGER
) STRICT;
CREATE INDEX share_of ON share (recording_id, id);
CREATE INDEX share_maker ON share (maker);
