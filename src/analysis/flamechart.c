/* flamechart.c - stacks in order of time: a lane per thread, runs of the same function */
#include "analysis/flamechart.h"

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "model/capture.h"
#include "model/recorder.h"

/* Of so many times between samples the median is taken. */
#define GAPS_MAX 65536

/* A sample that is drawn. */
struct moment_of {
	uint64_t time_ns, period;
	uint32_t lane, path;
	size_t nr; /* in the recorder: what comes first when times are the same */
};

struct builder {
	struct flamechart *chart;
	const struct paths *paths;
	const struct flamechart_options *options;
	struct moment_of *list; /* by lane, then time */
	size_t nr;
	uint64_t least_ns;
	uint32_t *open; /* runs that go on, by depth */
	uint32_t open_nr;
	size_t open_alloc;
	uint64_t last_ns;    /* the end of the sample before */
	uint32_t lane_begin; /* the first run of the lane at hand */
};

/* ---- lanes */

static int compare_ids(int32_t a, int32_t b)
{
	return (a > b) - (a < b);
}

/* The task of none comes first. */
static int compare_tasks(const void *a, const void *b, void *tasks_of)
{
	static const struct task nobody = {TASK_ID_NONE, TASK_ID_NONE, NAME_NONE};
	const struct task *tasks = tasks_of;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct task *one = x == TASK_NONE ? &nobody : &tasks[x];
	const struct task *other = y == TASK_NONE ? &nobody : &tasks[y];
	int order = compare_ids(one->pid, other->pid);

	return order ? order : compare_ids(one->tid, other->tid);
}

/*
 * A lane for each thread, whatever it was called: per task, and the last one for samples of
 * none, the number of its lane.
 */
static uint32_t *find_lanes(struct builder *builder)
{
	const struct tasks *tasks = &builder->paths->naming->capture->tasks;
	uint32_t nr = tasks->nr + 1, *sorted = mem_alloc(nr * sizeof(*sorted));
	uint32_t *lane_of = mem_alloc(nr * sizeof(*lane_of));
	struct flamechart *chart = builder->chart;

	for (uint32_t i = 0; i < nr; i++)
		sorted[i] = i < tasks->nr ? i : TASK_NONE;
	qsort_r(sorted, nr, sizeof(*sorted), compare_tasks, tasks->list);
	chart->lanes = mem_zalloc(nr, sizeof(*chart->lanes));
	for (uint32_t i = 0; i < nr; i++) {
		if (!i || compare_tasks(&sorted[i - 1], &sorted[i], tasks->list))
			chart->lanes[chart->lanes_nr++].task = TASK_NONE;
		lane_of[sorted[i] == TASK_NONE ? tasks->nr : sorted[i]] =
			(uint32_t)chart->lanes_nr - 1;
	}
	free(sorted);
	return lane_of;
}

static int compare_moments(const void *a, const void *b)
{
	const struct moment_of *x = a, *y = b;

	if (x->lane != y->lane)
		return x->lane < y->lane ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

static void find_moments(struct builder *builder, const struct recorder *recorder)
{
	const struct paths *paths = builder->paths;
	uint32_t *lane_of = find_lanes(builder);
	uint32_t nobody = paths->naming->capture->tasks.nr;

	builder->list = mem_alloc(recorder->nr * sizeof(*builder->list));
	for (size_t i = 0; i < recorder->nr; i++) {
		const struct recorded *recorded = &recorder->list[i];
		uint32_t path = paths->of_entry[recorded->entry];
		uint32_t lane = lane_of[recorded->task == TASK_NONE ? nobody : recorded->task];

		if (path == PATH_NONE)
			continue;
		if (!builder->chart->lanes[lane].samples++)
			builder->chart->lanes[lane].task = recorded->task;
		builder->list[builder->nr++] =
			(struct moment_of){recorded->time_ns, recorded->period, lane, path, i};
	}
	free(lane_of);
	qsort(builder->list, builder->nr, sizeof(*builder->list), compare_moments);
}

/* ---- how long a sample stands for */

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The median time between a thread's samples; of very many, between some of them. */
static uint64_t median_gap(const struct builder *builder)
{
	size_t step = builder->nr / GAPS_MAX + 1, nr = 0;
	uint64_t *gaps = mem_alloc((builder->nr / step + 1) * sizeof(*gaps)), median;

	for (size_t i = 1; i < builder->nr; i += step) {
		const struct moment_of *moment = &builder->list[i];

		if (moment->lane == moment[-1].lane && moment->time_ns > moment[-1].time_ns)
			gaps[nr++] = moment->time_ns - moment[-1].time_ns;
	}
	qsort(gaps, nr, sizeof(*gaps), compare_u64);
	median = nr ? gaps[nr / 2] : 1;
	free(gaps);
	return median;
}

static uint64_t median_period(const struct builder *builder)
{
	size_t step = builder->nr / GAPS_MAX + 1, nr = 0;
	uint64_t *periods = mem_alloc((builder->nr / step + 1) * sizeof(*periods)), median;

	for (size_t i = 0; i < builder->nr; i += step)
		periods[nr++] = builder->list[i].period;
	qsort(periods, nr, sizeof(*periods), compare_u64);
	median = nr && periods[nr / 2] ? periods[nr / 2] : 1;
	free(periods);
	return median;
}

/* Where the time that a sample stands for begins. */
static uint64_t begin_of(const struct builder *builder, size_t i)
{
	const struct moment_of *moment = &builder->list[i];
	uint64_t stands_for =
		builder->options->has_duration ? moment->period : builder->chart->interval_ns;

	if (i && moment[-1].lane == moment->lane) {
		uint64_t gap = moment->time_ns - moment[-1].time_ns;

		if (gap <= stands_for || gap - stands_for <= stands_for / 2)
			return moment[-1].time_ns;
	}
	return moment->time_ns > stands_for ? moment->time_ns - stands_for : 0;
}

static void find_range(struct builder *builder)
{
	struct flamechart *chart = builder->chart;
	double least;

	chart->interval_ns =
		builder->options->has_duration ? median_period(builder) : median_gap(builder);
	chart->begin_ns = UINT64_MAX;
	for (size_t i = 0; i < builder->nr; i++) {
		uint64_t begin = begin_of(builder, i);

		if (begin < chart->begin_ns)
			chart->begin_ns = begin;
		if (builder->list[i].time_ns > chart->end_ns)
			chart->end_ns = builder->list[i].time_ns;
	}
	if (!builder->nr)
		chart->begin_ns = 0;
	/* a time of nothing cannot be drawn: a sample without period at time 0 */
	if (chart->begin_ns == chart->end_ns)
		chart->end_ns += chart->end_ns < UINT64_MAX ? 1 : 0;
	if (chart->begin_ns == chart->end_ns)
		chart->begin_ns--;
	least = (double)(chart->end_ns - chart->begin_ns) * builder->options->least_share;
	builder->least_ns = least < 1 ? 1 : (uint64_t)least;
}

/* ---- runs */

static uint32_t name_of(const struct builder *builder, uint32_t function)
{
	return builder->paths->naming->list[function].name;
}

/* A run that is too short stands alone, or goes into the one before it that is so, too. */
static void shorten(struct builder *builder, uint32_t at)
{
	struct flamechart *chart = builder->chart;
	struct flamechart_run *run = &chart->runs[at], *before = run - 1;

	chart->runs_nr = at + 1; /* what it calls is shorter still */
	run->runs = 1;
	if (at == builder->lane_begin || !before->runs || before->depth != run->depth ||
	    run->begin_ns - before->end_ns >= builder->least_ns)
		return;
	if (before->function != run->function)
		before->function = FUNCTION_NONE;
	before->runs++;
	before->end_ns = run->end_ns;
	before->samples += run->samples;
	chart->runs_nr = at;
}

static void close_to(struct builder *builder, uint32_t depth)
{
	while (builder->open_nr > depth) {
		uint32_t at = builder->open[--builder->open_nr];
		const struct flamechart_run *run = &builder->chart->runs[at];

		if (run->end_ns - run->begin_ns < builder->least_ns)
			shorten(builder, at);
	}
}

static void open_run(struct builder *builder, uint32_t function, uint64_t begin_ns)
{
	struct flamechart *chart = builder->chart;

	GROW(chart->runs, (size_t)chart->runs_nr + 1, chart->runs_alloc);
	GROW(builder->open, (size_t)builder->open_nr + 1, builder->open_alloc);
	chart->runs[chart->runs_nr] = (struct flamechart_run){
		.function = function, .depth = builder->open_nr, .begin_ns = begin_ns};
	builder->open[builder->open_nr++] = chart->runs_nr++;
}

static void add_moment(struct builder *builder, const struct moment_of *moment, uint64_t begin_ns)
{
	const struct paths *paths = builder->paths;
	struct flamechart_run *runs = builder->chart->runs;
	uint32_t depth = paths_depth(paths, moment->path), shared = 0;

	if (begin_ns > builder->last_ns)
		close_to(builder, 0);
	while (shared < depth && shared < builder->open_nr &&
	       name_of(builder, paths_function(paths, moment->path, shared)) ==
		       name_of(builder, runs[builder->open[shared]].function))
		shared++;
	close_to(builder, shared);
	for (uint32_t i = shared; i < depth; i++)
		open_run(builder, paths_function(paths, moment->path, i), begin_ns);
	for (uint32_t i = 0; i < depth; i++) {
		struct flamechart_run *run = &builder->chart->runs[builder->open[i]];

		run->end_ns = moment->time_ns;
		run->samples++;
	}
	builder->last_ns = moment->time_ns;
}

static void build_lane(struct builder *builder, size_t begin, size_t end)
{
	struct flamechart *chart = builder->chart;
	struct flamechart_lane *lane = &chart->lanes[builder->list[begin].lane];

	lane->begin = builder->lane_begin = chart->runs_nr;
	lane->first = begin;
	builder->last_ns = 0;
	for (size_t i = begin; i < end; i++) {
		const struct moment_of *moment = &builder->list[i];
		uint64_t begin_ns = begin_of(builder, i);

		add_moment(builder, moment, begin_ns);
		if (chart->moments)
			chart->moments[i] =
				(struct flamechart_moment){begin_ns, moment->time_ns, moment->path};
	}
	close_to(builder, 0);
	lane->nr = chart->runs_nr - lane->begin;
	for (uint32_t i = lane->begin; i < chart->runs_nr; i++)
		if (chart->runs[i].depth + 1 > lane->depth)
			lane->depth = chart->runs[i].depth + 1;
}

/* ---- which lanes */

/* So many samples must a lane have, and *ret_ties of those with just as many are kept. */
static uint64_t least_samples(const struct flamechart *chart, size_t *ret_ties)
{
	uint64_t *samples = mem_alloc(chart->lanes_nr * sizeof(*samples)), least = 1;

	*ret_ties = SIZE_MAX;
	for (size_t i = 0; i < chart->lanes_nr; i++)
		samples[i] = chart->lanes[i].samples;
	qsort(samples, chart->lanes_nr, sizeof(*samples), compare_u64);
	if (chart->lanes_nr > FLAMECHART_LANES_MAX &&
	    samples[chart->lanes_nr - FLAMECHART_LANES_MAX]) {
		size_t first = chart->lanes_nr - FLAMECHART_LANES_MAX, at = first;

		least = samples[first];
		while (at < chart->lanes_nr && samples[at] == least)
			at++;
		*ret_ties = at - first;
	}
	free(samples);
	return least;
}

/* Builds the lanes that are kept, and moves them together. */
static void build_lanes(struct builder *builder)
{
	struct flamechart *chart = builder->chart;
	size_t ties, kept = 0, begin = 0, end;
	uint64_t least = least_samples(chart, &ties);

	for (size_t i = 0; i < chart->lanes_nr; i++, begin = end) {
		struct flamechart_lane *lane = &chart->lanes[i];

		end = begin + lane->samples;
		if (!lane->samples)
			continue;
		if (lane->samples < least || (lane->samples == least && !ties)) {
			chart->lanes_left_out++;
			chart->samples_left_out += lane->samples;
			continue;
		}
		ties -= lane->samples == least;
		build_lane(builder, begin, end);
		chart->lanes[kept++] = *lane;
	}
	chart->lanes_nr = kept;
}

void flamechart_build(struct flamechart *chart, const struct recorder *recorder,
		      const struct paths *paths, const struct flamechart_options *options)
{
	struct builder builder = {.chart = chart, .paths = paths, .options = options};

	*chart = (struct flamechart){0};
	find_moments(&builder, recorder);
	find_range(&builder);
	if (options->keeps_moments)
		chart->moments = mem_zalloc(builder.nr, sizeof(*chart->moments));
	build_lanes(&builder);
	free(builder.list);
	free(builder.open);
}

void flamechart_release(struct flamechart *chart)
{
	free(chart->lanes);
	free(chart->runs);
	free(chart->moments);
	*chart = (struct flamechart){0};
}
