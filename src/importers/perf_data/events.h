/* events.h - the events of a file and the ids that records know them by */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "importers/perf_data/attr.h"

/* Attrs of one file; each is an event that was recorded on every CPU or thread. */
#define PERF_ATTRS_MAX 4096

/* Ids of all: a thousand events on as many CPUs. What a file claims beyond that is not read. */
#define PERF_IDS_MAX (1u << 22)

struct perf_events {
	struct perf_attr *list; /* owned */
	uint32_t nr;
	size_t list_alloc;
	bool has_others; /* than those whose samples have words and a chain alone */
	struct perf_id {
		uint64_t id;
		uint32_t attr;
	} * ids; /* owned */
	uint32_t ids_nr;
	size_t ids_alloc;
	uint32_t ids_seen; /* known ones, too */
	struct map map;	   /* id -> index into ids */
};

void perf_events_release(struct perf_events *events);

/* Adds an attr with its ids (u64s). The index; UINT32_MAX where there are too many. */
uint32_t perf_events_add(struct perf_events *events, const struct perf_attr *attr,
			 struct bytes ids);
void perf_events_add_ids(struct perf_events *events, uint32_t attr, struct bytes ids);

/* The attr that has this id, UINT32_MAX for none. */
uint32_t perf_events_find(const struct perf_events *events, uint64_t id);

/* Names an attr that has no name yet. */
void perf_events_name(struct perf_events *events, uint32_t attr, const char *name, size_t size);

/* EVENT_DESC: u32 nr, u32 attr size, then { attr, u32 ids, string, u64 ids }. False: damaged. */
bool perf_events_describe(struct perf_events *events, struct bytes bytes);

/*
 * The attr of a record, whose bytes are whole: where there is one alone it is that, else the
 * record's id tells. UINT32_MAX where it is not known.
 */
uint32_t perf_events_by_id(const struct perf_events *events, const struct bytes *record);
uint32_t perf_events_of_other(const struct perf_events *events, const struct bytes *record);

static inline uint32_t perf_events_of_sample(const struct perf_events *events,
					     const struct bytes *record)
{
	return events->nr == 1 ? 0 : perf_events_by_id(events, record);
}
