/* frames.h - what a place in code turned out to be: a function, and those inlined into it */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* One function of a place. */
struct frame {
	uint32_t function; /* location id: its name, module, line and flags, without an address */
	uint32_t raw_name; /* name id: as the binary has it, mangled; NAME_NONE: as it reads */
	uint32_t file;	   /* name id of the source file's path, NAME_NONE */
	uint32_t line;	   /* in it, 0: not known */
};

/*
 * Frames of the locations that names were found for; a location without any stands for itself.
 * They are known behind the samples, and replaced when better files turn up.
 */
struct frames {
	struct frame *list; /* outermost first */
	size_t nr, alloc;
	size_t *first; /* per location, and one more: where its frames begin in the list */
	uint32_t locations_nr;
	size_t first_alloc;
};

void frames_release(struct frames *frames);

/* Locations are added in the order of their ids; those left out have no frames. */
void frames_add(struct frames *frames, uint32_t location, const struct frame *frame);

/* The frames of a location, outermost first; *ret_nr is 0 where it has none. */
static inline const struct frame *frames_of(const struct frames *frames, uint32_t location,
					    uint32_t *ret_nr)
{
	if (location >= frames->locations_nr) {
		*ret_nr = 0;
		return NULL;
	}
	*ret_nr = (uint32_t)(frames->first[location + 1] - frames->first[location]);
	return frames->list + frames->first[location];
}
