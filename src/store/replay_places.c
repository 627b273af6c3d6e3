/* replay_places.c - functions, locations and stacks of a profile, read into a model */
#include "store/replay_names.h"

#include <sqlite3.h>
#include <string.h>

#include "base/mem.h"
#include "model/capture.h"
#include "store/captures.h"
#include "store/location_block.h"
#include "store/replay.h"
#include "store/store.h"
#include "store/value.h"

static bool take_list(struct replay *replay, sqlite3_stmt *row, int column, const struct ids *ids,
		      uint32_t *ret_nr)
{
	if (!value_list(row, column, ids->base, ids->nr, &replay->list, &replay->list_alloc,
			ret_nr))
		return false;
	for (uint32_t *id = replay->list, *end = id + *ret_nr; id < end; id++) {
		*id = ids->list[*id];
		if (*id == ID_NONE)
			return false;
	}
	return true;
}

/*
 * A row that is not needed costs as much as one that is, for SQLite takes it apart anyway; to
 * seek a row costs as much as some rows.
 */
#define NEAR 4

/*
 * Steps to the next row that is needed. *id is that row's; before the first one, one less than
 * where to begin. The statement's first parameter is where it begins.
 */
static int step_to_needed(sqlite3_stmt *row, const struct needed *needed, int64_t *id)
{
	uint64_t at = (uint64_t)(*id + 1 - needed->first);
	const unsigned char *mark = NULL;
	int status;

	if (needed->marks && at < needed->nr)
		mark = memchr(needed->marks + at, NEED_YES, needed->nr - at);
	if (needed->marks && !mark)
		return SQLITE_DONE;
	if (mark && mark - (needed->marks + at) > NEAR) {
		sqlite3_reset(row);
		sqlite3_bind_int64(row, 1, needed->first + (mark - needed->marks));
	}
	do {
		status = sqlite3_step(row);
		*id = status == SQLITE_ROW ? sqlite3_column_int64(row, 0) : 0;
	} while (status == SQLITE_ROW && !is_needed(needed, *id));
	return status;
}

/* The columns module_id, symbol_id and is_inlined, from `column` on. */
static bool take_place(const struct replay *replay, sqlite3_stmt *row, int column,
		       struct location *ret)
{
	*ret = (struct location){.line = NAME_NONE};
	if (sqlite3_column_int(row, column + 2))
		ret->flags |= LOCATION_INLINED;
	return replay_column_id(row, column, &replay->modules, MODULE_NONE, &ret->module) &&
	       replay_column_id(row, column + 1, &replay->symbols, NAME_NONE, &ret->name);
}

static struct error *read_locations(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(replay->store,
			       "SELECT location_id, module_id, symbol_id, is_inlined, "
			       "address, line, is_return FROM location "
			       "WHERE location_id BETWEEN ?1 AND ?2 ORDER BY location_id",
			       replay->from->first_location, &row);
	int status = SQLITE_DONE;

	if (!err)
		sqlite3_bind_int64(row, 2, replay->from->last_location);
	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(row, 0);
		struct location location;

		if (!take_place(replay, row, 1, &location)) {
			err = replay_damaged(replay, "location", id);
			break;
		}
		if (sqlite3_column_type(row, 4) != SQLITE_NULL) {
			location.address = (uint64_t)sqlite3_column_int64(row, 4);
			location.flags |= LOCATION_HAS_ADDRESS;
		}
		location.line = value_name(row, 5, &model->names);
		if (sqlite3_column_int(row, 6))
			location.flags |= LOCATION_RETURN;
		if (!replay_set_id(replay, &replay->locations, id,
				   locations_add_new(&model->locations, &location), &alloc))
			err = replay_damaged(replay, "location", id);
	}
	return replay_finish(replay->store, row, status, err);
}

static const char *word_of_origin(int origin)
{
	return origin_word((enum origin)origin);
}

/*
 * Functions become locations without an address: with path weights there are no others.
 * They are told apart from locations with one, which have LOCATION_HAS_ADDRESS.
 */
struct error *replay_read_functions(struct replay *replay)
{
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = replay_prepare(
		replay->store,
		"SELECT function_id, module_id, symbol_id, is_inlined, name, origin, "
		"lacks_caller, place FROM function WHERE capture_id = ? ORDER BY function_id",
		replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(row, 0);
		struct location location;

		if (!take_place(replay, row, 1, &location)) {
			err = replay_damaged(replay, "function", id);
			break;
		}
		/* a name from a file, which is no symbol of the capture */
		if (location.name == NAME_NONE)
			location.name = value_name(row, 4, &replay->model->names);
		location.line = value_name(row, 7, &replay->model->names);
		if (sqlite3_column_int(row, 6))
			location.flags |= LOCATION_LACKS_CALLER;
		location.flags |= (unsigned)value_word((const char *)sqlite3_column_text(row, 5),
						       word_of_origin, ORIGIN_NR)
				  << LOCATION_ORIGIN_SHIFT;
		if (!replay_set_id(replay, &replay->functions, id,
				   locations_add(&replay->model->locations, &location), &alloc))
			err = replay_damaged(replay, "function", id);
	}
	return replay_finish(replay->store, row, status, err);
}

/*
 * What a location's id means where no address matters and functions were inlined into its own: a
 * place that has them for its frames.
 */
static uint32_t place_of(struct replay *replay, const struct location_block *block)
{
	struct capture *model = replay->model;
	struct location place = {.name = NAME_NONE, .line = NAME_NONE};
	uint32_t added;

	for (uint32_t i = 0; i < block->nr; i++) {
		block->functions[i] = replay->functions.list[block->functions[i]];
		if (block->functions[i] == ID_NONE)
			return ID_NONE;
	}
	place.module = locations_get(&model->locations, block->functions[block->nr - 1])->module;
	added = locations_add_new(&model->locations, &place);
	for (uint32_t i = 0; i < block->nr; i++)
		frames_add(&model->frames, added,
			   &(struct frame){.function = block->functions[i],
					   .raw_name = NAME_NONE,
					   .file = NAME_NONE});
	return added;
}

static bool take_block(struct replay *replay, sqlite3_stmt *row, struct location_block *block,
		       size_t *alloc)
{
	int64_t id = sqlite3_column_int64(row, 0);
	const char *text = (const char *)sqlite3_column_text(row, 1);
	enum location_block_step step;

	if (!text || !location_block_begin(block, text))
		return false;
	while ((step = location_block_next(block)) == LOCATION_BLOCK_LOCATION) {
		uint32_t place = block->nr == 1 ? replay->functions.list[block->functions[0]]
						: place_of(replay, block);

		if (place == ID_NONE ||
		    !replay_set_id(replay, &replay->locations, id++, place, alloc))
			return false;
	}
	return step == LOCATION_BLOCK_END;
}

static struct error *read_location_blocks(struct replay *replay)
{
	struct location_block block = {.base = replay->functions.base,
				       .limit = replay->functions.nr};
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(replay->store,
			       "SELECT first_location_id, functions FROM location_block "
			       "WHERE capture_id = ? ORDER BY first_location_id",
			       replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW)
		if (!take_block(replay, row, &block, &alloc))
			err = replay_damaged(replay, "location_block",
					     sqlite3_column_int64(row, 0));
	location_block_release(&block);
	return replay_finish(replay->store, row, status, err);
}

/* The function of a frame with the line that it was at, which tells it from others of its name. */
static bool take_frame(struct replay *replay, sqlite3_stmt *row)
{
	struct capture *model = replay->model;
	uint32_t place, function;
	struct location location;
	struct frame frame;

	if (!replay_column_id(row, 0, &replay->locations, ID_NONE, &place) ||
	    !replay_column_id(row, 1, &replay->functions, ID_NONE, &function) || place == ID_NONE ||
	    function == ID_NONE || place + 1 < model->frames.locations_nr)
		return false;
	frame.raw_name = value_name(row, 2, &model->names);
	frame.file = value_name(row, 3, &model->names);
	frame.line = (uint32_t)value_u64(row, 4);
	location = *locations_get(&model->locations, function);
	location.line = frames_line_name(&model->names, frame.file, frame.line);
	frame.function = locations_add(&model->locations, &location);
	frames_add(&model->frames, place, &frame);
	return true;
}

static struct error *read_frames(struct replay *replay)
{
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(replay->store,
			       "SELECT location_id, function_id, raw_name, file, line FROM frame "
			       "WHERE location_id BETWEEN ?1 AND ?2 "
			       "ORDER BY location_id, depth DESC",
			       replay->from->first_location, &row);
	int status = SQLITE_DONE;

	if (!err)
		sqlite3_bind_int64(row, 2, replay->from->last_location);
	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW)
		if (!take_frame(replay, row))
			err = replay_damaged(replay, "frame", sqlite3_column_int64(row, 0));
	return replay_finish(replay->store, row, status, err);
}

/* Captures with names of their own have no frames, and need no functions then. */
static struct error *find_frames(struct replay *replay, bool *ret)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(
		replay->store, "SELECT 1 FROM frame WHERE location_id BETWEEN ?1 AND ?2 LIMIT 1",
		replay->from->first_location, &row);
	int status = SQLITE_DONE;

	if (!err) {
		sqlite3_bind_int64(row, 2, replay->from->last_location);
		status = sqlite3_step(row);
	}
	*ret = status == SQLITE_ROW;
	return replay_finish(replay->store, row, status, err);
}

struct error *replay_read_places(struct replay *replay)
{
	bool has_frames = false;
	struct error *err;

	if (!replay->options->needs_addresses) {
		err = replay_read_functions(replay);
		return err ? err : read_location_blocks(replay);
	}
	err = read_locations(replay);
	if (!err && !replay->options->without_frames)
		err = find_frames(replay, &has_frames);
	if (err || !has_frames)
		return err;
	err = replay_read_functions(replay);
	return err ? err : read_frames(replay);
}

/* Stacks were told apart when they were written, and are not looked for again. */
static bool take_stack(struct replay *replay, sqlite3_stmt *row, int64_t id)
{
	uint64_t at = (uint64_t)id - (uint64_t)replay->needed_stacks.first;
	uint32_t nr;

	if (replay->needed_stacks.marks)
		replay->needed_stacks.marks[at] = NEED_MET;
	return take_list(replay, row, 1, &replay->locations, &nr) &&
	       replay_set_id(replay, &replay->stacks, id,
			     stacks_append(&replay->model->stacks, replay->list, nr, 0),
			     &replay->stacks_alloc);
}

struct error *replay_read_stacks(struct replay *replay)
{
	const struct store_capture *from = replay->from;
	int64_t id = from->first_stack - 1;
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT stack_id, callers FROM stack "
					   "WHERE stack_id BETWEEN ?1 AND ?2 ORDER BY stack_id",
					   from->first_stack, &row);
	int status = SQLITE_DONE;

	if (!err)
		sqlite3_bind_int64(row, 2, from->last_stack);
	while (!err && (status = step_to_needed(row, &replay->needed_stacks, &id)) == SQLITE_ROW)
		if (!take_stack(replay, row, id))
			err = replay_damaged(replay, "stack", id);
	return replay_finish(replay->store, row, status, err);
}
