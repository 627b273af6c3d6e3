/* diff_report.c - a comparison is computed: changes, how sure they are, what moved, the tree */
#include "commands/diff_report.h"

#include "base/mem.h"

static struct blocks_source *make_sources(const struct diff_report *report)
{
	const struct diff_sides *sides = report->sides;
	const struct diff_divisors *divisors = &report->diff.divisors;
	struct blocks_source *list = mem_zalloc(sides->nr, sizeof(*list));

	for (size_t i = 0; i < sides->nr; i++) {
		const struct diff_run *run = &sides->runs[i];
		double seconds = (double)(run->end_ns - run->begin_ns) / 1e9;
		double work = run->is_after ? divisors->after[DIFF_PER_WORK]
					    : divisors->before[DIFF_PER_WORK];

		list[i] = (struct blocks_source){
			.paths = &run->profile.paths,
			.bins = &run->profile.bins,
			.capture = &run->profile.capture,
			.of_function = run->of_function,
			.begin_ns = run->begin_ns,
			.end_ns = run->end_ns,
			.event = run->profile.event,
			.is_after = run->is_after,
			.counts_samples = sides->counts_samples,
			.work = run->work,
			.work_nr = run->work_nr,
			.work_total = work * seconds / diff_sides_seconds(sides, run->is_after),
		};
	}
	return list;
}

struct order {
	const struct diff_report *report;
};

/* What is sure stands first; otherwise the order is that of diff->functions. */
static int compare_rows(const void *a, const void *b, void *order_of)
{
	const struct judge_row *rows = ((const struct order *)order_of)->report->judge.rows;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	bool is_x_sure = rows[x].verdict == JUDGE_CHANGED;
	bool is_y_sure = rows[y].verdict == JUDGE_CHANGED;

	if (is_x_sure != is_y_sure)
		return is_x_sure ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void judge(struct diff_report *report)
{
	const struct diff_sides *sides = report->sides;
	struct blocks_source *sources = sides->has_times ? make_sources(report) : NULL;

	judge_build(&report->judge, &report->diff, sides->naming, sources, sources ? sides->nr : 0,
		    sides->is_one_run);
	free(sources);
	moves_find(&report->moves, &report->diff, &report->judge, sides->naming, sides->sources,
		   sides->nr, sides->counts_samples);
	report->order = mem_alloc(report->diff.nr * sizeof(*report->order));
	for (size_t i = 0; i < report->diff.nr; i++)
		report->order[i] = i;
	qsort_r(report->order, report->diff.nr, sizeof(*report->order), compare_rows,
		&(struct order){report});
}

void diff_report_build(struct diff_report *report, struct diff_divisors *divisors, bool needs_tree)
{
	const struct diff_sides *sides = report->sides;

	divisors->before[DIFF_PER_SECOND] = diff_sides_seconds(sides, false);
	divisors->after[DIFF_PER_SECOND] = diff_sides_seconds(sides, true);
	diff_build(&report->diff, sides->naming, sides->sources, sides->nr, sides->counts_samples,
		   divisors);
	judge(report);
	if (!needs_tree)
		return;
	report->tree_options = (struct calltree_options){
		.counts_samples = sides->counts_samples,
		.after_scale = 1,
	};
	calltree_build_joint(&report->tree, sides->naming, sides->sources, sides->nr,
			     &report->tree_options);
}

void diff_report_release(struct diff_report *report)
{
	for (size_t i = 0; i < report->facts_nr; i++) {
		free(report->facts[i].what);
		free(report->facts[i].before);
		free(report->facts[i].after);
		free(report->facts[i].doubt);
	}
	free(report->facts);
	free(report->order);
	calltree_release(&report->tree);
	moves_release(&report->moves);
	judge_release(&report->judge);
	diff_release(&report->diff);
}
