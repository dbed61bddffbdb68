-- Times are whole microseconds UTC everywhere. Failures and lists are JSON of a fixed shape, kept as
-- text: nothing in here looks inside them.

-- The one clock of every host on this database. Tests put another function in its place.
CREATE FUNCTION verst_now() RETURNS bigint LANGUAGE sql VOLATILE
    AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint';

-- Filled from the lines' declarations at every start: the closed list of milestones.
CREATE TABLE milestone (
    line     text NOT NULL,
    name     text NOT NULL,
    position bigint NOT NULL,
    step     text,
    lease_us bigint NOT NULL,
    PRIMARY KEY (line, name)
);

-- Every claim and settle leaves a dead row: they are collected early, without pauses, and a new
-- version finds room on its own page.
CREATE TABLE work (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    line         text NOT NULL,
    milestone    text NOT NULL,
    created_at   bigint NOT NULL,
    entered_at   bigint NOT NULL,
    held_us      bigint NOT NULL DEFAULT 0,
    waiting_since bigint,
    tried_at     bigint,
    ready_at     bigint NOT NULL,
    fence        bigint NOT NULL DEFAULT 0,
    holder       text,
    claimed_at   bigint,
    lease_us     bigint,
    failures     bigint NOT NULL DEFAULT 0,
    last_failure text,
    why          text,
    stopped_at   bigint,
    stop_reason  text CHECK (stop_reason IN ('failures', 'stuck', 'verdict', 'person')),
    stop_failure text,
    FOREIGN KEY (line, milestone) REFERENCES milestone (line, name),
    CHECK ((stopped_at IS NULL) = (stop_reason IS NULL)),
    CHECK ((stopped_at IS NULL) = (stop_failure IS NULL)),
    CHECK ((holder IS NULL) = (claimed_at IS NULL)),
    CHECK (stopped_at IS NULL OR holder IS NULL),
    CHECK (failures >= 0 AND held_us >= 0)
) WITH (
    fillfactor = 80,
    autovacuum_vacuum_threshold = 200,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0.02
);

-- Exactly the predicate of the claim, so that finished work costs a claim nothing.
CREATE INDEX work_claim ON work (ready_at, id)
    WHERE stopped_at IS NULL AND milestone <> 'done' AND milestone <> 'downloading';
-- With the time, so that counting what waits reads nothing else.
CREATE INDEX work_waiting ON work (line, milestone, id) INCLUDE (entered_at)
    WHERE stopped_at IS NULL AND milestone <> 'done';
CREATE INDEX work_holder ON work (holder) WHERE holder IS NOT NULL;
CREATE INDEX work_stopped ON work (id) WHERE stopped_at IS NOT NULL;

CREATE TABLE journal (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    work_id     bigint NOT NULL REFERENCES work (id) ON DELETE CASCADE,
    at          bigint NOT NULL,
    actor_kind  text NOT NULL CHECK (actor_kind IN ('step', 'person')),
    actor       text NOT NULL,
    event       text NOT NULL CHECK (event IN ('advanced', 'stopped', 'lifted', 'restarted')),
    milestone   text NOT NULL,
    duration_us bigint NOT NULL,
    failure     text
);
CREATE INDEX journal_work ON journal (work_id, id);

CREATE TABLE notice (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    work_id  bigint NOT NULL REFERENCES work (id) ON DELETE CASCADE,
    instance text NOT NULL,
    kind     text NOT NULL CHECK (kind IN ('done', 'stopped')),
    failure  text,
    CHECK ((kind = 'stopped') = (failure IS NOT NULL))
);
CREATE INDEX notice_work ON notice (work_id);

CREATE TABLE recording (
    id          bigint PRIMARY KEY REFERENCES work (id) ON DELETE CASCADE,
    source      text NOT NULL CHECK (source IN ('cli', 'http', 'telegram', 'folder')),
    reply_to    text,
    owner       text,
    original    text NOT NULL,
    handle      text,
    original_deleted boolean NOT NULL DEFAULT false,
    name        text,
    size_bytes  bigint NOT NULL,
    language    text,
    model       text,
    title       text,
    summary     text,
    topics      text NOT NULL DEFAULT '[]',
    speakers    text NOT NULL DEFAULT '{}',
    audio_key   text,
    level_db    double precision,
    duration_us bigint,
    warnings    text NOT NULL DEFAULT '[]'
);
CREATE UNIQUE INDEX recording_original ON recording (original);
-- Two that hand in the same at the same moment are told of the same recording.
CREATE UNIQUE INDEX recording_handle ON recording (handle) WHERE handle IS NOT NULL;
CREATE INDEX recording_owner ON recording (owner, id) WHERE owner IS NOT NULL;
CREATE INDEX recording_audio ON recording (audio_key) WHERE audio_key IS NOT NULL;

-- Written before the recogniser is called; at most one is open for a recording.
CREATE TABLE attempt (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    recording_id bigint NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
    recogniser   text NOT NULL,
    lane         text CHECK (lane IN ('oldest', 'short')),
    opened_at    bigint NOT NULL,
    ticket       text,
    awaited      boolean NOT NULL DEFAULT false,
    closed_at    bigint,
    failure      text
);
CREATE UNIQUE INDEX attempt_open ON attempt (recording_id) WHERE closed_at IS NULL;
CREATE INDEX attempt_lane ON attempt (recogniser, lane) WHERE closed_at IS NULL;
-- A foreign key brings no index of its own, and every finish asks by it.
CREATE INDEX attempt_recording ON attempt (recording_id);

CREATE TABLE part (
    attempt_id bigint NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,
    position   bigint NOT NULL,
    language   text,
    segments   text NOT NULL,
    PRIMARY KEY (attempt_id, position)
);

-- Written before a part is called for outside; of an attempt at most one is open, and a part has
-- at most one answer.
CREATE TABLE call (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    attempt_id  bigint NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,
    position    bigint NOT NULL,
    from_ms     bigint NOT NULL,
    until_ms    bigint NOT NULL,
    opened_at   bigint NOT NULL,
    answered_at bigint,
    closed_at   bigint,
    failure     text,
    CHECK (answered_at IS NULL OR closed_at IS NULL)
);
CREATE UNIQUE INDEX call_open ON call (attempt_id)
    WHERE answered_at IS NULL AND closed_at IS NULL;
CREATE UNIQUE INDEX call_answered ON call (attempt_id, position) WHERE answered_at IS NOT NULL;
CREATE INDEX call_attempt ON call (attempt_id);

CREATE TABLE transcript (
    recording_id bigint PRIMARY KEY REFERENCES recording (id) ON DELETE CASCADE,
    attempt_id   bigint NOT NULL REFERENCES attempt (id),
    language     text,
    model        text NOT NULL,
    segments     text NOT NULL
);
CREATE INDEX transcript_attempt ON transcript (attempt_id);

-- The index card of every recording: by which rules it was made, where in the transcript each stem
-- is, and the stems. `said` is the transcript's segments once more, as bytes that are not
-- compressed: a list of hits reads a few hundred of them, wherever in an hour they are.
CREATE TABLE card (
    recording_id bigint PRIMARY KEY REFERENCES recording (id) ON DELETE CASCADE,
    rules  bigint NOT NULL,
    places bytea NOT NULL,
    said   bytea NOT NULL DEFAULT '',
    stems  tsvector NOT NULL
);
ALTER TABLE card ALTER places SET STORAGE EXTERNAL, ALTER said SET STORAGE EXTERNAL;
CREATE INDEX card_rules ON card (rules);
-- Without a list of what is to be added later, which every search would have to read.
CREATE INDEX card_stems ON card USING gin (stems) WITH (fastupdate = off);

-- Objects that are to go: their keys are written when the row that named them goes.
CREATE TABLE discarded (
    key text COLLATE "C" PRIMARY KEY
);

-- Who may come in. Of a secret only its SHA-256 is here.
CREATE TABLE token (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text NOT NULL,
    owner        text,
    hash         text NOT NULL UNIQUE,
    created_at   bigint NOT NULL,
    last_used_at bigint,
    expires_at   bigint,
    revoked_at   bigint
);

-- What a first start showed to whoever started it; good for making the first token.
CREATE TABLE setup (
    hash       text COLLATE "C" PRIMARY KEY,
    created_at bigint NOT NULL
);

-- Which objects the rows name: those that carry this id. Another host brings the same or is refused.
CREATE TABLE home (
    one     bigint PRIMARY KEY CHECK (one = 1),
    objects text NOT NULL
);
