-- What people put right in transcripts: the text that was heard at a time, and the text that was said.
-- A transcript is kept as it reads; these tell it anew when it is heard again.
CREATE TABLE correction (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    recording_id INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
    from_ms      INTEGER NOT NULL,
    until_ms     INTEGER NOT NULL,
    heard        TEXT NOT NULL,
    text         TEXT NOT NULL,
    at           INTEGER NOT NULL,
    author       TEXT NOT NULL
) STRICT;
CREATE INDEX correction_of ON correction (recording_id, id);
