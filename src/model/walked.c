/* walked.c - who walked the call chains that a capture holds, and what their frames are from */
#include "model/walked.h"

#include "model/capture.h"

const char *walked_by_word(enum walked_by by)
{
	static const char *const words[WALKED_BY_NR] = {
		[WALKED_FRAME_POINTERS] = "frame-pointers",
		[WALKED_DUMPS] = "stack-dumps",
		[WALKED_BRANCHES] = "last-branches",
	};

	return words[by];
}

enum found_by walked_found_by(const struct capture *capture, uint32_t event, uint32_t id,
			      bool is_leaf)
{
	enum walked_by by = capture->events.list[event].walked_by;
	const struct location *location = locations_get(&capture->locations, id);

	if (by == WALKED_UNKNOWN)
		return FOUND_BY_NR;
	if (location->module != MODULE_NONE &&
	    capture->modules.list[location->module].origin == ORIGIN_KERNEL)
		return FOUND_KERNEL_CHAIN;
	if (is_leaf)
		return FOUND_LEAF;
	if (location->flags & LOCATION_RETURN)
		return FOUND_USER_CHAIN;
	/* a branch's source is the call itself; elsewhere that is what the kernel interrupted */
	return by == WALKED_BRANCHES ? FOUND_LBR : FOUND_LEAF;
}

bool walked_lacks_caller(const struct capture *capture, uint32_t location)
{
	const struct locations *locations = &capture->locations;
	uint32_t nr;
	const struct frame *frames = frames_of(&capture->frames, location, &nr);

	if (nr)
		location = frames[0].function;
	return locations_get(locations, location)->flags & LOCATION_LACKS_CALLER;
}

bool walked_has_lacking(const struct capture *capture)
{
	for (uint32_t i = 0; i < capture->locations.nr; i++)
		if (locations_get(&capture->locations, i)->flags & LOCATION_LACKS_CALLER)
			return true;
	return false;
}

bool walked_chain_lacks_caller(const struct capture *capture, uint32_t event,
			       const uint32_t *locations, uint32_t nr)
{
	if (capture->events.list[event].walked_by != WALKED_FRAME_POINTERS)
		return false;
	for (uint32_t i = 0; i < nr; i++)
		if (walked_lacks_caller(capture, locations[i]))
			return true;
	return false;
}
