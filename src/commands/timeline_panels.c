/* timeline_panels.c - which quantities of an incident are drawn, and beside which */
#include "commands/timeline_panels.h"

#include <math.h>
#include <string.h>

#include "analysis/evidence.h"
#include "analysis/frame_marks.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/gather.h"
#include "commands/order_evidence.h"

/* A panel of what the evidence has. Kinds end with EVIDENCE_NR. */
static const struct layout {
	const char *key, *title;
	enum timeline_panel_unit unit;
	enum evidence_kind kinds[TIMELINE_LINES_MAX];
	bool is_per_s;
} layouts[] = {
	{"queue.depth",
	 "Items waiting",
	 TIMELINE_PANEL_COUNT,
	 {EVIDENCE_DEPTH, EVIDENCE_NR},
	 false},
	{"queue.oldest_age",
	 "Age of the oldest",
	 TIMELINE_PANEL_NS,
	 {EVIDENCE_AGE, EVIDENCE_NR},
	 false},
	{"rates",
	 "Items a second",
	 TIMELINE_PANEL_COUNT,
	 {EVIDENCE_ADMITTED, EVIDENCE_COMPLETED, EVIDENCE_REJECTED, EVIDENCE_NR},
	 true},
	{"service.time",
	 "Time of an item",
	 TIMELINE_PANEL_NS,
	 {EVIDENCE_SERVICE, EVIDENCE_NR},
	 false},
	{"latency", "Latency", TIMELINE_PANEL_NS, {EVIDENCE_LATENCY, EVIDENCE_NR}, false},
	{"waiting",
	 "Waiting in each second",
	 TIMELINE_PANEL_NS,
	 {EVIDENCE_LOCK_WAIT, EVIDENCE_RUN_DELAY, EVIDENCE_THROTTLED, EVIDENCE_NR},
	 true},
	{"service.inflight",
	 "In work",
	 TIMELINE_PANEL_COUNT,
	 {EVIDENCE_PENDING, EVIDENCE_NR},
	 false},
	{"memory",
	 "Memory",
	 TIMELINE_PANEL_BYTES,
	 {EVIDENCE_RSS, EVIDENCE_HEAP, EVIDENCE_NR},
	 false},
};

bool timeline_is_cpus(const struct timeline_quantity *quantity)
{
	return quantity->is_area || strncmp(quantity->name, "frame:", 6) == 0;
}

static struct timeline_group *add_group(struct timeline_panels *panels, const char *key,
					const char *title, enum timeline_panel_unit unit)
{
	struct timeline_group *group;

	GROW(panels->groups, panels->nr + 1, panels->alloc);
	group = &panels->groups[panels->nr++];
	*group = (struct timeline_group){
		.key = key, .title = mem_strdup(title), .unit = unit, .limit = (double)NAN};
	return group;
}

static void add_quantity(struct timeline_group *group, const struct track *track)
{
	group->list[group->nr++] = (struct timeline_quantity){.name = track->name, .track = track};
}

/* ---- CPU, by kind of code */

static const enum origin origins[] = {ORIGIN_APP, ORIGIN_LIBRARY, ORIGIN_JIT, ORIGIN_KERNEL,
				      ORIGIN_UNKNOWN};

static void add_cpu(const struct gathered *gathered, const struct naming *naming,
		    struct timeline_panels *panels)
{
	const struct utilisation *samples = &gathered->samples->samples;
	struct timeline_group *group =
		add_group(panels, "cpu", "CPUs in use, by the kind of code", TIMELINE_PANEL_COUNT);

	for (size_t i = 0; i < ARRAY_NR(origins); i++) {
		struct track *track = &panels->origins[origins[i]];
		struct frame_marks marks;

		frame_marks_init_origin(&marks, naming, origins[i]);
		track_init(track, origin_word(origins[i]), TRACK_RATE);
		utilisation_track(samples,
				  &(struct utilisation_of){.by = UTILISATION_ALL, .marks = &marks},
				  0, track);
		frame_marks_release(&marks);
		if (!track->nr)
			continue;
		add_quantity(group, track);
		group->list[group->nr - 1].origin = origins[i];
		group->list[group->nr - 1].is_area = true;
	}
}

/* ---- counters */

static void add_layout(const struct order_evidence *evidence, const struct layout *layout,
		       struct timeline_panels *panels)
{
	const struct evidence *of = &evidence->set.evidence;
	struct timeline_group *group = NULL;

	for (size_t i = 0; layout->kinds[i] != EVIDENCE_NR; i++) {
		const struct track *track = of->tracks[layout->kinds[i]];

		if (!track || !track_has_value(track) || track->has_unknown_clock)
			continue;
		if (!group)
			group = add_group(panels, layout->key, layout->title, layout->unit);
		add_quantity(group, track);
		group->list[group->nr - 1].is_per_s = layout->is_per_s;
		if (layout->kinds[i] == EVIDENCE_DEPTH)
			group->limit = of->capacity;
	}
}

static void add_more(const struct track *track, struct timeline_panels *panels)
{
	bool is_frame = strncmp(track->name, "frame:", 6) == 0;
	CLEANUP(text_release) struct text title = TEXT_INIT;
	struct timeline_group *group;

	text_addf(&title, "%s%s", track->name,
		  is_frame		      ? ", CPUs in use"
		  : track->kind == TRACK_RATE ? ", a second"
					      : "");
	group = add_group(panels, track->name, text_string(&title), TIMELINE_PANEL_COUNT);
	add_quantity(group, track);
	group->list[0].is_per_s = track->kind == TRACK_RATE && !is_frame;
}

/* Without samples the process' own counter says what CPU it used. */
static void add_cpu_counter(const struct order_evidence *evidence, struct timeline_panels *panels)
{
	const struct track *track = evidence->set.evidence.tracks[EVIDENCE_CPU];

	if (track && track_has_value(track) && !track->has_unknown_clock)
		add_quantity(add_group(panels, "cpu", "CPUs in use, by the process' counter",
				       TIMELINE_PANEL_COUNT),
			     track);
}

static void add_all(const struct gathered *gathered, const struct naming *naming,
		    const struct order_evidence *evidence, struct timeline_panels *panels)
{
	/* what is on a clock of its own is laid over nothing */
	if (naming && !gathered->samples->untied)
		add_cpu(gathered, naming, panels);
	else
		add_cpu_counter(evidence, panels);
	for (size_t i = 0; i < ARRAY_NR(layouts); i++)
		add_layout(evidence, &layouts[i], panels);
	for (size_t i = 0; i < evidence->more_nr; i++)
		if (track_has_value(evidence->more[i]) && !evidence->more[i]->has_unknown_clock)
			add_more(evidence->more[i], panels);
}

/* ---- what is wanted of it */

static bool is_called(const struct timeline_group *group, const char *word)
{
	if (strcmp(group->key, word) == 0)
		return true;
	for (size_t i = 0; i < group->nr; i++)
		if (strcmp(group->list[i].name, word) == 0)
			return true;
	return false;
}

static bool is_wanted(const struct timeline_group *group, const struct option_texts *wanted)
{
	for (size_t i = 0; i < wanted->nr; i++)
		if (is_called(group, wanted->list[i]))
			return true;
	return false;
}

/* Has it a place without being asked for? Frames were asked for by name. */
static bool has_place(const struct timeline_group *group)
{
	if (strcmp(group->key, "cpu") == 0 || strncmp(group->key, "frame:", 6) == 0)
		return true;
	for (size_t i = 0; i < ARRAY_NR(layouts); i++)
		if (strcmp(layouts[i].key, group->key) == 0)
			return true;
	return false;
}

static struct error *check_wanted(const struct timeline_panels *panels,
				  const struct option_texts *wanted)
{
	for (size_t i = 0; i < wanted->nr; i++) {
		CLEANUP(text_release) struct text there = TEXT_INIT;
		bool is_there = false;

		for (size_t k = 0; k < panels->nr; k++) {
			is_there |= is_called(&panels->groups[k], wanted->list[i]);
			text_addf(&there, "%s%s", k ? ", " : "", panels->groups[k].key);
		}
		if (!is_there)
			return error_hint(error_new(ERROR_USAGE, "there is nothing called '%s'",
						    wanted->list[i]),
					  "there is: %s", text_string(&there));
	}
	return NULL;
}

static void drop_others(struct timeline_panels *panels, const struct option_texts *wanted)
{
	size_t kept = 0;

	for (size_t i = 0; i < panels->nr; i++) {
		struct timeline_group *group = &panels->groups[i];

		if (wanted->nr ? is_wanted(group, wanted) : has_place(group)) {
			panels->groups[kept++] = *group;
			continue;
		}
		panels->left_out += !wanted->nr;
		free(group->title);
	}
	panels->nr = kept;
}

static void find_range(struct timeline_panels *panels)
{
	panels->from_ns = UINT64_MAX;
	for (size_t i = 0; i < panels->nr; i++)
		for (size_t k = 0; k < panels->groups[i].nr; k++) {
			const struct track *track = panels->groups[i].list[k].track;

			if (track->begin_ns[0] < panels->from_ns)
				panels->from_ns = track->begin_ns[0];
			if (track->end_ns[track->nr - 1] > panels->to_ns)
				panels->to_ns = track->end_ns[track->nr - 1];
		}
}

struct error *timeline_panels_make(const struct gathered *gathered, const struct naming *naming,
				   const struct order_evidence *evidence,
				   const struct option_texts *wanted, struct timeline_panels *ret)
{
	struct error *err;

	*ret = (struct timeline_panels){0};
	add_all(gathered, naming, evidence, ret);
	err = check_wanted(ret, wanted);
	if (err)
		return err;
	drop_others(ret, wanted);
	find_range(ret);
	if (ret->nr && ret->to_ns > ret->from_ns)
		return NULL;
	return error_hint(error_new(ERROR_INPUT, "nothing of it can be drawn over time"),
			  "tephra info --series shows what counters mean");
}

void timeline_panels_release(struct timeline_panels *panels)
{
	for (size_t i = 0; i < panels->nr; i++)
		free(panels->groups[i].title);
	free(panels->groups);
	for (size_t i = 0; i < ORIGIN_NR; i++)
		track_release(&panels->origins[i]);
	*panels = (struct timeline_panels){0};
}
