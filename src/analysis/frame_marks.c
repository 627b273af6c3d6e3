/* frame_marks.c - which places and call chains hold a function that is looked for */
#include "analysis/frame_marks.h"

#include "analysis/naming.h"
#include "base/mem.h"
#include "model/capture.h"

static bool place_holds(const struct naming *naming, const unsigned char *functions,
			uint32_t location)
{
	const struct capture *capture = naming->capture;
	uint32_t nr, function = naming->of_location[location];
	const struct frame *frames = frames_of(&capture->frames, location, &nr);

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t of_frame = naming->of_location[frames[i].function];

		if (of_frame != FUNCTION_NONE && functions[of_frame])
			return true;
	}
	return function != FUNCTION_NONE && functions[function];
}

static void spread(struct frame_marks *marks, const struct naming *naming,
		   const unsigned char *functions)
{
	const struct capture *capture = naming->capture;

	marks->places = mem_zalloc((size_t)capture->locations.nr + 1, 1);
	marks->stacks = mem_zalloc((size_t)capture->stacks.nr + 1, 1);
	for (uint32_t i = 0; i < naming->nr; i++)
		marks->functions_nr += functions[i];
	for (uint32_t i = 0; i < capture->locations.nr; i++)
		marks->places[i] = place_holds(naming, functions, i);
	for (uint32_t i = 0; i < capture->stacks.nr; i++) {
		const uint32_t *ids = stacks_ids(&capture->stacks, i);

		for (uint32_t k = 0; k < stacks_depth(&capture->stacks, i); k++)
			marks->stacks[i] |= marks->places[ids[k]];
	}
}

void frame_marks_init(struct frame_marks *marks, const struct naming *naming, const regex_t *regex)
{
	unsigned char *functions = mem_zalloc((size_t)naming->nr + 1, 1);
	const struct names *names = &naming->capture->names;

	*marks = (struct frame_marks){0};
	for (uint32_t i = 0; i < naming->nr; i++)
		functions[i] = regexec(regex, names_get(names, naming->list[i].name)->bytes, 0,
				       NULL, 0) == 0;
	spread(marks, naming, functions);
	free(functions);
}

void frame_marks_init_origin(struct frame_marks *marks, const struct naming *naming,
			     enum origin origin)
{
	const struct capture *capture = naming->capture;

	*marks = (struct frame_marks){.holds_empty = origin == ORIGIN_UNKNOWN};
	marks->places = mem_zalloc((size_t)capture->locations.nr + 1, 1);
	marks->stacks = mem_zalloc((size_t)capture->stacks.nr + 1, 1);
	for (uint32_t i = 0; i < capture->locations.nr; i++) {
		uint32_t function = naming->of_location[i];
		enum origin is =
			function == FUNCTION_NONE ? ORIGIN_UNKNOWN : naming->list[function].origin;

		marks->places[i] = is == origin;
	}
}

void frame_marks_release(struct frame_marks *marks)
{
	free(marks->places);
	free(marks->stacks);
	*marks = (struct frame_marks){0};
}

bool frame_marks_hold(const struct frame_marks *marks, uint32_t callers, uint32_t leaf)
{
	if (leaf == UINT32_MAX)
		return marks->holds_empty || marks->stacks[callers];
	return marks->stacks[callers] || marks->places[leaf];
}
