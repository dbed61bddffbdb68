-- Times are whole microseconds UTC everywhere. Failures and lists are JSON of a fixed shape.

-- Filled from the lines' declarations at every start: the closed list of milestones.
CREATE TABLE milestone (
    line     TEXT NOT NULL,
    name     TEXT NOT NULL,
    position INTEGER NOT NULL,
    step     TEXT,
    lease_us INTEGER NOT NULL,
    PRIMARY KEY (line, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE work (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    line         TEXT NOT NULL,
    milestone    TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    entered_at   INTEGER NOT NULL,
    held_us      INTEGER NOT NULL DEFAULT 0,
    waiting_since INTEGER,
    tried_at     INTEGER,
    ready_at     INTEGER NOT NULL,
    fence        INTEGER NOT NULL DEFAULT 0,
    holder       TEXT,
    claimed_at   INTEGER,
    lease_us     INTEGER,
    failures     INTEGER NOT NULL DEFAULT 0,
    last_failure TEXT,
    why          TEXT,
    stopped_at   INTEGER,
    stop_reason  TEXT CHECK (stop_reason IN ('failures', 'stuck', 'verdict', 'person')),
    stop_failure TEXT,
    FOREIGN KEY (line, milestone) REFERENCES milestone (line, name),
    CHECK ((stopped_at IS NULL) = (stop_reason IS NULL)),
    CHECK ((stopped_at IS NULL) = (stop_failure IS NULL)),
    CHECK ((holder IS NULL) = (claimed_at IS NULL)),
    CHECK (stopped_at IS NULL OR holder IS NULL),
    CHECK (failures >= 0 AND held_us >= 0)
) STRICT;

-- Exactly the predicate of the claim, so that finished work costs a claim nothing.
CREATE INDEX work_claim ON work (ready_at, id)
    WHERE stopped_at IS NULL AND milestone <> 'done' AND milestone <> 'downloading';
-- With the time, so that counting what waits reads nothing else.
CREATE INDEX work_waiting ON work (line, milestone, id, entered_at)
    WHERE stopped_at IS NULL AND milestone <> 'done';
CREATE INDEX work_holder ON work (holder) WHERE holder IS NOT NULL;
CREATE INDEX work_stopped ON work (id) WHERE stopped_at IS NOT NULL;

CREATE TABLE journal (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id     INTEGER NOT NULL REFERENCES work (id) ON DELETE CASCADE,
    at          INTEGER NOT NULL,
    actor_kind  TEXT NOT NULL CHECK (actor_kind IN ('step', 'person')),
    actor       TEXT NOT NULL,
    event       TEXT NOT NULL CHECK (event IN ('advanced', 'stopped', 'lifted', 'restarted')),
    milestone   TEXT NOT NULL,
    duration_us INTEGER NOT NULL,
    failure     TEXT
) STRICT;
CREATE INDEX journal_work ON journal (work_id, id);

CREATE TABLE notice (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    work_id  INTEGER NOT NULL REFERENCES work (id) ON DELETE CASCADE,
    instance TEXT NOT NULL,
    kind     TEXT NOT NULL CHECK (kind IN ('done', 'stopped')),
    failure  TEXT,
    CHECK ((kind = 'stopped') = (failure IS NOT NULL))
) STRICT;

CREATE TABLE recording (
    id          INTEGER PRIMARY KEY REFERENCES work (id) ON DELETE CASCADE,
    source      TEXT NOT NULL CHECK (source IN ('cli', 'http', 'telegram', 'folder')),
    reply_to    TEXT,
    owner       TEXT,
    original    TEXT NOT NULL,
    handle      TEXT,
    original_deleted INTEGER NOT NULL DEFAULT 0 CHECK (original_deleted IN (0, 1)),
    name        TEXT,
    size_bytes  INTEGER NOT NULL,
    language    TEXT,
    model       TEXT,
    title       TEXT,
    summary     TEXT,
    topics      TEXT NOT NULL DEFAULT '[]',
    speakers    TEXT NOT NULL DEFAULT '{}',
    audio_key   TEXT,
    level_db    REAL,
    duration_us INTEGER,
    warnings    TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE UNIQUE INDEX recording_original ON recording (original);
-- Two that hand in the same at the same moment are told of the same recording.
CREATE UNIQUE INDEX recording_handle ON recording (handle) WHERE handle IS NOT NULL;
CREATE INDEX recording_owner ON recording (owner, id) WHERE owner IS NOT NULL;
CREATE INDEX recording_audio ON recording (audio_key) WHERE audio_key IS NOT NULL;

-- Written before the recogniser is called; at most one is open for a recording.
CREATE TABLE attempt (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    recording_id INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
    recogniser   TEXT NOT NULL,
    lane         TEXT CHECK (lane IN ('oldest', 'short')),
    opened_at    INTEGER NOT NULL,
    ticket       TEXT,
    awaited      INTEGER NOT NULL DEFAULT 0 CHECK (awaited IN (0, 1)),
    closed_at    INTEGER,
    failure      TEXT
) STRICT;
CREATE UNIQUE INDEX attempt_open ON attempt (recording_id) WHERE closed_at IS NULL;
CREATE INDEX attempt_lane ON attempt (recogniser, lane) WHERE closed_at IS NULL;
CREATE INDEX attempt_recording ON attempt (recording_id);

CREATE TABLE part (
    attempt_id INTEGER NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    language   TEXT,
    segments   TEXT NOT NULL,
    PRIMARY KEY (attempt_id, position)
) STRICT, WITHOUT ROWID;

-- Written before a part is called for outside; of an attempt at most one is open, and a part has
-- at most one answer.
CREATE TABLE call (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    attempt_id  INTEGER NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    from_ms     INTEGER NOT NULL,
    until_ms    INTEGER NOT NULL,
    opened_at   INTEGER NOT NULL,
    answered_at INTEGER,
    closed_at   INTEGER,
    failure     TEXT,
    CHECK (answered_at IS NULL OR closed_at IS NULL)
) STRICT;
CREATE UNIQUE INDEX call_open ON call (attempt_id)
    WHERE answered_at IS NULL AND closed_at IS NULL;
CREATE UNIQUE INDEX call_answered ON call (attempt_id, position) WHERE answered_at IS NOT NULL;
CREATE INDEX call_attempt ON call (attempt_id);

CREATE TABLE transcript (
    recording_id INTEGER PRIMARY KEY REFERENCES recording (id) ON DELETE CASCADE,
    attempt_id   INTEGER NOT NULL REFERENCES attempt (id),
    language     TEXT,
    model        TEXT NOT NULL,
    segments     TEXT NOT NULL
) STRICT;
CREATE INDEX transcript_attempt ON transcript (attempt_id);

-- The index card of every recording: by which rules it was made, and where in the transcript each
-- stem is. The stems themselves are in `card_stems`, whose rows have the same numbers.
CREATE TABLE card (
    recording_id INTEGER PRIMARY KEY REFERENCES recording (id) ON DELETE CASCADE,
    rules  INTEGER NOT NULL,
    places BLOB NOT NULL
) STRICT;
CREATE INDEX card_rules ON card (rules);
-- The text is not kept a second time, and no positions, which nobody asks for.
CREATE VIRTUAL TABLE card_stems USING fts5 (
    stems, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars ':'"
);
CREATE TRIGGER card_gone AFTER DELETE ON card BEGIN
    DELETE FROM card_stems WHERE rowid = old.recording_id;
END;

-- Objects that are to go: their keys are written when the row that named them goes.
CREATE TABLE discarded (
    key TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Who may come in. Of a secret only its SHA-256 is here.
CREATE TABLE token (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    name         TEXT NOT NULL,
    owner        TEXT,
    hash         TEXT NOT NULL UNIQUE,
    created_at   INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at   INTEGER,
    revoked_at   INTEGER
) STRICT;

-- What a first start showed to whoever started it; good for making the first token.
CREATE TABLE setup (
    hash       TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which objects the rows name: those that carry this id. Another host brings the same or is refused.
CREATE TABLE home (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    objects TEXT NOT NULL
) STRICT;
