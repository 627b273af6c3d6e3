/* search.js - which functions a text finds, and how much of the samples they are in */

/*
 * Text occurs in a name, or, as a regular expression, matches a part of it that is not
 * empty: "parse(" is no expression, and "malloc|" on the way to "malloc|free" is not all.
 */
function matcher(text, isAnyCase) {
	const plain = isAnyCase ? text.toLowerCase() : text;
	let expression = null;

	try {
		expression = new RegExp(text, isAnyCase ? "gi" : "g");
	} catch (error) {
		/* not an expression: it is searched as it stands */
	}
	return name => (isAnyCase ? name.toLowerCase() : name).includes(plain) ||
		(expression !== null && (name.match(expression) || []).some(Boolean));
}

/* Per function 1 where it is found. Roots by thread are; the root of all is no frame. */
function findFunctions(text, isAnyCase) {
	const isHit = new Uint8Array(functions.nr), {same, name} = functions;
	const isMatch = matcher(text, isAnyCase);

	if (text)
		for (let fn = 1; fn < functions.nr; fn++)
			isHit[fn] = same[fn] < fn ? isHit[same[fn]] : isMatch(name[fn]) ? 1 : 0;
	return isHit;
}

/* How many frames were found in a tree, and the samples with one, each once, of a column. */
function countHits({fn, end: ends, columns}, isHit, from, end, column = 0) {
	const {total} = columns[column];
	let weight = 0, frames = 0, inside = from;

	for (let i = Math.max(from, 1); i < end; i++) {
		if (!isHit[fn[i]])
			continue;
		frames++;
		if (i >= inside) {
			weight += total[i];
			inside = ends[i];
		}
	}
	return {weight, frames};
}

/* The same within a row: all of it where the row or one above it was found. */
function countWithin(tree, isHit, row) {
	if (pathTo(tree, row).some(at => isHit[tree.fn[at]]))
		return tree.columns[0].total[row];
	return countHits(tree, isHit, row + 1, tree.end[row]).weight;
}

/* The next row that was found behind `from`, or before it; around the end; -1 for none. */
function nextHit({nr, fn}, isHit, from, by) {
	for (let n = 0, at = from; n < nr; n++) {
		at += by;
		if (at < 0)
			at = nr - 1;
		else if (at === nr)
			at = 0;
		if (at > 0 && isHit[fn[at]])
			return at;
	}
	return -1;
}
