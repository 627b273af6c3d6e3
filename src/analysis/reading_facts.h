/* reading_facts.h - the sentences that support or contradict a reading, with their numbers */
#pragma once

#include "analysis/readings.h"

/* Adds a sentence; what is beyond READING_FACTS_MAX is left out. */
void reading_for(struct reading *reading, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void reading_against(struct reading *reading, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Each says one fact, where it is known, on the side on which it stands for that reading.
 */
void facts_cost(struct reading *reading, const struct demand *demand);
void facts_used(struct reading *reading, const struct evidence *evidence,
		const struct demand *demand);
void facts_load(struct reading *reading, const struct demand *demand);
void facts_wait(struct reading *reading, const struct demand *demand);
void facts_lock(struct reading *reading, const struct demand *demand);
void facts_delay(struct reading *reading, const struct demand *demand);
void facts_run_on(struct reading *reading, const struct demand *demand);
void facts_late(struct reading *reading, const struct demand *demand);

/* For working: "classify_again takes 2.1 ms of CPU per item, 0 us before". */
void facts_function(struct reading *reading, const char *name, double before_ns, double during_ns);
