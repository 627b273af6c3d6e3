/* worker.h - files of strangers are parsed in processes that may die of them */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct progress;

/*
 * One piece of work: fills *ret in a process of its own, so it may crash, loop or take all
 * memory that it is allowed. What it changes is not seen by the caller.
 */
typedef void worker_task(void *context, uint32_t job, struct text *ret);

/* CPU seconds and bytes of address space beyond what the caller has. */
#define WORKER_SECONDS_MAX 600u
#define WORKER_MEMORY_MAX  ((uint64_t)16 << 30)

struct worker_result {
	bool is_done;	   /* else the process died of it: */
	int signal;	   /* by this signal, or 0 */
	struct text bytes; /* owned */
};

/*
 * Does the jobs 0 to nr - 1, `processes` of them at a time (at least 1), and fills
 * results[0..nr-1], which the caller releases with worker_results_free(). A job whose process
 * dies is not done; the jobs behind it are given to another one. An error is the system's.
 */
ERROR_RESULT struct error *worker_run(uint32_t nr, unsigned processes, worker_task *task,
				      void *context, struct progress *progress,
				      struct worker_result *results);
void worker_results_free(struct worker_result *results, uint32_t nr);
