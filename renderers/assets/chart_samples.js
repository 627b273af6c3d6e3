/*
 * chart_samples.js - the samples of a flame chart as its metadata has them: see flamechart.h
 *
 * Samples are arrays with one element for each, lane by lane and in order of time within one: begin
 * and end (nanoseconds from the begin of the chart on), row (of the tree of all stacks, which it
 * ends in) and shared: so many of its frames are those of the sample before it, too, if no time is
 * empty between the two; see sharedOf(). Where the file tells several as one, count has how many.
 */

const chartFacts = new Map(linesOf("chart").map(line => {
	const [name, number] = line.split("\t");

	return [name, Number(number)];
}));
const stepNs = chartFacts.get("step"), wholeNs = chartFacts.get("duration") * stepNs;
const leastShare = chartFacts.get("least");

const UNKNOWN = -1;	/* what is shared, until somebody asks */
const FEW = 1024;	/* samples: most rows have fewer */

readFunctions();

const stacks = readTree();
const lanes = readLanes();
const rowDepth = depthsOf(stacks), rowTop = topsOf(stacks);
const samples = readSamples();

function readLanes() {
	let first = 0;

	return linesOf("lanes").map(line => {
		const tab = line.indexOf("\t"), nr = Number(line.slice(0, tab));
		const lane = {name: line.slice(tab + 1), first, behind: first + nr, samples: 0,
			boxes: null, rows: 0, y: 0};

		first += nr;
		return lane;
	});
}

function depthsOf({nr, parent}) {
	const depth = new Int32Array(nr);

	for (let row = 1; row < nr; row++)
		depth[row] = depth[parent[row]] + 1;
	return depth;
}

/* The outermost frame of each; the root has none. */
function topsOf({nr, parent}) {
	const top = new Int32Array(nr);

	for (let row = 1; row < nr; row++)
		top[row] = top[parent[row]] || row;
	return top;
}

/*
 * Rows by number: those that most samples end in first, else as they stand. Most have few, and are
 * put in their places at once.
 */
function rowsByUse() {
	const {rows, weights} = stacks.columns[0], many = [], places = new Int32Array(FEW + 1);
	const sorted = new Int32Array(rows.length);

	for (let i = 0; i < rows.length; i++)
		if (weights[i] < FEW)
			places[weights[i]]++;
		else
			many.push(i);
	many.sort((a, b) => weights[b] - weights[a] || a - b).forEach((i, at) => {
		sorted[at] = rows[i];
	});
	for (let weight = FEW - 1, at = many.length; weight > 0; weight--)
		[places[weight], at] = [at, at + places[weight]];
	for (let i = 0; i < rows.length; i++)
		if (weights[i] < FEW)
			sorted[places[weights[i]]++] = rows[i];
	return sorted;
}

function readSamples() {
	const {length: lanesNr} = lanes, nr = lanesNr ? lanes[lanesNr - 1].behind : 0;
	const groups = columnOf("groups");
	const all = {nr, begin: new Float64Array(nr), end: new Float64Array(nr),
		row: new Int32Array(nr), shared: new Int32Array(nr),
		count: groups.bytes.length ? new Float64Array(nr) : null};

	readTimes(all, columnOf("times"));
	readEnds(all, columnOf("ends"));
	for (let i = 0; all.count && i < nr; i++)
		all.count[i] = nextNumber(groups) + 1;
	for (const lane of lanes)
		lane.samples = countSamples(all, lane.first, lane.behind);
	return all;
}

/* Per sample how long it is, as twice what that is more than usual; and what is empty before it. */
function readTimes({begin, end}, times) {
	const usual = chartFacts.get("usual");

	for (const {first, behind} of lanes) {
		let at = 0;

		for (let i = first; i < behind; i++) {
			const code = nextNumber(times), far = Math.floor(code / 2);

			if (code % 2)
				at += nextNumber(times) + 1;
			begin[i] = at * stepNs;
			at += far % 2 ? usual - (far + 1) / 2 : usual + far / 2;
			end[i] = at * stepNs;
		}
	}
}

function readEnds({begin, end, row, shared}, ends) {
	const rows = rowsByUse();

	for (const {first, behind} of lanes)
		for (let i = first; i < behind; i++) {
			row[i] = rows[nextNumber(ends)];
			if (i > first && begin[i] === end[i - 1])
				shared[i] = UNKNOWN;
		}
}

/*
 * Worked out when somebody asks. Rows stand in the order of the tree: the nearest one above two is
 * the first above the one before that the other is within.
 */
function sharedOf(i) {
	const {row, shared} = samples, {parent, end} = stacks;

	if (shared[i] === UNKNOWN) {
		const last = Math.max(row[i], row[i - 1]);
		let common = Math.min(row[i], row[i - 1]);

		while (end[common] <= last)
			common = parent[common];
		shared[i] = rowDepth[common];
	}
	return shared[i];
}

/* Has a sample the same frame at a depth, and those that call it, as the one before? */
function goesOn(i, depth) {
	const {row, shared} = samples;

	if (depth || shared[i] !== UNKNOWN)
		return sharedOf(i) > depth;
	return row[i] > 0 && rowTop[row[i]] === rowTop[row[i - 1]];
}

/* Has it one there? */
function isDeeper(i, depth) {
	const row = samples.row[i];

	return depth ? rowDepth[row] > depth : row > 0;
}

/* From one on to that before another. */
function countSamples({count}, first, behind) {
	let sum = behind - first;

	if (count)
		for (let i = first; i < behind; i++)
			sum += count[i] - 1;
	return sum;
}

/* The frame of a sample at a depth, 0 the outermost: a row of the tree. */
function frameAt(i, depth) {
	let row = samples.row[i];

	while (rowDepth[row] > depth + 1)
		row = stacks.parent[row];
	return row;
}
