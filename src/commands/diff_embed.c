/* diff_embed.c - the joint call tree of a comparison, whole, for those who walk in its picture */
#include "commands/diff_embed.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "commands/diff_frames.h"
#include "commands/diff_picture.h"
#include "commands/diff_report.h"
#include "commands/embed_functions.h"

/* ---- steps: weights are whole numbers of them */

/* So small a step that all weights of a side are whole, and all together fit into 64 bits. */
static weight common_step(const struct diff_sides *sides, bool is_after, weight total)
{
	weight step = 0;

	for (size_t k = 0; k < sides->nr; k++) {
		const struct paths *paths = sides->sources[k].paths;

		if (sides->sources[k].is_after != is_after)
			continue;
		for (uint32_t i = 0; i < paths->nr && step != 1; i++) {
			weight w = paths_weight(paths, i, sides->counts_samples);

			if (!step || w % step)
				step = embed_tree_divisor(step, w);
		}
	}
	if (!step || step > UINT64_MAX)
		step = WEIGHT_ONE;
	while (total / step > UINT64_MAX)
		step *= 2;
	return step;
}

/* ---- rows */

/* A weight is at most 2^128 of 1e-9: its class is above 0, and below their number. */
static unsigned size_class(double width)
{
	int exponent;
	double part;

	if (!(width > 0))
		return 0;
	part = frexp(width * 1e9, &exponent); /* 0.5 to 1 */
	return (unsigned)fmin(fmax(exponent, 0) * 4 + floor(part * 8 - 4), DIFF_EMBED_SIZES - 1);
}

/* The least width of a class. */
static double class_least(unsigned class)
{
	return ldexp((4 + class % 4) / 8.0, (int)(class / 4)) / 1e9;
}

static void visit(struct calltree_visitor *visitor, const struct calltree_node *node)
{
	struct diff_embed *embed = (struct diff_embed *)visitor;

	if (embed->also) {
		embed->also->after = visitor->after;
		embed->also->node(embed->also, node);
	}
	if (embed->counts_sizes)
		embed->by_size[size_class(visitor->after->width)]++;
	embed_tree_add(&embed->base, node, visitor->after);
}

static void visit_chain(struct calltree_visitor *visitor, const struct calltree_chain *chain)
{
	struct diff_embed *embed = (struct diff_embed *)visitor;

	if (embed->also) {
		embed->also->after = visitor->after;
		calltree_chain_say(chain, embed->also);
	}
	embed_tree_add_chain(&embed->base, chain, visitor->after);
}

static size_t paths_nr(const struct diff_sides *sides)
{
	size_t nr = 0;

	for (size_t i = 0; i < sides->nr; i++)
		nr += sides->sources[i].paths->nr;
	return nr;
}

static void walk(struct diff_embed *embed, double least)
{
	const struct diff_sides *sides = embed->report->sides;
	struct calltree_options options = embed->report->tree_options;

	options.least = (weight)(least * 1e9);
	embed->base.rows.has_after = true;
	embed_tree_begin(&embed->base, sides->naming, &embed->paints,
			 least > 0 ? 0 : paths_nr(sides));
	calltree_walk_joint(sides->naming, sides->sources, sides->nr, &options, &embed->visitor);
}

/*
 * All of the tree was walked; what of it has room? Where not all has, it is walked again node by
 * node: then the sizes of all are counted, and rows are kept to the last that has room.
 */
static void fit(struct diff_embed *embed)
{
	const struct diff_report *report = embed->report;
	double least = 0, total;
	uint64_t all = embed->base.nodes_nr;

	if (embed_tree_size(&embed->base) > embed->base.size_max) {
		embed->visitor.chain = NULL;
		embed->counts_sizes = true;
		walk(embed, 0);
		embed->visitor.chain = visit_chain;
		embed->counts_sizes = false;
	}
	for (unsigned class = embed->base.is_over ? embed_tree_class(&embed->base, embed->by_size,
								     DIFF_EMBED_SIZES)
						  : 0;
	     embed->base.is_over && class < DIFF_EMBED_SIZES; class ++) {
		least = class_least(class);
		walk(embed, least);
	}
	if (!(least > 0))
		return;
	total = calltree_width(&report->tree_options, report->diff.before_total,
			       report->diff.after_total);
	text_addf(&embed->note, "%" PRIu64 " of %" PRIu64 " frames, each less than ",
		  all - embed->base.nodes_nr, all);
	units_add_percent(&embed->note, least / total, 6);
	text_add(&embed->note, " of all, are not in this file; --max-size keeps more");
}

/* ---- what was found of functions */

static enum flame_verdict verdict_of(const struct diff_report *report, enum judge_verdict verdict)
{
	static const enum flame_verdict verdicts[] = {
		[JUDGE_UNJUDGED] = FLAME_UNJUDGED,
		[JUDGE_BELOW] = FLAME_BELOW,
		[JUDGE_OPEN] = FLAME_OPEN,
		[JUDGE_CHANGED] = FLAME_ESTABLISHED,
	};

	return diff_report_is_judged(report) ? verdicts[verdict] : FLAME_UNJUDGED;
}

/* Words are found by their offsets until all of them are there. */
static void judge_function(struct diff_embed *embed, uint32_t i, size_t row)
{
	const struct diff_report *report = embed->report;
	const struct diff_function *function;
	const struct judge_row *judged;
	double whole = diff_whole(&report->diff, report->diff.leading);

	if (row == DIFF_ROW_NONE)
		return;
	function = &report->diff.functions[row];
	judged = &report->judge.rows[row];
	embed->judged[i] = (struct flame_judged){
		.verdict = verdict_of(report, judged->verdict),
		.before = embed_tree_steps(&embed->base, function->before_total, false),
		.after = embed_tree_steps(&embed->base, function->after_total, true),
		.smallest = 100 * judged->test[report->diff.leading].smallest / whole,
	};
	diff_words_add_verdict(report, row, &embed->strings);
}

static void take_functions(struct diff_embed *embed)
{
	uint32_t nr = embed_functions_nr(embed->base.functions);
	const struct flame_function *list = embed_functions_list(embed->base.functions);
	const struct naming *naming = embed->report->sides->naming;
	size_t *rows = diff_frames_rows(embed->report);
	size_t *words_at = mem_alloc(nr * sizeof(*words_at));

	embed->list = mem_alloc(nr * sizeof(*embed->list));
	embed->judged = mem_zalloc(nr, sizeof(*embed->judged));
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t function = embed_functions_of(embed->base.functions, i);

		/* hatches say how sure a change is; and a place would be that of one side */
		embed->list[i] = list[i];
		embed->list[i].mark = HATCH_NONE;
		embed->list[i].place = NULL;
		words_at[i] = embed->strings.size;
		if (function != FUNCTION_NONE && naming->list[function].kind != FUNCTION_ROOT)
			judge_function(embed, i, rows[naming->list[function].name]);
		text_add_char(&embed->strings, '\0');
	}
	for (uint32_t i = 0; i < nr; i++)
		embed->judged[i].words = embed->strings.bytes + words_at[i];
	free(rows);
	free(words_at);
}

/* ---- all of it */

static void compare(struct diff_embed *embed, double points_max)
{
	const struct diff_report *report = embed->report;
	const struct diff *diff = &report->diff;

	embed->comparison = (struct flame_comparison){
		.unit = report->sides->counts_samples ? "samples"
						      : profile_unit(report->sides->named),
		.after_step = text_string(&embed->step_words[1]),
		.reading = diff_reading_word(diff->leading),
		.before_by = diff->divisors.before[diff->leading],
		.after_by = diff->divisors.after[diff->leading],
		.whole = diff_whole(diff, diff->leading),
		.after_scale = report->tree_options.after_scale,
		.points_max = points_max,
		.widths = diff_widths_words[report->tree_options.widths],
		.is_judged = diff_report_is_judged(report),
		.total = verdict_of(report, report->judge.total_verdict),
		.functions = embed->judged,
	};
	for (int widths = 0; widths < DIFF_EMBED_WIDTHS; widths++) {
		diff_words_add_widths(report, (enum calltree_widths)widths,
				      &embed->width_words[widths]);
		embed->comparison.width_words[widths] = text_string(&embed->width_words[widths]);
	}
}

void diff_embed_walk(struct diff_embed *embed, const struct diff_report *report, size_t size_max,
		     struct calltree_visitor *also)
{
	const struct diff *diff = &report->diff;
	const struct naming *naming = report->sides->naming;

	*embed = (struct diff_embed){.visitor = {visit, visit_chain},
				     .also = also,
				     .report = report,
				     .base = {.size_max = size_max}};
	embed->paints.of = mem_alloc(naming->nr * sizeof(*embed->paints.of));
	for (uint32_t i = 0; i < naming->nr; i++)
		embed->paints.of[i] = PAINT_UNKNOWN;
	embed->base.step[0] = common_step(report->sides, false, diff->before_total);
	embed->base.step[1] = common_step(report->sides, true, diff->after_total);
	for (int side = 0; side < 2; side++)
		weight_add(&embed->step_words[side], embed->base.step[side]);
	walk(embed, 0);
	embed->also = NULL;
}

void diff_embed_finish(struct diff_embed *embed, double points_max, size_t used_size)
{
	struct embed_tree *tree = &embed->base;

	tree->size_max = used_size + EMBED_TREE_LEAST < tree->size_max ? tree->size_max - used_size
								       : EMBED_TREE_LEAST;
	fit(embed);
	take_functions(embed);
	compare(embed, points_max);
	embed->whole = (struct flame_whole){
		.rows = &tree->rows,
		.functions = embed->list,
		.functions_nr = embed_functions_nr(embed->base.functions),
		.step = text_string(&embed->step_words[0]),
		.note = embed->note.size ? embed->note.bytes : NULL,
		.comparison = &embed->comparison,
	};
}

void diff_embed_release(struct diff_embed *embed)
{
	embed_tree_release(&embed->base);
	free(embed->paints.of);
	free(embed->list);
	free(embed->judged);
	text_release(&embed->strings);
	text_release(&embed->note);
	for (int side = 0; side < 2; side++)
		text_release(&embed->step_words[side]);
	for (int widths = 0; widths < DIFF_EMBED_WIDTHS; widths++)
		text_release(&embed->width_words[widths]);
}
