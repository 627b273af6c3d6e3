-- 0004-blocks.sql - derived tables that are read as a whole, many values a row

-- paths in their order, each without the frames that it shares with the one before
CREATE TABLE path_block (
	capture_id INTEGER NOT NULL REFERENCES capture,
	first_path_id INTEGER NOT NULL,
	event_id INTEGER NOT NULL REFERENCES event,
	task_id INTEGER REFERENCES task,
	paths TEXT NOT NULL,
	PRIMARY KEY (capture_id, first_path_id)
) STRICT, WITHOUT ROWID;

-- the function of each location, for who wants no address
CREATE TABLE location_block (
	first_location_id INTEGER PRIMARY KEY,
	capture_id INTEGER NOT NULL REFERENCES capture,
	functions TEXT NOT NULL
) STRICT;

-- what is there already: the paths whole, 64 to a block; the function by what makes one
INSERT INTO path_block
SELECT capture_id, min(path_id), event_id, task_id,
	json_group_array(json_array(0, json(path), count, period))
FROM (SELECT * FROM path_weight ORDER BY capture_id, path_id)
GROUP BY capture_id, path_id / 64, event_id, task_id
ORDER BY 1, 2;

CREATE TEMP TABLE function_by_symbol (
	capture_id INTEGER, symbol_id INTEGER, module_id INTEGER, is_inlined INTEGER, function_id INTEGER,
	PRIMARY KEY (capture_id, symbol_id, module_id, is_inlined)
) WITHOUT ROWID;

INSERT INTO function_by_symbol
SELECT capture_id, ifnull(symbol_id, 0), ifnull(module_id, 0), is_inlined, min(function_id)
FROM function GROUP BY 1, 2, 3, 4;

INSERT INTO location_block
SELECT min(location_id), capture_id, json_group_array(function_id)
FROM (
	SELECT location.location_id, capture.capture_id, capture.first_location_id, (
		SELECT f.function_id FROM function_by_symbol AS f
		WHERE f.capture_id = capture.capture_id AND f.symbol_id = ifnull(location.symbol_id, 0)
			AND f.module_id = ifnull(location.module_id, 0) AND f.is_inlined = location.is_inlined
	) AS function_id
	FROM capture JOIN location
		ON location.location_id BETWEEN capture.first_location_id AND capture.last_location_id
	ORDER BY location.location_id)
GROUP BY capture_id, (location_id - first_location_id) / 1024
ORDER BY 1;

DROP TABLE temp.function_by_symbol;
DROP TABLE path_weight;

-- the same columns as the table had: whole paths, one a row. In views of a file that is not
-- trusted SQLite runs no JSON function; json_each is none.
CREATE VIEW path_weight AS
WITH RECURSIVE
entry AS MATERIALIZED (
	SELECT path_block.capture_id, path_block.first_path_id + j.key AS path_id,
		path_block.event_id, path_block.task_id,
		(SELECT value FROM json_each(j.value) WHERE key = 0) AS shared,
		(SELECT value FROM json_each(j.value) WHERE key = 1) AS rest,
		(SELECT value FROM json_each(j.value) WHERE key = 2) AS count,
		(SELECT value FROM json_each(j.value) WHERE key = 3) AS period
	FROM path_block, json_each(path_block.paths) AS j),
whole AS (
	SELECT capture_id, path_id, event_id, task_id, rest AS path, count, period
	FROM entry WHERE shared = 0
	UNION ALL
	SELECT entry.capture_id, entry.path_id, entry.event_id, entry.task_id,
		'[' || (SELECT group_concat(value) FROM (
			SELECT value FROM json_each(whole.path) WHERE key < entry.shared
			UNION ALL SELECT value FROM json_each(entry.rest))) || ']',
		entry.count, entry.period
	FROM whole JOIN entry
		ON entry.capture_id = whole.capture_id AND entry.path_id = whole.path_id + 1
	WHERE entry.shared > 0)
SELECT * FROM whole;
