/* diff_sides.c - the captures of both sides of a comparison, read, named and joined */
#include "commands/diff_sides.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/text.h"

const char *const diff_match_words[] = {"tidy", "exact", "masked", NULL};

static void take_match(enum diff_match match, struct profile_options *options)
{
	if (match == DIFF_MATCH_TIDY && !options->tidy)
		options->tidy = NAMING_TIDY_NAMES;
	if (match == DIFF_MATCH_MASKED)
		options->mask = true;
}

/* From where the selection begins, or the capture does, to where the earlier of both ends. */
static void find_time(struct diff_run *run)
{
	const struct profile *profile = &run->profile;
	const struct capture *capture = &profile->capture;
	const struct moment *to = &profile->selection.to;
	uint64_t end_ns;

	if (!capture->has_times || !profile->bins.has_times)
		return;
	run->begin_ns = profile->bins.begin_ns;
	run->end_ns = capture->end_ns;
	if (to->is_set) {
		end_ns = to->ns;
		if (to->is_relative && __builtin_add_overflow(end_ns, capture->start_ns, &end_ns))
			end_ns = UINT64_MAX;
		if (end_ns < run->end_ns)
			run->end_ns = end_ns;
	}
	run->has_time = run->end_ns > run->begin_ns && profile->bins.without_time <= 0;
}

static bool is_empty(const struct diff_run *run)
{
	return run->profile.event == EVENT_NONE || !run->profile.paths.nr;
}

static const char *event_word(const struct profile *profile)
{
	const struct event *event = &profile->capture.events.list[profile->event];

	return event->name == NAME_NONE ? NULL : profile_event_name(profile);
}

/* The event that was asked for is not in the capture: is it that of another side's? */
static struct error *explain(struct error *err, const struct diff_sides *sides,
			     const struct diff_run *run, bool is_ours)
{
	const struct capture *capture = &run->profile.capture;
	const char *event = is_ours ? event_word(sides->named) : NULL;

	if (!event || !capture->has_first_event ||
	    events_find(&capture->events, &capture->names, event) != EVENT_NONE)
		return err;
	return error_within(err, "no event in common");
}

static struct error *load_run(struct profile_options *options, struct diff_sides *sides,
			      const char *operand, bool is_after)
{
	struct diff_run *run = &sides->runs[sides->nr++];
	char *argv[] = {(char *)operand};
	bool is_ours = !options->event && sides->named;
	struct error *err;

	run->is_after = is_after;
	options->column = is_after ? COLUMN_AFTER : COLUMN_BEFORE;
	sides->before_nr += !is_after;
	if (is_ours)
		options->event = event_word(sides->named);
	err = profile_load(options, 1, argv, &run->profile);
	if (err)
		return explain(err, sides, run, is_ours);
	if (is_ours)
		options->event = NULL;
	find_time(run);
	if (is_empty(run)) {
		if (!options->quiet)
			fprintf(stderr, "%s: warning: no samples; all of the other side is %s\n",
				operand, is_after ? "removed" : "new");
		return NULL;
	}
	if (!sides->named)
		sides->named = &run->profile;
	if (!event_word(sides->named) != !event_word(&run->profile))
		return error_hint(error_new(ERROR_INPUT,
					    "no event in common: '%s' has %s, '%s' has %s",
					    sides->named->operand, profile_event_name(sides->named),
					    operand, profile_event_name(&run->profile)),
				  "compare stacks that were folded with stacks that were folded");
	return NULL;
}

/* Both sides of one capture: the same file, and what was read of it is the same capture. */
static bool is_one_run(const struct diff_sides *sides)
{
	return sides->nr == 2 &&
	       strcmp(sides->runs[0].profile.operand, sides->runs[1].profile.operand) == 0 &&
	       strcmp(sides->runs[0].profile.operand, "-") != 0;
}

static void look(struct diff_sides *sides)
{
	sides->has_times = true;
	for (size_t i = 0; i < sides->nr; i++) {
		const struct diff_run *run = &sides->runs[i];

		sides->has_times &= run->has_time && !is_empty(run);
		sides->counts_samples |= !is_empty(run) && run->profile.counts_samples;
	}
	sides->is_one_run = is_one_run(sides);
}

void diff_sides_join(struct diff_sides *sides)
{
	sides->naming = &sides->runs[0].profile.naming;
	sides->sources = mem_zalloc(sides->nr, sizeof(*sides->sources));
	for (size_t i = 0; i < sides->nr; i++) {
		struct diff_run *run = &sides->runs[i];

		if (i)
			run->of_function = naming_adopt(sides->naming, &run->profile.naming);
		sides->sources[i] = (struct calltree_source){
			.paths = &run->profile.paths,
			.of_function = run->of_function,
			.is_after = run->is_after,
		};
	}
}

/* A text of two columns is read twice. */
static struct error *check_columns(int argc, char **argv)
{
	if (argc != 1)
		return error_new(ERROR_USAGE,
				 "one text of folded-diff has both sides, %d are named", argc);
	if (strcmp(argv[0], "-") == 0)
		return error_hint(error_new(ERROR_USAGE, "folded-diff is read twice, and standard "
							 "input can be read once"),
				  "write it to a file first");
	return NULL;
}

struct error *diff_sides_take(const struct profile_options *options, int argc, char **argv,
			      struct option_texts *before, struct option_texts *after)
{
	bool has_columns =
		options->input_format && strcmp(options->input_format, "folded-diff") == 0;
	bool has_options = before->nr || after->nr;
	struct error *err = NULL;

	if (has_options && argc)
		return error_new(ERROR_USAGE,
				 "'%s' is on neither side: --before and --after name all captures",
				 argv[0]);
	if (has_options && (!before->nr || !after->nr))
		return error_new(ERROR_USAGE, "there is no capture on the %s side",
				 before->nr ? "after" : "before");
	if (has_options)
		return NULL;
	if (has_columns)
		err = check_columns(argc, argv);
	else if (argc != 2)
		err = error_hint(error_new(ERROR_USAGE, "two captures are compared, not %d", argc),
				 "tephra diff before.tephra after.tephra, or --before and --after "
				 "for several of each");
	*before = (struct option_texts){.list = (const char **)argv, .nr = 1};
	*after = (struct option_texts){.list = (const char **)argv + !has_columns, .nr = 1};
	return err;
}

struct error *diff_sides_load(const struct profile_options *options, enum diff_match match,
			      const struct option_texts *before, const struct option_texts *after,
			      struct diff_sides *ret)
{
	struct profile_options mine = *options;
	struct error *err = NULL;

	*ret = (struct diff_sides){
		.runs = mem_zalloc(before->nr + after->nr, sizeof(*ret->runs)),
	};
	take_match(match, &mine);
	mine.allows_empty = true;
	mine.keeps_times = true;
	for (size_t i = 0; !err && i < before->nr; i++)
		err = load_run(&mine, ret, before->list[i], false);
	for (size_t i = 0; !err && i < after->nr; i++)
		err = load_run(&mine, ret, after->list[i], true);
	if (!err && !ret->named)
		err = error_new(ERROR_INPUT, "neither side has a sample: '%s' nor '%s'",
				before->list[0], after->list[0]);
	if (!err)
		look(ret);
	return err;
}

void diff_sides_release(struct diff_sides *sides)
{
	for (size_t i = 0; i < sides->nr; i++) {
		profile_release(&sides->runs[i].profile);
		free(sides->runs[i].of_function);
		free(sides->runs[i].work);
	}
	free(sides->runs);
	free(sides->sources);
	*sides = (struct diff_sides){0};
}

double diff_sides_seconds(const struct diff_sides *sides, bool is_after)
{
	double seconds = 0;

	for (size_t i = 0; i < sides->nr; i++) {
		const struct diff_run *run = &sides->runs[i];

		if (run->is_after != is_after)
			continue;
		if (!run->has_time)
			return 0;
		seconds += (double)(run->end_ns - run->begin_ns) / 1e9;
	}
	return seconds;
}
