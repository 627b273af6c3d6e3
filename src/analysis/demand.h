/* demand.h - what a stage was asked for and what it took, before an incident and during it */
#pragma once

#include <stdbool.h>

#include "analysis/evidence.h"

/* NAN where it is not known. */
struct demand_side {
	double arrivals;    /* items a second that wanted in; see demand.arrivals_are_least */
	double completions; /* items a second */
	double cpu;	    /* CPUs that the stage used; of the process where no sample says it */
	double used;	    /* of the time of the stage's threads, 0 to 1 */
	double cpu_item;    /* ns of CPU per item */
	double service_least,
		service_most;	      /* ns per item, working and waiting; equal where known */
	double wait_least, wait_most; /* of it, what is not CPU */
	double lock_item,
		delay_item; /* of that, at locks, and runnable without a CPU: ns per item */
	double run_on;	    /* share of the stage's samples that another follows at once */
	double late;	    /* share of rows that came late, 0 to 1 */
};

/* Shares of what made the stage's work grow beyond its threads: least and most that they can be. */
struct demand_share {
	double least, most;
};

struct demand {
	struct demand_side before, during;
	bool arrivals_are_least; /* the queue was full and nothing counts what was turned away */
	bool is_by_process;	 /* cpu is that of the whole process */
	double load_ratio, cost_ratio;		 /* arrivals and CPU per item, during by before */
	bool has_delay;				 /* something says how long the worker had no CPU */
	struct demand_share load, working, wait; /* wait is all that is not CPU */
	struct demand_share waiting, delay; /* of it, with has_delay: for a CPU, and the rest */
};

/*
 * The work that comes in a second is arrivals * service per item. By how much it grew is split: to
 * load and service by their logarithms, and service to CPU and waiting by their parts of it;
 * waiting to delay by what says that the worker had no CPU. What nothing says is between what it
 * can be.
 */
void demand_measure(const struct evidence *evidence, const struct incident *incident,
		    struct demand *ret);
