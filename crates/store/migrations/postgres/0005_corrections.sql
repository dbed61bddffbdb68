-- What people put right in transcripts: the text that was heard at a time, and the text that was said.
-- A transcript is kept as it reads; these tell it anew when it is heard again.
CREATE TABLE correction (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recording_id bigint NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
    from_ms      bigint NOT NULL,
    until_ms     bigint NOT NULL,
    heard        text NOT NULL,
    text         text NOT NULL,
    at           bigint NOT NULL,
    author       text NOT NULL
);
CREATE INDEX correction_of ON correction (recording_id, id);
