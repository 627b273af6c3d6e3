/* places.c - the places of a capture that want a name, module by module */
#include "symbols/places.h"

#include "base/mem.h"
#include "model/capture.h"

void places_release(struct places *places)
{
	free(places->locations);
	free(places->addresses);
	free(places->modules);
	*places = (struct places){0};
}

static bool wants_name(const struct location *location)
{
	return location->name == NAME_NONE && location->module != MODULE_NONE &&
	       location->flags & LOCATION_HAS_ADDRESS;
}

static int compare(const void *a, const void *b, void *capture_of)
{
	const struct locations *locations = &((const struct capture *)capture_of)->locations;
	uint32_t ids[2] = {*(const uint32_t *)a, *(const uint32_t *)b};
	const struct location *x = locations_get(locations, ids[0]);
	const struct location *y = locations_get(locations, ids[1]);

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return ids[0] < ids[1] ? -1 : ids[0] > ids[1];
}

static void add_to_module(struct places *places, uint32_t module, size_t at)
{
	struct places_module *last = places->modules + places->modules_nr;

	if (!places->modules_nr || last[-1].module != module) {
		GROW(places->modules, (size_t)places->modules_nr + 1, places->modules_alloc);
		last = &places->modules[places->modules_nr++];
		*last = (struct places_module){.module = module, .first = at};
		last++;
	}
	last[-1].nr++;
}

void places_find(struct places *places, const struct capture *capture)
{
	const struct locations *locations = &capture->locations;

	*places = (struct places){0};
	places->locations = mem_alloc(locations->nr * sizeof(*places->locations));
	for (uint32_t i = 0; i < locations->nr; i++)
		if (wants_name(locations_get(locations, i)))
			places->locations[places->nr++] = i;
	qsort_r(places->locations, places->nr, sizeof(*places->locations), compare,
		(void *)(uintptr_t)capture);
	places->addresses = mem_alloc(places->nr * sizeof(*places->addresses));
	for (size_t i = 0; i < places->nr; i++) {
		const struct location *location = locations_get(locations, places->locations[i]);

		places->addresses[i] = (struct module_address){
			.offset = location->address,
			.is_return = location->flags & LOCATION_RETURN,
		};
		add_to_module(places, location->module, i);
	}
}

uint64_t *places_returns(const struct places *places, const struct places_module *module,
			 const struct unwindings *unwound, size_t *ret_nr)
{
	uint64_t *returns = mem_alloc(module->nr * sizeof(*returns));
	size_t nr = 0;

	for (size_t i = module->first; i < module->first + module->nr; i++) {
		const struct module_address *address = &places->addresses[i];

		if (unwound && !unwindings_led_to(unwound, places->locations[i]))
			continue;
		if (address->is_return && (!nr || returns[nr - 1] != address->offset))
			returns[nr++] = address->offset;
	}
	*ret_nr = nr;
	return returns;
}
