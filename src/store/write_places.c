/* write_places.c - symbols, locations and stacks of a capture into their tables */
#include "store/write_places.h"

#include <sqlite3.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "store/store.h"
#include "store/value.h"

struct writing {
	struct store *store;
	const struct capture *capture;
	const struct place_bases *base;
};

/* Names of locations alone are symbols. symbol_of: per name id, -1 for none. */
static struct error *write_symbols(const struct writing *writing, int64_t *symbol_of)
{
	const struct capture *capture = writing->capture;
	int64_t nr = 0;
	sqlite3_stmt *insert;
	struct error *err =
		store_prepare(writing->store, "INSERT INTO symbol VALUES (?, ?, ?)", &insert);

	for (uint32_t i = 0; i < capture->names.nr; i++)
		symbol_of[i] = -1;
	for (uint32_t i = 0; !err && i < frames_places(&capture->frames, capture->locations.nr);
	     i++) {
		uint32_t name = capture->locations.list[i].name;

		if (name == NAME_NONE || symbol_of[name] >= 0)
			continue;
		symbol_of[name] = writing->base->symbol + nr++;
		sqlite3_bind_int64(insert, 1, symbol_of[name]);
		sqlite3_bind_int64(insert, 2, writing->base->capture);
		value_bind_name(insert, 3, &capture->names, name);
		err = store_step(writing->store, insert);
	}
	sqlite3_finalize(insert);
	return err;
}

static void bind_symbol(sqlite3_stmt *insert, int at, const int64_t *symbol_of, uint32_t name)
{
	if (name == NAME_NONE)
		sqlite3_bind_null(insert, at);
	else
		sqlite3_bind_int64(insert, at, symbol_of[name]);
}

static void bind_module(const struct writing *writing, sqlite3_stmt *insert, int at,
			uint32_t module)
{
	if (module == MODULE_NONE)
		sqlite3_bind_null(insert, at);
	else
		sqlite3_bind_int64(insert, at, writing->base->module + module);
}

static struct error *write_locations(const struct writing *writing, const int64_t *symbol_of)
{
	const struct capture *capture = writing->capture;
	sqlite3_stmt *insert;
	struct error *err = store_prepare(
		writing->store, "INSERT INTO location VALUES (?, ?, ?, ?, ?, ?, ?)", &insert);

	for (uint32_t i = 0; !err && i < frames_places(&capture->frames, capture->locations.nr);
	     i++) {
		const struct location *location = &capture->locations.list[i];

		sqlite3_bind_int64(insert, 1, writing->base->location + i);
		bind_module(writing, insert, 2, location->module);
		if (location->flags & LOCATION_HAS_ADDRESS)
			sqlite3_bind_int64(insert, 3, (int64_t)location->address);
		else
			sqlite3_bind_null(insert, 3);
		bind_symbol(insert, 4, symbol_of, location->name);
		value_bind_name(insert, 5, &capture->names, location->line);
		sqlite3_bind_int(insert, 6, (location->flags & LOCATION_INLINED) != 0);
		sqlite3_bind_int(insert, 7, (location->flags & LOCATION_RETURN) != 0);
		err = store_step(writing->store, insert);
	}
	sqlite3_finalize(insert);
	return err;
}

static struct error *write_stacks(const struct writing *writing)
{
	const struct stacks *stacks = &writing->capture->stacks;
	CLEANUP(text_release) struct text list = TEXT_INIT;
	sqlite3_stmt *insert;
	struct error *err =
		store_prepare(writing->store, "INSERT INTO stack VALUES (?, ?)", &insert);

	for (uint32_t i = 0; !err && i < stacks->nr; i++) {
		text_clear(&list);
		value_add_list(&list, stacks_ids(stacks, i), stacks_depth(stacks, i),
			       writing->base->location);
		sqlite3_bind_int64(insert, 1, writing->base->stack + i);
		sqlite3_bind_text(insert, 2, text_string(&list), (int)list.size, SQLITE_STATIC);
		err = store_step(writing->store, insert);
	}
	sqlite3_finalize(insert);
	return err;
}

struct error *write_places(struct store *store, const struct capture *capture,
			   const struct place_bases *base, int64_t *symbol_of)
{
	struct writing writing = {store, capture, base};
	struct error *err = write_symbols(&writing, symbol_of);

	if (!err)
		err = write_locations(&writing, symbol_of);
	return err ? err : write_stacks(&writing);
}
