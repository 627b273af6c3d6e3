/* chart_words.js - what a box of a flame chart says */

/* The function of a box; -1: several. */
function functionOf(boxes, i) {
	return boxes.isOne[i] ? stacks.fn[frameAt(boxes.first[i], boxes.depth[i])] : -1;
}

/* Is it several short runs? */
function isMerged(boxes, i) {
	return boxes.runs[i] > 1;
}

function nameOfBox(boxes, i) {
	const fn = functionOf(boxes, i), name = fn < 0 ? "" : functions.name[fn];

	return isMerged(boxes, i) ? boxes.runs[i] + " short runs" + (name ? " of " + name : "") : name;
}

/* "12.00 ms from 1.250 s on, 12 samples", and the number of these. */
function timesOfBox(lane, boxes, i) {
	const {begin, end} = samples, [first, behind] = wholeRun(lane, boxes, i);
	const nr = samplesOfBox(boxes, i, [first, behind]);

	return {words: timeWords(end[behind - 1] - begin[first]) + " from " +
		timeWords(begin[first]) + " on, " + plural(nr, "sample"), nr};
}

function tipOfBox(lane, boxes, i) {
	const fn = functionOf(boxes, i);

	return joined(nameOfBox(boxes, i), timesOfBox(lane, boxes, i).words,
		...fn < 0 ? [] : [originWords(fn), statusWords(fn)]);
}

function detailsOfBox(lane, boxes, i) {
	const fn = functionOf(boxes, i), {words, nr} = timesOfBox(lane, boxes, i);
	const ofLane = share(nr, lane.samples) + " of " + lane.name;
	const more = fn < 0 ? [] : [originWords(fn), functions.place[fn], statusWords(fn)];
	const note = fn === LEFT_OUT ? "which inner frames is not in this file" :
		boxes.runs[i] ? "a click shows them wider" : "";

	return joined(words, ofLane, ...more, note);
}

/* Between two times. */
function rangeWords({from, to}) {
	return timeWords(to - from) + " from " + timeWords(from) + " on";
}
