/*
 * link.js - the view as the address says it: #view=...&of=...&zoom=...&search=...&do=hide:name
 *
 * Values that are as at load are not there. A zoom is a hash of the way to its row, in merged
 * trees the functions' numbers on that way, and what is taken away of its children.
 */

function zoomId(tree, zoom) {
	const rest = zoom.skip >= 0 ? "+" + zoom.skip : "";

	if (!zoom.row && !rest)
		return "";
	if (!tree.isMerged)
		return pathHash(tree, zoom.row) + rest;
	return "~" + pathTo(tree, zoom.row).map(row => functions.same[tree.fn[row]]).join(".") + rest;
}

function mergedRow(tree, path) {
	let row = 0;

	for (const same of path) {
		if (row < 0)
			break;
		row = childrenOfMerged(tree, row).find(child =>
			functions.same[tree.fn[child]] === same) || -1;
	}
	return row;
}

/* The zoom of that id in a tree, null where there is none. */
function zoomOfId(tree, id) {
	const [way, skip] = (id || "").split("+");
	let row = 0;

	if (way && way[0] === "~" && tree.isMerged)
		row = way.slice(1) ? mergedRow(tree, way.slice(1).split(".").map(Number)) : 0;
	else if (way)
		row = tree.isMerged ? -1 : rowOfHash(tree, way);
	return row < 0 ? null : {row, skip: skip === undefined ? FRAME : Number(skip) || 0};
}

function linkOf(state, panes) {
	const link = new URLSearchParams();
	const pane = panes[state.pane] || panes[0];
	const zoom = pane ? zoomId(pane.tree, pane.zoom) : "";

	if (state.range)
		link.set("range", state.range);
	if (state.view !== firstView)
		link.set("view", state.view);
	if (state.view === "sandwich" && state.of && state.of !== firstOf)
		link.set("of", state.of);
	if (zoom)
		link.set("zoom", (state.pane ? state.pane + ":" : "") + zoom);
	if (isCompared && state.side !== firstSide)
		link.set("widths", state.side);
	if (state.search)
		link.set("search", state.search);
	if (state.isAnyCase)
		link.set("case", "any");
	if (state.isByWeight !== isByWeightFirst)
		link.set("order", state.isByWeight ? "weight" : "name");
	if (state.filter)
		link.set("filter", state.filter);
	if (state.sort !== tableKind.sort)
		link.set("sort", state.sort);
	for (const [word, value] of state.steps)
		link.append("do", value === undefined ? word : word + ":" + value);
	return link.toString();
}

function stepOf(text) {
	const colon = text.indexOf(":");
	const word = colon < 0 ? text : text.slice(0, colon);

	return Object.prototype.hasOwnProperty.call(transforms, word) ?
		[word, colon < 0 ? undefined : text.slice(colon + 1)] : null;
}

/* What a link asks for; `zoom` is still an id. */
function stateOf(text) {
	const link = new URLSearchParams(text);
	const [, pane, zoom] = /^(?:(\d):)?(.*)$/.exec(link.get("zoom") || "");

	return {
		view: viewNames.includes(link.get("view")) ? link.get("view") : firstView,
		of: link.get("of") || firstOf, pane: Number(pane) || 0, zoom,
		range: link.get("range") || "",
		search: link.get("search") || "", isAnyCase: link.get("case") === "any",
		isByWeight: link.has("order") ? link.get("order") === "weight" : isByWeightFirst,
		filter: link.get("filter") || "",
		sort: link.get("sort") || tableKind.sort,
		side: isCompared ? sideOfLink(link.get("widths")) : "",
		steps: link.getAll("do").map(stepOf).filter(Boolean),
	};
}

/* Writes the link into the address; as a step of its own, which the browser's Back undoes, or not. */
function writeLink(text, isStep) {
	const link = "#" + text;

	if (!isAlone || link === (location.hash || "#"))
		return;
	try {
		history[isStep ? "pushState" : "replaceState"](null, "", link);
	} catch (error) {
		location.hash = text;
	}
}
