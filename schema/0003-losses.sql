-- 0003-losses.sql - what the recorder lost or left out, by event and second

CREATE TABLE loss (
	capture_id INTEGER NOT NULL REFERENCES capture,
	position INTEGER NOT NULL,
	kind TEXT NOT NULL
		CHECK (kind IN ('events', 'samples', 'filtered', 'throttled', 'still-throttled')),
	event_id INTEGER REFERENCES event,
	second INTEGER,
	count INTEGER NOT NULL,
	ns INTEGER NOT NULL,
	PRIMARY KEY (capture_id, position)
) STRICT, WITHOUT ROWID;
