/* loss_rows.c - what was lost, for tephra info and for heads of pictures */
#include "commands/loss_rows.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/summary.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/json.h"
#include "commands/rows.h"
#include "model/capture.h"

/* Seconds that a table lists; all are in the JSON. */
#define WORST_MAX 5

static const char *event_name(const struct capture *capture, uint32_t event)
{
	uint32_t name = event == EVENT_NONE ? NAME_NONE : capture->events.list[event].name;

	return name == NAME_NONE ? NULL : names_display(&capture->names, name);
}

void loss_rows_write_json(const struct capture *capture, struct json *json)
{
	json_key(json, "losses");
	json_begin_array(json);
	for (uint32_t i = 0; i < capture->losses.nr; i++) {
		const struct loss *loss = &capture->losses.list[i];
		const char *event = event_name(capture, loss->event);

		json_begin_object(json);
		json_member_string(json, "kind", loss_word(loss->kind));
		json_key(json, "event");
		if (event)
			json_string(json, event);
		else
			json_null(json);
		json_key(json, "second");
		if (loss->second == LOSS_NO_SECOND)
			json_null(json);
		else
			json_u64(json, loss->second);
		json_member_u64(json, "count", loss->count);
		json_member_u64(json, "ns", loss->ns);
		json_end_object(json);
	}
	json_end_array(json);
}

static void add_row(struct rows *rows, const char *about, const char *what, struct text *value)
{
	rows_add(rows, about);
	rows_add(rows, what);
	rows_add(rows, text_string(value));
	text_clear(value);
}

static void add_count(struct text *text, uint64_t count, const char *one, const char *many)
{
	weight_add_grouped(text, weight_of(count));
	text_addf(text, " %s", count == 1 ? one : many);
}

/* Lost over lost and seen. */
static double share_of(uint64_t lost, weight seen)
{
	return weight_share(weight_of(lost), weight_of(lost) + seen);
}

static void add_event(const struct capture *capture, const struct summary *summary, uint32_t event,
		      struct rows *rows)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;
	const char *name = event_name(capture, event);
	struct loss lost = losses_sum(&capture->losses, LOSS_SAMPLES, event);
	struct loss filtered = losses_sum(&capture->losses, LOSS_FILTERED, event);
	struct loss stopped = losses_sum(&capture->losses, LOSS_THROTTLED, event);
	struct loss still = losses_sum(&capture->losses, LOSS_STILL_THROTTLED, event);

	if (lost.count) {
		add_count(&value, lost.count, "sample, ", "samples, ");
		units_add_percent(&value,
				  share_of(lost.count, summary_event(summary, event).samples), 1);
		text_add(&value, " of all that there were");
		add_row(rows, "lost", name, &value);
	}
	if (filtered.count) {
		add_count(&value, filtered.count, "sample", "samples");
		text_add(&value, " left out by a filter of the recorder, which is no loss");
		add_row(rows, "filtered", name, &value);
	}
	if (!stopped.count && !stopped.ns)
		return;
	add_count(&value, stopped.count, "time, ", "times, ");
	units_add_time(&value, weight_of(stopped.ns));
	text_add(&value, " of CPUs in all");
	if (still.count)
		text_addf(&value, "; %" PRIu64 " of them to the end, not counted", still.count);
	add_row(rows, "throttled", name, &value);
}

static int compare_counts(const void *a_of, const void *b_of)
{
	const struct loss *a = a_of, *b = b_of;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return a->second < b->second ? -1 : a->second > b->second;
}

static int compare_lengths(const void *a_of, const void *b_of)
{
	const struct loss *a = a_of, *b = b_of;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return a->second < b->second ? -1 : a->second > b->second;
}

/* The rows of a kind that have a second, all events of a second in one, the worst first. */
static struct loss *worst_of(const struct losses *losses, enum loss_kind kind,
			     int (*compare)(const void *, const void *), uint32_t *ret_nr)
{
	struct losses of_kind = {0};
	struct loss *list;

	for (uint32_t i = 0; i < losses->nr; i++) {
		struct loss loss = losses->list[i];

		loss.event = EVENT_NONE;
		if (loss.kind == kind && loss.second != LOSS_NO_SECOND)
			losses_add(&of_kind, &loss);
	}
	list = of_kind.list;
	*ret_nr = of_kind.nr;
	of_kind.list = NULL;
	losses_release(&of_kind);
	if (*ret_nr)
		qsort(list, *ret_nr, sizeof(*list), compare);
	return list;
}

static void add_worst(const struct losses *losses, enum loss_kind kind, const char *about,
		      struct rows *rows)
{
	CLEANUP(text_release) struct text what = TEXT_INIT, value = TEXT_INIT;
	bool is_time = kind == LOSS_THROTTLED;
	uint32_t nr;
	struct loss *list = worst_of(losses, kind, is_time ? compare_lengths : compare_counts, &nr);

	for (uint32_t i = 0; i < nr && i < WORST_MAX; i++) {
		text_clear(&what);
		text_addf(&what, "in second %" PRIu64, list[i].second);
		if (is_time)
			units_add_time(&value, weight_of(list[i].ns));
		else
			add_count(&value, list[i].count, "event", "events");
		add_row(rows, about, text_string(&what), &value);
	}
	if (nr > WORST_MAX) {
		add_count(&value, nr - WORST_MAX, "second more", "seconds more");
		add_row(rows, about, "in other seconds", &value);
	}
	free(list);
}

void loss_rows_add(const struct capture *capture, const struct summary *summary, struct rows *rows)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;

	weight_add_grouped(&value, weight_of(capture->lost));
	add_row(rows, "lost", "events", &value);
	weight_add_grouped(&value, weight_of(capture->lost_samples));
	add_row(rows, "lost", "samples", &value);
	for (uint32_t i = 0; i < capture->events.nr; i++)
		if (event_name(capture, i))
			add_event(capture, summary, i, rows);
	add_worst(&capture->losses, LOSS_EVENTS, "lost", rows);
	add_worst(&capture->losses, LOSS_THROTTLED, "throttled", rows);
}

void loss_rows_add_head(const struct capture *capture, uint32_t event, struct text *text)
{
	struct loss lost = losses_sum(&capture->losses, LOSS_SAMPLES, event);
	struct loss stopped = losses_sum(&capture->losses, LOSS_THROTTLED, event);

	if (capture->lost)
		text_addf(text, "; events lost %" PRIu64, capture->lost);
	if (capture->lost_samples)
		text_addf(text, "; samples lost %" PRIu64, capture->lost_samples);
	if (lost.count && event_name(capture, event)) {
		text_add(text, " (");
		units_add_percent(text, share_of(lost.count, capture->events.list[event].samples),
				  1);
		text_addf(text, " of %s)", event_name(capture, event));
	}
	if (!stopped.count && !stopped.ns)
		return;
	text_add(text, "; throttled ");
	add_count(text, stopped.count, "time", "times");
	if (!stopped.ns)
		return;
	text_add(text, ", ");
	units_add_time(text, weight_of(stopped.ns));
}
