/* look_queue.c - what counters say of a queue, and what tephra order reads out of it first */
#include "commands/look_queue.h"

#include "analysis/ordering.h"
#include "base/mem.h"
#include "base/units.h"
#include "commands/gather.h"
#include "commands/json.h"
#include "commands/look_lines.h"
#include "commands/order_evidence.h"

/* Of the permutation test, as tephra order has it. */
#define SEED 1

void look_queue_release(struct look_queue *queue)
{
	text_release(&queue->state);
	text_release(&queue->reading);
	text_release(&queue->reason);
}

static double seconds(uint64_t time_ns, uint64_t start_ns)
{
	return ((double)time_ns - (double)start_ns) / 1e9;
}

static void take_order(const struct ordering *order, uint64_t start_ns, struct look_queue *ret)
{
	const struct incident *incident = &order->incident;
	const struct reading *reading = &order->readings.list[0];

	if (!incident->is_found) {
		text_add(&ret->state, incident->is_judged ? "nothing leaves its baseline"
							  : "too few points to judge");
		return;
	}
	text_addf(&ret->state, "%s off baseline from %+.1f to %+.1f s",
		  evidence_word(incident->symptom), seconds(incident->during.from_ns, start_ns),
		  seconds(incident->during.to_ns, start_ns));
	if (order->nr)
		text_addf(&ret->state, "; first %s %+.1f s", order->milestones[0].role,
			  seconds(order->milestones[0].until_ns, start_ns));
	ret->word = reading_word(reading->kind);
	ret->verdict = reading_verdict_word(reading->verdict);
	text_addf(&ret->reading, "%s: %s", ret->verdict, reading_text(reading->kind));
	if (reading->for_nr)
		text_add(&ret->reason, reading->for_it[0]);
}

struct error *look_queue_read(const struct profile_options *options, int argc, char **argv,
			      struct look_queue *ret)
{
	struct profile_options quiet = *options;
	const struct option_texts no_frames = {0};
	const struct order_wanted wanted = {.frames = &no_frames};
	struct order_evidence evidence = {.ignored = 0};
	struct gathered gathered;
	struct ordering order;
	struct error *err;

	quiet.also = NULL;
	quiet.no_idle = false;
	quiet.quiet = true;
	err = gather_run(&quiet, GATHER_CUT, argc, argv, &gathered);
	if (!err && gathered.has_counters) {
		ret->has_counters = true;
		err = order_evidence_make(&gathered, &wanted, &evidence);
		if (!err) {
			ordering_make(&evidence.set.evidence, evidence.more, evidence.more_nr, SEED,
				      &order);
			order_evidence_name_function(&gathered, &order);
			take_order(&order, gathered.start_ns, ret);
			ordering_release(&order);
		}
	}
	order_evidence_release(&evidence);
	gather_release(&gathered);
	return err;
}

void look_queue_write(const struct look_queue *queue, FILE *out)
{
	if (!queue->has_counters)
		return;
	look_line(out, "queue", text_string(&queue->state));
	if (queue->reading.size)
		look_line(out, "reading", text_string(&queue->reading));
	if (queue->reason.size)
		look_line(out, "", text_string(&queue->reason));
}

void look_queue_write_json(const struct look_queue *queue, struct json *json)
{
	json_key(json, "queue");
	if (!queue->has_counters) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_member_string(json, "state", text_string(&queue->state));
	json_member_words(json, "reading", queue->word);
	json_member_words(json, "verdict", queue->verdict);
	json_member_words(json, "reason", text_string(&queue->reason));
	json_end_object(json);
}
