/* page.js - what stands around the frames: head, tools, details */

function make(space, tag, attributes, ...content) {
	const element = document.createElementNS(space, tag);

	for (const name in attributes)
		element.setAttribute(name, attributes[name]);
	element.append(...content);
	return element;
}

const html = (tag, name, ...content) => make(HTML, tag, name ? {class: name} : {}, ...content);

function button(name, words, help, onPress) {
	const element = make(HTML, "button", {type: "button", class: name + " edge", title: help},
		words);

	element.addEventListener("click", onPress);
	return element;
}

/*
 * What is drawn without a script has rows among its words and bars among its swatches, or words of
 * lanes and lines of an axis, or, of one function, no swatches but of what is in its stacks.
 */
const hasOtherWords = ["table", "flamechart"].includes(facts.get("view"));
const hasKeys = Array.from(facts.keys()).some(name => name.startsWith("key-"));

function headLines(head, name) {
	const told = facts.get(name === "line" ? "subtitle" : "head");

	if (hasOtherWords)
		return told ? [told] : [];
	return Array.from(head.querySelectorAll("text." + name + ":not(.left)"),
		text => text.textContent);
}

function headWords(head) {
	const words = html("div", "words");

	for (const name of ["title", "line", "quiet"]) {
		const lines = headLines(head, name);

		if (name === "title")
			words.append(html("div", name, root.querySelector("title").textContent));
		else if (lines.length)
			words.append(html("div", name, name === "quiet" && facts.get("head") ||
				lines.join(" ")));
	}
	if (isCompared)
		words.replaceChild(comparedHead(root.querySelector("desc").textContent),
			words.querySelector(".quiet"));
	if (facts.has("note"))
		words.append(html("div", "quiet note", facts.get("note") + "."));
	return words;
}

/* The shades of a paint; a hatch is shown on grey. */
function factSwatches(letter) {
	const isHatch = "xy".includes(letter);

	return [0, 1, 2, 3].map(shade => make(SVG, "rect", {
		class: isHatch ? "u" + shade + " " + letter : letter + shade,
		x: 4 * shade, width: 4, height: 12,
	}));
}

function factKeys() {
	const keys = html("div", "keys");

	for (const [name, word] of facts)
		if (name.startsWith("key-"))
			keys.append(html("span", "", make(SVG, "svg", {viewBox: "0 0 16 12",
				"aria-hidden": "true"}, ...factSwatches(name.slice(4))), word));
	return keys;
}

/* That of a comparison is of what is shown, see showLegend(). */
function headKeys(head) {
	const swatches = Array.from(head.querySelectorAll("rect"));
	const words = isCompared ? [] : Array.from(head.querySelectorAll("text.key"));
	const keys = html("div", "keys");

	words.forEach((word, i) => {
		const nr = swatches.length / words.length;
		const picture = make(SVG, "svg", {viewBox: "0 0 16 12", "aria-hidden": "true"});

		swatches.slice(i * nr, (i + 1) * nr).forEach((swatch, k) => picture.append(
			make(SVG, "rect", {class: swatch.getAttribute("class"), x: k * 16 / nr,
				width: 16 / nr, height: 12})));
		keys.append(html("span", "", picture, word.textContent));
	});
	return keys;
}

/* What the tools do is the viewer's: `on` has a function for each. */
function makeViewTools(on) {
	const names = ["flame", "icicle", "callers", "sandwich", "table"];
	const helps = {
		flame: "callers below, what they call above (1)",
		icicle: "callers above (2)",
		callers: "merged from the leaf: what samples ended in, upon it who called it (3)",
		sandwich: "one function: who calls it above, what it calls below (4)",
		table: "functions with self and total weight, beside the picture (5)",
	};
	const buttons = names.map(name => {
		const element = button("view-" + name, name, helps[name], () => on.view(name));

		element.setAttribute("aria-pressed", "false");
		return element;
	});

	return make(HTML, "div", {class: "views", role: "group", "aria-label": "views"}, ...buttons);
}

function makeSearchTools(page, on) {
	page.box = make(HTML, "input", {class: "search edge", type: "text", spellcheck: "false",
		autocomplete: "off", placeholder: "search: text or expression ( / )",
		"aria-label": "search: text or regular expression"});
	page.anyCase = button("case", "Aa", "any case", on.anyCase);
	page.anyCase.setAttribute("aria-pressed", "false");
	page.before = button("before", "\u2039", "previous match (N)", () => on.step(-1));
	page.before.setAttribute("aria-label", "previous match");
	page.after = button("after", "\u203a", "next match (n)", () => on.step(1));
	page.after.setAttribute("aria-label", "next match");
	page.clear = button("clear", "clear", "forget the search (Escape)", on.clear);
	return html("div", "tools", page.box, page.anyCase, page.before, page.after, page.clear);
}

function makeTools(page, on) {
	page.views = makeViewTools(on);
	page.reset = button("reset", "reset zoom", "show everything again (Escape)", on.reset);
	page.order = button("order", "by weight", "siblings by weight, not by name (w)", on.order);
	page.order.setAttribute("aria-pressed", "false");
	page.simplify = button("simplify", "simplify \u25be",
		"collapse recursion, chains, modules (t)", on.simplify);
	page.link = button("link", "copy link", "the address of just this view", on.link);
	page.sides = isCompared ? makeSideTools(on) : "";
	return html("div", "tools", page.sides, page.views, page.reset, page.order, page.simplify, page.link);
}

function makePage(head, on) {
	const page = {
		found: make(HTML, "div", {class: "found", role: "status"}),
		said: make(HTML, "div", {class: "said edge", role: "status", hidden: ""}),
		steps: html("div", "steps"),
		plateaus: html("div", "plateaus"), left: html("div", "left quiet"),
		details: make(HTML, "div", {class: "details edge"}),
		/* a page of paper may be higher than the picture */
		stage: make(SVG, "svg", {class: "stage", role: "application",
			preserveAspectRatio: "xMidYMin",
			"aria-label": "frames: arrows walk, Enter zooms, Escape goes out, m is a menu"}),
		frames: make(SVG, "g", {class: "frames"}),
		paths: make(SVG, "g", {class: "frames paths", "aria-hidden": "true",
			transform: "scale(.1)"}),
		ring: make(SVG, "rect", {class: "ring", display: "none"}),
		table: make(HTML, "div", {class: tableKind.look, hidden: ""}),
	};
	const tools = makeTools(page, on), searching = makeSearchTools(page, on);

	page.keys = hasKeys ? factKeys() : headKeys(head);

	page.stage.append(page.paths, page.frames, page.ring);
	page.view = html("div", "view", page.stage);
	page.body = html("div", "body", page.table, page.view);
	page.app = html("div", "app",
		html("div", "top", headWords(head), html("div", "hands", searching, page.found)),
		html("div", "bar", page.keys, tools), page.plateaus, page.steps, page.left,
		page.body,
		page.details, page.said);
	page.frame = make(SVG, "foreignObject", {x: 0, y: 0, width: "100%", height: "100%"},
		page.app);
	return page;
}

/* A few words that go by themselves. */
let saidTimer = 0;

function say(page, words) {
	page.said.textContent = words;
	page.said.removeAttribute("hidden");
	clearTimeout(saidTimer);
	saidTimer = setTimeout(() => page.said.setAttribute("hidden", ""), 4000);
}
