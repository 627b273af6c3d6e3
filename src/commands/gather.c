/* gather.c - samples and counters of one incident, from profiles and captures, on one time axis */
#include "commands/gather.h"

#include "base/mem.h"
#include "store/captures.h"
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
	return err;
}

/* ---- a profile */

static struct error *read_counters(struct store *store, const struct store_capture *from,
				   struct gathered *gathered)
{
	struct gathered_capture *to = add_capture(gathered, from->name);
	struct capture *model = &to->profile.capture;
	int64_t first;
	struct error *err = store_series_read(store, from->id, model, &first);

	model->clock = from->clock;
	for (uint32_t i = 0; !err && i < model->series.nr; i++)
		err = store_points_read(store, first + i, 0, UINT64_MAX, &to->counters.sink, i);
	if (!err && !model->series.nr)
		drop_capture(gathered);
	return err;
}

/* The clock of the capture whose samples were read. */
static enum source_clock clock_of(const struct profile_options *options,
				  const struct store_captures *all)
{
	for (size_t i = 0; i < all->nr; i++) {
		if (options->capture ? strcmp(all->list[i].name, options->capture) == 0
				     : all->list[i].samples > 0)
			return all->list[i].clock;
	}
	return SOURCE_CLOCK_UNKNOWN;
}

static struct error *read_captures(const struct profile_options *options, char *operand,
				   struct store *store, struct gathered *gathered)
{
	struct store_captures all = {0};
	struct error *err = store_captures(store, &all);
	bool has_samples = false;

	for (size_t i = 0; !err && i < all.nr; i++) {
		has_samples |= all.list[i].samples > 0;
		err = read_counters(store, &all.list[i], gathered);
	}
	if (!err && has_samples) {
		err = read_operand(options, operand, gathered);
		if (!err && gathered->samples)
			gathered->samples->profile.capture.clock = clock_of(options, &all);
	}
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

/* ---- clocks */

static void settle_clocks(struct gathered *gathered)
{
	for (size_t i = 0; i < gathered->nr; i++) {
		struct gathered_capture *capture = gathered->list[i];
		enum source_clock clock = capture->profile.capture.clock;

		if (!capture->counters.nr)
			continue;
		if (!gathered->has_counters)
			gathered->clock = clock;
		gathered->has_counters = true;
		capture->is_other_clock = clock != gathered->clock;
	}
	if (!gathered->samples)
		return;
	if (!gathered->has_counters)
		gathered->clock = gathered->samples->profile.capture.clock;
	gathered->has_unknown_clock = gathered->samples->profile.capture.clock != gathered->clock;
}

struct error *gather_run(const struct profile_options *options, int argc, char **argv,
			 struct gathered *ret)
{
	char standard_input[] = "-", *one[] = {standard_input};
	struct error *err = NULL;

	*ret = (struct gathered){.clock = SOURCE_CLOCK_UNKNOWN};
	if (!argc) {
		argv = one;
		argc = 1;
	}
	for (int i = 0; !err && i < argc; i++)
		err = strcmp(argv[i], "-") != 0 && store_is_sqlite_file(argv[i])
			      ? read_profile(options, argv[i], ret)
			      : read_operand(options, argv[i], ret);
	if (err)
		return err;
	settle_clocks(ret);
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
	*gathered = (struct gathered){.list = NULL};
}
