/* machine_clock.c - the moment of both clocks that fetch-list's script noted on the machine */
#include "commands/machine_clock.h"

#include <stdio.h>
#include <string.h>

#include "commands/machine_facts.h"
#include "importers/kernel_log.h"
#include "model/facts.h"

enum machine_clock machine_clock_find(const struct facts *facts, enum source_clock clock,
				      uint64_t end_ns, struct clock_tie *ret)
{
	const char *noted = facts_find(facts, MACHINE_FACTS_PREFIX "kernel_log");
	struct kernel_line line;
	struct clock_tie tie;
	struct error *err;

	if (!noted || clock != SOURCE_CLOCK_PERF)
		return MACHINE_CLOCK_NONE;
	err = kernel_log_line(noted, strlen(noted), &line);
	if (err || !kernel_log_tie(&line, &tie)) {
		error_free(err);
		return MACHINE_CLOCK_NONE;
	}
	if (line.time_ns < end_ns)
		return MACHINE_CLOCK_BEFORE;
	*ret = tie;
	return MACHINE_CLOCK_TIED;
}

void machine_clock_tell(const char *file)
{
	fprintf(stderr,
		"%s: note: the moment of the kernel log in %s.symbols/facts was not taken: it is "
		"from before the recording ended, and so of another boot or machine\n",
		file, file);
}
