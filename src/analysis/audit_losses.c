/* audit_losses.c - findings of what is missing: lost, throttled, cut, damaged */
#include "analysis/audit_parts.h"

#include <inttypes.h>

#include "base/mem.h"

static void add_count(struct text *text, uint64_t count, const char *one, const char *many)
{
	weight_add_grouped(text, weight_of(count));
	text_addf(text, " %s", count == 1 ? one : many);
}

/* LOST_SAMPLES counts by event what LOST counts by time: one of them is told. */
static void find_lost(const struct audit_input *input, struct audit *audit)
{
	const struct capture *capture = input->capture;
	uint64_t lost = capture->lost_samples ? capture->lost_samples : capture->lost;
	double share = weight_share(weight_of(lost), weight_of(lost) + input->summary->samples);
	struct text what = TEXT_INIT;

	if (!lost)
		return;
	if (capture->lost_samples)
		add_count(&what, lost, "sample was lost, ", "samples were lost, ");
	else
		add_count(&what, lost, "event was lost, ", "events were lost, ");
	units_add_percent(&what, share, share < 0.001 ? 4 : 1);
	text_add(&what, " of all that there were");
	audit_add(audit, AUDIT_LOST, share, &what);
}

static void find_throttled(const struct audit_input *input, struct audit *audit)
{
	struct loss stopped = losses_sum(&input->capture->losses, LOSS_THROTTLED, EVENT_NONE);
	struct text what = TEXT_INIT;

	if (!stopped.count && !stopped.ns)
		return;
	text_add(&what, "the kernel stopped the event ");
	add_count(&what, stopped.count, "time", "times");
	if (stopped.ns) {
		text_add(&what, ", for ");
		units_add_time(&what, weight_of(stopped.ns));
		text_add(&what, " of CPUs in all");
	}
	audit_add(audit, AUDIT_THROTTLED, -1, &what);
}

/* The notes that are there, in their own words: "12 bytes of data are missing, ...". */
static void find_notes(const struct audit_input *input, enum audit_code code,
		       const enum note_code *notes, size_t nr, struct audit *audit)
{
	struct text what = TEXT_INIT;

	for (size_t i = 0; i < nr; i++) {
		uint64_t count = input->capture->notes.list[notes[i]].count;

		if (count)
			text_addf(&what, "%s%" PRIu64 " %s", what.size ? "; " : "", count,
				  notes_text(notes[i], count));
	}
	if (what.size)
		audit_add(audit, code, -1, &what);
}

void audit_losses(const struct audit_input *input, struct audit *audit)
{
	static const enum note_code cut[] = {NOTE_MISSING_BYTES, NOTE_LOST_BYTES,
					     NOTE_UNDELIVERED_BYTES};
	static const enum note_code killed[] = {NOTE_KILLED};
	static const enum note_code damaged[] = {
		NOTE_BROKEN_RECORDS, NOTE_BAD_BLOCK,	 NOTE_DAMAGED_COMPRESSION,
		NOTE_SHORT_SAMPLE,   NOTE_UNKNOWN_EVENT, NOTE_BAD_SPLIT,
		NOTE_ORPHAN_STACK,   NOTE_INVALID_COUNT, NOTE_DAMAGED_FEATURE,
	};

	find_lost(input, audit);
	find_throttled(input, audit);
	find_notes(input, AUDIT_CUT, cut, ARRAY_NR(cut), audit);
	find_notes(input, AUDIT_KILLED, killed, ARRAY_NR(killed), audit);
	find_notes(input, AUDIT_DAMAGED, damaged, ARRAY_NR(damaged), audit);
}
