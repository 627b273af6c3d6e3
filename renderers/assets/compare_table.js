/* compare_table.js - functions with what they were, what they are, and by how much they changed */

/* As countFunctions(), of both sides; points of the change, and how sure that is. */
function countChanges(tree) {
	const before = countFunctions(tree, BEFORE), after = countFunctions(tree, AFTER);

	return before.map((was, i) => {
		const is = after[i], judged = judgedOf[was.same];
		const line = {same: was.same, fn: was.fn, was, is,
			self: pointsOf(was.self, is.self), total: pointsOf(was.total, is.total)};
		const isAsked = judged && judged.verdict !== NOT_JUDGED &&
			isWhole(judged, was.total, is.total);

		line.sure = !isAsked ? comparing.isJudged ? "not judged" : "unjudged" :
			judged.words.split(":")[0];
		line.words = isAsked ? judged.words : line.sure;
		line.look = changeLook(line.total, !comparing.isJudged ? UNJUDGED :
			isAsked ? judged.verdict : NOT_JUDGED);
		line.isSure = isAsked && judged.verdict === ESTABLISHED;
		return line;
	});
}

const changeComparisons = {
	self: (a, b) => Math.abs(b.self) - Math.abs(a.self) || changeComparisons.total(a, b),
	total: (a, b) => Math.abs(b.total) - Math.abs(a.total) || b.was.total - a.was.total ||
		compareNames(a, b),
	sure: (a, b) => b.isSure - a.isSure || (a.sure < b.sure ? 1 : a.sure > b.sure ? -1 : 0) ||
		changeComparisons.total(a, b),
	name: compareNames,
};

function signedCell(points, look) {
	const picture = make(SVG, "svg", {viewBox: "0 0 12 12", "aria-hidden": "true"},
		make(SVG, "rect", {class: look, width: 12, height: 12}));

	return html("td", "number signed", look ? picture : "", pointsWords(points));
}

/* Both readings of both weights; the hue stands by the total, which is what was judged. */
function changeCells(line) {
	const sure = html("td", "", line.sure);

	sure.setAttribute("title", line.words);
	return [
		signedCell(line.total, line.look),
		html("td", "number", amountWords(line.was.total, BEFORE)),
		html("td", "number", amountWords(line.is.total, AFTER)),
		signedCell(line.self, ""),
		html("td", "number", amountWords(line.was.self, BEFORE)),
		html("td", "number", amountWords(line.is.self, AFTER)),
		sure,
	];
}

const changeTable = {
	count: countChanges, cells: changeCells, comparisons: changeComparisons,
	columns: ["signed", "amount", "amount", "signed", "amount", "amount", "sure", ""],
	heads: [["total", "total: points, before, after", 3], ["self", "self: points, before, after", 3],
		["sure", "how sure", 1], ["name", "function", 1]],
	sort: "total", hasOrigin: false, look: "table edge changes",
};
