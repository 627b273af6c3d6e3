-- 0008-call-chains.sql - who walked an event's call chains, and functions whose caller they may not hold

-- NULL: not known
ALTER TABLE event ADD COLUMN call_chains TEXT
	CHECK (call_chains IN ('frame-pointers', 'stack-dumps', 'last-branches'));

-- derived: the function where it had set up no frame, so that frame pointers led past its caller
ALTER TABLE function ADD COLUMN lacks_caller INTEGER NOT NULL DEFAULT 0;

-- what each frame of a sample was found by, a letter as in unwinding.found_by; depth 0 is the outermost
CREATE VIEW sample_frame AS
WITH place AS (
	SELECT sample.sample_id, CAST(j.key AS INTEGER) AS depth, j.value AS location_id, 0 AS is_leaf
	FROM sample JOIN stack USING (stack_id), json_each(stack.callers) AS j
	UNION ALL
	SELECT sample.sample_id, (
		SELECT count(*) FROM stack, json_each(stack.callers)
		WHERE stack.stack_id = sample.stack_id), sample.leaf_location_id, 1
	FROM sample WHERE sample.leaf_location_id IS NOT NULL)
SELECT place.sample_id, place.depth, place.location_id,
	CASE WHEN unwinding.unwinding_id IS NOT NULL THEN substr(unwinding.found_by, place.depth + 1, 1)
		WHEN event.call_chains IS NULL THEN NULL
		WHEN module.origin = 'kernel' THEN 'k'
		WHEN place.is_leaf THEN 'l'
		WHEN location.is_return THEN 'u'
		WHEN event.call_chains = 'last-branches' THEN 'b'
		ELSE 'l' END AS found_by
FROM place
	JOIN sample USING (sample_id)
	JOIN event USING (event_id)
	JOIN location ON location.location_id = place.location_id
	LEFT JOIN module USING (module_id)
	LEFT JOIN unwinding ON unwinding.unwinding_id = sample.unwinding_id;
