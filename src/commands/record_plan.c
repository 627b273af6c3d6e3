/* record_plan.c - tephra record-plan: the first recordings for a suspect, to be run by a person */
#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/rows.h"

struct plan_options {
	const char *output;
	int suspect, format;
	int64_t pid, seconds;
};

enum suspect {
	SUSPECT_NONE,
	SUSPECT_CPU,
	SUSPECT_ALLOC,
	SUSPECT_HEAP,
	SUSPECT_SYSCALL,
	SUSPECT_LOCK,
	SUSPECT_QUEUE,
	SUSPECT_ASYNC,
};

static const char *const suspect_words[] = {"none", "cpu",   "alloc", "heap", "syscall",
					    "lock", "queue", "async", NULL};

static const struct option_entry options_table[] = {
	OPTION_CHOICE(0, "suspect", struct plan_options, suspect,
		      "cpu|alloc|heap|syscall|lock|queue|async", suspect_words,
		      "what is to be shown, or ruled out"),
	OPTION_NUMBER(0, "pid", struct plan_options, pid, "<pid>", 1, INT32_MAX,
		      "the process; otherwise the whole machine"),
	OPTION_NUMBER(0, "max-seconds", struct plan_options, seconds, "<seconds>", 1, 3600,
		      "how long each recording may take (10)"),
	OPTION_TEXT('o', "output", struct plan_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct plan_options, format, "table|csv|json", rows_format_words,
		      "form of the output: a script (table), or rows"),
	OPTION_END,
};

static const struct plan_options defaults = {.seconds = 10};

/* What timeout waits beyond the recording before it ends it. */
#define STOP_SECONDS 2

static const struct plan {
	enum suspect suspect;
	const char *tells, *command, *data, *cost;
	bool needs_pid;
} plans[] = {
#define PLAN(suspect, tells, command, data, cost) \
	{SUSPECT_##suspect, tells, command, data, cost, false},
#define PLAN_OF_PID(suspect, tells, command, data, cost) \
	{SUSPECT_##suspect, tells, command, data, cost, true},
#include "commands/record_plan.def"
#undef PLAN
#undef PLAN_OF_PID
};

/* ---- a command, with what was asked for */

static void add_value(const struct plan_options *options, const char *name, size_t size,
		      struct text *text)
{
	if (size == strlen("scope") && memcmp(name, "scope", size) == 0) {
		if (options->pid)
			text_addf(text, "-p %" PRId64, options->pid);
		else
			text_add(text, "-a");
	} else if (memcmp(name, "pid", strlen("pid")) == 0) {
		text_addf(text, "%" PRId64, options->pid);
	} else if (memcmp(name, "stop", strlen("stop")) == 0) {
		text_addf(text, "%" PRId64, options->seconds + STOP_SECONDS);
	} else {
		text_addf(text, "%" PRId64, options->seconds);
	}
}

static void add_command(const struct plan_options *options, const char *at, struct text *text)
{
	while (*at) {
		size_t size = strcspn(at, "{"), value;

		text_add_bytes(text, at, size);
		at += size;
		if (!*at)
			return;
		value = strcspn(at, "}") - 1;
		add_value(options, at + 1, value, text);
		at += value + 2;
	}
}

/* ---- output */

static const struct rows_column columns[] = {
	{.key = "suspect", .head = "suspect"}, {.key = "tells", .head = "what it tells"},
	{.key = "command", .head = "command"}, {.key = "data", .head = "data"},
	{.key = "cost", .head = "cost"},       {.key = "stop", .head = "stop"},
};

static bool is_wanted(const struct plan_options *options, const struct plan *plan)
{
	return (int)plan->suspect == options->suspect && (!plan->needs_pid || options->pid);
}

static void add_stop(const struct plan_options *options, struct text *text)
{
	text_addf(text,
		  "after %" PRId64 " s, at its --max-size, or by ^C; timeout ends it after %" PRId64
		  " s whatever happens",
		  options->seconds, options->seconds + STOP_SECONDS);
}

static void fill_rows(const struct plan_options *options, struct rows *rows)
{
	CLEANUP(text_release) struct text command = TEXT_INIT, stop = TEXT_INIT;

	add_stop(options, &stop);
	for (size_t i = 0; i < ARRAY_NR(plans); i++) {
		if (!is_wanted(options, &plans[i]))
			continue;
		text_clear(&command);
		add_command(options, plans[i].command, &command);
		rows_add(rows, suspect_words[plans[i].suspect]);
		rows_add(rows, plans[i].tells);
		rows_add(rows, text_string(&command));
		rows_add(rows, plans[i].data);
		rows_add(rows, plans[i].cost);
		rows_add(rows, text_string(&stop));
	}
}

/* A script that a shell takes as it is: what is for people is in comments. */
static void write_script(const struct plan_options *options, FILE *out)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	int nr = 0;

	add_stop(options, &text);
	fprintf(out, "# first evidence for suspect '%s'; run one after the other, as root\n",
		suspect_words[options->suspect]);
	fprintf(out, "# stop: %s\n", text_string(&text));
	for (size_t i = 0; i < ARRAY_NR(plans); i++) {
		if (!is_wanted(options, &plans[i]))
			continue;
		text_clear(&text);
		add_command(options, plans[i].command, &text);
		fprintf(out, "\n# %d. %s\n#    data: %s\n#    cost: %s\n%s\n", ++nr, plans[i].tells,
			plans[i].data, plans[i].cost, text_string(&text));
	}
}

static struct error *write_plan(const struct plan_options *options)
{
	CLEANUP(rows_release) struct rows rows;
	struct output output;
	struct error *err = output_open(options->output, &output);

	if (err)
		return err;
	rows_init(&rows, columns, ARRAY_NR(columns));
	fill_rows(options, &rows);
	if (options->format == ROWS_TABLE)
		write_script(options, output.file);
	else
		rows_write(&rows, "recordings", options->format, output.file);
	return output_commit(&output);
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct plan_options *options = options_of;

	(void)ret_status;
	if (argc)
		return error_new(ERROR_USAGE, "takes no operand, not '%s'", argv[0]);
	if (options->suspect == SUSPECT_NONE)
		return error_hint(error_new(ERROR_USAGE, "needs --suspect: cpu, alloc, heap, "
							 "syscall, lock, queue or async"),
				  "tephra record-plan --suspect=cpu");
	return write_plan(options);
}

const struct command command_record_plan = {
	.name = "record-plan",
	.args = "--suspect=<what>",
	.summary = "which recordings would show a suspect, as commands",
	.options = options_table,
	.size = sizeof(struct plan_options),
	.defaults = &defaults,
	.run = run,
};
