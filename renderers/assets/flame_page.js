/* flame_page.js - what stands around the frames: head, tools, details */

function make(space, tag, attributes, ...content) {
	const element = document.createElementNS(space, tag);

	for (const name in attributes)
		element.setAttribute(name, attributes[name]);
	element.append(...content);
	return element;
}

const html = (tag, name, ...content) => make(HTML, tag, name ? {class: name} : {}, ...content);

function headWords(head) {
	const words = html("div", "words");

	for (const name of ["title", "line", "quiet"]) {
		const lines = Array.from(head.querySelectorAll("text." + name), t => t.textContent);

		if (name === "title")
			words.append(html("div", name, root.querySelector("title").textContent));
		else if (lines.length)
			words.append(html("div", name, lines.join(" ")));
	}
	return words;
}

function headKeys(head) {
	const swatches = Array.from(head.querySelectorAll("rect"));
	const words = Array.from(head.querySelectorAll("text.key"));
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

function makeButton(name, words, help) {
	return make(HTML, "button", {type: "button", class: name + " edge", title: help}, words);
}

function makePage(head, group) {
	const page = {
		reset: makeButton("reset", "reset zoom", "show everything again (Escape)"),
		box: make(HTML, "input", {class: "search edge", type: "text", spellcheck: "false",
			autocomplete: "off", placeholder: "search: text or expression ( / )",
			"aria-label": "search: text or regular expression"}),
		before: makeButton("before", "previous", "previous match (N)"),
		after: makeButton("after", "next", "next match (n)"),
		clear: makeButton("clear", "clear", "forget the search (Escape)"),
		found: make(HTML, "div", {class: "found", role: "status"}),
		details: make(HTML, "div", {class: "details edge", "aria-hidden": "true"}),
		stage: make(SVG, "svg", {class: "stage", role: "application",
			"aria-label": "frames: arrows walk, Enter zooms, Escape goes out"}),
		ring: make(SVG, "rect", {class: "ring", display: "none"}),
	};

	page.stage.append(group, page.ring);
	page.view = html("div", "view", page.stage);
	page.app = html("div", "app",
		html("div", "top", headWords(head),
			html("div", "", html("div", "tools", page.reset, page.box, page.before,
				page.after, page.clear), page.found)),
		headKeys(head), page.view, page.details);
	page.frame = make(SVG, "foreignObject", {x: 0, y: 0, width: "100%", height: "100%"},
		page.app);
	return page;
}
