/* naming.c - what a location is called: its function, once per distinct location */
#include "analysis/naming.h"

#include <inttypes.h>

#include "analysis/tidy.h"
#include "analysis/trust.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "model/sink.h"
#include "model/tally.h"

struct key {
	const struct naming *naming;
	const struct function *function;
};

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;
	const struct function *a = &key->naming->list[id], *b = key->function;

	return a->name == b->name && a->module == b->module && a->kind == b->kind &&
	       a->is_unnamed == b->is_unnamed && a->origin == b->origin;
}

static uint32_t add(struct naming *naming, const struct function *function)
{
	uint32_t fields[3] = {function->name, function->module,
			      function->origin << 8 | function->kind << 1 | function->is_unnamed};
	uint32_t hash = map_hash(fields, sizeof(fields));
	struct map_slot *slot;

	map_grow(&naming->map);
	slot = map_find(&naming->map, hash, is_same, &(struct key){naming, function});
	if (slot->id != MAP_NONE)
		return slot->id;
	map_fill(&naming->map, slot, hash, naming->nr);
	GROW(naming->list, (size_t)naming->nr + 1, naming->list_alloc);
	naming->list[naming->nr] = *function;
	return naming->nr++;
}

int naming_compare_modules(const struct naming *naming, uint32_t a, uint32_t b)
{
	const struct capture *capture = naming->capture;
	uint32_t x = naming->list[a].module, y = naming->list[b].module;

	if (x == y)
		return (int)naming->list[a].is_unnamed - (int)naming->list[b].is_unnamed;
	if (x == MODULE_NONE || y == MODULE_NONE)
		return x == MODULE_NONE ? -1 : 1;
	return names_compare(&capture->names, capture->modules.list[x].path,
			     capture->modules.list[y].path);
}

static void add_symbol(struct text *text, const struct naming *naming, const struct name *name)
{
	size_t size = name->size;

	if (naming->options.tidy == NAMING_TIDY_HASHES)
		size = tidy_rust_size(name->bytes, size);
	if (naming->options.tidy)
		tidy_add(text, name->bytes, size);
	else
		text_add_bytes(text, name->bytes, size);
}

static void add_unknown(struct text *text, const struct naming *naming,
			const struct location *location, const struct module *module)
{
	const struct names *names = &naming->capture->names;
	const char *base = module ? names_get(names, module->basename)->bytes : "unknown";

	if (naming->options.unknown == NAMING_UNKNOWN_ADDRESS &&
	    location->flags & LOCATION_HAS_ADDRESS)
		text_addf(text, "%s+0x%" PRIx64, base, location->address);
	else
		text_addf(text, "[%s]", base);
}

static bool ends_with(const struct text *text, const char *end)
{
	size_t size = strlen(end);

	return text->size >= size && memcmp(text->bytes + text->size - size, end, size) == 0;
}

/* The user's word alone stands behind this name. */
static bool is_forced(const struct module *module)
{
	return module && module->status == MODULE_FORCED;
}

static void add_annotation(struct text *text, const struct naming *naming,
			   const struct location *location, enum origin origin)
{
	unsigned flags = naming->options.flags;
	const char *mark = NULL;

	if (flags & NAMING_ANNOTATE_INLINED && location->flags & LOCATION_INLINED)
		mark = "_[i]";
	else if (flags & NAMING_ANNOTATE_KERNEL && origin == ORIGIN_KERNEL)
		mark = "_[k]";
	else if (flags & NAMING_ANNOTATE_JIT && origin == ORIGIN_JIT)
		mark = "_[j]";
	if (mark && !ends_with(text, mark))
		text_add(text, mark);
}

static const struct module *module_of(const struct naming *naming, const struct location *location)
{
	if (location->module == MODULE_NONE)
		return NULL;
	return &naming->capture->modules.list[location->module];
}

static enum origin origin_of(const struct location *location, const struct module *module)
{
	unsigned origin = location->flags >> LOCATION_ORIGIN_SHIFT;

	if (origin)
		return (enum origin)origin;
	return module ? module->origin : ORIGIN_UNKNOWN;
}

static uint32_t name_location(struct naming *naming, const struct location *location,
			      struct text *text)
{
	struct capture *capture = naming->capture;
	const struct module *module = module_of(naming, location);
	struct function function = {
		.origin = origin_of(location, module),
		.kind = FUNCTION_CODE,
		.module = location->module,
	};

	text_clear(text);
	if (location->name != NAME_NONE)
		add_symbol(text, naming, names_get(&capture->names, location->name));
	else
		add_unknown(text, naming, location, module);
	function.is_unnamed = location->name == NAME_NONE;
	if (location->name != NAME_NONE && is_forced(module))
		text_add(text, " [other build]");
	add_annotation(text, naming, location, function.origin);
	if (naming->options.flags & NAMING_SOURCE_LINES && location->line != NAME_NONE &&
	    (location->name != NAME_NONE || module))
		text_addf(text, ":%s", names_get(&capture->names, location->line)->bytes);
	if (naming->options.flags & NAMING_MASK) {
		struct text whole = *text;

		*text = (struct text)TEXT_INIT;
		tidy_add_masked(text, text_string(&whole), whole.size);
		text_release(&whole);
	}
	function.name = names_add(&capture->names, text_string(text), text->size);
	return add(naming, &function);
}

/* Nothing but its own name makes a location's name: no text has to be built. */
static bool is_plain(const struct naming *naming, const struct location *location)
{
	const unsigned changing = NAMING_SOURCE_LINES | NAMING_MASK | NAMING_ANNOTATE_KERNEL |
				  NAMING_ANNOTATE_JIT | NAMING_ANNOTATE_INLINED;

	return location->name != NAME_NONE && !naming->options.tidy &&
	       !is_forced(module_of(naming, location)) && !(naming->options.flags & changing);
}

static uint32_t name_plain(struct naming *naming, const struct location *location)
{
	const struct module *module = module_of(naming, location);
	struct function function = {
		.name = location->name,
		.kind = FUNCTION_CODE,
		.module = location->module,
		.origin = origin_of(location, module),
	};

	return add(naming, &function);
}

/* Places are what their frames are. */
static void name_places(struct naming *naming)
{
	const struct frames *frames = &naming->capture->frames;

	for (uint32_t i = 0; i < frames->locations_nr; i++) {
		uint32_t nr;
		const struct frame *list = frames_of(frames, i, &nr);

		if (!nr)
			continue;
		naming->of_location[i] = naming->of_location[list[nr - 1].function];
		naming->has_chains |= nr > 1;
	}
}

void naming_init(struct naming *naming, struct capture *capture,
		 const struct naming_options *options)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct locations *locations = &capture->locations;
	bool is_address =
		options->unknown == NAMING_UNKNOWN_ADDRESS || options->flags & NAMING_SOURCE_LINES;

	*naming =
		(struct naming){.capture = capture, .options = *options, .no_stack = FUNCTION_NONE};
	naming->of_location = mem_alloc(locations->nr * sizeof(*naming->of_location));
	for (uint32_t i = 0; i < locations->nr; i++) {
		const struct location *location = locations_get(locations, i);
		uint32_t symbol = locations_symbol(locations, i);

		if (options->flags & NAMING_NO_INLINED && location->flags & LOCATION_INLINED)
			naming->of_location[i] = FUNCTION_NONE;
		else if (!is_address && symbol < i)
			naming->of_location[i] = naming->of_location[symbol];
		else if (is_plain(naming, location))
			naming->of_location[i] = name_plain(naming, location);
		else
			naming->of_location[i] = name_location(naming, location, &text);
	}
	name_places(naming);
}

void naming_release(struct naming *naming)
{
	free(naming->list);
	free(naming->of_location);
	map_release(&naming->map);
	*naming = (struct naming){0};
}

/* Is there any comm in the capture? Where there is, a thread without one has an empty name. */
static bool has_comms(const struct capture *capture)
{
	for (uint32_t i = 0; i < capture->tasks.nr; i++)
		if (capture->tasks.list[i].comm != NAME_NONE)
			return true;
	return false;
}

static void add_id(struct text *text, char before, int32_t id)
{
	if (before)
		text_add_char(text, before);
	if (id == TASK_ID_NONE)
		text_add_char(text, '?');
	else
		text_addf(text, "%" PRId32, id);
}

static void add_comm(struct text *text, const struct naming *naming, uint32_t comm)
{
	const struct name *name = names_get(&naming->capture->names, comm);

	for (uint32_t i = 0; i < name->size; i++)
		text_add_char(text,
			      naming->options.tidy && name->bytes[i] == ' ' ? '_' : name->bytes[i]);
}

static uint32_t root_named(struct naming *naming, const struct text *text)
{
	struct function function = {
		.name = names_add(&naming->capture->names, text_string(text), text->size),
		.origin = ORIGIN_UNKNOWN,
		.kind = FUNCTION_ROOT,
		.module = MODULE_NONE,
	};

	return add(naming, &function);
}

uint32_t naming_root(struct naming *naming, const struct tally_root *root)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	if (root->cpu != CPU_NONE) {
		text_addf(&text, "cpu %" PRId32, root->cpu);
		return root_named(naming, &text);
	}
	if (root->comm != NAME_NONE)
		add_comm(&text, naming, root->comm);
	else if (root->is_named && has_comms(naming->capture))
		text_add(&text, "[no name]");
	if (root->has_pid)
		add_id(&text, '-', root->pid);
	if (root->has_tid)
		add_id(&text, '/', root->tid);
	return text.size ? root_named(naming, &text) : FUNCTION_NONE;
}

uint32_t naming_no_stack(struct naming *naming)
{
	struct function function = {
		.name = names_add_string(&naming->capture->names, "[no stack]"),
		.origin = ORIGIN_UNKNOWN,
		.kind = FUNCTION_CODE,
		.module = MODULE_NONE,
	};

	naming->no_stack = add(naming, &function);
	return naming->no_stack;
}

uint32_t naming_module(struct naming *naming, uint32_t function)
{
	const struct capture *capture = naming->capture;
	struct function module = {
		.module = naming->list[function].module,
		.origin = naming->list[function].origin,
		.kind = FUNCTION_MODULE,
	};

	if (function == naming->no_stack)
		return function;
	if (module.module == MODULE_NONE)
		module.name = names_add_string(&naming->capture->names, "[no module]");
	else
		module.name = capture->modules.list[module.module].basename;
	return add(naming, &module);
}

/* The module and origin of a chain; see naming_chain(). */
static void describe_chain(const struct naming *naming, const uint32_t *functions, uint32_t nr,
			   struct function *chain)
{
	bool is_doubted = trust_grade(naming->capture, chain) != TRUST_SHOWN;

	for (uint32_t i = 1; i < nr; i++) {
		const struct function *function = &naming->list[functions[i]];

		if (function->origin != chain->origin)
			chain->origin = ORIGIN_UNKNOWN;
		if (is_doubted)
			continue;
		is_doubted = trust_grade(naming->capture, function) != TRUST_SHOWN;
		if (is_doubted) {
			chain->module = function->module;
			chain->is_unnamed = function->is_unnamed;
		} else if (function->module != chain->module) {
			chain->module = MODULE_NONE;
		}
	}
}

uint32_t naming_chain(struct naming *naming, const uint32_t *functions, uint32_t nr)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct names *names = &naming->capture->names;
	struct function chain = naming->list[functions[0]];

	if (nr == 1)
		return functions[0];
	describe_chain(naming, functions, nr, &chain);
	text_addf(&text, "%s … %s (%" PRIu32 " frames)", names_get(names, chain.name)->bytes,
		  names_get(names, naming->list[functions[nr - 1]].name)->bytes, nr);
	chain.name = names_add(names, text_string(&text), text.size);
	return add(naming, &chain);
}

/* ---- functions of another capture */

static uint32_t adopt_name(struct naming *naming, const struct capture *from, uint32_t name)
{
	const struct name *bytes;

	if (name == NAME_NONE)
		return NAME_NONE;
	bytes = names_get(&from->names, name);
	return names_add(&naming->capture->names, bytes->bytes, bytes->size);
}

static uint32_t adopt_module(struct naming *naming, const struct capture *from, uint32_t id)
{
	struct capture *capture = naming->capture;
	const struct module *module = &from->modules.list[id];
	uint32_t path = adopt_name(naming, from, module->path);
	uint32_t build_id = adopt_name(naming, from, module->build_id);
	uint32_t nr = capture->modules.nr;
	uint32_t ret = modules_add_build(&capture->modules, &capture->names, path, build_id);

	if (ret == nr) {
		capture->modules.list[ret].origin = module->origin;
		capture->modules.list[ret].id_source = module->id_source;
		capture->modules.list[ret].status = module->status;
		capture->modules.list[ret].file = adopt_name(naming, from, module->file);
		capture->modules.list[ret].detail = adopt_name(naming, from, module->detail);
	}
	return ret;
}

uint32_t *naming_adopt(struct naming *naming, const struct naming *from)
{
	uint32_t *ret = mem_alloc(from->nr * sizeof(*ret));
	uint32_t *module_of = mem_alloc(from->capture->modules.nr * sizeof(*module_of));

	for (uint32_t i = 0; i < from->capture->modules.nr; i++)
		module_of[i] = adopt_module(naming, from->capture, i);
	for (uint32_t i = 0; i < from->nr; i++) {
		struct function function = from->list[i];

		function.name = adopt_name(naming, from->capture, function.name);
		if (function.module != MODULE_NONE)
			function.module = module_of[function.module];
		ret[i] = add(naming, &function);
	}
	free(module_of);
	return ret;
}
