/* lookup.c - what is at a runtime address: the module's file, the address in it, and the rule */
#include "unwind/lookup.h"

#include "base/mem.h"
#include "model/capture.h"
#include "model/spaces.h"
#include "unwind/cursor.h"

/* 2^64 over the golden ratio: its products differ in their high bits. */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

#define HASH_BITS 13

_Static_assert(LOOKUP_CACHE == 1 << HASH_BITS, "the high bits of the hash are the index");

void lookup_init(struct lookup *lookup, struct unwind_files *files)
{
	*lookup = (struct lookup){
		.files = files,
		.cache = mem_zalloc(LOOKUP_CACHE, sizeof(*lookup->cache)),
	};
}

void lookup_release(struct lookup *lookup)
{
	free(lookup->cache);
	*lookup = (struct lookup){0};
}

/* The mapping's own offset says which of two segments it is of. */
static bool find_vaddr(const struct unwind_file *file, const struct space_map *map, uint64_t ip,
		       uint64_t *ret)
{
	return elf_file_address(file->elf, ip - map->begin + map->offset, map->offset, ret);
}

static bool is_trampoline(const struct unwind_file *file, const struct cursor_machine *machine,
			  uint64_t vaddr)
{
	size_t left;
	const unsigned char *code = elf_file_at(file->elf, vaddr, &left);

	return code && machine->is_trampoline(code, left);
}

static void fill(struct lookup *lookup, const struct capture *capture, struct space *space,
		 const struct cursor_machine *machine, struct lookup_place *place)
{
	const struct space_map *map = spaces_find(space, place->address);
	struct unwind_file *file;

	place->file = NULL;
	place->flags = 0;
	place->rule = (struct rule){.kind = RULE_NO_FDE};
	if (!map)
		return;
	file = unwind_files_get(lookup->files, capture, map->module, map->offset);
	place->file = file;
	if (file->is_missing || file->has_none || file->elf->machine != machine->elf_machine ||
	    !find_vaddr(file, map, place->address, &place->vaddr))
		return;
	place->flags = LOOKUP_HAS_VADDR;
	place->rule = *rules_find(file->rules, place->vaddr);
	if (is_trampoline(file, machine, place->vaddr + place->is_behind))
		place->flags |= LOOKUP_TRAMPOLINE;
}

const struct lookup_place *lookup_find(struct lookup *lookup, const struct capture *capture,
				       struct space *space, const struct cursor_machine *machine,
				       uint64_t ip, bool is_exact)
{
	uint64_t address = is_exact ? ip : ip - 1;
	struct lookup_place *place =
		&lookup->cache[(address ^ space->version << 40) * GOLDEN >> (64 - HASH_BITS)];

	if (place->address != address || place->version != space->version ||
	    place->is_behind == is_exact) {
		place->address = address;
		place->version = space->version;
		place->is_behind = !is_exact;
		fill(lookup, capture, space, machine, place);
	}
	return place->file ? place : NULL;
}

enum lookup_answer lookup_is_return(struct lookup *lookup, const struct capture *capture,
				    struct space *space, uint64_t ip)
{
	const struct space_map *map = ip ? spaces_find(space, ip - 1) : NULL;
	const struct unwind_file *file;
	uint64_t vaddr;

	if (!map)
		return LOOKUP_NO;
	file = unwind_files_get(lookup->files, capture, map->module, map->offset);
	if (file->has_none)
		return capture->modules.list[map->module].origin == ORIGIN_JIT ? LOOKUP_UNTESTED
									       : LOOKUP_NO;
	/* a debug file has no code to look at */
	if (file->is_missing || elf_file_is_debug_only(file->elf))
		return LOOKUP_LACKS_FILE;
	return find_vaddr(file, map, ip - 1, &vaddr) && unwind_file_is_behind_call(file, vaddr + 1)
		       ? LOOKUP_YES
		       : LOOKUP_NO;
}
