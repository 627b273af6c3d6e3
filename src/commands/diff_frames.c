/* diff_frames.c - the joint call tree of a comparison as the frames of a picture */
#include "commands/diff_frames.h"

#include <math.h>

#include "base/mem.h"
#include "commands/diff_report.h"
#include "commands/frame_words.h"
#include "model/capture.h"

/* A picture of noise alone is to be pale: the strongest colour is of one point at least. */
#define SCALE_LEAST 1.0

/* Where a node's strings are, if it has words. */
struct places {
	size_t value, origin, points;
	bool has_words;
};

struct builder {
	struct diff_frames *frames;
	const struct diff_report *report;
	struct places *places; /* per node */
	double *points;	       /* per node: what became of it */
	size_t *row_of_name;   /* per name of the joint naming: of report->diff.functions */
};

static double points_of(const struct diff_report *report, uint32_t i)
{
	return diff_points(&report->diff, report->diff.leading, report->tree.nodes[i].value,
			   report->tree.after[i].value);
}

/* ---- widths */

static double own_width(const struct diff_report *report, uint32_t i)
{
	if (report->tree.nodes[i].more)
		return report->tree.after[i].width;
	return calltree_width(&report->tree_options, report->tree.nodes[i].value,
			      report->tree.after[i].value);
}

/*
 * A frame is as wide as its larger side, or as all that stands upon it where that is more: what
 * moved from one child to another has its width in both. So nothing overlaps, and nothing is
 * left out.
 */
static void place(struct builder *builder)
{
	const struct calltree *tree = &builder->report->tree;
	struct flame_frame *list = builder->frames->list;
	double *sums = mem_zalloc(tree->nr, sizeof(*sums));
	double whole;

	for (uint32_t i = tree->nr; i-- > 0;) {
		list[i].width = fmax(own_width(builder->report, i), sums[i]);
		if (i)
			sums[tree->nodes[i].parent] += list[i].width;
	}
	whole = list[0].width > 0 ? list[0].width : 1;
	memset(sums, 0, tree->nr * sizeof(*sums)); /* now: where the next child begins */
	for (uint32_t i = 0; i < tree->nr; i++) {
		uint32_t parent = tree->nodes[i].parent;

		list[i].weight = list[i].width;
		list[i].width /= whole;
		if (i) {
			list[i].begin = list[parent].begin + sums[parent];
			sums[parent] += list[i].width;
		}
	}
	free(sums);
}

/* ---- colours */

static size_t row_of(const struct builder *builder, const struct calltree_node *node)
{
	const struct naming *naming = builder->report->sides->naming;

	if (node->function == FUNCTION_NONE || naming->list[node->function].kind == FUNCTION_ROOT)
		return DIFF_ROW_NONE;
	return builder->row_of_name[naming->list[node->function].name];
}

/*
 * What was found of a function holds for a path of it that went the same way, by as much as could
 * be seen of the function. Roots that are no code are not judged.
 */
static enum judge_verdict verdict_of(const struct builder *builder, uint32_t i)
{
	const struct diff_report *report = builder->report;
	const struct diff *diff = &report->diff;
	size_t row = row_of(builder, &report->tree.nodes[i]);
	const struct diff_function *function;
	double whole = diff_before(diff, diff->leading, diff->before_total), points, smallest;

	if (!diff_report_is_judged(report))
		return JUDGE_UNJUDGED;
	if (!i)
		return report->judge.total_verdict;
	if (row == DIFF_ROW_NONE)
		return JUDGE_UNJUDGED;
	if (report->judge.rows[row].verdict != JUDGE_CHANGED)
		return report->judge.rows[row].verdict;
	smallest = report->judge.rows[row].test[diff->leading].smallest;
	if (whole > 0 && fabs(builder->points[i]) < 100 * smallest / whole)
		return JUDGE_BELOW;
	function = &diff->functions[row];
	points = diff_points(diff, diff->leading, function->before_total, function->after_total);
	return (points > 0) == (builder->points[i] > 0) ? JUDGE_CHANGED : JUDGE_OPEN;
}

/* Where nothing is judged at all a picture says so once. */
static enum hatch mark_of(const struct diff_report *report, enum judge_verdict verdict)
{
	if (verdict == JUDGE_OPEN)
		return HATCH_STRIPED;
	return verdict == JUDGE_UNJUDGED && diff_report_is_judged(report) ? HATCH_CROSSED
									  : HATCH_NONE;
}

/* Four steps, on the scale of square roots: small changes are seen beside large ones. */
static unsigned char step_of(double points, double most)
{
	double step = ceil(PALETTE_SHADES * sqrt(fabs(points) / most)) - 1;

	return (unsigned char)fmin(fmax(step, 0), PALETTE_SHADES - 1);
}

static void paint(struct builder *builder, uint32_t i)
{
	const struct diff_report *report = builder->report;
	struct flame_frame *frame = &builder->frames->list[i];
	struct flame_change *change = &builder->frames->changes[i];
	const struct calltree_node *node = &report->tree.nodes[i];
	enum judge_verdict verdict = verdict_of(builder, i);
	double points = builder->points[i];

	frame->paint = points > 0 ? PAINT_MORE_THAN : PAINT_LESS_THAN;
	change->shade = step_of(points, builder->frames->points_max);
	frame->mark = node->more ? HATCH_NONE : mark_of(report, verdict);
	if (points == 0 || verdict == JUDGE_BELOW) {
		frame->paint = PAINT_SAME_AS;
		change->shade = 0;
		frame->mark = HATCH_NONE;
	}
	if (!node->more && i) {
		change->outline = !node->value && report->tree.after[i].value	? OUTLINE_SOLID
				  : node->value && !report->tree.after[i].value ? OUTLINE_DASHED
										: OUTLINE_NONE;
	}
}

static void find_points(struct builder *builder)
{
	const struct calltree *tree = &builder->report->tree;
	double most = SCALE_LEAST;

	for (uint32_t i = 0; i < tree->nr; i++) {
		builder->points[i] = points_of(builder->report, i);
		if (i && !tree->nodes[i].more)
			most = fmax(most, fabs(builder->points[i]));
	}
	builder->frames->points_max = most;
}

static void find_scale(struct builder *builder)
{
	struct diff_frames *frames = builder->frames;

	for (int side = 0; side < 2; side++) {
		text_add(&frames->scale[side], side ? "less: to " : "more: to ");
		for (int step = 1; step <= PALETTE_SHADES; step++) {
			double part = (double)step / PALETTE_SHADES;

			text_addf(&frames->scale[side], "%s", step > 1 ? ", " : "");
			diff_words_add_points((side ? -1 : 1) * part * part * frames->points_max,
					      &frames->scale[side]);
		}
		text_add(&frames->scale[side], " points");
	}
}

/* ---- words */

static void add_side(const struct diff_report *report, weight w, bool is_after, struct text *text)
{
	enum diff_reading leading = report->diff.leading;

	diff_words_add_value(report, leading,
			     is_after ? diff_after(&report->diff, leading, w)
				      : diff_before(&report->diff, leading, w),
			     false, text);
}

static void add_verdict(const struct builder *builder, uint32_t i, struct text *text)
{
	size_t row = row_of(builder, &builder->report->tree.nodes[i]);

	if (row != DIFF_ROW_NONE) {
		text_add(text, ", ");
		diff_words_add_verdict(builder->report, row, text);
	} else if (i && !builder->report->tree.nodes[i].more &&
		   diff_report_is_judged(builder->report)) {
		text_add(text, ", not judged");
	}
}

static void add_strings(struct builder *builder, uint32_t i)
{
	const struct diff_report *report = builder->report;
	const struct calltree_node *node = &report->tree.nodes[i];
	struct text *text = &builder->frames->strings;
	weight after = report->tree.after[i].value;

	builder->places[i].has_words = true;
	builder->places[i].value = text->size;
	add_side(report, node->value, false, text);
	text_add(text, " before, ");
	add_side(report, after, true, text);
	text_add(text, " after, ");
	diff_words_add_points(builder->points[i], text);
	text_add(text, " points");
	if (!node->more && i && (!node->value || !after))
		text_addf(text, ", %s", diff_state_word(diff_state(node->value, after)));
	add_verdict(builder, i, text);
	text_add_char(text, '\0');
	builder->places[i].origin = text->size;
	if (node->function != FUNCTION_NONE)
		frame_words_add_origin(report->sides->naming, node->function, text);
	text_add_char(text, '\0');
	builder->places[i].points = text->size;
	diff_words_add_points(builder->points[i], text);
	text_add_char(text, '\0');
}

static void set_words(struct builder *builder, uint32_t i)
{
	const char *strings = builder->frames->strings.bytes;
	const char *origin = strings + builder->places[i].origin;
	struct flame_frame *frame = &builder->frames->list[i];

	frame->value = strings + builder->places[i].value;
	frame->origin = *origin ? origin : NULL;
	builder->frames->changes[i].points = strings + builder->places[i].points;
}

static void set_frame(struct builder *builder, uint32_t i)
{
	const struct diff_report *report = builder->report;
	const struct calltree_node *node = &report->tree.nodes[i];
	const struct naming *naming = report->sides->naming;
	struct flame_frame *frame = &builder->frames->list[i];

	frame->name = i ? "" : "all";
	frame->parent = i ? node->parent : FLAME_NO_PARENT;
	frame->depth = node->depth;
	frame->more = node->more;
	if (node->function != FUNCTION_NONE)
		frame->name =
			names_display(&naming->capture->names, naming->list[node->function].name);
	if (builder->places[i].has_words)
		set_words(builder, i);
	paint(builder, i);
}

size_t *diff_frames_rows(const struct diff_report *report)
{
	const struct naming *naming = report->sides->naming;
	uint32_t nr = naming->capture->names.nr;
	size_t *rows = mem_alloc(nr * sizeof(*rows));

	memset(rows, 0xff, nr * sizeof(*rows));
	for (size_t i = 0; i < report->diff.nr; i++)
		rows[naming->list[report->diff.functions[i].function].name] = i;
	return rows;
}

void diff_frames_build(struct diff_frames *frames, const struct diff_report *report,
		       double width_px)
{
	uint32_t nr = report->tree.nr;
	const struct flame_chart chart = {.frames_nr = nr, .width_px = width_px};
	struct builder builder = {
		.frames = frames,
		.report = report,
		.places = mem_zalloc(nr, sizeof(*builder.places)),
		.points = mem_alloc(nr * sizeof(*builder.points)),
		.row_of_name = diff_frames_rows(report),
	};

	*frames = (struct diff_frames){
		.list = mem_zalloc(nr, sizeof(*frames->list)),
		.changes = mem_zalloc(nr, sizeof(*frames->changes)),
	};
	find_points(&builder);
	find_scale(&builder);
	place(&builder);
	for (uint32_t i = 0; i < nr; i++)
		if (flame_has_words(&chart, &frames->list[i]))
			add_strings(&builder, i);
	for (uint32_t i = 0; i < nr; i++)
		set_frame(&builder, i);
	free(builder.places);
	free(builder.points);
	free(builder.row_of_name);
}

void diff_frames_release(struct diff_frames *frames)
{
	free(frames->list);
	free(frames->changes);
	text_release(&frames->strings);
	text_release(&frames->scale[0]);
	text_release(&frames->scale[1]);
}
