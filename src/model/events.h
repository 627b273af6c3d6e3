/* events.h - what was sampled, and the unit of its period */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "model/walked.h"

struct names;

#define EVENT_NONE UINT32_MAX

enum unit {
	UNIT_SAMPLES, /* plain counts: folded stacks */
	UNIT_NS,      /* time: clock events */
	UNIT_EVENTS,  /* that many of the event itself: cycles, page-faults */
};

struct event {
	uint32_t name; /* name id, with modifiers; NAME_NONE where the capture says no event */
	enum unit unit;
	bool has_periods; /* at least one sample said how much it stands for */
	weight samples;	  /* of this event, selected or not; counted by select */
	enum walked_by walked_by;
	bool is_walker_known; /* it was said, be it that nobody knows */
};

struct events {
	struct event *list;
	uint32_t nr;
	size_t list_alloc;
};

void events_release(struct events *events);

/* The event of this name (NAME_NONE: the one that has none), added with its unit if new. */
uint32_t events_add(struct events *events, const struct names *names, uint32_t name);

/* Who walked its chains; where it is said that several did, nobody knows who did which. */
void events_set_walked_by(struct events *events, uint32_t event, enum walked_by by);

/* The event's name as it is shown: "samples" where the capture names none. */
const char *events_display(const struct events *events, const struct names *names, uint32_t event);

/* Bytes of an event's name without its modifiers: "cycles:u" 6, "sched:sched_switch" 18. */
size_t events_base_size(const char *name);

/*
 * Finds the event that a user named: exactly, else without modifiers if that is one only.
 * EVENT_NONE when there is none, or several.
 */
uint32_t events_find(const struct events *events, const struct names *names, const char *wanted);
