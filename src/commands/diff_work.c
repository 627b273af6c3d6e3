/* diff_work.c - what was done on both sides of a comparison: a counter, or a number */
#include "commands/diff_work.h"

#include <math.h>
#include <stdbool.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/diff_sides.h"
#include "model/series.h"
#include "store/captures.h"
#include "store/series.h"
#include "store/store.h"

/* Series that an error lists. */
#define LISTED_MAX 12

/* Of a capture's ends without a point this much is taken as going on as beside it. */
#define BORDER_MOST 0.1

/* The points of one series, added up to what was done. */
struct points {
	struct sink sink;
	enum series_kind kind;
	struct decimal last;
	bool has_last;
	double done;
	struct blocks_work *list;
	size_t nr, alloc;
};

static double step(const struct points *points, const struct point *point)
{
	switch (points->kind) {
	case SERIES_CUMULATIVE:
		if (point->state == POINT_RESET)
			return decimal_number(point->value);
		return points->has_last ? decimal_difference(point->value, points->last) : 0;
	case SERIES_RATE:
		return decimal_number(point->value) * (double)(point->end_ns - point->begin_ns) /
		       1e9;
	case SERIES_DELTA:
	case SERIES_GAUGE:
	case SERIES_KIND_NR:
		break;
	}
	return decimal_number(point->value);
}

static struct error *on_point(struct sink *sink, uint32_t series, const struct point *point)
{
	struct points *points = (struct points *)sink;

	(void)series;
	if (!point_has_value(point))
		return NULL;
	if (!points->nr && point->begin_ns < point->end_ns) {
		GROW(points->list, points->nr + 1, points->alloc);
		points->list[points->nr++] = (struct blocks_work){point->begin_ns, 0};
	}
	points->done += step(points, point);
	points->last = point->value;
	points->has_last = true;
	GROW(points->list, points->nr + 1, points->alloc);
	points->list[points->nr++] = (struct blocks_work){point->end_ns, points->done};
	return NULL;
}

/* ---- the ends */

/* The series went on before its first point and behind its last one as it did between them. */
static struct error *extend(struct points *points, const struct diff_run *run, const char *name)
{
	uint64_t begin_ns = run->begin_ns, end_ns = run->end_ns;
	struct blocks_work first, last, next, before;
	double length = (double)(end_ns - begin_ns), missing = 0;

	if (points->nr < 2 || points->list[0].time_ns >= end_ns ||
	    points->list[points->nr - 1].time_ns <= begin_ns)
		return error_new(ERROR_INPUT, "'%s' has no points of '%s' while its samples came",
				 run->profile.operand, name);
	first = points->list[0];
	next = points->list[1];
	last = points->list[points->nr - 1];
	before = points->list[points->nr - 2];
	missing += first.time_ns > begin_ns ? (double)(first.time_ns - begin_ns) : 0;
	missing += last.time_ns < end_ns ? (double)(end_ns - last.time_ns) : 0;
	if (missing > BORDER_MOST * length)
		return error_hint(
			error_new(ERROR_INPUT, "'%s' covers only %.0f %% of the time of '%s'", name,
				  100 - 100 * missing / length, run->profile.operand),
			"compare the part that it covers: %s@+4..+8", run->profile.operand);
	if (first.time_ns > begin_ns) {
		double rate = (next.done - first.done) / (double)(next.time_ns - first.time_ns);
		double behind = rate * (double)(first.time_ns - begin_ns);

		GROW(points->list, points->nr + 1, points->alloc);
		memmove(points->list + 1, points->list, points->nr * sizeof(*points->list));
		points->list[0] = (struct blocks_work){begin_ns, first.done - behind};
		points->nr++;
	}
	if (last.time_ns < end_ns) {
		double rate = (last.done - before.done) / (double)(last.time_ns - before.time_ns);

		GROW(points->list, points->nr + 1, points->alloc);
		points->list[points->nr++] = (struct blocks_work){
			end_ns, last.done + rate * (double)(end_ns - last.time_ns)};
	}
	return NULL;
}

static double done_at(const struct diff_run *run, uint64_t time_ns)
{
	size_t i = 0;
	const struct blocks_work *work = run->work;
	double part;

	while (i + 2 < run->work_nr && work[i + 1].time_ns < time_ns)
		i++;
	part = ((double)time_ns - (double)work[i].time_ns) /
	       (double)(work[i + 1].time_ns - work[i].time_ns);
	return work[i].done + part * (work[i + 1].done - work[i].done);
}

/* ---- which series */

/* A series of the profile that goes by that name. */
struct found {
	int64_t id;
	enum series_kind kind;
	enum source_clock clock;
	size_t nr;
};

static void look(const struct capture *model, int64_t first, enum source_clock clock,
		 const char *name, struct found *found, struct text *there)
{
	for (uint32_t i = 0; i < model->series.nr; i++) {
		CLEANUP(text_release) struct text shown = TEXT_INIT;
		const struct series *series = &model->series.list[i];

		series_add_display(&shown, series, &model->names);
		if (i < LISTED_MAX)
			text_addf(there, "%s%s", there->size ? ", " : "", text_string(&shown));
		if (strcmp(text_string(&shown), name) != 0 &&
		    strcmp(names_get(&model->names, series->name)->bytes, name) != 0)
			continue;
		found->nr++;
		found->id = first + i;
		found->kind = series->kind;
		found->clock = clock;
	}
}

static struct error *find_series(struct store *store, const char *name, struct found *found,
				 struct text *there)
{
	struct store_captures all = {0};
	struct error *err = store_captures(store, &all);

	for (size_t i = 0; !err && i < all.nr; i++) {
		CLEANUP(capture_release) struct capture model = {0};
		int64_t first = 0;

		err = store_series_read(store, all.list[i].id, &model, &first);
		if (!err)
			look(&model, first, all.list[i].clock, name, found, there);
	}
	store_captures_release(&all);
	return err;
}

static struct error *check_series(const struct found *found, const struct diff_run *run,
				  const char *name, const struct text *there)
{
	enum source_clock clock = run->profile.capture.clock;
	bool is_known = clock != SOURCE_CLOCK_UNKNOWN && found->clock != SOURCE_CLOCK_UNKNOWN;
	const char *operand = run->profile.operand;
	struct error *err;

	if (!found->nr) {
		err = error_new(ERROR_USAGE, "'%s' has no series '%s'", operand, name);
		return there->size ? error_hint(err, "there is: %s", text_string(there)) : err;
	}
	if (found->nr > 1)
		return error_hint(error_new(ERROR_USAGE, "'%s' has %zu series '%s', which one?",
					    operand, found->nr, name),
				  "there is: %s", text_string(there));
	if (found->kind == SERIES_GAUGE)
		return error_new(ERROR_USAGE,
				 "'%s' is an amount at a moment, and counts no work that was done",
				 name);
	if (is_known && clock != found->clock)
		return error_new(ERROR_INPUT,
				 "%s: '%s' is in the %s clock, the samples in the %s one", operand,
				 name, source_clock_word(found->clock), source_clock_word(clock));
	return NULL;
}

static struct error *read_run(const char *name, struct diff_run *run)
{
	CLEANUP(text_release) struct text there = TEXT_INIT;
	struct points points = {.sink = {.point = on_point}};
	struct found found = {0};
	struct store *store = NULL;
	struct error *err;

	if (!run->profile.is_stored)
		return error_hint(error_new(ERROR_USAGE, "'%s' is no profile, and has no counters",
					    run->profile.operand),
				  "tephra import <capture> -o run.tephra, then tephra import --add "
				  "counters.csv -o run.tephra");
	if (!run->has_time)
		return error_new(ERROR_INPUT, "samples of '%s' have no times, its counters do",
				 run->profile.operand);
	err = store_open(run->profile.operand, &store);
	if (!err)
		err = find_series(store, name, &found, &there);
	if (!err)
		err = check_series(&found, run, name, &there);
	points.kind = found.kind;
	if (!err)
		err = store_points_read(store, found.id, 0, UINT64_MAX, &points.sink, 0);
	store_close(store);
	if (!err)
		err = extend(&points, run, name);
	run->work = points.list;
	run->work_nr = points.nr;
	return err;
}

double diff_work_done(const struct diff_sides *sides, bool is_after)
{
	double sum = 0;

	for (size_t i = 0; i < sides->nr; i++) {
		const struct diff_run *run = &sides->runs[i];

		if (run->is_after != is_after)
			continue;
		if (run->work_nr < 2)
			return 0;
		sum += done_at(run, run->end_ns) - done_at(run, run->begin_ns);
	}
	return sum;
}

struct error *diff_work_read(const char *name, struct diff_sides *sides)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < sides->nr; i++)
		err = read_run(name, &sides->runs[i]);
	for (int is_after = 0; !err && is_after < 2; is_after++)
		if (!(diff_work_done(sides, is_after) > 0))
			err = error_new(ERROR_INPUT,
					"%s did not move on the %s side: where nothing was done "
					"there is no cost of it",
					name, is_after ? "after" : "before");
	return err;
}
