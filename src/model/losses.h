/* losses.h - what a recorder lost or left out: of which event, and in which second */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

enum loss_kind {
	LOSS_EVENTS,	      /* records that a full buffer had no room for (LOST) */
	LOSS_SAMPLES,	      /* samples that the kernel counted as lost (LOST_SAMPLES) */
	LOSS_FILTERED,	      /* samples that a BPF filter left out on purpose: no loss */
	LOSS_THROTTLED,	      /* times an event was stopped because it came too often */
	LOSS_STILL_THROTTLED, /* of these, never seen to go on: how long is not known */
	LOSS_KIND_NR,
};

/* Where no time says when it was. */
#define LOSS_NO_SECOND UINT64_MAX

struct loss {
	enum loss_kind kind;
	uint32_t event;	 /* EVENT_NONE where it is not one's: a buffer is of all its events */
	uint64_t second; /* of the capture's own clock */
	uint64_t count;
	uint64_t ns; /* of LOSS_THROTTLED: how long it was stopped within that second */
};

/* Rows; beyond them what is lost is added up without its second. */
#define LOSSES_MAX 65536

/*
 * In order of appearance. LOSS_EVENTS and LOSS_SAMPLES count the same losses, the first by time,
 * the second by event: they are never added to each other.
 */
struct losses {
	struct loss *list; /* owned */
	uint32_t nr;
	size_t alloc;
	struct map map;
};

void losses_release(struct losses *losses);

/* Adds to the row of the same kind, event and second. */
void losses_add(struct losses *losses, const struct loss *loss);

/* A time during which the event was stopped: its length is added to each second it was in. */
void losses_add_throttled(struct losses *losses, uint32_t event, uint64_t begin_ns,
			  uint64_t end_ns);

/* The second of a time; LOSS_NO_SECOND for 0 and what is no time. */
uint64_t losses_second(uint64_t time_ns);

/* The sum of a kind; of one event, or of all where event is EVENT_NONE. */
struct loss losses_sum(const struct losses *losses, enum loss_kind kind, uint32_t event);

/* The kind in a word: "events". A key of JSON and of table loss: never renamed. */
const char *loss_word(enum loss_kind kind);
