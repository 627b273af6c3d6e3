/* progress.c - one line on a terminal while long work goes on */
#include "base/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

/* Nothing is shown before this, and then not more often than that. */
#define FIRST_NS 1000000000u
#define STEP_NS	 100000000u

struct progress {
	char *what;
	uint64_t begin_ns, shown_ns;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct progress *progress_new(const char *what, int is_wanted)
{
	struct progress *progress;

	if (!is_wanted || !isatty(STDERR_FILENO))
		return NULL;
	progress = mem_zalloc(1, sizeof(*progress));
	progress->what = mem_strdup(what);
	progress->begin_ns = now_ns();
	return progress;
}

void progress_tell(struct progress *progress, uint64_t done, uint64_t all)
{
	uint64_t now;

	if (!progress)
		return;
	now = now_ns();
	if (now < progress->begin_ns + FIRST_NS || now < progress->shown_ns + STEP_NS)
		return;
	progress->shown_ns = now;
	if (all)
		fprintf(stderr, "\r\033[K%s: %3.0f %% of %.0f MB", progress->what,
			100.0 * (double)done / (double)all, (double)all / 1e6);
	else
		fprintf(stderr, "\r\033[K%s: %.0f MB", progress->what, (double)done / 1e6);
	fflush(stderr);
}

void progress_free(struct progress *progress)
{
	if (!progress)
		return;
	if (progress->shown_ns)
		fputs("\r\033[K", stderr);
	free(progress->what);
	free(progress);
}
