/* flame_paints.h - what colours say in a picture: origin, name, module, status or own weight */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "renderers/palette.h"

struct naming;
struct profile;

enum flame_paint_by {
	FLAME_PAINT_BY_AUTO, /* by origin where the input says it, else by name */
	FLAME_PAINT_BY_ORIGIN,
	FLAME_PAINT_BY_NAME,
	FLAME_PAINT_BY_MODULE,
	FLAME_PAINT_BY_STATUS,
	FLAME_PAINT_BY_SELF,
};

/* A paint for each function of a profile. */
struct flame_paints {
	const struct naming *naming; /* borrowed */
	enum flame_paint_by by;
	enum paint *of; /* owned, per function */
	uint64_t seen, seen_origins;
	/* Legend texts, NULL: the palette's own. They are borrowed from the profile, or static. */
	const char *words[PAINT_NR];
};

/*
 * Folded stacks of most tools do not say where code comes from. Where at least half of what is
 * drawn has no origin, a picture by origin is a grey one: unless it was asked for, names give
 * the colours. Say what is drawn, FUNCTION_NONE too, before asking.
 */
void flame_paints_see(struct flame_paints *paints, uint32_t function);
bool flame_paints_are_by_name(const struct flame_paints *paints);

/* The profile's paths are those that are drawn. */
void flame_paints_init(struct flame_paints *paints, const struct profile *profile,
		       enum flame_paint_by by);
void flame_paints_release(struct flame_paints *paints);
