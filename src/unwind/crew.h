/* crew.h - threads that share the work of one call */
#pragma once

#include <stddef.h>

struct crew;

/* Called for each job once, on the thread that has this number; 0 is the caller's. */
typedef void crew_fn(void *context, unsigned thread, size_t job);

/* So many threads with the caller's; they sleep between calls. Owned: crew_free(). */
struct crew *crew_new(unsigned threads);
void crew_free(struct crew *crew);

/* Returns when all `nr` jobs are done. In which order, and by whom, is not said. */
void crew_run(struct crew *crew, crew_fn *fn, void *context, size_t nr);
