/* capture.h - everything that samples refer to by id, and what a capture says of itself */
#pragma once

#include "model/clock_tie.h"
#include "model/counts.h"
#include "model/events.h"
#include "model/facts.h"
#include "model/frames.h"
#include "model/ksymbols.h"
#include "model/locations.h"
#include "model/losses.h"
#include "model/modules.h"
#include "model/names.h"
#include "model/notes.h"
#include "model/series.h"
#include "model/source_clock.h"
#include "model/stacks.h"
#include "model/tasks.h"
#include "model/unwindings.h"

struct counter_options;
struct unwinder;

/* Of a text that has the weights of two sides. */
enum capture_column {
	COLUMN_NONE,
	COLUMN_BEFORE,
	COLUMN_AFTER
};

/*
 * A source fills it while it says samples; ids only grow, so a sink may look at any id that
 * a sample has carried. It grows with what is distinct, never with the number of samples.
 */
struct capture {
	uint32_t first_event; /* of the first sample, valid with has_first_event */
	uint64_t start_ns;    /* time of the first sample that has one: what "+4" counts from */
	uint64_t end_ns;      /* the latest time; both valid with has_times */
	bool has_first_event, has_times;
	bool wants_fields;	    /* set by whoever wants fields and details said with samples */
	enum capture_column column; /* set by whoever reads one side of a comparison */
	bool has_offsets; /* places without a name are told apart by address: it is the offset in
			     their file, of the kernel the address itself */
	bool is_counted;  /* events' samples are known already, and are not counted again */
	struct names names;
	struct modules modules;
	struct locations locations;
	struct frames frames; /* of locations that were named behind the reading */
	struct stacks stacks; /* of location ids: the callers, outermost first, without the leaf */
	struct unwindings
		unwindings;	   /* of samples with a stack dump: how their frames were found */
	struct unwinder *unwinder; /* set by whoever wants dumps unwound; borrowed, NULL: nobody */
	struct tasks tasks;
	struct events events;
	struct facts facts;
	struct notes notes;
	struct losses losses;
	struct series_list series;  /* counters */
	struct ksymbols ksymbols;   /* of a capture that was imported; no profile keeps them */
	struct counts record_types; /* of binary formats: how many of each, samples too */
	enum source_clock clock;    /* that its times are of */
	struct clock_ties ties;	    /* of that clock; its source is 0 */
	const struct counter_options
		*counter_options; /* how counters are read; borrowed, NULL: as it looks */
	const char *format;	  /* the importer's name */
	uint64_t records;	  /* that are no samples: COMM, MMAP, FORK, LOST ... */
	uint64_t lost;		  /* events, as PERF_RECORD_LOST counts them */
	uint64_t lost_samples;	  /* as PERF_RECORD_LOST_SAMPLES counts them; never added to lost */
};

void capture_release(struct capture *capture);
