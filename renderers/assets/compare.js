/*
 * compare.js - two sides of a comparison: widths of frames, what became of them, how sure that is
 *
 * Only pictures of a comparison have these scripts; others ask isCompared first. A tree has three
 * columns then: WIDTH, which is made of the others, and the weights BEFORE and AFTER, in steps.
 *
 * What was judged are functions, each wherever it stands. That holds for a path of such a function
 * that went the same way, by as much as could have been seen. What stands for several functions,
 * or is a part of another one's weight, was not judged, and says so.
 */

const WIDTH = 0, BEFORE = 1, AFTER = 2;
const SIDES = ["before", "after", "both"];

const comparing = {
	reading: facts.get("compared"),
	beforeBy: Number(facts.get("before-by")), afterBy: Number(facts.get("after-by")),
	whole: Number(facts.get("whole")), scale: Number(facts.get("after-scale")),
	pointsMax: Number(facts.get("points-max")),
	step: [1, Number(facts.get("step")), Number(facts.get("after-step"))],	/* per column */
	isJudged: facts.has("judged"), total: facts.get("total"),
	side: facts.get("widths"),	/* whose widths are shown */
};
const firstSide = comparing.side;

/* ---- widths */

/*
 * A frame is as wide as its larger side, or as all that stands upon it where that is more: what
 * moved from one child to another has its width in both. The same as place() in diff_frames.c.
 */
function setWidths(tree) {
	const {parent, columns: [{self, total}, before, after]} = tree;
	const b = comparing.side === "after" ? 0 : comparing.step[BEFORE];
	const a = comparing.side === "before" ? 0 : comparing.step[AFTER] * comparing.scale;

	total.fill(0);
	for (let i = tree.nr - 1; i >= 0; i--) {
		self[i] = Math.max(b * before.self[i], a * after.self[i]);
		total[i] = Math.max(total[i], b * before.total[i], a * after.total[i]);
		if (i)
			total[parent[i]] += total[i];
	}
}

/* Widths of what ends in rows, whichever side is shown: above 0 where there is anything. */
function eitherSelf(tree) {
	const [, before, after] = tree.columns;

	return before.self.map((weight, i) => weight + after.self[i]);
}

/* Rows of the whole tree that have no width: of frames that are on the other side alone. */
function countAbsent(tree) {
	const {total} = tree.columns[WIDTH];
	let nr = 0;

	for (let i = 1; i < tree.nr; i++)
		nr += total[i] === 0 && tree.fn[i] !== LEFT_OUT;
	return nr;
}

/* ---- amounts: weights in the reading that leads */

function amountOf(weight, side) {
	const by = side === AFTER ? comparing.afterBy : comparing.beforeBy;

	return by > 0 ? weight * comparing.step[side] / by : 0;
}

/* Points are percent of the whole. What rounding leaves of no change is none. */
const CRUMB = 1e-9;

function pointsOf(before, after) {
	const change = amountOf(after, AFTER) - amountOf(before, BEFORE);
	const points = comparing.whole > 0 ? 100 * change / comparing.whole : 0;

	return Math.abs(points) < CRUMB ? 0 : points;
}

function rowPoints(tree, row) {
	return pointsOf(totalOf(tree, row, BEFORE), totalOf(tree, row, AFTER));
}

/* By the weights as they are: "new", "removed", or "". */
function stateWord(before, after) {
	if (!before === !after)
		return "";
	return before ? "removed" : "new";
}

/* ---- verdicts: letters of FLAME_VERDICT_LETTERS; "-" was no part of the question */

const NOT_JUDGED = "-", UNJUDGED = "u", BELOW = "b", OPEN = "o", ESTABLISHED = "e";

/* Per name what was judged of it. */
const judgedOf = [];

function readJudged() {
	linesOf("verdicts").forEach((line, i) => {
		const [verdict, before, after, smallest, words] = line.split("\t");
		const judged = {verdict, words, before: Number(before), after: Number(after),
			smallest: smallest === "inf" ? Infinity : Number(smallest)};

		judged.points = pointsOf(judged.before, judged.after);
		judgedOf[functions.same[i + 1]] = judged;
	});
}

function judgedOfRow(tree, row) {
	const judged = judgedOf[functions.same[tree.fn[row]]];

	return judged && judged.verdict !== NOT_JUDGED ? judged : null;
}

function isWhole(judged, before, after) {
	return judged.before === before && judged.after === after;
}

/* All samples together were a test of their own. */
function rootVerdict(tree, before, after) {
	const [, first, second] = whole.columns;

	return tree.fn[0] === whole.fn[0] && before === first.total[0] && after === second.total[0] ?
		comparing.total : NOT_JUDGED;
}

function pathVerdict(judged, points) {
	if (judged.verdict !== ESTABLISHED)
		return judged.verdict;
	if (Math.abs(points) < judged.smallest)
		return BELOW;
	return points > 0 === judged.points > 0 ? ESTABLISHED : OPEN;
}

/*
 * Where callers stand upon what they call a box has a caller's name and another function's weight:
 * only where it is all of a function, on both sides, it is what was judged.
 */
function verdictOf(tree, row) {
	const before = totalOf(tree, row, BEFORE), after = totalOf(tree, row, AFTER);
	const judged = judgedOfRow(tree, row);

	if (!comparing.isJudged)
		return UNJUDGED;
	if (!row && !judged)
		return rootVerdict(tree, before, after);
	if (!judged || (tree.isUp && !isWhole(judged, before, after)))
		return NOT_JUDGED;
	return pathVerdict(judged, pointsOf(before, after));
}

/* ---- how it is painted: classes as of svg_symbols.c */

const SHADES = 4;
const hatches = {[OPEN]: " x", [NOT_JUDGED]: " y"};

/* Four steps, on the scale of square roots: small changes are seen beside large ones. */
function stepOfPoints(points) {
	const step = Math.ceil(SHADES * Math.sqrt(Math.abs(points) / comparing.pointsMax)) - 1;

	return Math.min(Math.max(step, 0), SHADES - 1);
}

function changeLook(points, verdict) {
	if (points === 0 || verdict === BELOW)
		return "v0";
	return (points > 0 ? "t" : "s") + stepOfPoints(points) + (hatches[verdict] || "");
}

const outlines = {new: " new", removed: " gone", "": ""};

function comparedLook(tree, row) {
	const before = totalOf(tree, row, BEFORE), after = totalOf(tree, row, AFTER);

	return changeLook(pointsOf(before, after), verdictOf(tree, row)) +
		(row ? outlines[stateWord(before, after)] : "");
}

/* Of the whole the strongest colour is that of the picture without its script. */
function setScale(tree, {view}) {
	const isMerged = view === "callers" || view === "sandwich";
	const [before, after] = tree.columns.slice(BEFORE);
	let most = 1;

	if (tree === whole && !isMerged) {
		comparing.pointsMax = Number(facts.get("points-max"));
		return;
	}
	for (let i = 1; i < tree.nr; i++)
		if (tree.fn[i] !== LEFT_OUT)
			most = Math.max(most, Math.abs(pointsOf(before.total[i], after.total[i])));
	for (const {points} of isMerged ? changesOf(tree, view === "callers" ? "self" : "total") : [])
		most = Math.max(most, Math.abs(points));
	comparing.pointsMax = most;
}

/* Per name by how much what ends in it changed, or all that it is in. */
function changesOf(tree, what) {
	const before = countFunctions(tree, BEFORE), after = countFunctions(tree, AFTER);

	return before.map((line, i) => ({same: line.same, points: pointsOf(line[what], after[i][what])}));
}

/* Another side's widths, of all trees that are shown. */
function takeSide(side) {
	comparing.side = side;
	setWidths(whole);
	if (base !== whole)
		setWidths(base);
}

function sideOfLink(word) {
	return SIDES.includes(word) && canShowSide(word) ? word : firstSide;
}

const sideKeys = {
	b: () => showWidths("before"), a: () => showWidths("after"), d: () => showWidths("both"),
};
