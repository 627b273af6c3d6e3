-- 0002-views.sql - the joined, named picture: what people and `tephra sql` look at first

-- a name as text: what was no UTF-8 is kept as a BLOB and shown in hex here
CREATE VIEW task_named AS
SELECT task.task_id, thread.capture_id, thread.pid, thread.tid,
	CASE typeof(task.comm) WHEN 'blob' THEN 'x''' || hex(task.comm) || '''' ELSE task.comm END AS comm
FROM task JOIN thread USING (thread_id);

-- a frame as it is called: its symbol, or its module in brackets
CREATE VIEW location_named AS
SELECT location.location_id,
	CASE typeof(symbol.name)
		WHEN 'text' THEN symbol.name
		WHEN 'blob' THEN 'x''' || hex(symbol.name) || ''''
		ELSE '[' || ifnull(module.basename, 'unknown') || ']' END AS name,
	module.path AS module, ifnull(module.origin, 'unknown') AS origin,
	printf('0x%x', location.address) AS address, location.line, location.is_inlined
FROM location
	LEFT JOIN symbol USING (symbol_id)
	LEFT JOIN module ON module.module_id = location.module_id;

CREATE VIEW function_named AS
SELECT function.function_id, function.capture_id,
	CASE typeof(symbol.name)
		WHEN 'text' THEN symbol.name
		WHEN 'blob' THEN 'x''' || hex(symbol.name) || ''''
		ELSE '[' || ifnull(module.basename, 'unknown') || ']' END AS name,
	module.path AS module, ifnull(module.origin, 'unknown') AS origin, function.is_inlined
FROM function
	LEFT JOIN symbol USING (symbol_id)
	LEFT JOIN module ON module.module_id = function.module_id;

-- the callers of a stack, one frame a row; depth 0 is the outermost
CREATE VIEW stack_frame AS
SELECT stack.stack_id, CAST(j.key AS INTEGER) AS depth, location_named.*
FROM stack, json_each(stack.callers) AS j
	JOIN location_named ON location_named.location_id = j.value;

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
