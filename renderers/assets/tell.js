/* tell.js - what is said beside the frames: found, details, steps, largest, tools */

function setPressed(element, isPressed) {
	element.setAttribute("aria-pressed", String(isPressed));
}

function foundWords() {
	const pane = panes[state.pane], {row, skip} = pane.zoom;

	if (isCompared)
		return comparedFound();

	const words = "matched: " + share(found.weight, all()) + " (" + partWords(found.weight) +
		"), " + plural(found.frames, "frame");

	if (!row || skip >= 0 || pane.tree.isMerged)
		return words;
	return words + "; " + share(countWithin(pane.tree, isHit, row),
		pane.tree.columns[0].total[row]) + " of what is zoomed";
}

/* "4 of 12 samples", "1.2 s of 3.4 s" */
function partWords(weight) {
	const of = weightWords(all());

	return (unit === "ns" ? weightWords(weight) : grouped(weight * step)) + " of " + of;
}

/* Those of equal weight by name. */
function largestSelfs(tree, nr) {
	const {selfs} = tree, {name} = functions, largest = [];
	const isBefore = (a, b) => selfs[a] > selfs[b] ||
		(selfs[a] === selfs[b] && name[a] < name[b]);

	for (let fn = 1; fn < selfs.length; fn++) {
		let at = largest.length;

		if (!selfs[fn])
			continue;
		while (at && isBefore(fn, largest[at - 1]))
			at--;
		largest.splice(at, 0, fn);
		largest.length = Math.min(largest.length, nr);
	}
	return largest.map(fn => ({same: fn, self: selfs[fn]}));
}

/* The five functions that most samples end in. */
function showPlateaus() {
	const lines = isCompared ? largestChanges(base) : largestSelfs(base, 5);

	page.plateaus.textContent = "";
	if (!lines.length)
		return;
	page.plateaus.append(html("span", "quiet", isCompared ? "largest changes of self weight: " :
		"largest by self weight: "));
	for (const {same, self, points} of lines) {
		const entry = button("plateau", "", "search for it",
			() => change({search: functions.name[same]}));

		entry.append(html("bdi", "", functions.name[same]), " " +
			(isCompared ? pointsWords(points) : share(self, all())));
		page.plateaus.append(entry);
	}
}

/* What was done to the tree, each with what undoes it alone. */
function showSteps() {
	page.steps.textContent = "";
	state.steps.forEach(([word, value, label], i) => {
		const words = transforms[word].say(value, label);
		const undo = button("undo", "\u00d7", "undo: " + words, () => change({
			steps: state.steps.filter((step, k) => k !== i)}));

		undo.setAttribute("aria-label", "undo: " + words);
		page.steps.append(html("span", "step edge", html("bdi", "", words), undo));
	});
	if (state.steps.length)
		page.steps.append(html("span", "quiet", stepsWeight()));
	page.steps.toggleAttribute("hidden", !state.steps.length);
}

/* Nothing is dropped in silence. */
function stepsWeight() {
	if (isCompared)
		return comparedDropped();

	const dropped = whole.columns[0].total[0] - all();

	return dropped > 0 ? share(dropped, whole.columns[0].total[0]) +
		" of the weight is left out; shares are of the rest" : "all of the weight is kept";
}

function showTools(isSimplified) {
	for (const element of page.views.children)
		setPressed(element, element.textContent === state.view);
	setPressed(page.order, state.isByWeight);
	setPressed(page.anyCase, state.isAnyCase);
	page.reset.disabled = panes.every(({zoom}) => !zoom.row && zoom.skip === FRAME);
	page.found.textContent = state.search ? foundWords() : "";
	page.before.disabled = page.after.disabled = !found.frames;
	page.clear.disabled = !state.search;
	if (page.box.value !== state.search)
		page.box.value = state.search;
	if (filterBox.value !== state.filter)
		filterBox.value = state.filter;
	if (isCompared)
		showSide(page);
	if (isSimplified) {
		showSteps();
		showPlateaus();
	}
	page.table.toggleAttribute("hidden", state.view !== "table");
	page.body.classList.toggle("split", state.view === "table");
	if (state.view === "table")
		showTable(page.table, base, state, tableHands);
	showDetails();
}

/* ---- details of a frame */

function detailsOfMore(pane, i) {
	const box = describe(pane, i);

	page.details.append(html("b", "", box.label), " \u2014 " + box.tip.slice(box.label.length + 1),
		pane.boxes.skip[i] >= 0 ? html("span", "quiet", " A click draws them.") : "");
}

function detailsOfRow(pane, row) {
	const {tree} = pane, fn = tree.fn[row], {total} = tree.columns[0];
	const {details} = page, zoomed = pane.zoom.row;
	const more = [originWords(fn), functions.place[fn], statusWords(fn),
		lackingWords(tree, row)].filter(Boolean);

	if (isCompared) {
		details.append(html("b", "", html("bdi", "", functions.name[fn])), " \u2014 " +
			comparedDetails(tree, row, zoomed));
		return;
	}
	details.append(html("b", "", html("bdi", "", functions.name[fn])),
		" \u2014 " + [valueWords(tree, row), share(total[row], all())].concat(more).join(", "));
	details.append((tree.isUp ? ", begins here " : ", self ") + share(selfOf(tree, row), all()));
	if (zoomed && row !== zoomed && isWithin(tree, row, zoomed))
		details.append("; " + share(total[row], total[zoomed]) + " of ",
			html("bdi", "", functions.name[tree.fn[zoomed]]));
}

function showDetails() {
	const at = pointed || (hasFocus() || isFocusNear ? current : null);

	page.details.textContent = "";
	if (!at)
		page.details.append(html("span", "quiet", "A click or Enter zooms, Escape goes out; " +
			"arrows walk, / searches, n and N step; m or a right click: what else can be done."));
	else if (at.skip !== FRAME)
		detailsOfMore(panes[at.pane], boxOf(at));
	else
		detailsOfRow(panes[at.pane], at.row);
}
