/* compare_words.js - a comparison in words: amounts, frames, what was found, legend, switch */

/* At least four digits, whatever the size. */
function valueNumber(value) {
	if (value >= 1000)
		return grouped(Math.round(value));
	return value.toFixed(value >= 100 ? 1 : value >= 10 ? 2 : value >= 0.001 ? 3 : 6);
}

/* "327.2 ms/s", "320 us", "12.34 %": what a weight of a side is in the reading. */
function amountWords(weight, side) {
	const amount = amountOf(weight, side);

	if (comparing.reading === "share")
		return (100 * amount).toFixed(2) + " %";
	return (unit === "ns" ? timeWords(amount) : valueNumber(amount)) +
		(comparing.reading === "per_second" ? "/s" : "");
}

/* "+12.3": one decimal, two below one. */
function pointsWords(points) {
	return (points < 0 ? "-" : "+") + Math.abs(points).toFixed(Math.abs(points) < 1 ? 2 : 1);
}

function pairWords(before, after) {
	return amountWords(before, BEFORE) + " before, " + amountWords(after, AFTER) + " after, " +
		pointsWords(pointsOf(before, after)) + " points";
}

/* What was found of a function, or that nothing was asked of what stands here. */
function sureWords(tree, row) {
	const judged = judgedOfRow(tree, row);
	const isAsked = judged && verdictOf(tree, row) !== NOT_JUDGED;

	if (isAsked)
		return judged.words;
	return comparing.isJudged && verdictOf(tree, row) === NOT_JUDGED ? "not judged" : "";
}

/* As the tips of the picture without its script. */
function comparedTip(tree, row) {
	const before = totalOf(tree, row, BEFORE), after = totalOf(tree, row, AFTER);
	const fn = tree.fn[row];

	return [functions.name[fn], pairWords(before, after), row ? stateWord(before, after) : "",
		sureWords(tree, row), originWords(fn), statusWords(fn)].filter(Boolean).join(", ");
}

/* In a box of that width: points whole or not at all, since the begin of a number is another one. */
function comparedLabel(tree, row, width) {
	const points = pointsWords(rowPoints(tree, row));
	const cells = Math.floor((width - GAP - 2 * INSET) / cell) - points.length;

	return cells < 0 ? "" : cells < CELLS_MIN ? points : points + " " + functions.name[tree.fn[row]];
}

/* Of "+ n more" both sides are added up when it is asked for. */
function restOf(tree, row, skip) {
	const ordered = heaviestFirst(tree, orderedChildren(tree, row, false));
	const kept = skip === LEFT ? [] : ordered.filter(child => tree.fn[child] !== LEFT_OUT).slice(skip);
	const rest = kept.concat(ordered.filter(child => tree.fn[child] === LEFT_OUT));

	return [BEFORE, AFTER].map(side =>
		rest.reduce((sum, child) => sum + totalOf(tree, child, side), 0));
}

function comparedMoreTip(tree, row, skip, more) {
	return moreName(more) + " (" + plural(more, "frame") + (skip === LEFT ?
		" that this file leaves out)" : " too narrow to draw)") + ", " +
		pairWords(...restOf(tree, row, skip));
}

/* ---- details of a frame */

const verdictSentences = {
	[BELOW]: "less than this comparison could have shown",
	[OPEN]: "not established",
	[ESTABLISHED]: "the change of this frame goes with it",
};

/* How sure, of the function and of this frame where that is another thing. */
function howSure(tree, row) {
	const judged = judgedOfRow(tree, row), verdict = verdictOf(tree, row);

	if (verdict === UNJUDGED)
		return judged ? [judged.words] : [];
	if (verdict === NOT_JUDGED)
		return ["not judged: the test was of whole functions, and this is none of them"];
	if (!judged)
		return [verdictSentences[verdict]];
	return verdict === judged.verdict ? [judged.words] :
		[judged.words, "here: " + verdictSentences[verdict]];
}

function comparedDetails(tree, row, zoomed) {
	const fn = tree.fn[row], [before, after] = [BEFORE, AFTER].map(k => totalOf(tree, row, k));
	const [selfBefore, selfAfter] = [BEFORE, AFTER].map(k => selfOf(tree, row, k));
	const said = [pairWords(before, after)];

	if (row && stateWord(before, after))
		said.push(stateWord(before, after));
	said.push(...howSure(tree, row), ...[originWords(fn), statusWords(fn)].filter(Boolean));
	if (selfBefore || selfAfter)
		said.push((tree.isUp ? "begins here " : "self ") + pairWords(selfBefore, selfAfter));
	if (zoomed && row !== zoomed && isWithin(tree, row, zoomed))
		said.push([BEFORE, AFTER].map((k, i) => share(totalOf(tree, row, k),
			totalOf(tree, zoomed, k)) + (i ? " after" : " before")).join(", ") +
			" of " + functions.name[tree.fn[zoomed]]);
	return said.join("; ");
}

/* ---- beside the frames */

function comparedFound() {
	const [before, after] = [BEFORE, AFTER].map(side =>
		countHits(base, isHit, 0, base.nr, side).weight);

	return "matched: " + pairWords(before, after) + ", " + plural(found.frames, "frame");
}

/* What a transform dropped, of each side. */
function comparedDropped() {
	const [before, after] = [BEFORE, AFTER].map(side =>
		share(whole.columns[side].total[0] - base.columns[side].total[0],
			whole.columns[side].total[0]));

	return before === "0 %" && after === "0 %" ? "all of the weight is kept" : before +
		" of before and " + after + " of after are left out; points are still of the whole";
}

/* The five functions whose self weight changed most. */
function largestChanges(tree) {
	const changed = changesOf(tree, "self").filter(({same, points}) => points && same !== LEFT_OUT);

	return changed.sort((a, b) =>
		Math.abs(b.points) - Math.abs(a.points) || compareNames(a, b)).slice(0, 5);
}

/* ---- the legend */

function keyOf(looks, words) {
	const picture = make(SVG, "svg", {viewBox: "0 0 16 12", "aria-hidden": "true"});

	looks.forEach((look, i) => picture.append(make(SVG, "g", {class: look}, make(SVG, "rect", {
		x: i * 16 / looks.length + (look.length > 3 ? 1 : 0), y: look.length > 3 ? 1 : 0,
		width: 16 / looks.length - (look.length > 3 ? 2 : 0),
		height: look.length > 3 ? 10 : 12}))));
	return html("span", "", picture, words);
}

function scaleWords(sign) {
	const steps = Array.from({length: SHADES}, (none, i) =>
		pointsWords(sign * ((i + 1) / SHADES) ** 2 * comparing.pointsMax));

	return (sign < 0 ? "less: to " : "more: to ") + steps.join(", ") + " points";
}

function showLegend(keys) {
	const shades = letter => Array.from({length: SHADES}, (none, i) => letter + i);

	keys.textContent = "";
	keys.append(keyOf(shades("t"), scaleWords(1)), keyOf(shades("s"), scaleWords(-1)),
		keyOf(["v0"], comparing.isJudged ? "the same, or a change too small to be seen" :
			"the same"));
	if (comparing.isJudged)
		keys.append(keyOf(["t2 x"], "not established"), keyOf(["t2 y"], "not judged"));
	else
		keys.append(html("span", "", "unjudged: nothing tells a change from noise"));
	keys.append(keyOf(["t1 new"], "new"), keyOf(["s1 gone"], "vanished"));
}

/* ---- whose widths: the switch */

const sideHelps = {
	before: "as wide as before (b)", after: "as wide as after (a)",
	both: "as wide as the larger side, so that nothing is left out (d)",
};
const sideNames = {before: "before", after: "after", both: "difference"};

function makeSideTools(on) {
	const buttons = SIDES.map(side => {
		const element = button("side-" + side, sideNames[side], sideHelps[side], () => on.side(side));

		element.disabled = !canShowSide(side);
		return element;
	});

	return make(HTML, "div", {class: "views sides", role: "group", "aria-label": "widths"},
		...buttons);
}

/* A side without a sample has no picture. */
function canShowSide(side) {
	return side === "both" || whole.columns[side === "before" ? BEFORE : AFTER].total[0] > 0;
}

/* The head begins with what is how wide, which changes. */
function comparedHead(desc) {
	const first = facts.get("width-" + firstSide);
	const rest = desc.startsWith(first) ? desc.slice(first.length) : desc;

	return html("div", "quiet", html("span", "widths", ""), rest.trim());
}

function showSide(page) {
	const nr = comparing.side === "both" ? 0 : countAbsent(base);
	const other = comparing.side === "before" ? "new" : "vanished";

	page.app.querySelector(".widths").textContent = facts.get("width-" + comparing.side) +
		(nr ? " " + plural(nr, "frame") + " that " + (nr === 1 ? "is " : "are ") + other +
			" " + (nr === 1 ? "has" : "have") + " no width here." : "") + " ";
	for (const element of page.sides.children)
		setPressed(element, element.classList.contains("side-" + comparing.side));
	showLegend(page.keys);
}
