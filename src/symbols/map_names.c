/* map_names.c - code that a runtime made, named by the perf-PID.map that it wrote */
#include "symbols/map_names.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "symbols/answer.h"
#include "symbols/beside.h"
#include "symbols/demangle.h"
#include "symbols/perf_map.h"
#include "symbols/places.h"
#include "symbols/symbolizer.h"

static bool is_map(const char *base)
{
	size_t size = strlen(base);

	return strncmp(base, "perf-", 5) == 0 && size > 9 && strcmp(base + size - 4, ".map") == 0;
}

static void name_place(const struct perf_map *map, uint64_t address, struct text *text,
		       struct answer *ret)
{
	const struct perf_map_symbol *symbol = perf_map_find(map, address);
	struct answer_frame frame = {.file = NAME_NONE, .source = ANSWER_JIT};

	if (!symbol)
		return;
	text_clear(text);
	demangle_display(perf_map_name(map, symbol), text);
	frame.raw_name = names_add_string(&ret->names, perf_map_name(map, symbol));
	frame.name = names_add(&ret->names, text_string(text), text->size);
	answer_add(ret, &frame);
}

static void name_places(const struct perf_map *map, const struct places *places,
			const struct places_module *at, struct answer *ret)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	for (size_t i = at->first; i < at->first + at->nr; i++) {
		const struct module_address *address = &places->addresses[i];

		name_place(map, address->offset - address->is_return, &text, ret);
		answer_end_address(ret);
	}
}

bool map_names_find(struct capture *capture, const struct symbolizer_options *options,
		    const struct places *places, const struct places_module *at, struct answer *ret)
{
	struct module *module = &capture->modules.list[at->module];
	const char *path = names_get(&capture->names, module->path)->bytes;
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	CLEANUP(text_release) struct text file = TEXT_INIT;
	struct perf_map map;
	struct error *err;

	if (!is_map(base))
		return false;
	module->status = MODULE_MISSING;
	if (!beside_find_map(options, base, &file))
		return true;
	err = perf_map_read(&map, text_string(&file));
	if (err) {
		module->status = MODULE_UNSUPPORTED;
		module->detail = names_add_string(&capture->names, error_text(err));
		error_free(err);
		return true;
	}
	module->status = MODULE_UNVERIFIED;
	module->file = names_add_string(&capture->names, text_string(&file));
	module->detail = names_add_string(
		&capture->names, "a map of the runtime's last state; it has no times and no ID");
	name_places(&map, places, at, ret);
	perf_map_release(&map);
	return true;
}
