/*
 * repeats.js - functions that call themselves, in merged trees
 *
 * In large trees most steps are between frames of one function. Rows of a node (going up, leaves)
 * are put in order by how often its function follows itself, as far as that was looked at: those that
 * go on stand first then, level by level, and only those that do not are looked at. The order of
 * these stays.
 */

const REPEAT_ROWS = 1024;	/* fewer are counted one by one */

/* By name 1 where functions share it. */
function namesShared() {
	const isShared = new Uint8Array(functions.nr);

	functions.same.forEach((name, fn) => { isShared[name] |= name === fn ? 0 : 1; });
	return isShared;
}

function canRepeat(merged, node) {
	const {isUp, begin, end, mixed} = merged, fn = merged.fn[node];

	if (end[node] - begin[node] < REPEAT_ROWS || (isUp && node === 0) || fn === LEFT_OUT ||
	    mixed.has(fn))
		return false;
	merged.isShared = merged.isShared || namesShared();
	return !merged.isShared[functions.same[fn]];
}

/* How often rows of a node repeat, null where it is not worth to know. */
function repeatsOf(merged, node) {
	const {isUp, depth} = merged, known = merged.repeats.get(node);

	if (!canRepeat(merged, node))
		return null;
	if (known && depth[node] - known.depth < known.ends.length - 1)
		return known;
	return isUp ? findRepeats(merged, node) : findRepeatsBelow(merged, node);
}

/* Where rows end that repeat so many times at least, and what they weigh. */
function makeRepeats(depth, most) {
	return {depth, ends: new Int32Array(most + 1), sums: new Float64Array(most + 1)};
}

/* From those that repeat just so many times to all that do as often at least. */
function sumRepeats(numbers) {
	for (let times = numbers.length - 2; times >= 0; times--)
		numbers[times] += numbers[times + 1];
}

/* From how many repeat just so many times to where they end; answers if any does. */
function endRepeats({ends}, begin) {
	sumRepeats(ends);
	for (let times = 0; times < ends.length; times++)
		ends[times] += begin;
	return ends[1] > begin;
}

/* Where each row goes next: those that repeat most come first. */
function repeatPlaces({ends}, begin) {
	return Int32Array.of(...ends.subarray(1), begin);
}
