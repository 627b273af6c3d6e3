-- 0006-unwinding.sql - how call chains were found out of stack dumps, and dumps to be unwound again

-- why a chain ends, and a letter for each frame that says what it was found by
CREATE TABLE unwinding (
	unwinding_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	stop TEXT NOT NULL CHECK (stop IN ('end', 'truncated', 'no-map', 'no-file', 'no-cfi', 'bad-cfa',
		'expression-failed', 'max-depth', 'unsupported')),
	found_by TEXT NOT NULL
) STRICT;

-- the mappings of a process at the time of a dump
CREATE TABLE dump_space (
	dump_space_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	maps TEXT NOT NULL
) STRICT;

-- registers and stack of samples whose unwinding lacked a file
CREATE TABLE dump (
	dump_id INTEGER PRIMARY KEY,
	dump_space_id INTEGER NOT NULL REFERENCES dump_space,
	abi INTEGER NOT NULL,
	register_mask INTEGER NOT NULL,
	is_swapped INTEGER NOT NULL,
	registers BLOB NOT NULL,
	stack BLOB NOT NULL
) STRICT;

ALTER TABLE sample ADD COLUMN unwinding_id INTEGER REFERENCES unwinding;
ALTER TABLE sample ADD COLUMN dump_id INTEGER REFERENCES dump;
