-- 0011-audit.sql - what a capture cannot say, so that it travels with it

CREATE TABLE audit (
	capture_id INTEGER NOT NULL REFERENCES capture,
	position INTEGER NOT NULL,
	finding TEXT NOT NULL,
	verdict TEXT NOT NULL CHECK (verdict IN ('misleads', 'weakens', 'lacks')),
	share REAL,
	what TEXT NOT NULL,
	answers TEXT NOT NULL,
	avoid TEXT NOT NULL,
	PRIMARY KEY (capture_id, position)
) STRICT, WITHOUT ROWID;
