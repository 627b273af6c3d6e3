/* order_evidence.c - from what was gathered: the evidence, and other tracks to be dated */
#include "commands/order_evidence.h"

#include <string.h>

#include "analysis/evidence_series.h"
#include "analysis/frame_marks.h"
#include "analysis/growth.h"
#include "analysis/order_limits.h"
#include "analysis/ordering.h"
#include "analysis/reading_facts.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/gather.h"
#include "commands/order_queue.h"

/* ---- counters */

static bool is_clock(const struct series *series)
{
	return series->role == ROLE_CLOCK_MONOTONIC || series->role == ROLE_CLOCK_REALTIME ||
	       series->role == ROLE_QUEUE_CAPACITY;
}

static void add_more(struct order_evidence *evidence, struct track *track)
{
	track->floor_share = FLOOR_SHARE;
	GROW(evidence->more, evidence->more_nr + 1, evidence->more_alloc);
	evidence->more[evidence->more_nr++] = track;
}

/* Tracks of one capture share a clock; 0 is that of the axis. */
static void clock_set(const struct gathered *gathered, size_t at, struct track *track)
{
	const struct gathered_capture *capture = gathered->list[at];

	track->clock = capture->error_ns || capture->untied ? (uint32_t)at + 1 : 0;
	track->error_ns = capture->error_ns;
	track->has_unknown_clock = capture->untied != NULL;
}

/* Series of another queue may have the role that one of this has. */
static void name_as_shown(const struct capture *capture, uint32_t series, struct track *track)
{
	struct text name = TEXT_INIT;

	if (series_label(&capture->series.list[series], &capture->names, "queue") == NAME_NONE)
		return;
	series_add_display(&name, &capture->series.list[series], &capture->names);
	free(track->name);
	track->name = text_take(&name);
}

/* Counters that nothing ties to the axis are left out. */
static void take_counters(struct gathered *gathered, struct order_evidence *evidence)
{
	for (size_t i = 0; i < gathered->nr; i++) {
		struct gathered_capture *capture = gathered->list[i];

		for (uint32_t k = 0; k < capture->counters.nr; k++)
			clock_set(gathered, i, &capture->counters.list[k].track);
		if (!capture->untied)
			evidence_take_series(&evidence->set, &capture->counters, evidence->queue,
					     &evidence->ignored);
	}
	for (size_t i = 0; i < gathered->nr; i++) {
		struct gathered_capture *capture = gathered->list[i];

		for (uint32_t k = 0; k < capture->counters.nr && !capture->untied; k++) {
			struct track *track = &capture->counters.list[k].track;

			if (!track->nr || is_clock(&capture->profile.capture.series.list[k]))
				continue;
			if (evidence->queue)
				name_as_shown(&capture->profile.capture, k, track);
			add_more(evidence, track);
		}
	}
}

/* ---- samples */

static void track_begin(const struct gathered *gathered, const char *name, struct track *ret)
{
	track_init(ret, name, TRACK_RATE);
	for (size_t i = 0; i < gathered->nr; i++) {
		if (gathered->list[i] == gathered->samples)
			clock_set(gathered, i, ret);
	}
}

/* The index of the stage of that name, or the most used; UINT32_MAX for none. */
static uint32_t find_stage(const struct capture *capture, const struct utilisation_group *stages,
			   size_t nr, const char *wanted)
{
	for (uint32_t i = 0; i < nr; i++) {
		const char *comm = stages[i].comm == NAME_NONE
					   ? ""
					   : names_display(&capture->names, stages[i].comm);

		if (!wanted || strcmp(comm, wanted) == 0)
			return i;
	}
	return UINT32_MAX;
}

static void take_stage(const struct gathered *gathered, const struct utilisation_group *stage,
		       const uint32_t *stage_of_task, struct order_evidence *evidence)
{
	const struct gathered_capture *from = gathered->samples;
	const struct capture *capture = &from->profile.capture;
	struct utilisation_of of = {
		.by = UTILISATION_STAGE, .key = stage->key, .stage_of_task = stage_of_task};
	struct track track;
	uint32_t task = 0;

	track_begin(gathered, evidence_word(EVIDENCE_STAGE), &track);
	utilisation_track(&from->samples, &of, 0, &track);
	evidence_set_add(&evidence->set, EVIDENCE_STAGE, &track);
	track_begin(gathered, evidence_word(EVIDENCE_RUN_ON), &track);
	utilisation_run_on(&from->samples, &of, &track);
	evidence_set_add(&evidence->set, EVIDENCE_RUN_ON, &track);
	evidence->set.evidence.workers = stage->threads;
	evidence->stage = mem_strdup(
		stage->comm == NAME_NONE ? "?" : names_display(&capture->names, stage->comm));
	evidence->set.evidence.stage = evidence->stage;
	while (stage_of_task[task] != (uint32_t)stage->key)
		task++;
	of = (struct utilisation_of){.by = UTILISATION_PROCESS,
				     .key = capture->tasks.list[task].pid};
	track_begin(gathered, evidence_word(EVIDENCE_CPU), &track);
	utilisation_track(&from->samples, &of, 0, &track);
	evidence_set_add(&evidence->set, EVIDENCE_CPU, &track);
}

static struct error *stage_unknown(const struct capture *capture, const char *wanted,
				   const struct utilisation_group *stages, size_t nr)
{
	CLEANUP(text_release) struct text there = TEXT_INIT;

	for (size_t i = 0; i < nr && i < 12; i++) {
		if (stages[i].comm != NAME_NONE)
			text_addf(&there, "%s%s", there.size ? ", " : "",
				  names_display(&capture->names, stages[i].comm));
	}
	return error_hint(error_new(ERROR_USAGE, "no thread is called '%s'", wanted),
			  "there is: %s", text_string(&there));
}

static struct error *take_samples(const struct gathered *gathered, const char *wanted,
				  struct order_evidence *evidence)
{
	const struct gathered_capture *from = gathered->samples;
	size_t nr;
	uint32_t *stage_of_task;
	struct utilisation_group *stages = utilisation_stages(&from->samples, &nr, &stage_of_task);
	uint32_t stage = find_stage(&from->profile.capture, stages, nr, wanted);
	struct error *err = NULL;

	if (stage != UINT32_MAX)
		take_stage(gathered, &stages[stage], stage_of_task, evidence);
	else if (wanted)
		err = stage_unknown(&from->profile.capture, wanted, stages, nr);
	free(stages);
	free(stage_of_task);
	return err;
}

/* ---- what frames cost */

static struct error *take_frame(const struct gathered *gathered, const struct naming *naming,
				const char *pattern, struct order_evidence *evidence)
{
	CLEANUP(text_release) struct text name = TEXT_INIT;
	struct frame_marks marks;
	struct utilisation_of of = {.by = UTILISATION_ALL, .marks = &marks};
	struct track *track;
	regex_t regex;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return error_new(ERROR_USAGE, "--frame takes a regular expression, not '%s'",
				 pattern);
	frame_marks_init(&marks, naming, &regex);
	regfree(&regex);
	if (!marks.functions_nr) {
		frame_marks_release(&marks);
		return error_new(ERROR_USAGE, "no function matches '%s'", pattern);
	}
	text_addf(&name, "frame:%s", pattern);
	track = mem_zalloc(1, sizeof(*track));
	track_begin(gathered, text_string(&name), track);
	utilisation_track(&gathered->samples->samples, &of, 0, track);
	frame_marks_release(&marks);
	GROW(evidence->frames, evidence->frames_nr + 1, evidence->frames_alloc);
	evidence->frames[evidence->frames_nr++] = track;
	add_more(evidence, track);
	track->floor = FLOOR_CPU;
	return NULL;
}

static struct error *take_frames(struct gathered *gathered, const struct option_texts *frames,
				 struct order_evidence *evidence)
{
	struct naming_options options = {.unknown = NAMING_UNKNOWN_MODULE};
	struct naming naming;
	struct error *err = NULL;

	if (!frames->nr)
		return NULL;
	if (!gathered->samples)
		return error_new(ERROR_USAGE, "--frame needs samples, and there are only counters");
	naming_init(&naming, &gathered->samples->profile.capture, &options);
	for (size_t i = 0; !err && i < frames->nr; i++)
		err = take_frame(gathered, &naming, frames->list[i], evidence);
	naming_release(&naming);
	return err;
}

struct error *order_evidence_make(struct gathered *gathered, const struct order_wanted *wanted,
				  struct order_evidence *ret)
{
	struct error *err;

	*ret = (struct order_evidence){.ignored = 0};
	evidence_set_init(&ret->set);
	err = order_queue_choose(gathered, wanted->queue, &ret->queue, &ret->other_queues);
	if (err)
		return err;
	take_counters(gathered, ret);
	if (gathered->samples)
		err = take_samples(gathered, wanted->stage, ret);
	else if (wanted->stage)
		err = error_new(ERROR_USAGE, "--stage needs samples, and there are only counters");
	if (!err)
		err = take_frames(gathered, wanted->frames, ret);
	if (wanted->workers)
		ret->set.evidence.workers = (double)wanted->workers;
	evidence_set_finish(&ret->set);
	return err;
}

/* ---- which function it is */

static double seconds(struct span span)
{
	return (double)(span.to_ns - span.from_ns) / 1e9;
}

void order_evidence_name_function(const struct gathered *gathered, struct ordering *ordering)
{
	const struct incident *incident = &ordering->incident;
	const struct demand *demand = &ordering->readings.demand;
	struct naming_options options = {.unknown = NAMING_UNKNOWN_MODULE};
	struct reading *working = ordering->readings.list;
	struct naming naming;
	struct growth growth;

	while (working->kind != READING_WORKING)
		working++;
	if (!gathered->samples || working->verdict != READING_SUPPORTED || !incident->is_found)
		return;
	naming_init(&naming, &gathered->samples->profile.capture, &options);
	growth = growth_find(&gathered->samples->samples, &naming, incident->before,
			     demand->before.completions * seconds(incident->before),
			     incident->during,
			     demand->during.completions * seconds(incident->during));
	if (growth.function != FUNCTION_NONE)
		facts_function(
			working,
			names_display(&naming.capture->names, naming.list[growth.function].name),
			growth.before, growth.during);
	naming_release(&naming);
}

void order_evidence_release(struct order_evidence *evidence)
{
	evidence_set_release(&evidence->set);
	for (size_t i = 0; i < evidence->frames_nr; i++) {
		track_release(evidence->frames[i]);
		free(evidence->frames[i]);
	}
	free(evidence->frames);
	free(evidence->more);
	free(evidence->stage);
	free(evidence->queue);
	free(evidence->other_queues);
}
