/* table.js - functions with what ends in them and what they are in */

const TABLE_ROW = 20;	/* pixels, see flame.css */

/*
 * Per name: self weight, and total weight with each sample once, whatever recursion there is.
 * Left-out frames are a line of their own; roots are no functions.
 */
function countFunctions({nr, fn, end, columns: [{self, total}]}) {
	const {same} = functions, lines = [];
	const selfs = new Float64Array(functions.nr), totals = new Float64Array(functions.nr);
	const insideUntil = new Int32Array(functions.nr), first = new Int32Array(functions.nr);
	const isCode = Uint8Array.from(functions.source, (source, of) => isRoot(of) ? 0 : 1);

	for (let i = 1; i < nr; i++) {
		const name = same[fn[i]];

		if (!isCode[fn[i]])
			continue;
		selfs[name] += self[i];
		if (i < insideUntil[name])
			continue;
		totals[name] += total[i];
		insideUntil[name] = end[i];
		if (!first[name])
			first[name] = i;
	}
	first.forEach((row, name) => {
		if (row)
			lines.push({same: name, fn: fn[row], self: selfs[name], total: totals[name]});
	});
	return lines;
}

function compareNames(a, b) {
	return rankOf(a.same) - rankOf(b.same);
}

const comparisons = {
	self: (a, b) => b.self - a.self || b.total - a.total || compareNames(a, b),
	total: (a, b) => b.total - a.total || b.self - a.self || compareNames(a, b),
	name: compareNames,
	module: (a, b) => (sourceOf(a.fn).module < sourceOf(b.fn).module ? -1 :
		sourceOf(a.fn).module > sourceOf(b.fn).module ? 1 : 0) || comparisons.self(a, b),
};

/* The filter finds a name, a module, or a word such as "library" or "kernel". */
function filterLines(lines, filter) {
	const isMatch = matcher(filter, true);

	return filter ? lines.filter(({fn, same}) => isMatch(functions.name[same]) ||
		isMatch(originWords(fn))) : lines;
}

function tableLine(line, all, on) {
	const cells = [
		html("td", "number", weightWords(line.self)), html("td", "number", share(line.self, all)),
		html("td", "number", weightWords(line.total)),
		html("td", "number", share(line.total, all)),
		html("td", "name", html("bdi", "", functions.name[line.same])),
		html("td", "quiet", originWords(line.fn)),
	];
	const row = make(HTML, "tr", {tabindex: "-1"}, ...cells);

	cells[4].setAttribute("title", functions.name[line.same] +
		" (a click finds it, two show its callers and callees)");
	row.addEventListener("click", () => on.pick(functions.name[line.same]));
	row.addEventListener("dblclick", () => on.open(functions.name[line.same]));
	row.addEventListener("keydown", event => {
		if (event.key === "Enter")
			on.open(functions.name[line.same]);
	});
	return row;
}

function makeTableHead(state, on) {
	const heads = [["self", "self", 2], ["total", "total", 2], ["name", "function", 1],
		["module", "from", 1]];

	return html("thead", "", html("tr", "", ...heads.map(([key, words, span]) => {
		const head = make(HTML, "th", {colspan: span, scope: "col",
			"aria-sort": state.sort === key ? (key === "self" || key === "total" ?
				"descending" : "ascending") : "none"});

		head.append(button("sort-" + key, words, "sort by " + words, () => on.sort(key)));
		return head;
	})));
}

/* Lines in the window are elements, the others only take their room. */
function fillTable(table, all, on) {
	const {body, lines, room} = table;
	const from = Math.max(0, Math.floor(room.scrollTop / TABLE_ROW) - 10);
	const end = Math.min(lines.length,
		Math.ceil((room.scrollTop + room.clientHeight) / TABLE_ROW) + 10);
	const gap = nr => {
		const filler = make(HTML, "tr", {"aria-hidden": "true"});

		filler.style.height = nr * TABLE_ROW + "px";
		return filler;
	};

	body.textContent = "";
	body.append(gap(from), ...lines.slice(from, end).map(line => tableLine(line, all, on)),
		gap(lines.length - end));
}

/* Puts the table into its place; answers what draws it anew where it has been scrolled. */
function showTable(place, tree, state, on) {
	const all = tree.columns[0].total[0];
	const counted = tree.lines;
	const lines = filterLines(counted, state.filter)
		.sort(comparisons[state.sort] || comparisons.self);
	const body = html("tbody", "");
	const table = {body, lines, room: html("div", "room")};
	const words = lines.length === counted.length ? plural(lines.length, "function") :
		grouped(lines.length) + " of " + plural(counted.length, "function");

	table.room.append(make(HTML, "table", {"aria-rowcount": lines.length},
		html("colgroup", "", ...["weight", "share", "weight", "share", "", "from"].map(name =>
			html("col", name))), makeTableHead(state, on), body));
	place.querySelector(".count").textContent = words;
	place.querySelector(".room").replaceWith(table.room);
	table.room.addEventListener("scroll", () => fillTable(table, all, on));
	fillTable(table, all, on);
}

function makeTablePlace(place, on) {
	const filter = make(HTML, "input", {class: "filter edge", type: "text", spellcheck: "false",
		autocomplete: "off", placeholder: "filter: function, module, library, kernel ...",
		"aria-label": "filter the table"});

	filter.addEventListener("input", () => on.filter(filter.value));
	place.append(html("div", "tools", filter, html("span", "quiet count", "")),
		html("div", "room"));
	return filter;
}
