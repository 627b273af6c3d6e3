/* summary.h - a sink that only counts: what is in a capture */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/pace.h"
#include "base/units.h"
#include "model/sink.h"
#include "model/walked.h"

struct summary {
	struct sink sink; /* say samples to this */
	weight samples, callchains, without_chain;
	uint64_t first_ns, last_ns; /* valid with has_times */
	bool has_times;
	uint64_t backwards; /* times that are earlier than the one before */
	uint64_t previous_ns;
	struct summary_event {
		weight samples, period;
	} * events; /* per event, owned */
	size_t events_nr, events_alloc;
	weight *leaves; /* samples per leaf location, owned */
	size_t leaves_nr, leaves_alloc;
	weight *stacks; /* samples per callers, owned */
	size_t stacks_nr, stacks_alloc;
	struct pace pace;
	weight *unwindings; /* samples per unwinding of the capture, owned */
	size_t unwindings_nr, unwindings_alloc;
	struct summary_walked {
		weight *of_leaf, *of_stack; /* samples, owned */
		size_t leaves_nr, leaves_alloc, stacks_nr, stacks_alloc;
	} walked[WALKED_BY_NR]; /* of the samples whose chain the recorder walked */
	struct summary_points {
		uint64_t nr;	      /* of counters, with a value */
		uint64_t shared;      /* of these, counted for a part of the time only */
		double running_least; /* the least share of its time that one was counted */
	} points;
	const struct capture *capture; /* borrowed */
};

void summary_init(struct summary *summary, const struct capture *capture);

/* What was counted of an event, zeroes where it has no sample. */
struct summary_event summary_event(const struct summary *summary, uint32_t event);

/* Samples whose leaf has no name; to be asked when what can be named has been. */
weight summary_unnamed(const struct summary *summary);

struct summary_module {
	weight samples; /* whose leaf is in the module */
	weight named;	/* of these, whose leaf has a name */
};

/* Per module of the capture, an array that the caller frees. */
struct summary_module *summary_modules(const struct summary *summary);

/* Of the samples that had a stack dump. */
struct summary_unwinding {
	weight samples, frames;
	weight by_stop[UNWIND_STOP_NR]; /* samples */
	weight by_found[FOUND_BY_NR];	/* frames */
};

struct summary_unwinding summary_unwinding(const struct summary *summary);

/* Of all samples whose call chain is from somewhere that is known. */
struct summary_chains {
	weight samples, frames;
	weight by_walked[WALKED_BY_NR]; /* samples */
	weight by_stop[UNWIND_STOP_NR]; /* samples */
	weight untold; /* samples: why the recorder went no further it does not say */
	weight by_found[FOUND_BY_NR]; /* frames */
	weight lacks_caller;	      /* samples that may lack a caller, see walked.h */
};

/* To be asked when what can be named has been. */
struct summary_chains summary_chains(const struct summary *summary);

void summary_release(struct summary *summary);
