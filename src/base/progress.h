/* progress.h - one line on a terminal while long work goes on */
#pragma once

#include <stdint.h>

/* NULL is silent everywhere. */
struct progress;

/* NULL unless stderr is a terminal and `is_wanted`. */
struct progress *progress_new(const char *what, int is_wanted);

/* done of all bytes; all may be 0 where it is not known. Cheap: looks at the clock now and then. */
void progress_tell(struct progress *progress, uint64_t done, uint64_t all);

/* Takes the line away. */
void progress_free(struct progress *progress);
