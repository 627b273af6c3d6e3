/* table.js - functions with what ends in them and what they are in */

const TABLE_ROW = 20;	/* pixels, see flame.css */

/*
 * Per name, of a column: self weight, and total weight with each sample once, whatever recursion
 * there is.
 * Left-out frames are a line of their own; roots are no functions.
 */
function countFunctions({nr, fn, end, columns}, column = 0) {
	const {same} = functions, {self, total} = columns[column], lines = [];
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

/* Per name the total weight of those that are asked for; the others have none. */
function totalsOf({nr, fn, end, columns: [{total}]}, isAsked) {
	const totals = new Float64Array(functions.nr), insideUntil = new Int32Array(functions.nr);
	const {same} = functions;

	for (let i = 1; i < nr; i++) {
		const name = same[fn[i]];

		if (!isAsked[fn[i]] || i < insideUntil[name])
			continue;
		totals[name] += total[i];
		insideUntil[name] = end[i];
	}
	return totals;
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

function weightCells(line, all) {
	return [
		html("td", "number", weightWords(line.self)), html("td", "number", share(line.self, all)),
		html("td", "number", weightWords(line.total)),
		html("td", "number", share(line.total, all)),
	];
}

/* What a table has; that of a comparison is another one. */
const weightTable = {
	count: tree => tree.lines, cells: weightCells, comparisons,
	columns: ["weight", "share", "weight", "share", "", "from"],
	heads: [["self", "self", 2], ["total", "total", 2], ["name", "function", 1],
		["module", "from", 1]],
	sort: "self", hasOrigin: true, look: "table edge",
};
const tableKind = isCompared ? changeTable : weightTable;

function tableLine(line, all, on) {
	const name = html("td", "name", html("bdi", "", functions.name[line.same]));
	const row = make(HTML, "tr", {tabindex: "-1"}, ...tableKind.cells(line, all), name);

	if (tableKind.hasOrigin)
		row.append(html("td", "quiet", originWords(line.fn)));
	name.setAttribute("title", functions.name[line.same] +
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
	return html("thead", "", html("tr", "", ...tableKind.heads.map(([key, words, span]) => {
		const head = make(HTML, "th", {colspan: span, scope: "col",
			"aria-sort": state.sort === key ? (key === "name" || key === "module" ?
				"ascending" : "descending") : "none"});

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
	const counted = tableKind.count(tree), orders = tableKind.comparisons;
	const lines = filterLines(counted, state.filter)
		.sort(orders[state.sort] || orders[tableKind.sort]);
	const body = html("tbody", "");
	const table = {body, lines, room: html("div", "room")};
	const words = lines.length === counted.length ? plural(lines.length, "function") :
		grouped(lines.length) + " of " + plural(counted.length, "function");

	table.room.append(make(HTML, "table", {"aria-rowcount": lines.length},
		html("colgroup", "", ...tableKind.columns.map(name => html("col", name))),
		makeTableHead(state, on), body));
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
