/* gather.c - samples and counters of one incident, from profiles and captures, on one time axis */
#include "commands/gather.h"

#include "base/mem.h"
#include "commands/choose.h"
#include "commands/range.h"
#include "store/captures.h"
#include "store/clock_maps.h"
#include "store/series.h"
#include "store/store.h"

/* What operands are read into, and how. */
struct gathering {
	struct gathered *to;
	struct profile_options options; /* without a range */
	char **operands;		/* owned, without a range */
	size_t nr, ranged;		/* the place of the one that had a range; nr: none had */
	bool cuts_samples;		/* of this operand the range selects samples as they come */
};

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

/* Of points what is outside of a range is left out later, by all clocks. */
static void select_range(const struct gathering *gathering, struct selection *selection)
{
	selection->all_points = true;
	if (!gathering->cuts_samples)
		return;
	selection->from = gathering->to->from;
	selection->to = gathering->to->to;
}

/* Samples of which the selection leaves none are not the same as none. */
static struct error *check_empty(const struct gathered_capture *capture)
{
	const struct select_count *count = &capture->profile.select.count;

	for (int i = 0; !count->passed && i < SELECT_REASON_NR; i++)
		if (count->left_out[i])
			return profile_empty_selection(&capture->profile);
	return NULL;
}

static struct error *read_operand(const struct gathering *gathering, char *operand,
				  const char *capture)
{
	struct gathered *gathered = gathering->to;
	struct profile_options options = gathering->options;
	struct gathered_capture *to = add_capture(gathered, operand);
	struct fork fork = {.sink = {.sample = fork_sample, .point = fork_point}, .to = to};
	struct error *err;

	options.capture = capture;
	select_range(gathering, &to->profile.selection);
	err = profile_read(&options, 1, &operand, &to->profile, &fork.sink);
	if (!err)
		err = utilisation_finish(&to->samples) ? take_samples(gathered, to)
						       : check_empty(to);
	if (!err && gathered->samples == to)
		err = profile_name(&to->profile, &options);
	for (size_t i = 0; !err && i < to->profile.capture.ties.nr; i++) {
		struct clock_tie tie = to->profile.capture.ties.list[i];

		tie.source = (uint32_t)gathered->nr - 1;
		clock_ties_add(&gathered->ties, &tie);
	}
	return err;
}

/* ---- a profile */

/* The clocks of a profile, and what of its counters a range may need. */
struct profile_clocks {
	const struct store_captures *all;
	struct store_clocks clocks;
	const struct gathered *range; /* NULL: all of them are needed */
	size_t reference;	      /* whose clock it is on; all->nr: the first with counters */
};

/* More than two clocks drift apart in a week: what is outside for certain is not read. */
#define FAR_NS UINT64_C(60000000000)

static void bound(struct profile_clocks *clocks, size_t capture, uint64_t *ret_from_ns,
		  uint64_t *ret_to_ns)
{
	const struct gathered *range = clocks->range;
	uint64_t from_ns, to_ns;
	struct error *err;

	*ret_from_ns = 0;
	*ret_to_ns = UINT64_MAX;
	if (!range)
		return;
	if (clocks->reference == clocks->all->nr)
		clocks->reference = capture;
	err = range_on_clock(&clocks->clocks.map, (uint32_t)clocks->reference,
			     clocks->all->list[clocks->reference].start_ns, (uint32_t)capture,
			     &range->from, &range->to, &from_ns, &to_ns);
	if (!err) {
		*ret_from_ns = from_ns > FAR_NS ? from_ns - FAR_NS : 0;
		*ret_to_ns = to_ns < UINT64_MAX - FAR_NS ? to_ns + FAR_NS : UINT64_MAX;
	}
	error_free(err);
}

static struct error *read_counters(struct store *store, struct profile_clocks *clocks, size_t place,
				   struct gathered *gathered)
{
	const struct store_capture *from = &clocks->all->list[place];
	struct gathered_capture *to = add_capture(gathered, from->name);
	struct capture *model = &to->profile.capture;
	uint64_t from_ns = 0, to_ns = UINT64_MAX;
	int64_t first;
	struct error *err = store_series_read(store, from->id, model, &first);

	model->clock = from->clock;
	model->has_times = from->has_times;
	model->start_ns = from->start_ns;
	model->end_ns = from->end_ns;
	if (!err && model->series.nr)
		bound(clocks, place, &from_ns, &to_ns);
	for (uint32_t i = 0; !err && i < model->series.nr; i++)
		err = store_points_read(store, first + i, from_ns, to_ns, &to->counters.sink, i);
	if (!err && !model->series.nr)
		drop_capture(gathered);
	return err;
}

/*
 * Whose samples are read, and whose clock a range is on where that is named and has none; places in
 * the profile, all->nr for none.
 */
static struct error *choose(const char *path, const char *name, const struct store_captures *all,
			    size_t *ret_samples, size_t *ret_reference)
{
	bool has_samples = false;
	size_t nr;

	*ret_samples = *ret_reference = all->nr;
	if (name && strcmp(name, "all") == 0)
		return NULL;
	for (size_t i = 0; i < all->nr; i++) {
		has_samples |= all->list[i].samples > 0;
		if (name && !all->list[i].samples && strcmp(all->list[i].name, name) == 0)
			*ret_reference = i;
	}
	if (*ret_reference < all->nr)
		name = NULL;
	return has_samples || name ? choose_captures(path, name, all, ret_samples, &nr) : NULL;
}

/* What is known of the profile's clocks, by the places that its captures have here. */
static void take_ties(const struct clock_ties *ties, const uint32_t *places,
		      struct gathered *gathered)
{
	for (size_t i = 0; i < ties->nr; i++) {
		struct clock_tie tie = ties->list[i];

		tie.source = places[tie.source];
		if (tie.target != CLOCK_WALL) {
			tie.target = places[tie.target];
			if (tie.target == UINT32_MAX) /* which is CLOCK_WALL: it is not here */
				continue;
		}
		if (tie.source != UINT32_MAX)
			clock_ties_add(&gathered->ties, &tie);
	}
}

/* All counters of the profile, and where each capture of them is. */
static struct error *read_all_counters(struct store *store, struct profile_clocks *clocks,
				       struct gathered *gathered, uint32_t *places)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < clocks->all->nr; i++) {
		size_t before = gathered->nr;

		err = read_counters(store, clocks, i, gathered);
		places[i] = gathered->nr > before ? (uint32_t)before : UINT32_MAX;
	}
	return err;
}

static struct error *read_samples(struct gathering *gathering, char *operand,
				  const struct store_captures *all, size_t samples,
				  uint32_t *places)
{
	struct gathered *gathered = gathering->to;
	const char *name = samples < all->nr ? all->list[samples].name : "all";
	struct error *err;

	if (samples < all->nr)
		places[samples] = (uint32_t)gathered->nr;
	err = read_operand(gathering, operand, name);
	if (!err && gathered->samples && samples < all->nr)
		gathered->samples->profile.capture.clock = all->list[samples].clock;
	return err;
}

/* A range that another operand has, or may have, is on a clock that is not known yet. */
static bool has_own_range(const struct gathering *gathering)
{
	return gathering->cuts_samples && (gathering->ranged < gathering->nr || gathering->nr == 1);
}

static struct error *read_captures(struct gathering *gathering, char *operand, struct store *store,
				   struct profile_clocks *clocks, uint32_t *places)
{
	struct gathered *gathered = gathering->to;
	const struct store_captures *all = clocks->all;
	const char *name = gathering->options.capture;
	size_t samples, reference;
	struct error *err = choose(operand, name, all, &samples, &reference);

	if (err)
		return err;
	clocks->range = has_own_range(gathering) ? gathered : NULL;
	clocks->reference = reference < all->nr ? reference : samples;
	err = read_all_counters(store, clocks, gathered, places);
	if (err)
		return err;
	if (reference < all->nr && places[reference] != UINT32_MAX) {
		gathered->reference = gathered->list[places[reference]];
		gathering->cuts_samples = false;
	}
	if (samples < all->nr || (name && strcmp(name, "all") == 0))
		err = read_samples(gathering, operand, all, samples, places);
	if (!err)
		take_ties(&clocks->clocks.ties, places, gathered);
	return err;
}

static struct error *read_profile(struct gathering *gathering, char *operand)
{
	struct store_captures all = {0};
	struct profile_clocks clocks = {.all = &all};
	struct store *store = NULL;
	uint32_t *places = NULL;
	struct error *err = store_open(operand, &store);

	if (!err)
		err = store_captures(store, &all);
	if (!err)
		err = store_clocks_read(store, &all, &clocks.clocks);
	if (!err) {
		places = mem_alloc((all.nr + 1) * sizeof(*places));
		err = read_captures(gathering, operand, store, &clocks, places);
	}
	free(places);
	store_clocks_release(&clocks.clocks);
	store_captures_release(&all);
	store_close(store);
	return err;
}

/* ---- all operands */

/* Samples, else the first counters, of the operand that had the range. */
static void refer_to(struct gathered *gathered, size_t first)
{
	for (size_t i = gathered->nr; i-- > first;) {
		struct gathered_capture *capture = gathered->list[i];

		if (!gathered->reference || capture->counters.nr || capture == gathered->samples)
			gathered->reference = capture;
		if (capture == gathered->samples)
			return;
	}
}

static struct error *read_one(struct gathering *gathering, size_t i)
{
	char *operand = gathering->operands[i];
	bool is_ranged = gathering->ranged == i;
	size_t first = gathering->to->nr;
	struct error *err;

	if (strcmp(operand, "-") != 0 && store_is_sqlite_file(operand))
		err = read_profile(gathering, operand);
	else
		err = read_operand(gathering, operand, gathering->options.capture);
	if (!err && is_ranged && !gathering->to->reference)
		refer_to(gathering->to, first);
	return err;
}

/* Their names, and the one range that one of them may have. */
static struct error *take_operands(int argc, char **argv, struct gathering *gathering)
{
	struct gathered *to = gathering->to;
	struct error *err = NULL;

	gathering->operands = mem_zalloc((size_t)argc + 1, sizeof(*gathering->operands));
	gathering->nr = argc ? (size_t)argc : 1;
	gathering->ranged = gathering->nr;
	if (!argc)
		gathering->operands[0] = mem_strdup("-");
	for (size_t i = 0; !err && i < (size_t)argc; i++) {
		struct moment from = {.is_set = false}, end = {.is_set = false};

		gathering->operands[i] = mem_strdup(argv[i]);
		err = range_take(gathering->operands[i], &from, &end);
		if (err || (!from.is_set && !end.is_set))
			continue;
		if (gathering->ranged < gathering->nr)
			return error_hint(error_new(ERROR_USAGE, "'%s' and '%s' both have a range",
						    argv[gathering->ranged], argv[i]),
					  "an incident has one range, on the clock of the operand "
					  "that it stands behind");
		gathering->ranged = i;
		to->from = from;
		to->to = end;
	}
	return err;
}

static struct error *read_all(struct gathering *gathering, enum gather_range range)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < gathering->nr; i++) {
		gathering->cuts_samples =
			range == GATHER_CUT &&
			(gathering->ranged == i || gathering->ranged == gathering->nr);
		err = read_one(gathering, i);
	}
	return err;
}

struct error *gather_run(const struct profile_options *options, enum gather_range range, int argc,
			 char **argv, struct gathered *ret)
{
	struct gathering gathering = {.to = ret, .options = *options};
	struct error *err;

	*ret = (struct gathered){.axis = NULL};
	gathering.options.from = gathering.options.to = NULL;
	err = take_operands(argc, argv, &gathering);
	if (!err)
		err = range_options(options->from, options->to, &ret->from, &ret->to);
	if (!err)
		err = read_all(&gathering, range);
	for (size_t i = 0; i < gathering.nr; i++)
		free(gathering.operands[i]);
	free(gathering.operands);
	if (err)
		return err;
	gather_settle_clocks(ret);
	if (!ret->samples && !ret->has_counters)
		return error_new(ERROR_INPUT, "'%s' holds neither counters nor samples with times",
				 argc ? argv[0] : "-");
	return gather_settle_range(ret, range);
}

void gather_release(struct gathered *gathered)
{
	while (gathered->nr)
		drop_capture(gathered);
	free(gathered->list);
	clock_ties_release(&gathered->ties);
	*gathered = (struct gathered){.list = NULL};
}
