/* embed_functions.c - the functions of a whole tree, as a picture tells them */
#include "commands/embed_functions.h"

#include "analysis/calltree.h"
#include "analysis/naming.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/flame_frames.h"
#include "commands/frame_words.h"
#include "model/capture.h"
#include "model/function_places.h"

#define LINE_SIZE 8 /* of a function's line beside its texts */

/* A function whose name is doubted for another one's sake. */
struct pair {
	uint32_t function, doubted, number;
};

struct embed_functions {
	const struct naming *naming;
	const struct flame_paints *paints;
	struct flame_function *list;
	uint32_t *ids; /* per number: of the naming */
	uint32_t nr;
	size_t list_alloc, ids_alloc;
	uint32_t root;	       /* number of "all" and one more, 0: not yet */
	uint32_t *of_function; /* number of a function with none or its own doubt, and one more */
	struct pair *pairs;
	uint32_t pairs_nr;
	size_t pairs_alloc;
	struct map map;	 /* pairs */
	char **statuses; /* owned: words made for pairs */
	size_t statuses_nr, statuses_alloc;
	char **places; /* per function of the naming */
	size_t size;
};

/*
 * Are single places told apart? Then names say the line, and of a profile only the places of
 * selected samples are read: what all lines of a function are is not known.
 */
static bool has_lines(const struct naming *naming)
{
	return naming->options.flags & NAMING_SOURCE_LINES ||
	       naming->options.unknown == NAMING_UNKNOWN_ADDRESS;
}

struct embed_functions *embed_functions_new(const struct naming *naming,
					    const struct flame_paints *paints)
{
	struct embed_functions *functions = mem_zalloc(1, sizeof(*functions));

	functions->naming = naming;
	functions->paints = paints;
	functions->of_function = mem_zalloc(naming->nr, sizeof(*functions->of_function));
	if (!has_lines(naming))
		functions->places =
			function_places_find(naming->capture, naming->of_location, naming->nr);
	return functions;
}

void embed_functions_free(struct embed_functions *functions)
{
	if (!functions)
		return;
	function_places_free(functions->places, functions->naming->nr);
	for (size_t i = 0; i < functions->statuses_nr; i++)
		free(functions->statuses[i]);
	free(functions->statuses);
	free(functions->list);
	free(functions->ids);
	free(functions->of_function);
	free(functions->pairs);
	map_release(&functions->map);
	free(functions);
}

static const char *status_words(struct embed_functions *functions, uint32_t function,
				uint32_t doubted)
{
	struct text text = TEXT_INIT;

	frame_words_add_doubt(functions->naming, function, doubted, &text);
	if (!text.size)
		return NULL;
	GROW(functions->statuses, functions->statuses_nr + 1, functions->statuses_alloc);
	return functions->statuses[functions->statuses_nr++] = text_take(&text);
}

static struct flame_function *add_one(struct embed_functions *functions, uint32_t id)
{
	GROW(functions->list, (size_t)functions->nr + 1, functions->list_alloc);
	GROW(functions->ids, (size_t)functions->nr + 1, functions->ids_alloc);
	functions->ids[functions->nr] = id;
	return &functions->list[functions->nr++];
}

static uint32_t add(struct embed_functions *functions, uint32_t id, uint32_t doubted)
{
	const struct naming *naming = functions->naming;
	const struct capture *capture = naming->capture;
	const struct function *function = &naming->list[id];
	struct flame_function *added = add_one(functions, id);

	*added = (struct flame_function){
		.name = names_display(&capture->names, function->name),
		.origin = frame_words_origin(function),
		.place = functions->places ? functions->places[id] : NULL,
		.status = status_words(functions, id, doubted),
		.paint = functions->paints->of[id],
		.mark = doubted == FUNCTION_NONE
				? HATCH_NONE
				: flame_frames_mark(capture, &naming->list[doubted]),
	};
	if (function->module != MODULE_NONE)
		added->module = names_display(&capture->names,
					      capture->modules.list[function->module].basename);
	functions->size += names_get(&capture->names, function->name)->display_size + LINE_SIZE;
	return functions->nr - 1;
}

static uint32_t add_root(struct embed_functions *functions)
{
	if (!functions->root) {
		*add_one(functions, FUNCTION_NONE) =
			(struct flame_function){.name = "all", .paint = PAINT_ROOT};
		functions->root = functions->nr;
	}
	return functions->root - 1;
}

struct key {
	const struct embed_functions *functions;
	uint32_t pair[2];
};

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;
	const struct pair *pair = &key->functions->pairs[id];

	return pair->function == key->pair[0] && pair->doubted == key->pair[1];
}

static uint32_t add_pair(struct embed_functions *functions, const struct calltree_node *node)
{
	struct key key = {functions, {node->function, node->doubted}};
	uint32_t hash = map_hash(key.pair, sizeof(key.pair));
	struct map_slot *slot;

	map_grow(&functions->map);
	slot = map_find(&functions->map, hash, is_same, &key);
	if (slot->id != MAP_NONE)
		return functions->pairs[slot->id].number;
	map_fill(&functions->map, slot, hash, functions->pairs_nr);
	GROW(functions->pairs, (size_t)functions->pairs_nr + 1, functions->pairs_alloc);
	functions->pairs[functions->pairs_nr++] = (struct pair){
		node->function, node->doubted, add(functions, node->function, node->doubted)};
	return functions->nr - 1;
}

uint32_t embed_functions_add(struct embed_functions *functions, const struct calltree_node *node)
{
	if (node->function == FUNCTION_NONE)
		return add_root(functions);
	if (node->doubted != FUNCTION_NONE && node->doubted != node->function)
		return add_pair(functions, node);
	return embed_functions_number(functions, node->function, node->doubted != FUNCTION_NONE);
}

uint32_t embed_functions_number(struct embed_functions *functions, uint32_t function,
				bool is_doubted)
{
	uint32_t *number = &functions->of_function[function];

	if (!*number)
		*number = add(functions, function, is_doubted ? function : FUNCTION_NONE) + 1;
	return *number - 1;
}

const uint32_t *embed_functions_numbers(const struct embed_functions *functions)
{
	return functions->of_function;
}

uint32_t embed_functions_of(const struct embed_functions *functions, uint32_t number)
{
	return functions->ids[number];
}

const struct flame_function *embed_functions_list(const struct embed_functions *functions)
{
	return functions->list;
}

uint32_t embed_functions_nr(const struct embed_functions *functions)
{
	return functions->nr;
}

size_t embed_functions_size(const struct embed_functions *functions)
{
	return functions->size;
}
