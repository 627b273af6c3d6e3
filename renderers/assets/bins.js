/*
 * bins.js - the tree of a range of time, and the command that draws the same
 *
 * Of each row with a self weight the file says when it came: see struct timeline_flame. A range's
 * tree has the rows that came in it, so that all that is done with a tree can be done with it.
 */

const rangeFacts = new Map(linesOf("range").map(line => line.split("\t")));
const entire = whole;	/* the tree of the whole time */

/* Arrays with one element for each bin of a row: row, bin, and weights per column. */
function makeBins(most, columnsNr) {
	const bins = {nr: 0, row: new Int32Array(most), bin: new Int32Array(most), weights: []};

	for (let k = 0; k < columnsNr; k++)
		bins.weights.push(new Float64Array(most));
	return bins;
}

function readBins() {
	const numbers = decodeAll("bins"), {columns, nr} = entire, [{self}] = columns;
	const bins = makeBins(numbers.length, columns.length), [weights, samples] = bins.weights;
	let i = 0, at = 0;

	for (let row = 0; row < nr; row++) {
		let left = self[row], bin = -1;

		while (left > 0 && i < numbers.length) {
			bin += numbers[i++] + 1;

			const steps = left === 1 ? 1 : numbers[i++];

			bins.row[at] = row;
			bins.bin[at] = bin;
			weights[at] = steps;
			if (samples)
				samples[at] = numbers[i++];
			left -= steps;
			at++;
		}
	}
	bins.nr = at;
	return bins;
}

let binsRead = null;

function addBins({nr, row, bin}, weights, first, end, self) {
	for (let i = 0; i < nr; i++)
		if (bin[i] >= first && bin[i] < end)
			self[row[i]] += weights[i];
}

/* The whole tree's rows with the weights of some bins alone. */
function weighBins(first, end) {
	const bins = binsRead || (binsRead = readBins());
	const weighed = Object.assign(Object.create(treeParts), entire, {lacking: new Map(),
		columns: entire.columns.map(() => makeColumn(entire.nr))});

	keepPart(weighed, "parent", entire.parent);
	weighed.columns.forEach(({self}, k) => addBins(bins, bins.weights[k], first, end, self));
	for (const {self, total} of weighed.columns)
		addUp(entire.parent, self, total);
	/* how much of a row may lack a caller is known of the whole time: here it is that at most */
	for (const [row, lacking] of entire.lacking)
		weighed.lacking.set(row, Math.min(lacking, weighed.columns[0].self[row]));
	return weighed;
}

/* The bins of a range; those that the axis begins and ends within are of it. */
function binsOf({from, to}) {
	const first = (from - gridBegin) / grid, end = (to - gridBegin) / grid;

	return [from > 0 ? Math.round(first) : 0, to < duration ? Math.round(end) : Math.ceil(end)];
}

function treeOfRange(range) {
	const weighed = weighBins(...binsOf(range));
	const {total} = weighed.columns[0];

	return mapTree(weighed, (row, builder, targets) => total[row] ? keep(weighed, row, builder,
		targets) : -1);
}

/* Nanoseconds of the samples' own clock, which a double cannot hold. */
function clockText(ns) {
	const digits = ns.toString().padStart(10, "0");
	const part = digits.slice(-9).replace(/0+$/, "");

	return digits.slice(0, -9) + (part ? "." + part : "");
}

function commandOf(range) {
	const command = rangeFacts.get("command") || "";
	const [from, to] = binsOf(range).map(bin => clockText(BigInt(rangeFacts.get("first")) +
		BigInt(bin) * BigInt(rangeFacts.get("bin"))));

	return command.replace("%", from + ".." + to);
}

/* What is zoomed stays so where the range has it. */
function changeRange(text) {
	const {pane} = state, id = zoomId(panes[pane].tree, panes[pane].zoom);

	change({range: text});
	if (id)
		zoomToId({pane, zoom: id});
}

/* Keys of the flame graph do nothing where there is none. */
function onHiddenKey(event) {
	if (!chosen && event.target !== panelsPicture && event.key !== "Tab")
		event.stopImmediatePropagation();
}

function startRanges() {
	ofRange = text => {
		takeRange(text);
		return chosen ? treeOfRange(chosen) : entire;
	};
	document.addEventListener("keydown", onHiddenKey, true);
	refresh();
	/* the first reading of the link knew of no ranges */
	state = Object.assign({}, state, {range: ""});
	readLink();
}
