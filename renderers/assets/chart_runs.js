/*
 * chart_runs.js - what of a lane is drawn of a range of time: as src/analysis/flamechart.c does it
 *
 * A run is a frame for as long as neighbouring samples have it. Those that are shorter than the
 * least are merged where they follow each other; what they call is not drawn. Boxes are arrays with
 * one element for each, a run followed by what it calls: depth, first and behind (its samples), and
 * runs: 0 for a run, else so many short ones.
 */

function makeBoxes() {
	return {nr: 0, depth: [], first: [], behind: [], runs: [], isOne: [], deepest: -1};
}

function addBox(boxes, depth, first, behind, runs) {
	boxes.depth.push(depth);
	boxes.first.push(first);
	boxes.behind.push(behind);
	boxes.runs.push(runs);
	boxes.isOne.push(true);	/* of one function */
	boxes.deepest = Math.max(boxes.deepest, depth);
	boxes.nr++;
}

/* The first sample of a lane that ends behind a time. */
function sampleAfter({first, behind}, time) {
	const {end} = samples;
	let low = first, high = behind;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (end[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The samples of a lane in a range of time, [first, behind]. */
function samplesWithin(lane, {from, to}) {
	if (from <= 0 && to >= wholeNs)
		return [lane.first, lane.behind];

	const {begin, end} = samples, first = sampleAfter(lane, from);
	let behind = sampleAfter(lane, to);

	if (behind < lane.behind && begin[behind] < to && end[behind] > to)
		behind++;
	return [first, behind];
}

/* So long is the shortest run that stands for itself. */
function leastOf({from, to}) {
	return Math.max(1, Math.floor((to - from) * leastShare));
}

/* A short run goes into the box before it, where that is such a one of the same caller. */
function addShort(boxes, level, first, behind, least) {
	const {begin, end} = samples, {short, depth} = level;

	if (short < 0 || begin[first] - end[boxes.behind[short] - 1] >= least) {
		level.short = boxes.nr;
		addBox(boxes, depth, first, behind, 1);
		return;
	}
	if (frameAt(boxes.first[short], depth) !== frameAt(first, depth))
		boxes.isOne[short] = false;
	boxes.behind[short] = behind;
	boxes.runs[short]++;
}

function runsOf(lane, range) {
	const {begin, end} = samples, least = leastOf(range), boxes = makeBoxes();
	const [first, behind] = samplesWithin(lane, range);
	/* frames that go on beyond the range are as long as they are there */
	const before = first > lane.first && first < behind ? sharedOf(first) : 0;
	const after = behind < lane.behind && first < behind ? sharedOf(behind) : 0;
	const open = [{at: first, behind, depth: 0, short: -1}];

	while (open.length) {
		const level = open[open.length - 1], {depth} = level;
		let from = level.at;

		while (from < level.behind && !isDeeper(from, depth))
			from++;
		if (from === level.behind) {
			open.pop();
			continue;
		}

		let to = from + 1;

		while (to < level.behind && goesOn(to, depth))
			to++;
		level.at = to;
		if (end[to - 1] - begin[from] < least && !(from === first && before > depth) &&
		    !(to === behind && after > depth)) {
			addShort(boxes, level, from, to, least);
			continue;
		}
		addBox(boxes, depth, from, to, 0);
		level.short = -1;
		open.push({at: from, behind: to, depth: depth + 1, short: -1});
	}
	return boxes;
}

/* All samples of a run, beyond the range too, [first, behind]; of merged ones those at hand. */
function wholeRun(lane, boxes, i) {
	const depth = boxes.depth[i];
	let first = boxes.first[i], behind = boxes.behind[i];

	while (!boxes.runs[i] && first > lane.first && goesOn(first, depth))
		first--;
	while (!boxes.runs[i] && behind < lane.behind && goesOn(behind, depth))
		behind++;
	return [first, behind];
}

/* How many samples a box has: of merged runs, of which some lie between, those in them. */
function samplesOfBox(boxes, i, [first, behind]) {
	const {count} = samples, depth = boxes.depth[i];
	let nr = 0;

	for (let k = first; k < behind; k++)
		if (isDeeper(k, depth))
			nr += count ? count[k] : 1;
	return nr;
}
