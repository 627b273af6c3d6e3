/* timeline_replay.c - the CPU time of reading an incident, of which nothing is made: [<file>...] */
#include <stdio.h>
#include <sys/resource.h>

#include "commands/gather.h"

static double cpu_s(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
	struct profile_options options = {.quiet = true};
	struct gathered gathered;
	struct error *err = gather_run(&options, GATHER_WHOLE, argc - 1, argv + 1, &gathered);

	if (err) {
		fprintf(stderr, "%s\n", error_text(err));
		error_free(err);
	} else {
		printf("%.3f\n", cpu_s());
	}
	gather_release(&gathered);
	return err ? 2 : 0;
}
