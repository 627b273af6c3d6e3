/* select.h - a stage: lets the asked-for samples pass and counts the others by reason */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/sink.h"

struct capture;

/* Why a sample was left out; the first reason that holds is counted. */
enum select_reason {
	SELECT_EVENT,
	SELECT_TIME,
	SELECT_COMM,
	SELECT_PID,
	SELECT_TID,
	SELECT_CPU,
	SELECT_REASON_NR,
};

/* A moment: absolute in the capture's clock, or counted from its first sample. */
struct moment {
	uint64_t ns;
	bool is_set, is_relative;
};

/* What was asked for. Lists are alternatives; an empty one lets everything pass. */
struct selection {
	const char *event;	/* NULL: the event of the first sample */
	bool all_events;	/* where no event was named: all of them */
	struct moment from, to; /* from <= t < to */
	bool all_points;	/* those of counters pass outside of the range, too */
	const char *const *comms;
	size_t comms_nr;
	const int64_t *pids, *tids, *cpus;
	size_t pids_nr, tids_nr, cpus_nr;
};

/* What passed and what did not, in samples. */
struct select_count {
	weight passed, left_out[SELECT_REASON_NR];
};

struct select {
	struct sink sink; /* say samples to this */
	struct sink *next;
	struct capture *capture;
	const struct selection *wanted;
	struct select_count count;
	bool is_by_id;		     /* by event and task alone */
	bool has_passed;	     /* the sample that was said last */
	unsigned char *event_passes; /* per event id: 0 unknown, 1 no, 2 yes */
	size_t event_passes_nr, event_passes_alloc;
	unsigned char *task_reason; /* per task id: 0 unknown, 1 passes, 2 + reason */
	size_t task_reason_nr, task_reason_alloc;
};

/* All is borrowed until select_release(). */
void select_init(struct select *select, struct capture *capture, const struct selection *wanted,
		 struct sink *next);
void select_release(struct select *select);

/* The option that left samples out: "--event", "--from/--to". */
const char *select_reason_word(enum select_reason reason);

/* Parses "+12.5" or "701.25", with units_parse_time()'s units. False where it is neither. */
bool select_parse_moment(const char *s, size_t size, struct moment *ret);
