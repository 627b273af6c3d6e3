/* counters_side.c - an operand of tephra counters: the series of its captures, on one clock */
#include "commands/counters_side.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/range.h"
#include "store/series.h"
#include "store/store.h"

/* Series that a message lists. */
#define LISTED_MAX 40

/* ---- a profile */

static struct error *take_stored(struct counters_side *side, const struct store_capture *from)
{
	struct counters_capture *capture = &side->list[side->nr++];

	*capture = (struct counters_capture){
		.name = from->name,
		.model = {.clock = from->clock},
		.has_samples = from->samples != 0,
		.has_times = from->has_times,
		.start_ns = from->start_ns,
	};
	return store_series_read(side->store, from->id, &capture->model, &capture->first_series);
}

static struct error *open_profile(const struct profile_options *options, struct counters_side *side)
{
	struct error *err = store_open(side->path, &side->store);

	if (!err)
		err = store_captures(side->store, &side->captures);
	if (!err)
		err = store_clocks_read(side->store, &side->captures, &side->clocks);
	if (err)
		return err;
	side->map = side->clocks.map;
	side->list = mem_zalloc(side->captures.nr, sizeof(*side->list));
	for (size_t i = 0; !err && i < side->captures.nr; i++)
		err = take_stored(side, &side->captures.list[i]);
	for (size_t i = side->nr; i-- > 0;)
		if (options->capture ? strcmp(options->capture, side->list[i].name) == 0
				     : side->list[i].has_samples)
			side->reference = i;
	if (!err && options->capture &&
	    (!side->nr || strcmp(options->capture, side->list[side->reference].name) != 0))
		err = error_new(ERROR_USAGE, "there is no capture '%s' in '%s'", options->capture,
				side->path);
	return err;
}

/* ---- a file */

struct collector {
	struct sink sink;
	struct counters_capture *capture;
	const struct capture *model;
	size_t nr, alloc;
};

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	(void)sample;
	((struct collector *)sink)->capture->has_samples = true;
	return NULL;
}

static struct error *on_point(struct sink *sink, uint32_t series, const struct point *point)
{
	struct collector *collector = (struct collector *)sink;
	struct counters_capture *capture = collector->capture;

	GROW(capture->amounts, (size_t)series + 1, collector->alloc);
	for (; collector->nr <= series; collector->nr++)
		amounts_init(&capture->amounts[collector->nr],
			     collector->model->series.list[collector->nr].kind);
	return sink_point(&capture->amounts[series].sink, 0, point);
}

static struct error *open_file(const struct profile_options *options, struct counters_side *side)
{
	struct counters_capture *capture;
	struct collector collector = {
		.sink = {.sample = on_sample, .point = on_point},
		.model = &side->profile.capture,
	};
	struct profile_options read = *options;
	char *argv[] = {side->path};
	struct error *err;

	side->list = mem_zalloc(1, sizeof(*side->list));
	side->nr = 1;
	capture = collector.capture = side->list;
	capture->name = "";
	side->profile.selection.all_events = true;
	/* all of it: a range is one of what the points make, not of the points */
	read.from = read.to = NULL;
	err = profile_read(&read, 1, argv, &side->profile, &collector.sink);
	/* series without a point have no amounts yet */
	GROW(capture->amounts, (size_t)side->profile.capture.series.nr, collector.alloc);
	for (; collector.nr < side->profile.capture.series.nr; collector.nr++)
		amounts_init(&capture->amounts[collector.nr],
			     side->profile.capture.series.list[collector.nr].kind);
	capture->model = side->profile.capture;
	side->profile.capture = (struct capture){0};
	capture->has_times = capture->model.has_times;
	capture->start_ns = capture->model.start_ns;
	side->source = (struct clock_source){.name = capture->name, .clock = capture->model.clock};
	side->map = (struct clock_map){
		.sources = &side->source, .sources_nr = 1, .ties = &capture->model.ties};
	return err;
}

struct error *counters_side_open(const struct profile_options *options, const char *operand,
				 struct counters_side *ret)
{
	struct error *err;
	uint32_t series = 0;

	*ret = (struct counters_side){.path = mem_strdup(operand)};
	err = range_take(ret->path, &ret->from, &ret->to);
	if (!err)
		err = range_options(options->from, options->to, &ret->from, &ret->to);
	if (err)
		return err;
	if (store_is_sqlite_file(ret->path))
		err = open_profile(options, ret);
	else
		err = open_file(options, ret);
	for (size_t i = 0; i < ret->nr; i++)
		series += ret->list[i].model.series.nr;
	if (!err && !series)
		err = error_hint(error_new(ERROR_INPUT, "'%s' holds no counters", ret->path),
				 "tephra import counters.csv --add -o <profile> adds some");
	return err;
}

void counters_side_close(struct counters_side *side)
{
	for (size_t i = 0; i < side->nr; i++) {
		struct counters_capture *capture = &side->list[i];

		for (uint32_t j = 0; capture->amounts && j < capture->model.series.nr; j++)
			amounts_release(&capture->amounts[j]);
		free(capture->amounts);
		capture_release(&capture->model);
	}
	free(side->list);
	profile_release(&side->profile);
	store_clocks_release(&side->clocks);
	store_captures_release(&side->captures);
	store_close(side->store);
	free(side->path);
	*side = (struct counters_side){0};
}

/* ---- series */

enum match {
	MATCH_NOT,
	MATCH_ROLE,
	MATCH_NAME,
	MATCH_DISPLAY
};

static enum match match_of(const struct capture *capture, const struct series *series,
			   const char *name)
{
	CLEANUP(text_release) struct text shown = TEXT_INIT;

	series_add_display(&shown, series, &capture->names);
	if (strcmp(text_string(&shown), name) == 0)
		return MATCH_DISPLAY;
	if (strcmp(names_display(&capture->names, series->name), name) == 0)
		return MATCH_NAME;
	if (series->role != ROLE_NONE && strcmp(series_role_word(series->role), name) == 0)
		return MATCH_ROLE;
	return MATCH_NOT;
}

static void add_listed(struct text *text, const struct capture *capture,
		       const struct series *series, size_t *nr)
{
	if ((*nr)++ > LISTED_MAX)
		return;
	text_add(text, text->size ? ", " : "");
	series_add_display(text, series, &capture->names);
}

/* Those that fit best, listed; *ret is the last of them. */
static size_t find_best(const struct counters_side *side, const char *name, struct text *listed,
			struct counters_at *ret)
{
	enum match best = MATCH_ROLE;
	size_t nr = 0;

	for (size_t i = 0; i < side->nr; i++) {
		const struct capture *capture = &side->list[i].model;

		for (uint32_t j = 0; j < capture->series.nr; j++) {
			enum match match = match_of(capture, &capture->series.list[j], name);

			if (match < best)
				continue;
			if (match > best) {
				text_clear(listed);
				nr = 0;
			}
			best = match;
			*ret = (struct counters_at){i, j};
			add_listed(listed, capture, &capture->series.list[j], &nr);
		}
	}
	return nr;
}

struct error *counters_side_find(const struct counters_side *side, const char *name,
				 struct counters_at *ret)
{
	CLEANUP(text_release) struct text listed = TEXT_INIT;
	struct error *err;
	size_t nr = find_best(side, name, &listed, ret);

	if (nr == 1)
		return NULL;
	if (nr)
		return error_hint(
			error_new(ERROR_USAGE, "'%s' is not one series of '%s'", name, side->path),
			"which of %s?", text_string(&listed));
	for (size_t i = 0; i < side->nr; i++) {
		const struct capture *capture = &side->list[i].model;

		for (uint32_t j = 0; j < capture->series.nr; j++)
			if (capture->series.list[j].kind != SERIES_GAUGE)
				add_listed(&listed, capture, &capture->series.list[j], &nr);
	}
	err = error_new(ERROR_USAGE, "there is no series '%s' in '%s'", name, side->path);
	return listed.size ? error_hint(err, "there is: %s", text_string(&listed)) : err;
}

struct error *counters_side_amounts(struct counters_side *side, struct counters_at at,
				    struct amounts *ret)
{
	struct counters_capture *capture = &side->list[at.capture];

	amounts_init(ret, counters_side_series(side, at)->kind);
	if (side->store)
		return store_points_read(side->store, capture->first_series + at.series, 0,
					 UINT64_MAX, &ret->sink, 0);
	amounts_copy(&capture->amounts[at.series], ret);
	return NULL;
}

/* ---- times */

struct error *counters_side_range(const struct counters_side *side, size_t capture,
				  uint64_t *ret_from_ns, uint64_t *ret_to_ns)
{
	return range_on_clock(&side->map, (uint32_t)side->reference,
			      side->list[side->reference].start_ns, (uint32_t)capture, &side->from,
			      &side->to, ret_from_ns, ret_to_ns);
}

struct error *counters_side_move(const struct counters_side *side, struct amounts *amounts,
				 size_t from, size_t to, uint64_t *ret_error_ns)
{
	struct clock_time first, last;
	struct error *err;
	uint64_t begin, end;
	double scale = 1;

	*ret_error_ns = 0;
	if (from == to || !amounts->nr)
		return NULL;
	begin = amounts->list[0].begin_ns;
	end = amounts->list[amounts->nr - 1].end_ns;
	err = clock_map_time(&side->map, (uint32_t)from, begin, (uint32_t)to, &first);
	if (!err)
		err = clock_map_time(&side->map, (uint32_t)from, end, (uint32_t)to, &last);
	if (err)
		return err;
	*ret_error_ns = first.error_ns > last.error_ns ? first.error_ns : last.error_ns;
	/* between the two ends clocks drift evenly, as far as is known */
	if (end > begin)
		scale = (double)(last.time_ns - first.time_ns) / (double)(end - begin);
	for (size_t i = 0; i < amounts->nr; i++) {
		struct amount *amount = &amounts->list[i];

		amount->begin_ns =
			first.time_ns + (uint64_t)((double)(amount->begin_ns - begin) * scale);
		amount->end_ns =
			first.time_ns + (uint64_t)((double)(amount->end_ns - begin) * scale);
	}
	return NULL;
}
