-- 0005-frames.sql - names that come from files: modules and how far to trust them, functions, frames

ALTER TABLE module ADD COLUMN id_source TEXT NOT NULL DEFAULT 'none'
	CHECK (id_source IN ('none', 'mmap2', 'header', 'injected'));
ALTER TABLE module ADD COLUMN map_offset INTEGER;
ALTER TABLE module ADD COLUMN reference ANY;

-- derived: what is known of its files
ALTER TABLE module ADD COLUMN status TEXT NOT NULL DEFAULT 'not looked for'
	CHECK (status IN ('not looked for', 'exact', 'consistent', 'unverified', 'contradicted', 'mismatch',
		'missing', 'unsupported', 'forced'));
ALTER TABLE module ADD COLUMN detail ANY;
ALTER TABLE module ADD COLUMN file ANY;
ALTER TABLE module ADD COLUMN file_sha256 TEXT;
ALTER TABLE module ADD COLUMN debug_file ANY;
ALTER TABLE module ADD COLUMN debug_sha256 TEXT;

-- derived: files that were found and turned down
CREATE TABLE module_candidate (
	module_id INTEGER NOT NULL REFERENCES module,
	position INTEGER NOT NULL,
	path ANY NOT NULL,
	reason ANY NOT NULL,
	PRIMARY KEY (module_id, position)
) STRICT, WITHOUT ROWID;

ALTER TABLE location ADD COLUMN is_return INTEGER NOT NULL DEFAULT 0;

ALTER TABLE function ADD COLUMN name ANY;
ALTER TABLE function ADD COLUMN origin TEXT
	CHECK (origin IN ('application', 'library', 'kernel', 'jit', 'unknown'));

-- derived: what a location without a symbol turned out to be; depth 0 is the innermost
CREATE TABLE frame (
	location_id INTEGER NOT NULL REFERENCES location,
	depth INTEGER NOT NULL,
	function_id INTEGER NOT NULL REFERENCES function,
	raw_name ANY,
	file ANY,
	line INTEGER,
	PRIMARY KEY (location_id, depth)
) STRICT, WITHOUT ROWID;

DROP VIEW path_frame;
DROP VIEW sample_named;
DROP VIEW stack_frame;
DROP VIEW function_named;
DROP VIEW location_named;

-- a function as it is called: a symbol of the capture, a name from a file, or its module in brackets
CREATE VIEW function_named AS
SELECT function.function_id, function.capture_id,
	CASE typeof(ifnull(symbol.name, function.name))
		WHEN 'text' THEN ifnull(symbol.name, function.name)
		WHEN 'blob' THEN 'x''' || hex(ifnull(symbol.name, function.name)) || ''''
		ELSE '[' || ifnull(module.basename, 'unknown') || ']' END AS name,
	module.path AS module, ifnull(function.origin, ifnull(module.origin, 'unknown')) AS origin,
	function.is_inlined
FROM function
	LEFT JOIN symbol USING (symbol_id)
	LEFT JOIN module ON module.module_id = function.module_id;

-- all frames of a location, one a row; depth 0 is the innermost
CREATE VIEW location_frame AS
SELECT location.location_id, ifnull(frame.depth, 0) AS depth,
	CASE WHEN frame.depth IS NOT NULL THEN function_named.name
		WHEN typeof(symbol.name) = 'text' THEN symbol.name
		WHEN typeof(symbol.name) = 'blob' THEN 'x''' || hex(symbol.name) || ''''
		ELSE '[' || ifnull(module.basename, 'unknown') || ']' END AS name,
	module.path AS module, ifnull(function_named.origin, ifnull(module.origin, 'unknown')) AS origin,
	printf('0x%x', location.address) AS address,
	CASE WHEN frame.depth IS NULL THEN location.line
		WHEN frame.line THEN frame.file || ':' || frame.line END AS line,
	ifnull(function_named.is_inlined, location.is_inlined) AS is_inlined
FROM location
	LEFT JOIN frame ON frame.location_id = location.location_id
	LEFT JOIN function_named ON function_named.function_id = frame.function_id
	LEFT JOIN symbol ON symbol.symbol_id = location.symbol_id
	LEFT JOIN module ON module.module_id = location.module_id;

-- a location as its innermost frame is called
CREATE VIEW location_named AS
SELECT location_id, name, module, origin, address, line, is_inlined
FROM location_frame WHERE depth = 0;

-- the callers of a stack, one frame a row; depth 0 is the outermost location, inline_depth 0 the
-- innermost frame of each
CREATE VIEW stack_frame AS
SELECT stack.stack_id, CAST(j.key AS INTEGER) AS depth, location_frame.location_id, location_frame.name,
	location_frame.module, location_frame.origin, location_frame.address, location_frame.line,
	location_frame.is_inlined, location_frame.depth AS inline_depth
FROM stack, json_each(stack.callers) AS j
	JOIN location_frame ON location_frame.location_id = j.value;

-- one row a sample with its names; the leaf is the function that was running
CREATE VIEW sample_named AS
SELECT sample.sample_id, capture.name AS capture, sample.time_ns,
	round((sample.time_ns - capture.start_ns) / 1e9, 9) AS time_s,
	event.name AS event, task_named.comm, task_named.pid, task_named.tid, sample.cpu,
	sample.count, sample.period, location_named.name AS leaf, location_named.module AS leaf_module,
	location_named.origin AS leaf_origin, sample.stack_id
FROM sample
	JOIN event USING (event_id)
	JOIN capture USING (capture_id)
	LEFT JOIN task_named ON task_named.task_id = sample.task_id
	LEFT JOIN location_named ON location_named.location_id = sample.leaf_location_id;

-- whole-capture weights by path of functions, its frames from the outermost on
CREATE VIEW path_frame AS
SELECT path_weight.capture_id, path_weight.path_id, path_weight.event_id, path_weight.task_id,
	CAST(j.key AS INTEGER) AS depth, function_named.name, function_named.module,
	function_named.origin, path_weight.count, path_weight.period
FROM path_weight, json_each(path_weight.path) AS j
	JOIN function_named ON function_named.function_id = j.value;
