-- 0001-initial.sql - the tables of a profile; schema/README.md says what each column means

CREATE TABLE capture (
	capture_id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	sha256 TEXT NOT NULL UNIQUE,
	size_bytes INTEGER NOT NULL,
	format TEXT NOT NULL,
	samples ANY NOT NULL,
	start_ns INTEGER,
	end_ns INTEGER,
	first_event_id INTEGER,
	first_sample_id INTEGER NOT NULL,
	last_sample_id INTEGER NOT NULL,
	first_location_id INTEGER NOT NULL,
	last_location_id INTEGER NOT NULL,
	first_stack_id INTEGER NOT NULL,
	last_stack_id INTEGER NOT NULL,
	records INTEGER NOT NULL,
	lost INTEGER NOT NULL,
	lost_samples INTEGER NOT NULL
) STRICT;

CREATE TABLE fact (
	capture_id INTEGER NOT NULL REFERENCES capture,
	position INTEGER NOT NULL,
	source TEXT NOT NULL CHECK (source IN ('capture', 'user')),
	name TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (capture_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE note (
	capture_id INTEGER NOT NULL REFERENCES capture,
	code TEXT NOT NULL,
	count INTEGER NOT NULL,
	first_line INTEGER NOT NULL,
	first_byte INTEGER NOT NULL,
	PRIMARY KEY (capture_id, code)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
	event_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	name ANY,
	unit TEXT NOT NULL CHECK (unit IN ('samples', 'ns', 'events')),
	has_periods INTEGER NOT NULL,
	samples ANY NOT NULL
) STRICT;

CREATE TABLE thread (
	thread_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	pid INTEGER,
	tid INTEGER
) STRICT;

CREATE TABLE task (
	task_id INTEGER PRIMARY KEY,
	thread_id INTEGER NOT NULL REFERENCES thread,
	comm ANY
) STRICT;

CREATE TABLE module (
	module_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	path ANY NOT NULL,
	basename ANY NOT NULL,
	origin TEXT NOT NULL,
	build_id TEXT
) STRICT;

CREATE TABLE symbol (
	symbol_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	name ANY NOT NULL
) STRICT;

CREATE TABLE location (
	location_id INTEGER PRIMARY KEY,
	module_id INTEGER REFERENCES module,
	address INTEGER,
	symbol_id INTEGER REFERENCES symbol,
	line ANY,
	is_inlined INTEGER NOT NULL
) STRICT;

CREATE TABLE stack (
	stack_id INTEGER PRIMARY KEY,
	callers TEXT NOT NULL
) STRICT;

CREATE TABLE sample (
	sample_id INTEGER PRIMARY KEY,
	time_ns INTEGER,
	task_id INTEGER REFERENCES task,
	cpu INTEGER,
	event_id INTEGER NOT NULL REFERENCES event,
	stack_id INTEGER NOT NULL REFERENCES stack,
	leaf_location_id INTEGER REFERENCES location,
	count ANY NOT NULL,
	period ANY NOT NULL
) STRICT;

-- derived: dropped and filled again when names change; nothing else may hold their ids

CREATE TABLE function (
	function_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	symbol_id INTEGER REFERENCES symbol,
	module_id INTEGER REFERENCES module,
	is_inlined INTEGER NOT NULL
) STRICT;

CREATE TABLE path_weight (
	capture_id INTEGER NOT NULL REFERENCES capture,
	path_id INTEGER NOT NULL,
	event_id INTEGER NOT NULL REFERENCES event,
	task_id INTEGER REFERENCES task,
	path TEXT NOT NULL,
	count ANY NOT NULL,
	period ANY NOT NULL,
	PRIMARY KEY (capture_id, path_id)
) STRICT, WITHOUT ROWID;
