-- 0009-clocks.sql - what ties the clocks of captures to wall time and to each other

CREATE TABLE clock_map (
	clock_map_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	to_capture_id INTEGER REFERENCES capture,
	how TEXT NOT NULL CHECK (how IN ('clock-data', 'columns', 'kernel-log', 'given', 'same-clock', 'fit')),
	first_ns INTEGER NOT NULL,
	last_ns INTEGER NOT NULL,
	offset_ns INTEGER NOT NULL,
	error_ns INTEGER NOT NULL,
	drift_ppb INTEGER NOT NULL
) STRICT;
