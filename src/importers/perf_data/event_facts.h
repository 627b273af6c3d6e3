/* event_facts.h - how each event was recorded, as a fact in the words of perf's own header */
#pragma once

struct perf_data;

/* As many are told; more events than that are one each thread's or each disk's. */
#define PERF_EVENT_FACTS_MAX 64

/*
 * Adds a fact "event" for each event that has a name: "name = cycles, type = 0, config = 0,
 * { sample_period, sample_freq } = 4000, freq = 1, ...", as `perf script --header` prints it. Of
 * several attrs of one event the first is told. Called when all events are named.
 */
void perf_event_facts_tell(struct perf_data *data);
