/* order.c - tephra order: what left its baseline when, what precedes what, and why */
#include "analysis/ordering.h"

#include "analysis/track.h"
#include "commands/command.h"
#include "commands/gather.h"
#include "commands/order_evidence.h"
#include "commands/order_queue.h"
#include "commands/order_write.h"
#include "commands/output.h"
#include "commands/rows.h"

struct order_options {
	struct profile_options profile;
	const char *output, *stage, *queue;
	struct option_texts frames;
	int64_t workers, seed;
	int format;
};

static const struct order_options defaults = {.seed = 1};

static const struct option_entry options_table[] = {
	OPTION_TEXT('o', "output", struct order_options, output, "<file>",
		    "write to this file, '-' is standard output"),
	OPTION_CHOICE(0, "format", struct order_options, format, "table|csv|json",
		      rows_format_words, "form of the output"),
	OPTION_TEXT(0, "stage", struct order_options, stage, "<comm>",
		    "the threads that work; otherwise those that used most CPU"),
	OPTION_TEXT(0, "queue", struct order_options, queue, "<name>",
		    "the queue; otherwise the one whose depth rose most"),
	OPTION_NUMBER(0, "workers", struct order_options, workers, "<threads>", 1, INT32_MAX,
		      "how many threads work (those of the stage, 1 without samples)"),
	OPTION_TEXTS(0, "frame", struct order_options, frames, "<regex>",
		     "date what such functions cost, too"),
	OPTION_NUMBER(0, "seed", struct order_options, seed, "<number>", 0, UINT32_MAX,
		      "of the permutation test (1)"),
	PROFILE_READ_OPTIONS(struct order_options),
	SYMBOLS_OPTIONS(struct order_options, profile.symbols),
	OPTION_END,
};

static uint64_t tick_of(const struct order_evidence *evidence)
{
	const struct track *depth = evidence->set.evidence.tracks[EVIDENCE_DEPTH];
	uint64_t tick_ns = 0;

	if (depth)
		return track_tick_ns(depth);
	for (int kind = 0; kind < EVIDENCE_NR; kind++) {
		const struct track *track = evidence->set.evidence.tracks[kind];

		if (track && track_tick_ns(track) > tick_ns)
			tick_ns = track_tick_ns(track);
	}
	return tick_ns;
}

/* What was left out, and what orders less sharply than one could think. */
static void tell(const struct gathered *gathered, const struct order_evidence *evidence)
{
	gather_tell_untied(gathered, "what is seen in samples is ordered with no counter",
			   "left out");
	order_queue_tell(evidence);
	if (evidence->ignored)
		fprintf(stderr,
			"note: %zu series of a role that another one has; the first is read\n",
			evidence->ignored);
}

static struct error *write(const struct ordering *order, const struct order_evidence *evidence,
			   const struct gathered *gathered, const struct order_options *options)
{
	struct order_facts facts = {
		.clock = source_clock_word(gathered->axis->profile.capture.clock),
		.start_ns = gathered->start_ns,
		.tick_ns = tick_of(evidence),
		.seed = options->seed,
	};
	struct output output;
	struct error *err = output_open(options->output, &output);

	if (err)
		return err;
	order_write(order, evidence, &facts, options->format, output.file);
	return output_commit(&output);
}

static struct error *run(const void *options_of, int argc, char **argv, int *ret_status)
{
	const struct order_options *options = options_of;
	const struct order_wanted wanted = {options->stage, options->queue, options->workers,
					    &options->frames};
	struct order_evidence evidence = {.ignored = 0};
	struct gathered gathered;
	struct ordering order;
	struct error *err = gather_run(&options->profile, GATHER_CUT, argc, argv, &gathered);

	(void)ret_status;
	if (!err)
		err = order_evidence_make(&gathered, &wanted, &evidence);
	if (!err) {
		if (!options->profile.quiet)
			tell(&gathered, &evidence);
		ordering_make(&evidence.set.evidence, evidence.more, evidence.more_nr,
			      (uint64_t)options->seed, &order);
		order_evidence_name_function(&gathered, &order);
		err = write(&order, &evidence, &gathered, options);
		ordering_release(&order);
	}
	order_evidence_release(&evidence);
	gather_release(&gathered);
	return err;
}

const struct command command_order = {
	.name = "order",
	.args = "[<profile or capture>...]",
	.summary = "what left its baseline when, what precedes what, and what it is read as",
	.options = options_table,
	.size = sizeof(struct order_options),
	.defaults = &defaults,
	.run = run,
};
