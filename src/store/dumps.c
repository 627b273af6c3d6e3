/* dumps.c - registers and stacks that wait for a file, in tables dump and dump_space */
#include "store/dumps.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pack.h"
#include "base/unpack.h"
#include "store/replay_names.h"
#include "store/store.h"
#include "store/value.h"

/* ---- writing */

void store_dumps_release(struct store_dumps *dumps)
{
	sqlite3_finalize(dumps->insert);
	sqlite3_finalize(dumps->insert_space);
	pack_free(dumps->pack);
	text_release(&dumps->text);
	free(dumps->versions);
	map_release(&dumps->map);
}

static struct error *begin(struct store_dumps *dumps)
{
	struct error *err;

	if (dumps->pack)
		return NULL;
	dumps->pack = pack_new();
	dumps->first_space = dumps->next_space;
	err = store_prepare(dumps->store, "INSERT INTO dump VALUES (?, ?, ?, ?, ?, ?, ?)",
			    &dumps->insert);
	return err ? err
		   : store_prepare(dumps->store, "INSERT INTO dump_space VALUES (?, ?, ?)",
				   &dumps->insert_space);
}

/* A line a mapping, by address: "55d0c000-55d0f000 2000 17", hexadecimal but the module's id. */
static void add_maps(const struct store_dumps *dumps, const struct space *space, struct text *text)
{
	for (size_t i = 0; space->maps && i < space->maps->nr; i++) {
		const struct space_map *map = &space->maps->list[i];

		text_addf(text, "%" PRIx64 "-%" PRIx64 " %" PRIx64 " %" PRId64 "\n", map->begin,
			  map->end, map->offset, dumps->module + map->module);
	}
}

struct key {
	const struct store_dumps *dumps;
	uint64_t version;
};

static bool is_same(const void *key_of, uint32_t id)
{
	const struct key *key = key_of;

	return key->dumps->versions[id] == key->version;
}

/* A space is written once, as long as its maps are the same. */
static struct error *add_space(struct store_dumps *dumps, const struct space *space, int64_t *ret)
{
	uint32_t hash = map_hash(&space->version, sizeof(space->version));
	struct map_slot *slot;

	map_grow(&dumps->map);
	slot = map_find(&dumps->map, hash, is_same, &(struct key){dumps, space->version});
	if (slot->id != MAP_NONE) {
		*ret = dumps->first_space + slot->id;
		return NULL;
	}
	map_fill(&dumps->map, slot, hash, dumps->versions_nr);
	GROW(dumps->versions, (size_t)dumps->versions_nr + 1, dumps->versions_alloc);
	dumps->versions[dumps->versions_nr++] = space->version;
	*ret = dumps->next_space++;
	text_clear(&dumps->text);
	add_maps(dumps, space, &dumps->text);
	sqlite3_bind_int64(dumps->insert_space, 1, *ret);
	sqlite3_bind_int64(dumps->insert_space, 2, dumps->capture);
	sqlite3_bind_text(dumps->insert_space, 3, text_string(&dumps->text), (int)dumps->text.size,
			  SQLITE_STATIC);
	return store_step(dumps->store, dumps->insert_space);
}

struct error *store_dumps_add(struct store_dumps *dumps, const struct sample_user *user,
			      int64_t *ret_id)
{
	int64_t space = 0;
	struct error *err = begin(dumps);
	sqlite3_stmt *insert = dumps->insert;

	if (!err)
		err = add_space(dumps, user->space, &space);
	if (err)
		return err;
	*ret_id = dumps->next_dump++;
	text_clear(&dumps->text);
	pack_add(dumps->pack, user->stack.at, bytes_left(&user->stack), &dumps->text);
	sqlite3_bind_int64(insert, 1, *ret_id);
	sqlite3_bind_int64(insert, 2, space);
	sqlite3_bind_int64(insert, 3, (int64_t)user->abi);
	sqlite3_bind_int64(insert, 4, (int64_t)user->mask);
	sqlite3_bind_int(insert, 5, user->stack.is_swapped);
	sqlite3_bind_blob(insert, 6, user->regs.at, (int)bytes_left(&user->regs), SQLITE_STATIC);
	sqlite3_bind_blob(insert, 7, text_string(&dumps->text), (int)dumps->text.size,
			  SQLITE_STATIC);
	return store_step(dumps->store, insert);
}

/* ---- reading */

void store_dump_release(struct store_dump *dump)
{
	sqlite3_finalize(dump->row);
	sqlite3_finalize(dump->space_row);
	text_release(&dump->registers);
	text_release(&dump->stack);
	free(dump->maps.list);
}

static bool take_number(const char **at, int base, char end, uint64_t *ret)
{
	char *behind;

	if (!((**at >= '0' && **at <= '9') || (base == 16 && **at >= 'a' && **at <= 'f')))
		return false;
	*ret = strtoull(*at, &behind, base);
	if (*behind != end)
		return false;
	*at = behind + 1;
	return true;
}

static bool take_map(const struct ids *modules, const char **at, struct space_map *ret)
{
	uint64_t module;

	if (!take_number(at, 16, '-', &ret->begin) || !take_number(at, 16, ' ', &ret->end) ||
	    !take_number(at, 16, ' ', &ret->offset) || !take_number(at, 10, '\n', &module))
		return false;
	ret->module = ids_get(modules, (int64_t)module);
	ret->name = UINT32_MAX;
	return ret->module != ID_NONE && ret->begin < ret->end;
}

/* Mappings that are not in their order could not be found. */
static bool take_maps(const struct ids *modules, const char *at, struct space_maps *maps)
{
	maps->nr = 0;
	while (at && *at) {
		struct space_map map;

		if (!take_map(modules, &at, &map) || maps->nr >= SPACE_MAPS_MAX ||
		    (maps->nr && maps->list[maps->nr - 1].end > map.begin))
			return false;
		GROW(maps->list, maps->nr + 1, maps->alloc);
		maps->list[maps->nr++] = map;
	}
	return at != NULL;
}

static struct error *read_space(struct replay *replay, struct store_dump *dump, int64_t id)
{
	struct error *err = NULL;

	if (dump->space_id == id)
		return NULL;
	sqlite3_reset(dump->space_row);
	sqlite3_bind_int64(dump->space_row, 1, id);
	if (id <= 0 || sqlite3_step(dump->space_row) != SQLITE_ROW ||
	    !take_maps(&replay->modules, (const char *)sqlite3_column_text(dump->space_row, 0),
		       &dump->maps))
		err = replay_damaged(replay, "dump_space", id);
	dump->space_id = err ? 0 : id;
	dump->space = (struct space){.maps = &dump->maps, .version = (uint64_t)id};
	return err;
}

static void take_bytes(struct store_dump *dump, int column, struct text *text, struct bytes *ret)
{
	text_clear(text);
	text_add_bytes(text, sqlite3_column_blob(dump->row, column),
		       (size_t)sqlite3_column_bytes(dump->row, column));
	*ret = (struct bytes){(const unsigned char *)text->bytes,
			      (const unsigned char *)text->bytes + text->size,
			      sqlite3_column_int(dump->row, 4) != 0};
}

/* A stack that does not unpack is damage; one that is too large is, too. */
static bool take_stack(struct store_dump *dump)
{
	struct bytes *stack = &dump->user.stack;

	text_clear(&dump->stack);
	if (unpack_bytes(sqlite3_column_blob(dump->row, 6),
			 (size_t)sqlite3_column_bytes(dump->row, 6), STORE_DUMP_MAX, &dump->stack))
		return false;
	*stack = (struct bytes){(const unsigned char *)dump->stack.bytes,
				(const unsigned char *)dump->stack.bytes + dump->stack.size,
				sqlite3_column_int(dump->row, 4) != 0};
	return true;
}

struct error *store_dump_read(struct replay *replay, struct store_dump *dump, int64_t id)
{
	struct error *err = NULL;

	if (!dump->row)
		err = store_prepare(
			replay->store,
			"SELECT dump_id, dump_space_id, abi, register_mask, is_swapped, "
			"registers, stack FROM dump WHERE dump_id = ?",
			&dump->row);
	if (!err && !dump->space_row)
		err = store_prepare(replay->store,
				    "SELECT maps FROM dump_space WHERE dump_space_id = ?",
				    &dump->space_row);
	if (err)
		return err;
	sqlite3_reset(dump->row);
	sqlite3_bind_int64(dump->row, 1, id);
	if (sqlite3_step(dump->row) != SQLITE_ROW)
		return replay_damaged(replay, "dump", id);
	err = read_space(replay, dump, sqlite3_column_int64(dump->row, 1));
	if (err)
		return err;
	dump->user = (struct sample_user){
		.abi = (uint64_t)sqlite3_column_int64(dump->row, 2),
		.mask = (uint64_t)sqlite3_column_int64(dump->row, 3),
		.space = &dump->space,
	};
	take_bytes(dump, 5, &dump->registers, &dump->user.regs);
	return take_stack(dump) ? NULL : replay_damaged(replay, "dump", id);
}
