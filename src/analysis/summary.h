/* summary.h - a sink that only counts: what is in a capture */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/units.h"
#include "model/sink.h"

struct summary {
	struct sink sink; /* say samples to this */
	weight samples, callchains, without_chain;
	weight unnamed;		    /* samples whose leaf has no symbol */
	uint64_t first_ns, last_ns; /* valid with has_times */
	bool has_times;
	uint64_t backwards; /* times that are earlier than the one before */
	uint64_t previous_ns;
	struct summary_event {
		weight samples, period;
	} * events; /* per event, owned */
	size_t events_nr, events_alloc;
	const struct capture *capture; /* borrowed */
};

void summary_init(struct summary *summary, const struct capture *capture);

/* What was counted of an event, zeroes where it has no sample. */
struct summary_event summary_event(const struct summary *summary, uint32_t event);
void summary_release(struct summary *summary);
