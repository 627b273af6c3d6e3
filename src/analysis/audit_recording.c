/* audit_recording.c - findings of how a capture was recorded: events, scope, frequency, clock */
#include "analysis/audit_parts.h"

#include <inttypes.h>

#include "base/mem.h"

static bool has_samples(const struct audit_input *input, uint32_t event)
{
	return summary_event(input->summary, event).samples != 0;
}

/* A tracepoint of which -F or -c left most out: "303 samples stand for 1,623 of them". */
static void find_sampled_tracepoint(const struct audit_input *input, uint32_t event,
				    struct audit *audit)
{
	const struct recording_event *recorded = &input->recording.events[event];
	struct summary_event sums = summary_event(input->summary, event);
	struct text what = TEXT_INIT;

	if (!recorded->is_tracepoint || (!recorded->is_frequency && recorded->rate <= 1))
		return;
	text_addf(&what, "%s was sampled (%s %" PRIu64 "): ", audit_event(input, event),
		  recorded->is_frequency ? "-F" : "-c", recorded->rate);
	weight_add_grouped(&what, sums.samples);
	text_add(&what, " samples");
	if (sums.period > sums.samples) {
		text_add(&what, " stand for ");
		weight_add_grouped(&what, sums.period);
		text_add(&what, " of them");
	}
	audit_add(audit, AUDIT_SAMPLED_TRACEPOINT,
		  sums.period > sums.samples ? 1 - weight_share(sums.samples, sums.period) : -1,
		  &what);
}

/* Wake-ups are made by others, and those are in no recording of some processes. */
static void find_process_scope(const struct audit_input *input, struct audit *audit)
{
	struct text what = TEXT_INIT;
	unsigned nr = 0;

	if (input->recording.scope != RECORDING_SCOPE_PROCESS)
		return;
	for (uint32_t i = 0; i < input->capture->events.nr; i++) {
		const char *name = audit_event(input, i);

		if (strncmp(name, "sched:", strlen("sched:")) != 0 || !has_samples(input, i))
			continue;
		text_addf(&what, "%s%s", nr++ ? ", " : "", name);
	}
	if (!nr) {
		text_release(&what);
		return;
	}
	text_addf(&what, "%s recorded of some processes alone", nr == 1 ? " was" : " were");
	audit_add(audit, AUDIT_PROCESS_SCOPE, -1, &what);
}

/* perf itself lowers what is more than the machine allows. */
static void find_lowered(const struct audit_input *input, uint32_t event, struct audit *audit)
{
	const struct recording_event *recorded = &input->recording.events[event];
	uint64_t asked = input->recording.frequency_hz;
	struct text what = TEXT_INIT;

	if (recorded->is_tracepoint || !recorded->is_frequency || !recorded->rate ||
	    recorded->rate >= asked)
		return;
	text_addf(&what, "%s was asked for at %" PRIu64 " Hz, and recorded at %" PRIu64 " Hz",
		  audit_event(input, event), asked, recorded->rate);
	audit_add(audit, AUDIT_FREQUENCY_LOWERED, -1, &what);
}

/*
 * A clock of the whole machine ticks on every CPU, idle or not: where its samples are farther
 * apart than was asked for, it was too slow. Of some processes nobody knows when they ran.
 */
static void find_missed(const struct audit_input *input, uint32_t event, struct audit *audit)
{
	const struct recording_event *recorded = &input->recording.events[event];
	uint64_t median_ns = pace_median_ns(&input->summary->pace, event);
	struct text what = TEXT_INIT;
	double asked_ns;

	if (recorded->is_tracepoint || !recorded->is_frequency || !recorded->rate ||
	    recorded->excludes_kernel || input->recording.scope != RECORDING_SCOPE_SYSTEM ||
	    input->capture->events.list[event].unit != UNIT_NS ||
	    pace_nr(&input->summary->pace, event) < AUDIT_SAMPLES_LEAST)
		return;
	asked_ns = 1e9 / (double)recorded->rate;
	if ((double)median_ns <= asked_ns * AUDIT_PACE_MOST)
		return;
	text_addf(&what, "%s at %" PRIu64 " Hz: half of the samples of a CPU are ",
		  audit_event(input, event), recorded->rate);
	units_add_time(&what, weight_of(median_ns));
	text_add(&what, " and more apart, not ");
	units_add_time(&what, (weight)(asked_ns * 1e9));
	audit_add(audit, AUDIT_FREQUENCY_MISSED, -1, &what);
}

static void find_excluded(const struct audit_input *input, uint32_t event, struct audit *audit)
{
	const struct recording_event *recorded = &input->recording.events[event];
	struct text what = TEXT_INIT;

	if (recorded->is_tracepoint || !has_samples(input, event))
		return;
	if (recorded->excludes_kernel) {
		text_addf(&what, "%s was recorded without the kernel (:u)",
			  audit_event(input, event));
		audit_add(audit, AUDIT_NO_KERNEL, -1, &what);
	}
	if (recorded->excludes_user) {
		text_addf(&what, "%s was recorded of the kernel alone (:k)",
			  audit_event(input, event));
		audit_add(audit, AUDIT_NO_USER, -1, &what);
	}
	if (recorded->inherits || input->recording.scope != RECORDING_SCOPE_PROCESS)
		return;
	text_addf(&what, "%s was recorded of the threads alone that were there at its beginning",
		  audit_event(input, event));
	audit_add(audit, AUDIT_NO_INHERIT, -1, &what);
}

/* Wall time needs no tie, and times that count from the source's own beginning have one there. */
static void find_clock(const struct audit_input *input, struct audit *audit)
{
	const struct capture *capture = input->capture;
	struct text what = TEXT_INIT;

	if (!audit_is_recording(input) || !input->summary->samples)
		return;
	if (!input->summary->has_times) {
		text_add(&what, "samples have no time");
		audit_add(audit, AUDIT_NO_TIMES, 1, &what);
		return;
	}
	if (capture->ties.nr || capture->clock == SOURCE_CLOCK_REALTIME ||
	    capture->clock == SOURCE_CLOCK_MONOTONIC)
		return;
	text_addf(&what, "nothing ties %s to another clock", source_clock_text(capture->clock));
	audit_add(audit, AUDIT_CLOCK_UNTIED, -1, &what);
}

void audit_recording(const struct audit_input *input, struct audit *audit)
{
	for (uint32_t i = 0; i < input->capture->events.nr; i++) {
		if (!input->recording.events[i].is_known)
			continue;
		find_sampled_tracepoint(input, i, audit);
		find_lowered(input, i, audit);
		find_missed(input, i, audit);
		find_excluded(input, i, audit);
	}
	find_process_scope(input, audit);
	find_clock(input, audit);
}
