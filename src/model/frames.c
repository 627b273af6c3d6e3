/* frames.c - what a place in code turned out to be: a function, and those inlined into it */
#include "model/frames.h"

#include <assert.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/names.h"

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

uint32_t frames_line_name(struct names *names, uint32_t file, uint32_t line)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	const char *path, *slash;
	char digits[10];
	size_t first = sizeof(digits);

	if (file == NAME_NONE || !line)
		return NAME_NONE;
	path = names_get(names, file)->bytes;
	slash = strrchr(path, '/');
	text_add(&text, slash ? slash + 1 : path);
	text_add_char(&text, ':');
	/* without a format: each frame of each place comes here */
	for (; line; line /= 10)
		digits[--first] = (char)('0' + line % 10);
	text_add_bytes(&text, digits + first, sizeof(digits) - first);
	return names_add(names, text_string(&text), text.size);
}
