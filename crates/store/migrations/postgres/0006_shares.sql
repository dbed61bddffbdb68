-- Links by which anybody may look at a recording. Of a secret only its SHA-256 is here.
CREATE TABLE share (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recording_id bigint NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
    hash         text COLLATE "C" NOT NULL UNIQUE,
    author       text NOT NULL,
    maker        bigint REFERENCES account (id),
    created_at   bigint NOT NULL,
    expires_at   bigint NOT NULL,
    revoked_at   bigint
);
CREATE INDEX share_of ON share (recording_id, id);
CREATE INDEX share_maker ON share (maker);
