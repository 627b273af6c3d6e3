/* path_filter.h - which frames are looked for or left out, by their names */
#pragma once

#include <stdbool.h>

struct naming;
struct path_filter;

enum frame_flags {
	FRAME_HIDDEN = 1 << 0,
	FRAME_FOCUS = 1 << 1,
	FRAME_IGNORE = 1 << 2,
	FRAME_IDLE = 1 << 3,
};

/* Is there any expression? --no-idle is none. */
bool path_filter_is_any(const struct path_filter *filter);

/* Per function enum frame_flags: each name is matched once, however often it occurs. The caller's.
 */
unsigned char *path_filter_flags(const struct path_filter *filter, const struct naming *naming);
