/* counter_options.h - how somebody wants counter files to be read */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All is borrowed. Zeroes: as the file looks, and refused where it is damaged. */
struct counter_options {
	const char *const *maps; /* "COLUMN=ROLE,unit,kind" */
	size_t maps_nr;
	bool keeps_going;   /* what is damaged is left out, with a note, instead */
	uint64_t scrape_ns; /* how often a server that was asked reads its sources; 0: not known */
};
