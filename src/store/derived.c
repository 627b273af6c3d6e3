/* derived.c - the tables that follow from names: functions, frames, their blocks, modules' files */
#include "store/derived.h"

#include <sqlite3.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "model/function_places.h"
#include "store/location_block.h"
#include "store/path_weight.h"
#include "store/store.h"
#include "store/value.h"

struct writing {
	struct store *store;
	const struct capture *capture;
	const struct derived_bases *base;
	const int64_t *symbol_of;
};

/* ---- functions: the locations that are their own symbols; paths are made of these */

/* The capture's own name is in table symbol, one from a file in the row itself. */
static void bind_function_name(const struct writing *writing, sqlite3_stmt *insert, uint32_t name)
{
	int64_t symbol = name == NAME_NONE ? -1 : writing->symbol_of[name];

	if (symbol >= 0)
		sqlite3_bind_int64(insert, 3, symbol);
	else
		sqlite3_bind_null(insert, 3);
	value_bind_name(insert, 6, &writing->capture->names, symbol >= 0 ? NAME_NONE : name);
}

static struct error *write_function(const struct writing *writing, sqlite3_stmt *insert, uint32_t i,
				    const char *place)
{
	const struct location *location = &writing->capture->locations.list[i];
	unsigned origin = location->flags >> LOCATION_ORIGIN_SHIFT;

	sqlite3_bind_int64(insert, 1, writing->base->function + i);
	sqlite3_bind_int64(insert, 2, writing->base->capture);
	bind_function_name(writing, insert, location->name);
	if (location->module == MODULE_NONE)
		sqlite3_bind_null(insert, 4);
	else
		sqlite3_bind_int64(insert, 4, writing->base->module + location->module);
	sqlite3_bind_int(insert, 5, (location->flags & LOCATION_INLINED) != 0);
	if (origin)
		sqlite3_bind_text(insert, 7, origin_word((enum origin)origin), -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(insert, 7);
	sqlite3_bind_int(insert, 8, (location->flags & LOCATION_LACKS_CALLER) != 0);
	sqlite3_bind_text(insert, 9, place, -1, SQLITE_STATIC);
	return store_step(writing->store, insert);
}

static char **places_of_symbols(const struct capture *capture)
{
	const struct locations *locations = &capture->locations;
	uint32_t *symbols = mem_alloc(((size_t)locations->nr + 1) * sizeof(*symbols));
	char **places;

	for (uint32_t i = 0; i < locations->nr; i++)
		symbols[i] = locations_symbol(locations, i);
	places = function_places_find(capture, symbols, locations->nr);
	free(symbols);
	return places;
}

static struct error *write_functions(const struct writing *writing)
{
	const struct locations *locations = &writing->capture->locations;
	sqlite3_stmt *insert;
	struct error *err =
		store_prepare(writing->store,
			      "INSERT INTO function (function_id, capture_id, symbol_id, "
			      "module_id, is_inlined, name, origin, lacks_caller, place) "
			      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			      &insert);
	char **places = places_of_symbols(writing->capture);

	for (uint32_t i = 0; !err && i < locations->nr; i++)
		if (locations_symbol(locations, i) == i)
			err = write_function(writing, insert, i, places[i]);
	function_places_free(places, locations->nr);
	sqlite3_finalize(insert);
	return err;
}

/* ---- frames */

static struct error *write_frame(const struct writing *writing, sqlite3_stmt *insert,
				 uint32_t location, uint32_t depth, const struct frame *frame)
{
	const struct capture *capture = writing->capture;
	uint32_t function = locations_symbol(&capture->locations, frame->function);

	sqlite3_bind_int64(insert, 1, writing->base->location + location);
	sqlite3_bind_int64(insert, 2, depth);
	sqlite3_bind_int64(insert, 3, writing->base->function + function);
	value_bind_name(insert, 4, &capture->names, frame->raw_name);
	value_bind_name(insert, 5, &capture->names, frame->file);
	value_bind_int(insert, 6, frame->line, 0);
	return store_step(writing->store, insert);
}

static struct error *write_frames(const struct writing *writing)
{
	const struct frames *frames = &writing->capture->frames;
	sqlite3_stmt *insert;
	struct error *err = store_prepare(writing->store,
					  "INSERT INTO frame VALUES (?, ?, ?, ?, ?, ?)", &insert);

	for (uint32_t i = 0; !err && i < frames->locations_nr; i++) {
		uint32_t nr;
		const struct frame *list = frames_of(frames, i, &nr);

		for (uint32_t j = 0; !err && j < nr; j++)
			err = write_frame(writing, insert, i, nr - 1 - j, &list[j]);
	}
	sqlite3_finalize(insert);
	return err;
}

/* ---- modules */

static struct error *write_module(const struct writing *writing, sqlite3_stmt *update, uint32_t i)
{
	const struct names *names = &writing->capture->names;
	const struct module *module = &writing->capture->modules.list[i];

	sqlite3_bind_text(update, 1, module_status_word(module->status), -1, SQLITE_STATIC);
	value_bind_name(update, 2, names, module->detail);
	value_bind_name(update, 3, names, module->file);
	value_bind_name(update, 4, names, module->file_sha256);
	value_bind_name(update, 5, names, module->debug_file);
	value_bind_name(update, 6, names, module->debug_sha256);
	sqlite3_bind_int64(update, 7, writing->base->module + i);
	return store_step(writing->store, update);
}

static struct error *write_modules(const struct writing *writing)
{
	sqlite3_stmt *update;
	struct error *err = store_prepare(writing->store,
					  "UPDATE module SET status = ?, detail = ?, file = ?, "
					  "file_sha256 = ?, debug_file = ?, debug_sha256 = ? "
					  "WHERE module_id = ?",
					  &update);

	for (uint32_t i = 0; !err && i < writing->capture->modules.nr; i++)
		err = write_module(writing, update, i);
	sqlite3_finalize(update);
	return err;
}

static struct error *write_candidates(const struct writing *writing)
{
	const struct modules *modules = &writing->capture->modules;
	const struct names *names = &writing->capture->names;
	sqlite3_stmt *insert;
	struct error *err = store_prepare(
		writing->store, "INSERT INTO module_candidate VALUES (?, ?, ?, ?)", &insert);

	for (size_t i = 0; !err && i < modules->candidates_nr; i++) {
		const struct module_candidate *candidate = &modules->candidates[i];

		sqlite3_bind_int64(insert, 1, writing->base->module + candidate->module);
		sqlite3_bind_int64(insert, 2, (int64_t)i);
		value_bind_name(insert, 3, names, candidate->path);
		value_bind_name(insert, 4, names, candidate->reason);
		err = store_step(writing->store, insert);
	}
	sqlite3_finalize(insert);
	return err;
}

/* ---- all of them */

struct error *derived_write(struct store *store, const struct capture *capture,
			    const struct tally *tally, const struct derived_bases *base,
			    const int64_t *symbol_of)
{
	struct writing writing = {store, capture, base, symbol_of};
	struct error *err = write_functions(&writing);

	if (!err)
		err = write_frames(&writing);
	if (!err)
		err = write_modules(&writing);
	if (!err)
		err = write_candidates(&writing);
	if (!err)
		err = location_block_write(store, capture, base->capture, base->location,
					   base->function);
	if (!err)
		err = path_weight_write(store, tally,
					&(struct path_weight_bases){base->capture, base->event,
								    base->task, base->function});
	return err;
}

struct error *derived_delete(struct store *store, int64_t capture_id)
{
	static const char *const statements[] = {
		"DELETE FROM path_block WHERE capture_id = ?",
		"DELETE FROM location_block WHERE capture_id = ?",
		("DELETE FROM frame WHERE location_id BETWEEN "
		 "(SELECT first_location_id FROM capture WHERE capture_id = ?1) AND "
		 "(SELECT last_location_id FROM capture WHERE capture_id = ?1)"),
		"DELETE FROM function WHERE capture_id = ?",
		("DELETE FROM module_candidate WHERE module_id IN "
		 "(SELECT module_id FROM module WHERE capture_id = ?)"),
	};
	struct error *err = NULL;

	for (size_t i = 0; !err && i < ARRAY_NR(statements); i++) {
		sqlite3_stmt *statement;

		err = store_prepare(store, statements[i], &statement);
		if (err)
			break;
		sqlite3_bind_int64(statement, 1, capture_id);
		err = store_step(store, statement);
		sqlite3_finalize(statement);
	}
	return err;
}
