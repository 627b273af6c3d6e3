/* gather.c - samples and counters of one incident, from profiles and captures, on one time axis */
#include "commands/gather.h"

#include "base/mem.h"
#include "commands/range.h"
#include "store/captures.h"
#include "store/clock_maps.h"
#include "store/series.h"
#include "store/store.h"

/* A capture file may hold either: samples go to one, points to the other. */
struct fork {
	struct sink sink;
	struct gathered_capture *to;
};

static struct error *fork_sample(struct sink *sink, const struct sample *sample)
{
	return sink_sample(&((struct fork *)sink)->to->samples.sink, sample);
}

static struct error *fork_point(struct sink *sink, uint32_t series, const struct point *point)
{
	return sink_point(&((struct fork *)sink)->to->counters.sink, series, point);
}

static struct gathered_capture *add_capture(struct gathered *gathered, const char *name)
{
	struct gathered_capture *capture = mem_zalloc(1, sizeof(*capture));

	capture->name = mem_strdup(name);
	capture->profile = (struct profile){.event = EVENT_NONE, .needs_samples = true};
	series_tracks_init(&capture->counters, &capture->profile.capture);
	utilisation_init(&capture->samples, &capture->profile.capture);
	GROW(gathered->list, gathered->nr + 1, gathered->alloc);
	gathered->list[gathered->nr++] = capture;
	return capture;
}

static void drop_capture(struct gathered *gathered)
{
	struct gathered_capture *capture = gathered->list[--gathered->nr];

	series_tracks_release(&capture->counters);
	utilisation_release(&capture->samples);
	profile_release(&capture->profile);
	error_free(capture->untied);
	free(capture->name);
	free(capture);
}

static struct error *take_samples(struct gathered *gathered, struct gathered_capture *from)
{
	if (gathered->samples)
		return error_hint(error_new(ERROR_USAGE, "'%s' has samples, and '%s' has some, too",
					    gathered->samples->name, from->name),
				  "one capture of samples, and counters beside it");
	gathered->samples = from;
	return NULL;
}

static struct error *read_operand(const struct profile_options *options, char *operand,
				  struct gathered *gathered)
{
	struct gathered_capture *to = add_capture(gathered, operand);
	struct fork fork = {.sink = {.sample = fork_sample, .point = fork_point}, .to = to};
	struct error *err = profile_read(options, 1, &operand, &to->profile, &fork.sink);

	if (!err && utilisation_finish(&to->samples))
		err = take_samples(gathered, to);
	if (!err && gathered->samples == to)
		err = profile_name(&to->profile, options);
	for (size_t i = 0; !err && i < to->profile.capture.ties.nr; i++) {
		struct clock_tie tie = to->profile.capture.ties.list[i];

		tie.source = (uint32_t)gathered->nr - 1;
		clock_ties_add(&gathered->ties, &tie);
	}
	return err;
}

/* ---- a profile */

static struct error *read_counters(const struct profile_options *options, struct store *store,
				   const struct store_capture *from, struct gathered *gathered)
{
	struct gathered_capture *to = add_capture(gathered, from->name);
	struct capture *model = &to->profile.capture;
	struct moment begin = {.is_set = false}, end = {.is_set = false};
	uint64_t from_ns, to_ns;
	int64_t first;
	struct error *err = store_series_read(store, from->id, model, &first);

	model->clock = from->clock;
	/* times of the counters' clock; with "+" from their first point */
	if (!err && options->from)
		err = range_parse("--from", options->from, strlen(options->from), &begin);
	if (!err && options->to)
		err = range_parse("--to", options->to, strlen(options->to), &end);
	from_ns = range_ns(&begin, from->start_ns, 0);
	to_ns = range_ns(&end, from->start_ns, UINT64_MAX);
	for (uint32_t i = 0; !err && i < model->series.nr; i++)
		err = store_points_read(store, first + i, from_ns, to_ns, &to->counters.sink, i);
	if (!err && !model->series.nr)
		drop_capture(gathered);
	return err;
}

/* The capture whose samples are read, by its place in the profile; all->nr for none. */
static size_t find_samples(const struct profile_options *options, const struct store_captures *all)
{
	size_t i = 0;

	while (i < all->nr && (!all->list[i].samples ||
			       (options->capture && strcmp(all->list[i].name, options->capture))))
		i++;
	return i;
}

/* What is known of the profile's clocks, by the places that its captures have here. */
static struct error *read_ties(struct store *store, const struct store_captures *all,
			       const uint32_t *places, struct gathered *gathered)
{
	struct store_clocks clocks = {0};
	struct error *err = store_clocks_read(store, all, &clocks);

	for (size_t i = 0; !err && i < clocks.ties.nr; i++) {
		struct clock_tie tie = clocks.ties.list[i];

		tie.source = places[tie.source];
		if (tie.target != CLOCK_WALL) {
			tie.target = places[tie.target];
			if (tie.target == UINT32_MAX) /* which is CLOCK_WALL: it is not here */
				continue;
		}
		if (tie.source != UINT32_MAX)
			clock_ties_add(&gathered->ties, &tie);
	}
	store_clocks_release(&clocks);
	return err;
}

static struct error *read_captures(const struct profile_options *options, char *operand,
				   struct store *store, struct gathered *gathered)
{
	struct store_captures all = {0};
	struct error *err = store_captures(store, &all);
	uint32_t *places = mem_alloc((all.nr + 1) * sizeof(*places));
	size_t samples = find_samples(options, &all);
	bool has_samples = false;

	for (size_t i = 0; !err && i < all.nr; i++) {
		size_t before = gathered->nr;

		has_samples |= all.list[i].samples > 0;
		err = read_counters(options, store, &all.list[i], gathered);
		places[i] = gathered->nr > before ? (uint32_t)before : UINT32_MAX;
	}
	if (!err && has_samples) {
		if (samples < all.nr)
			places[samples] = (uint32_t)gathered->nr;
		err = read_operand(options, operand, gathered);
		if (!err && gathered->samples && samples < all.nr)
			gathered->samples->profile.capture.clock = all.list[samples].clock;
	}
	if (!err)
		err = read_ties(store, &all, places, gathered);
	free(places);
	store_captures_release(&all);
	return err;
}

static struct error *read_profile(const struct profile_options *options, char *operand,
				  struct gathered *gathered)
{
	struct store *store = NULL;
	struct error *err = store_open(operand, &store);

	if (!err)
		err = read_captures(options, operand, store, gathered);
	store_close(store);
	return err;
}

/* "run.tephra@+4..+8" would leave the counters out without a word. */
static struct error *refuse_range(const char *operand)
{
	const char *at = strrchr(operand, '@');
	char *path;
	bool is_profile;

	if (!at || !strstr(at, ".."))
		return NULL;
	path = mem_memdup(operand, (size_t)(at - operand) + 1);
	path[at - operand] = '\0';
	is_profile = store_is_sqlite_file(path);
	free(path);
	return is_profile ? error_hint(error_new(ERROR_USAGE,
						 "a profile is read without a range here, "
						 "not '%s'",
						 operand),
				       "--from and --to leave out samples and counters alike")
			  : NULL;
}

static struct error *read_one(const struct profile_options *options, char *operand,
			      struct gathered *gathered)
{
	struct error *err = refuse_range(operand);

	if (err)
		return err;
	return strcmp(operand, "-") != 0 && store_is_sqlite_file(operand)
		       ? read_profile(options, operand, gathered)
		       : read_operand(options, operand, gathered);
}

struct error *gather_run(const struct profile_options *options, int argc, char **argv,
			 struct gathered *ret)
{
	char standard_input[] = "-", *one[] = {standard_input};
	struct error *err = NULL;

	*ret = (struct gathered){.axis = NULL};
	if (!argc) {
		argv = one;
		argc = 1;
	}
	for (int i = 0; !err && i < argc; i++)
		err = read_one(options, argv[i], ret);
	if (err)
		return err;
	gather_settle_clocks(ret);
	if (!ret->samples && !ret->has_counters)
		return error_new(ERROR_INPUT, "'%s' holds neither counters nor samples with times",
				 argv[0]);
	return NULL;
}

void gather_release(struct gathered *gathered)
{
	while (gathered->nr)
		drop_capture(gathered);
	free(gathered->list);
	clock_ties_release(&gathered->ties);
	*gathered = (struct gathered){.list = NULL};
}
