/* locations.h - places in code: where a frame's address is, and what it was called */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

#define LOCATION_NONE UINT32_MAX

enum location_flags {
	LOCATION_INLINED = 1 << 0, /* inlined into the frame outside of it */
	LOCATION_HAS_ADDRESS = 1 << 1,
	LOCATION_RETURN = 1 << 2,	/* a return address: the call is in front of it */
	LOCATION_LACKS_CALLER = 1 << 3, /* a function, where it had set up no frame; see walked.h */

	/* From here on an enum origin: where its source says that it comes from; 0: as its module.
	 */
	LOCATION_ORIGIN_SHIFT = 8,
};

/* All fields are part of its identity. */
struct location {
	uint64_t address; /* as the capture writes it */
	uint32_t name;	  /* symbol, NAME_NONE where the capture had none */
	uint32_t module;  /* MODULE_NONE where the capture had none */
	uint32_t line;	  /* name id of "file.c:12", NAME_NONE where not known */
	uint32_t flags;	  /* enum location_flags */
};

struct locations {
	struct location *list;
	uint32_t *symbols; /* see locations_symbol() */
	uint32_t nr;
	uint32_t named_nr; /* that have a name: in perf.data few do until names are looked for */
	size_t list_alloc, symbols_alloc;
	struct map map, symbol_map;
};

void locations_release(struct locations *locations);
uint32_t locations_add(struct locations *locations, const struct location *location);

/* The same without looking whether it is there already: for one that cannot be. */
uint32_t locations_add_new(struct locations *locations, const struct location *location);

/*
 * Another address of a location that is its own symbol (see locations_symbol()), without
 * looking whether it is there already: for one that can hardly be.
 */
uint32_t locations_append(struct locations *locations, uint32_t symbol, uint64_t address);

static inline const struct location *locations_get(const struct locations *locations, uint32_t id)
{
	return &locations->list[id];
}

/*
 * The first location with the same name, module and flags: what a leaf is counted under
 * where its address and line do not matter. In real recordings most whole stacks differ
 * in their leaf's address alone.
 */
static inline uint32_t locations_symbol(const struct locations *locations, uint32_t id)
{
	return locations->symbols[id];
}
