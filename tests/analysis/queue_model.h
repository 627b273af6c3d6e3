/* queue_model.h - a bounded queue and one worker, simulated: incidents whose cause is known */
#pragma once

#include "analysis/evidence_set.h"

/* Times in seconds, rates per second. Zeroed memory plus a rate and a cpu is a quiet queue. */
struct queue_model {
	double total, at, length, tick;
	uint64_t capacity;
	struct {
		double rate;
		double cpu, lock, wait,
			delay; /* of one item: on a CPU, at a lock, elsewhere, for a CPU */
	} usual, faulty;
	bool is_irregular; /* items come by chance (Poisson), not in steps */
	uint64_t seed;
	double run_on; /* what samples would say of the worker (utilisation_run_on); 0: no samples
			*/
	double late;   /* by which every other row is written late while it is faulty */
};

/* A quiet queue of a third of a CPU for ten seconds, in which nothing becomes different at 4 s. */
struct queue_model queue_model_usual(void);

/* The counters that it would have written, in a set that the caller finishes and releases. */
void queue_model_run(const struct queue_model *model, struct evidence_set *ret);
