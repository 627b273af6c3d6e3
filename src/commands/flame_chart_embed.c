/* flame_chart_embed.c - the samples of a flame chart in its file, for those who zoom into it */
#include "commands/flame_chart_embed.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/calltree.h"
#include "analysis/flamechart.h"
#include "analysis/naming.h"
#include "analysis/trust.h"
#include "base/mem.h"
#include "commands/embed_functions.h"
#include "commands/embed_tree.h"
#include "commands/profile.h"

/* A script keeps times as doubles, which hold whole numbers up to here. */
#define STEPS_MAX (UINT64_C(1) << 52)
#define GROUP_MAX (UINT32_C(1) << 30)

/*
 * What samples end in is twice a node's number, and one more where it is not told what of that
 * node's calls: this is a row of its own, behind those of its calls.
 */
#define IN_CALLS 1u

struct making {
	struct flame_chart_embed *embed;
	const struct profile *profile;
	const struct flame_paints *paints;
	const struct flamechart *chart;
	size_t size_max;
	uint64_t step_ns;
	uint32_t group; /* so many samples are told as one, at most */
	uint64_t least; /* a node of fewer samples is not told */
	uint32_t *ends; /* owned: of each group of samples, in the order of lanes and time */
	size_t ends_nr;
	uint64_t *samples; /* owned: per end */
	uint32_t *pruned;  /* owned: per node, children that are not told */
	uint32_t *rows;	   /* owned: per end its row, of those that samples end in */
	uint32_t *numbers; /* owned: per end its number, those of most samples first */
};

static void put(struct making *making, struct rows_text *text, uint64_t number)
{
	if (!rows_text_add(text, number))
		making->embed->rows.is_short_of_memory = true;
}

/* ---- time */

static uint64_t divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The largest step that all times are multiples of; a longer one where they are too many. */
static uint64_t find_step(const struct flamechart *chart)
{
	uint64_t duration_ns = chart->end_ns - chart->begin_ns, step = duration_ns;

	for (size_t i = 0; i < chart->lanes_nr; i++) {
		const struct flamechart_lane *lane = &chart->lanes[i];

		for (size_t k = lane->first; k < lane->first + lane->samples && step > 1; k++) {
			step = divisor(step, chart->moments[k].begin_ns - chart->begin_ns);
			step = divisor(step, chart->moments[k].end_ns - chart->begin_ns);
		}
	}
	while (duration_ns / step >= STEPS_MAX)
		step *= 2;
	return step;
}

static uint64_t steps(const struct making *making, uint64_t time_ns)
{
	return (time_ns - making->chart->begin_ns) / making->step_ns;
}

/* Twice how far a length is from the usual one, odd where it is shorter. */
static uint64_t unusual(uint64_t length, uint64_t usual)
{
	return length >= usual ? (length - usual) * 2 : (usual - length) * 2 - 1;
}

/* Samples that are told as one; `last` is where the time before them ends, in steps. */
static void put_time(struct making *making, uint64_t begin, uint64_t end, uint64_t last)
{
	struct rows_text *times = &making->embed->times;
	uint64_t usual = making->embed->walk.usual, gap = begin - last;

	put(making, times, unusual(end - begin, usual) * 2 + (gap > 0));
	if (gap)
		put(making, times, gap - 1);
}

/* ---- what samples end in */

/* The nearest node that is told. */
static uint32_t told(const struct making *making, uint32_t node)
{
	const struct flamechart_node *nodes = making->embed->tree.nodes;

	while (node && nodes[node].samples < making->least)
		node = nodes[node].parent;
	return node;
}

static uint32_t end_of(const struct making *making, size_t moment)
{
	uint32_t node = making->embed->tree.of_path[making->chart->moments[moment].path];
	uint32_t nearest = told(making, node);

	return nearest * 2 + (nearest == node ? 0 : IN_CALLS);
}

/* What two ends have in common. */
static uint32_t joint(const struct making *making, uint32_t a, uint32_t b)
{
	const struct flamechart_node *nodes = making->embed->tree.nodes;
	uint32_t one = a / 2, other = b / 2;

	if (a == b)
		return a;
	while (one != other) {
		if (nodes[one].depth >= nodes[other].depth)
			one = nodes[one].parent;
		else
			other = nodes[other].parent;
	}
	return one * 2 + IN_CALLS;
}

/* Samples of a lane from `first` on that follow each other, up to as many as are told as one. */
static size_t group_end(const struct making *making, size_t first, size_t lane_end)
{
	const struct flamechart_moment *moments = making->chart->moments;
	size_t end = first + 1;

	while (end < lane_end && end - first < making->group &&
	       moments[end].begin_ns == moments[end - 1].end_ns)
		end++;
	return end;
}

static void put_group(struct making *making, size_t first, size_t end)
{
	uint32_t ends_in = end_of(making, first);

	for (size_t i = first + 1; i < end; i++)
		ends_in = joint(making, ends_in, end_of(making, i));
	making->ends[making->ends_nr++] = ends_in;
	making->samples[ends_in] += end - first;
	if (ends_in & IN_CALLS)
		making->embed->lost += end - first;
	if (making->group > 1)
		put(making, &making->embed->groups, end - first - 1);
}

static void put_lane(struct making *making, size_t nr)
{
	const struct flamechart *chart = making->chart;
	const struct flamechart_lane *lane = &chart->lanes[nr];
	size_t lane_end = lane->first + lane->samples, before = making->ends_nr;
	uint64_t last = 0;

	for (size_t i = lane->first, end; i < lane_end; i = end) {
		uint64_t begin = steps(making, chart->moments[i].begin_ns);

		end = group_end(making, i, lane_end);
		put_group(making, i, end);
		put_time(making, begin, steps(making, chart->moments[end - 1].end_ns), last);
		last = steps(making, chart->moments[end - 1].end_ns);
	}
	making->embed->groups_of[nr] = making->ends_nr - before;
}

/* ---- rows of the tree */

static bool is_told(const struct making *making, uint32_t node)
{
	return !node || making->embed->tree.nodes[node].samples >= making->least;
}

static void count_pruned(struct making *making)
{
	const struct flamechart_tree *tree = &making->embed->tree;

	for (uint32_t i = 1; i < tree->nr; i++)
		if (!is_told(making, i) && is_told(making, tree->nodes[i].parent))
			making->pruned[tree->nodes[i].parent]++;
}

static void add_row(struct making *making, uint32_t node)
{
	struct flame_chart_embed *embed = making->embed;
	const struct flamechart_node *from = &embed->tree.nodes[node];
	const struct calltree_node root = {.function = FUNCTION_NONE};
	const struct naming *naming = &making->profile->naming;
	struct flame_row row = {.depth = from->depth, .self = making->samples[node * 2]};

	row.function = !node ? embed_functions_add(embed->functions, &root)
			     : embed_functions_number(embed->functions, from->function,
						      trust_grade(naming->capture,
								  &naming->list[from->function]) !=
							      TRUST_SHOWN);
	making->rows[node * 2] = (uint32_t)embed->rows.nr;
	flame_rows_add(&embed->rows, &row);
}

/* Behind what a node calls: what of that is not told. */
static void add_rest(struct making *making, uint32_t node)
{
	struct flame_rows *rows = &making->embed->rows;
	uint32_t end = node * 2 + IN_CALLS;
	struct flame_row row = {
		.depth = making->embed->tree.nodes[node].depth + 1,
		.more = making->pruned[node] ? making->pruned[node] : 1,
		.self = making->samples[end],
	};

	if (!row.self)
		return;
	making->rows[end] = (uint32_t)rows->nr;
	flame_rows_add(rows, &row);
}

/* Each node that is told, and behind its calls what is not. */
static void add_rows(struct making *making)
{
	const struct flamechart_tree *tree = &making->embed->tree;
	uint32_t open = 0;

	for (uint32_t i = 0; i < tree->nr;) {
		for (; i && i >= tree->nodes[open].end; open = tree->nodes[open].parent)
			add_rest(making, open);
		if (!is_told(making, i)) {
			i = tree->nodes[i].end;
			continue;
		}
		add_row(making, i);
		open = i++;
	}
	for (; open; open = tree->nodes[open].parent)
		add_rest(making, open);
	add_rest(making, 0);
}

/* ---- numbers of what samples end in */

/* Those of most samples first, else as their rows stand. */
static int compare_ends(const void *a, const void *b, void *making_of)
{
	const struct making *making = making_of;
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	if (making->samples[one] != making->samples[other])
		return making->samples[one] > making->samples[other] ? -1 : 1;
	return making->rows[one] < making->rows[other] ? -1 : 1;
}

static void number_ends(struct making *making)
{
	uint32_t ends_nr = making->embed->tree.nr * 2, nr = 0;
	uint32_t *sorted = mem_alloc(ends_nr * sizeof(*sorted));

	for (uint32_t i = 0; i < ends_nr; i++)
		if (making->samples[i])
			sorted[nr++] = i;
	qsort_r(sorted, nr, sizeof(*sorted), compare_ends, making);
	for (uint32_t i = 0; i < nr; i++)
		making->numbers[sorted[i]] = i;
	free(sorted);
	for (size_t i = 0; i < making->ends_nr; i++)
		put(making, &making->embed->ends, making->numbers[making->ends[i]]);
}

/* ---- all of it, in the room that there is */

static void clear_rows(struct making *making)
{
	struct flame_chart_embed *embed = making->embed;
	size_t ends_nr = embed->tree.nr * (size_t)2;

	flame_rows_release(&embed->rows);
	embed_functions_free(embed->functions);
	embed->functions = embed_functions_new(&making->profile->naming, making->paints);
	embed->times.size = embed->ends.size = embed->groups.size = 0;
	embed->lost = 0;
	making->ends_nr = 0;
	memset(making->samples, 0, ends_nr * sizeof(*making->samples));
	memset(making->pruned, 0, embed->tree.nr * sizeof(*making->pruned));
}

static void put_all(struct making *making)
{
	clear_rows(making);
	for (size_t i = 0; i < making->chart->lanes_nr; i++)
		put_lane(making, i);
	count_pruned(making);
	add_rows(making);
	number_ends(making);
}

/* Puts all again with less, until it fits; there is an end to both kinds of less. */
static void fit(struct making *making)
{
	const struct flame_chart_embed *embed = making->embed;
	uint64_t all = embed->tree.nodes[0].samples;

	for (;;) {
		size_t tree_size, size;

		put_all(making);
		tree_size = flame_rows_size(&embed->rows) + embed->rows.nr * 2 +
			    embed_functions_size(embed->functions);
		size = tree_size + embed->times.size + embed->ends.size + embed->groups.size;
		if (size <= making->size_max)
			return;
		if (tree_size > making->size_max / 2 && making->least <= all)
			making->least *= 2;
		else if (making->group < GROUP_MAX)
			making->group *= 2;
		else
			return;
	}
}

static void make_note(struct making *making)
{
	struct flame_chart_embed *embed = making->embed;
	struct text *note = &embed->note;

	if (making->group == 1 && making->least == 1)
		return;
	if (making->group > 1)
		text_addf(note, "up to %" PRIu32 " samples are told as one in this file; ",
			  making->group);
	weight_add_grouped(note, weight_of(embed->lost));
	text_add(note, " of ");
	weight_add_grouped(note, weight_of(embed->tree.nodes[0].samples));
	text_add(note, " samples are in it without their inner frames; --max-size keeps more");
}

static void settle(struct making *making)
{
	struct flame_chart_embed *embed = making->embed;
	struct flamechart_walk *walk = &embed->walk;

	embed->whole = (struct flame_whole){
		.rows = &embed->rows,
		.functions = embed_functions_list(embed->functions),
		.functions_nr = embed_functions_nr(embed->functions),
		.step = "1",
		.samples_step = "1",
		.note = embed->note.size ? text_string(&embed->note) : NULL,
	};
	walk->whole = &embed->whole;
	walk->groups_of = embed->groups_of;
	walk->times = &embed->times;
	walk->ends = &embed->ends;
	walk->groups = &embed->groups;
}

void flame_chart_embed_make(struct flame_chart_embed *embed, const struct profile *profile,
			    const struct flame_paints *paints, const struct flamechart *chart,
			    size_t size_max)
{
	struct making making = {
		.embed = embed,
		.profile = profile,
		.paints = paints,
		.chart = chart,
		.size_max = size_max,
		.group = 1,
		.least = 1,
	};
	size_t ends_nr;

	flamechart_tree_build(&embed->tree, chart, &profile->paths);
	ends_nr = embed->tree.nr * (size_t)2;
	making.step_ns = find_step(chart);
	making.ends = mem_alloc(embed->tree.nodes[0].samples * sizeof(*making.ends));
	making.samples = mem_alloc(ends_nr * sizeof(*making.samples));
	making.pruned = mem_alloc(embed->tree.nr * sizeof(*making.pruned));
	making.rows = mem_alloc(ends_nr * sizeof(*making.rows));
	making.numbers = mem_alloc(ends_nr * sizeof(*making.numbers));
	embed->groups_of = mem_zalloc(chart->lanes_nr, sizeof(*embed->groups_of));
	embed->walk.step_ns = making.step_ns;
	embed->walk.duration = (chart->end_ns - chart->begin_ns) / making.step_ns;
	embed->walk.usual = chart->interval_ns / making.step_ns;
	fit(&making);
	make_note(&making);
	settle(&making);
	free(making.ends);
	free(making.samples);
	free(making.pruned);
	free(making.rows);
	free(making.numbers);
}

void flame_chart_embed_release(struct flame_chart_embed *embed)
{
	flamechart_tree_release(&embed->tree);
	flame_rows_release(&embed->rows);
	embed_functions_free(embed->functions);
	free(embed->times.bytes);
	free(embed->ends.bytes);
	free(embed->groups.bytes);
	free(embed->groups_of);
	text_release(&embed->note);
}
