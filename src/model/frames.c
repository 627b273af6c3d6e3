/* frames.c - what a place in code turned out to be: a function, and those inlined into it */
#include "model/frames.h"

#include <assert.h>

#include "base/mem.h"

void frames_release(struct frames *frames)
{
	free(frames->list);
	free(frames->first);
	*frames = (struct frames){0};
}

void frames_add(struct frames *frames, uint32_t location, const struct frame *frame)
{
	assert(location + 1 >= frames->locations_nr);
	GROW(frames->first, (size_t)location + 2, frames->first_alloc);
	while (frames->locations_nr <= location)
		frames->first[frames->locations_nr++] = frames->nr;
	GROW(frames->list, frames->nr + 1, frames->alloc);
	frames->list[frames->nr++] = *frame;
	frames->first[frames->locations_nr] = frames->nr;
}
