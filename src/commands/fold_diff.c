/* fold_diff.c - folded stacks of two sides, a line each with both weights */
#include "commands/fold_diff.h"

#include "base/mem.h"
#include "commands/diff_sides.h"
#include "commands/fold_words.h"
#include "commands/output.h"
#include "model/capture.h"

/* before * after_total / before_total in whole units of 1e-9: 256 bits would be needed for all */
static weight normalize(weight before, const struct calltree *tree)
{
	long double scaled =
		(long double)before * (long double)tree->after_total / (long double)tree->total;

	return (weight)(scaled + 0.5L);
}

static void write_node(struct text *line, const struct calltree *tree, uint32_t i,
		       bool is_normalized, FILE *out)
{
	weight before = tree->nodes[i].self;

	if (is_normalized && tree->total && tree->after_total)
		before = normalize(before, tree);
	text_add_char(line, ' ');
	weight_add(line, before);
	text_add_char(line, ' ');
	weight_add(line, tree->after[i].self);
	text_add_char(line, '\n');
	fwrite(line->bytes, 1, line->size, out);
}

static void write_tree(const struct diff_sides *sides, const struct calltree *tree,
		       bool is_normalized, FILE *out)
{
	const struct naming *naming = sides->naming;
	CLEANUP(fold_line_release) struct fold_line line = {0};

	for (uint32_t i = 1; i < tree->nr; i++) {
		const struct calltree_node *node = &tree->nodes[i];

		fold_line_put(
			&line, node->depth - 1,
			names_get(&naming->capture->names, naming->list[node->function].name));
		if (node->self || tree->after[i].self)
			write_node(&line.text, tree, i, is_normalized, out);
	}
}

struct error *fold_diff_run(const struct profile_options *options, int argc, char **argv,
			    bool is_normalized, const char *path)
{
	CLEANUP(diff_sides_release) struct diff_sides sides = {0};
	CLEANUP(calltree_release) struct calltree tree = {0};
	struct calltree_options limits = {.after_scale = 1};
	struct option_texts before = {0}, after = {0};
	struct output output;
	struct error *err = diff_sides_take(options, argc, argv, &before, &after);

	if (!err)
		err = diff_sides_load(options, DIFF_MATCH_EXACT, &before, &after, &sides);
	if (!err)
		err = output_open(path, &output);
	if (err)
		return err;
	diff_sides_join(&sides);
	limits.counts_samples = sides.counts_samples;
	calltree_build_joint(&tree, sides.naming, sides.sources, sides.nr, &limits);
	write_tree(&sides, &tree, is_normalized, output.file);
	return output_commit(&output);
}
