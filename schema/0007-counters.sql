-- 0007-counters.sql - counters: series of points, many points a row

-- which clock a capture's times are of: monotonic, realtime ...
ALTER TABLE capture ADD COLUMN clock TEXT NOT NULL DEFAULT 'unknown';

CREATE TABLE series (
	series_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	name ANY NOT NULL,
	role TEXT,
	role_source TEXT NOT NULL CHECK (role_source IN ('none', 'name', 'format', 'user')),
	unit ANY,
	kind TEXT NOT NULL CHECK (kind IN ('gauge', 'cumulative', 'delta', 'rate')),
	age_ns INTEGER NOT NULL,
	points INTEGER NOT NULL,
	missing INTEGER NOT NULL,
	resets INTEGER NOT NULL,
	start_ns INTEGER,
	last_ns INTEGER
) STRICT;

CREATE TABLE series_label (
	series_id INTEGER NOT NULL REFERENCES series,
	position INTEGER NOT NULL,
	key ANY NOT NULL,
	value ANY NOT NULL,
	PRIMARY KEY (series_id, position)
) STRICT, WITHOUT ROWID;

-- the times of a block of points: start_ns + n * step_ns + the n-th offset
CREATE TABLE tick_block (
	tick_block_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	points INTEGER NOT NULL,
	start_ns INTEGER NOT NULL,
	step_ns INTEGER NOT NULL,
	offsets TEXT
) STRICT;

-- the values at these times, which several series share
CREATE TABLE point_block (
	series_id INTEGER NOT NULL REFERENCES series,
	first_position INTEGER NOT NULL,
	tick_block_id INTEGER NOT NULL REFERENCES tick_block,
	points TEXT NOT NULL,
	PRIMARY KEY (series_id, first_position)
) STRICT, WITHOUT ROWID;

-- one row a series, with its labels as one text
CREATE VIEW series_named AS
SELECT series.series_id, capture.name AS capture, capture.clock,
	CASE typeof(series.name) WHEN 'blob' THEN 'x''' || hex(series.name) || '''' ELSE series.name END AS name,
	(SELECT group_concat(pair, ',') FROM (
		SELECT CASE typeof(key) WHEN 'blob' THEN 'x''' || hex(key) || '''' ELSE key END || '=' ||
			CASE typeof(value) WHEN 'blob' THEN 'x''' || hex(value) || '''' ELSE value END AS pair
		FROM series_label WHERE series_label.series_id = series.series_id ORDER BY position)) AS labels,
	series.role, series.unit, series.kind, series.points, series.missing, series.resets,
	series.start_ns, series.last_ns
FROM series JOIN capture USING (capture_id);

-- one row a point
CREATE VIEW point AS
WITH
tick AS MATERIALIZED (
	SELECT tick_block.tick_block_id, j.key AS at, j.value AS offset_ns
	FROM tick_block, json_each(tick_block.offsets) AS j),
element AS (
	SELECT point_block.series_id, point_block.first_position + j.key AS position,
		point_block.tick_block_id, j.key AS at,
		CASE j.type WHEN 'array' THEN (SELECT value FROM json_each(j.value) WHERE key = 0)
			ELSE j.value END AS value,
		CASE j.type WHEN 'array' THEN (SELECT value FROM json_each(j.value) WHERE key = 1)
			WHEN 'null' THEN 'gap' ELSE 'ok' END AS state,
		CASE j.type WHEN 'array' THEN (SELECT value FROM json_each(j.value) WHERE key = 2) END AS span_ns,
		CASE j.type WHEN 'array' THEN (SELECT value FROM json_each(j.value) WHERE key = 3) END AS enabled_ns,
		CASE j.type WHEN 'array' THEN (SELECT value FROM json_each(j.value) WHERE key = 4) END AS running_ns
	FROM point_block, json_each(point_block.points) AS j)
SELECT element.series_id, element.position,
	tick_block.start_ns + element.at * tick_block.step_ns + ifnull(tick.offset_ns, 0)
		- ifnull(element.span_ns, 0) AS begin_ns,
	tick_block.start_ns + element.at * tick_block.step_ns + ifnull(tick.offset_ns, 0) AS end_ns,
	element.value, element.state, element.enabled_ns, element.running_ns
FROM element JOIN tick_block ON tick_block.tick_block_id = element.tick_block_id
	LEFT JOIN tick ON tick.tick_block_id = element.tick_block_id AND tick.at = element.at;
