/* align.c - tephra align: how the clocks of captures are tied to each other */
#include "commands/align.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/clock_rows.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/rows.h"
#include "store/store.h"

static const char *const clock_words[] = {
	"",    "unknown", "perf",  "monotonic", "monotonic_raw", "boottime", "realtime",
	"tai", "local",	  "start", NULL};
static const char *const forget_words[] = {
	"", "clock-data", "columns", "kernel-log", "given", "same-clock", "fit", "all", NULL};

static const struct option_entry options_table[] = {
	OPTION_TEXTS(0, "capture", struct align_options, captures, "<name>",
		     "the capture whose clock it is; may be given more than once"),
	OPTION_TEXT(0, "to", struct align_options, to, "<name>",
		    "the capture whose clock it is tied to; otherwise wall time"),
	OPTION_TEXT(0, "kmsg", struct align_options, kmsg, "<line>",
		    "a line of the kernel log, or a file of them, with its wall time"),
	OPTION_TEXT(0, "wall", struct align_options, wall, "<seconds>",
		    "the line's wall time, since 1970; otherwise it is its message"),
	OPTION_TEXT(0, "offset", struct align_options, offset, "<time>",
		    "what is added to the capture's times"),
	OPTION_TEXT(0, "error", struct align_options, error, "<time>",
		    "how wrong --wall or --offset may be, both ways"),
	OPTION_NUMBER(0, "drift", struct align_options, drift_ppm, "<ppm>", 0,
		      TIE_DRIFT_PPB_MAX / 1000, "how fast the clocks may drift apart (100)"),
	OPTION_FLAG(0, "same-clock", struct align_options, same_clock,
		    "both clocks are one, of one boot of one machine"),
	OPTION_CHOICE(0, "clock", struct align_options, clock, "<clock>", clock_words,
		      "which clock a capture's times are of, where it does not say"),
	OPTION_FLAG(0, "fit", struct align_options, fit,
		    "tie the clocks of samples and counters by the CPU time in both"),
	OPTION_TEXT(0, "series", struct align_options, series, "<name>",
		    "the counter of CPU time; otherwise the one of that role"),
	OPTION_NUMBERS(0, "pid", struct align_options, pids, "<pid>", 1, INT32_MAX,
		       "the process that it counts; otherwise the one that was sampled"),
	OPTION_BARE_CHOICE(0, "forget", struct align_options, forget, "<how>", forget_words,
			   TIE_HOW_NR + 1, "take ties away: those of a kind, otherwise all"),
	OPTION_TEXT('o', "output", struct align_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct align_options, format, "table|csv|json",
		      rows_format_words, "form of the output"),
	OPTION_FLAG('q', "quiet", struct align_options, quiet, "print errors only"),
	OPTION_END,
};

static const struct align_options defaults = {.drift_ppm = TIE_DRIFT_PPB / 1000};

/* ---- captures */

static struct error *no_capture(const struct align *align, const char *name)
{
	return error_hint(
		error_new(ERROR_USAGE, "there is no capture '%s' in '%s'", name, align->path),
		"tephra align '%s' lists them", align->path);
}

static struct error *find(const struct align *align, const char *name, uint32_t *ret)
{
	for (size_t i = 0; i < align->captures.nr; i++)
		if (strcmp(align->captures.list[i].name, name) == 0) {
			*ret = (uint32_t)i;
			return NULL;
		}
	return no_capture(align, name);
}

struct error *align_target(const struct align *align, uint32_t *ret)
{
	*ret = CLOCK_WALL;
	if (!align->options->to || strcmp(align->options->to, "wall") == 0)
		return NULL;
	return find(align, align->options->to, ret);
}

struct error *align_one(const struct align *align, uint32_t *ret)
{
	CLEANUP(text_release) struct text there = TEXT_INIT;
	size_t nr = 0;

	for (size_t i = 0; i < align->captures.nr; i++) {
		if (!align->is_wanted[i])
			continue;
		*ret = (uint32_t)i;
		text_addf(&there, "%s%s", nr++ ? ", " : "", align->captures.list[i].name);
	}
	if (nr == 1)
		return NULL;
	if (!nr)
		return error_new(ERROR_USAGE, "no capture in '%s' comes in question", align->path);
	return error_hint(error_new(ERROR_USAGE, "'%s' holds %zu captures that come in question",
				    align->path, nr),
			  "--capture=<name>; there is: %s", text_string(&there));
}

static struct error *want(struct align *align)
{
	const struct option_texts *captures = &align->options->captures;

	align->is_wanted = mem_zalloc(align->captures.nr + 1, sizeof(*align->is_wanted));
	for (size_t i = 0; i < captures->nr; i++) {
		uint32_t which;
		struct error *err = find(align, captures->list[i], &which);

		if (err)
			return err;
		align->is_wanted[which] = true;
	}
	return NULL;
}

/* ---- ties */

static struct error *check_tie(const struct align *align, const struct clock_tie *tie)
{
	struct store_clocks clocks;
	struct clock_time time;
	struct error *err = store_clocks_read(align->store, &align->captures, &clocks);

	if (!err)
		err = clock_map_time(&clocks.map, tie->source, tie->first_ns, tie->target, &time);
	store_clocks_release(&clocks);
	return err;
}

struct error *align_add(struct align *align, const struct clock_tie *tie)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct error *err = store_clocks_add(align->store, &align->captures, tie);

	if (!err)
		err = check_tie(align, tie);
	if (err)
		return err;
	align->is_changed = true;
	if (align->options->quiet)
		return NULL;
	units_add_time(&text, weight_of(tie->error_ns));
	fprintf(stderr,
		"%s: capture '%s': tied to %s (%s), to within %s, and %g ppm of the time between\n",
		align->path, align->captures.list[tie->source].name,
		tie->target == CLOCK_WALL ? "wall time" : align->captures.list[tie->target].name,
		tie_how_word(tie->how), text_string(&text), (double)tie->drift_ppb / 1000);
	return NULL;
}

static struct error *forget(struct align *align)
{
	enum tie_how how = align->options->forget - 1;
	uint64_t nr, all = 0;

	for (size_t i = 0; i < align->captures.nr; i++) {
		struct error *err;

		if (align->options->captures.nr && !align->is_wanted[i])
			continue;
		err = store_clocks_forget(align->store, align->captures.list[i].id, how, &nr);
		if (err)
			return err;
		all += nr;
	}
	align->is_changed = all;
	if (!align->options->quiet)
		fprintf(stderr, "%s: %llu of its ties forgotten\n", align->path,
			(unsigned long long)all);
	return NULL;
}

/* What a source says itself is not to be talked over: its times would be read wrong. */
static bool may_be_named(enum source_clock clock)
{
	return clock == SOURCE_CLOCK_UNKNOWN || clock == SOURCE_CLOCK_LOCAL ||
	       clock == SOURCE_CLOCK_START;
}

static struct error *name_clock(struct align *align)
{
	enum source_clock clock = align->options->clock - 1;
	struct store_capture *capture;
	struct error *err;
	uint32_t which;

	if (!align->options->captures.nr)
		for (size_t i = 0; i < align->captures.nr; i++)
			align->is_wanted[i] = align->captures.list[i].clock == SOURCE_CLOCK_UNKNOWN;
	err = align_one(align, &which);
	if (err)
		return err;
	capture = &align->captures.list[which];
	if (!may_be_named(capture->clock))
		return error_new(ERROR_USAGE, "capture '%s' says itself that its times are of %s",
				 capture->name, source_clock_text(capture->clock));
	err = store_clocks_name(align->store, capture->id, clock);
	capture->clock = clock;
	align->is_changed = true;
	return err;
}

/* ---- the command */

static struct error *check_options(const struct align_options *options, int argc, char **argv)
{
	int actions = !!options->kmsg + !!options->offset + options->same_clock + options->fit +
		      !!options->clock + !!options->forget;

	if (argc != 1)
		return error_hint(error_new(ERROR_USAGE, "needs one profile"),
				  "tephra align run.tephra");
	if (access(argv[0], R_OK) != 0)
		return error_os("cannot open '%s'", argv[0]);
	if (!store_is_sqlite_file(argv[0]))
		return error_hint(error_new(ERROR_USAGE, "'%s' is no profile", argv[0]),
				  "'tephra import %s' makes one", argv[0]);
	if (actions > 1)
		return error_new(ERROR_USAGE, "one at a time of --kmsg, --offset, --same-clock, "
					      "--clock, --fit and --forget");
	if (options->wall && !options->kmsg)
		return error_new(ERROR_USAGE, "--wall is the wall time of a line: say --kmsg, too");
	if (options->error && !options->wall && !options->offset)
		return error_new(ERROR_USAGE, "--error is that of --wall or --offset");
	if (!actions && (options->captures.nr || options->to))
		return error_hint(error_new(ERROR_USAGE, "what is known of these clocks?"),
				  "--kmsg, --offset, --same-clock, --clock, --fit or --forget");
	return NULL;
}

static struct error *change(struct align *align, int *ret_status)
{
	const struct align_options *options = align->options;
	struct error *err = want(align);

	if (err)
		return err;
	if (options->kmsg)
		return align_kernel_log(align);
	if (options->fit)
		return align_fit(align, ret_status);
	if (options->clock)
		return name_clock(align);
	if (options->forget)
		return forget(align);
	return align_by_hand(align);
}

/* Without anything to be done: what is known. */
static struct error *list(struct align *align)
{
	struct store_clocks clocks = {0};
	struct output output;
	struct error *err = store_clocks_read(align->store, &align->captures, &clocks);

	if (!err)
		err = output_open(align->options->output, &output);
	if (!err) {
		clock_rows_write(&clocks.map, &align->captures, align->options->format,
				 output.file);
		err = output_commit(&output);
	}
	store_clocks_release(&clocks);
	return err;
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct align_options *options = options_of;
	struct align align = {.options = options};
	struct error *err = check_options(options, argc, argv);
	bool changes = options->kmsg || options->offset || options->same_clock || options->fit ||
		       options->clock || options->forget;

	if (err)
		return err;
	align.path = argv[0];
	err = changes ? store_change(align.path, &align.store)
		      : store_open(align.path, &align.store);
	if (!err)
		err = store_captures(align.store, &align.captures);
	if (!err)
		err = changes ? change(&align, ret_status) : list(&align);
	if (!err && align.is_changed)
		err = store_commit(align.store);
	free(align.is_wanted);
	store_captures_release(&align.captures);
	store_close(align.store);
	return err;
}

const struct command command_align = {
	.name = "align",
	.args = "<profile>",
	.summary = "how the clocks of captures are tied to each other",
	.options = options_table,
	.size = sizeof(struct align_options),
	.defaults = &defaults,
	.run = run,
};
