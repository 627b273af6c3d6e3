/* places.h - the places of a capture that want a name, module by module */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "symbols/module_names.h"

struct capture;
struct unwindings;

/* Places of one module: places->list[first] and those behind it, by address. */
struct places_module {
	uint32_t module;
	size_t first;
	uint32_t nr;
};

struct places {
	uint32_t *locations;		  /* ids */
	struct module_address *addresses; /* of the same */
	size_t nr;
	struct places_module *modules; /* by module id */
	uint32_t modules_nr;
	size_t modules_alloc;
};

/* Those with a module and an address and without a name. */
void places_find(struct places *places, const struct capture *capture);
void places_release(struct places *places);

/*
 * The distinct return addresses of a module, rising: an array of *ret_nr, which the caller
 * frees. With `unwound` only those that CFI led to, of all those that frame pointers did, too.
 */
uint64_t *places_returns(const struct places *places, const struct places_module *module,
			 const struct unwindings *unwound, size_t *ret_nr);
