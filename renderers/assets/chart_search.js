/* chart_search.js - what a search finds in the lanes; what is said of it and of the box at hand */

let isHit = new Uint8Array(functions.nr), found = {weight: 0, frames: 0};
let steppedTo = -1;	/* the sample of the last step */
let hitDepth = new Int32Array(stacks.nr);	/* per row: of its outermost frame that is found; 0 */

function search() {
	const {nr, fn, parent} = stacks;

	isHit = findFunctions(state.search, state.isAnyCase);
	found = state.search ? countHits(stacks, isHit, 0, nr) : {weight: 0, frames: 0};
	steppedTo = -1;
	hitDepth = new Int32Array(nr);
	for (let row = 1; row < nr && found.frames; row++)
		hitDepth[row] = hitDepth[parent[row]] || (isHit[fn[row]] ? rowDepth[row] : 0);
}

/* ---- drawing */

/* Where a box of short runs has some that are found: a mark for each pixel of them. */
function marksWithin(lane, i, {y}) {
	const {boxes} = lane, {row, begin, end} = samples;
	let marks = "", from = -1, to = -1;

	for (let k = boxes.first[i]; k < boxes.behind[i]; k++) {
		if (!hitDepth[row[k]])
			continue;

		const left = xOf(begin[k]), right = Math.max(xOf(end[k]), left + SEEN);

		if (left > to + 0.5) {
			marks += from < 0 ? "" : outline(from, y, to - from);
			from = left;
		}
		to = Math.max(to, right);
	}
	return from < 0 ? marks : marks + outline(from, y, to - from);
}

function drawFound() {
	let outlines = "";

	if (found.frames)
		eachShown((lane, i) => {
			const {boxes} = lane, place = placeOf(lane, i);

			if (isMerged(boxes, i))
				outlines += marksWithin(lane, i, place);
			else if (place.width < THIN && isFoundBox({lane, i}))
				outlines += outline(place.x, place.y, Math.max(place.width, 1));
		});
	paintFound(page.marks, isFoundBox, outlines);
}

/* ---- steps */

/* Does a found frame begin with a sample, its outermost one? */
function beginsHit(i) {
	const depth = hitDepth[samples.row[i]];

	return depth > 0 && !goesOn(i, depth - 1);
}

/* Lane by lane, in order of time; around the end. */
function nextHitSample(from, by) {
	const {nr} = samples;

	for (let n = 0, i = from; n < nr; n++) {
		i = (i + by + nr) % nr;
		if (beginsHit(i))
			return i;
	}
	return -1;
}

const WIDE = 24;	/* pixels that a match has at least when it is stepped to */

/* The range that shows a match: the one at hand, moved, or a shorter one. */
function rangeFor(begin, end) {
	const {from, to} = state.range, length = to - from;
	const wanted = Math.max((end - begin) * inner() / WIDE, SHORTEST);
	const middle = (begin + end) / 2;

	if (wanted >= length && begin >= from && end <= to)
		return state.range;
	return {from: middle - Math.min(wanted, length) / 2, to: middle + Math.min(wanted, length) / 2};
}

/* From the box at hand on, which may be the first itself. */
function stepHits(by) {
	const isNew = by > 0 && steppedTo !== current.sample;
	const sample = found.frames ? nextHitSample(current.sample - (isNew ? 1 : 0), by) : -1;

	if (sample < 0)
		return;

	const at = lanes.findIndex(lane => sample < lane.behind), depth = hitDepth[samples.row[sample]];
	const run = {depth: [depth - 1], first: [sample], behind: [sample + 1], runs: [0]};
	const [begin, behind] = wholeRun(lanes[at], run, 0);

	isByKey = true;
	setCurrent({lane: at, sample, depth: depth - 1});
	showRange(rangeFor(samples.begin[begin], samples.end[behind - 1]));
	focusOn(current);
	steppedTo = sample;
}

/* ---- words */

/* Samples in the range, and those of them that are found. */
function countInRange() {
	const {row, count} = samples;
	let all = 0, hits = 0;

	for (const lane of lanes) {
		const [first, behind] = samplesWithin(lane, state.range);

		for (let i = first; i < behind; i++) {
			const nr = count ? count[i] : 1;

			all += nr;
			hits += hitDepth[row[i]] ? nr : 0;
		}
	}
	return {all, hits};
}

function foundWords() {
	const all = stacks.columns[0].total[0];
	const words = "matched: " + share(found.weight, all) + " (" + grouped(found.weight) + " of " +
		plural(all, "sample") + ")";

	if (isAllTime(state.range))
		return words;

	const range = countInRange();

	return words + "; " + share(range.hits, range.all) + " of the " + grouped(range.all) +
		" in this range";
}

function showTools() {
	page.anyCase.setAttribute("aria-pressed", String(state.isAnyCase));
	page.back.disabled = !trail.length && isAllTime(state.range);
	page.reset.disabled = page.farther.disabled = isAllTime(state.range);
	page.found.textContent = state.search ? foundWords() : "";
	page.before.disabled = page.after.disabled = !found.frames;
	page.clear.disabled = !state.search;
	if (page.box.value !== state.search)
		page.box.value = state.search;
	showDetails();
}

function showDetails() {
	const at = pointed || (hasFocus() ? {lane: current.lane, i: boxAtHand()} : null);
	const {details} = page;

	details.textContent = "";
	if (!at || at.i < 0) {
		details.append(html("span", "quiet", "A click or Enter shows a box over the whole width, " +
			"dragging chooses a range, Escape goes back; + and \u2212 zoom, Shift and arrows " +
			"move in time; arrows walk, / searches, n and N step."));
		return;
	}

	const {boxes} = lanes[at.lane];

	details.append(html("b", "", html("bdi", "", nameOfBox(boxes, at.i))), " \u2014 " +
		detailsOfBox(lanes[at.lane], boxes, at.i));
}
