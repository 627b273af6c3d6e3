/* replay_names.c - what the ids of a profile's samples mean, read into a model */
#include "store/replay_names.h"

#include <inttypes.h>
#include <sqlite3.h>

#include "base/mem.h"
#include "model/capture.h"
#include "store/captures.h"
#include "store/location_block.h"
#include "store/losses.h"
#include "store/replay.h"
#include "store/store.h"
#include "store/value.h"

struct error *replay_damaged(const struct replay *replay, const char *table, int64_t id)
{
	return error_new(ERROR_INPUT, "'%s' is damaged: table %s, row %" PRId64 " leads nowhere",
			 replay->store->path, table, id);
}

struct error *replay_prepare(struct store *store, const char *sql, int64_t id, sqlite3_stmt **ret)
{
	int status = sqlite3_prepare_v2(store->db, sql, -1, ret, NULL);

	if (status != SQLITE_OK)
		return store_error(store, status);
	if (sqlite3_bind_parameter_count(*ret))
		sqlite3_bind_int64(*ret, 1, id);
	return NULL;
}

struct error *replay_finish(struct store *store, sqlite3_stmt *statement, int status,
			    struct error *err)
{
	sqlite3_finalize(statement);
	if (err || status == SQLITE_DONE || status == SQLITE_ROW)
		return err;
	return store_error(store, status);
}

static void ids_release(struct ids *ids)
{
	free(ids->list);
	*ids = (struct ids){0};
}

/* Sets what a table id means. The first id that is set is the base of all. */
static bool ids_set(const struct replay *replay, struct ids *ids, int64_t id, uint32_t meaning,
		    size_t *alloc)
{
	uint64_t at;

	if (!ids->list && !ids->has_base)
		ids->base = id;
	at = (uint64_t)id - (uint64_t)ids->base; /* large for what is before the base */
	if (at >= replay->rows_max)
		return false;
	GROW(ids->list, at + 1, *alloc);
	while (ids->nr <= at)
		ids->list[ids->nr++] = ID_NONE;
	ids->list[at] = meaning;
	return true;
}

bool replay_column_id(sqlite3_stmt *row, int column, const struct ids *ids, uint32_t none,
		      uint32_t *ret)
{
	int64_t id = sqlite3_column_int64(row, column);

	/* NULL reads as 0, and each question to SQLite costs */
	if (!id && sqlite3_column_type(row, column) == SQLITE_NULL) {
		*ret = none;
		return true;
	}
	*ret = ids_get(ids, id);
	return *ret != ID_NONE;
}

bool replay_take_list(struct replay *replay, sqlite3_stmt *row, int column, const struct ids *ids,
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

/* ---- one function a table */

static enum unit unit_of(const char *word)
{
	if (word && strcmp(word, "ns") == 0)
		return UNIT_NS;
	return word && strcmp(word, "events") == 0 ? UNIT_EVENTS : UNIT_SAMPLES;
}

static struct error *read_events(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(replay->store,
			       "SELECT event_id, name, unit, has_periods, samples FROM event "
			       "WHERE capture_id = ? ORDER BY event_id",
			       replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		uint32_t name = value_name(row, 1, &model->names);
		uint32_t event = events_add(&model->events, &model->names, name);
		weight samples;

		model->events.list[event].unit = unit_of((const char *)sqlite3_column_text(row, 2));
		model->events.list[event].has_periods |= sqlite3_column_int(row, 3) != 0;
		if (value_weight(row, 4, &samples))
			model->events.list[event].samples += samples;
		if (!ids_set(replay, &replay->events, sqlite3_column_int64(row, 0), event, &alloc))
			err = replay_damaged(replay, "event", sqlite3_column_int64(row, 0));
	}
	return replay_finish(replay->store, row, status, err);
}

static bool column_task_id(sqlite3_stmt *row, int column, int32_t *ret)
{
	int64_t number = sqlite3_column_int64(row, column);

	*ret = TASK_ID_NONE;
	if (sqlite3_column_type(row, column) == SQLITE_NULL)
		return true;
	*ret = (int32_t)number;
	return number > INT32_MIN && number <= INT32_MAX;
}

static struct error *read_tasks(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT task_id, pid, tid, comm FROM task "
					   "JOIN thread USING (thread_id) WHERE capture_id = ? "
					   "ORDER BY task_id",
					   replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		struct task task;

		if (!column_task_id(row, 1, &task.pid) || !column_task_id(row, 2, &task.tid)) {
			err = replay_damaged(replay, "thread", sqlite3_column_int64(row, 0));
			break;
		}
		task.comm = value_name(row, 3, &model->names);
		if (!ids_set(replay, &replay->tasks, sqlite3_column_int64(row, 0),
			     tasks_add(&model->tasks, &task), &alloc))
			err = replay_damaged(replay, "task", sqlite3_column_int64(row, 0));
	}
	return replay_finish(replay->store, row, status, err);
}

static int find_word(const char *word, const char *(*words)(int), int nr)
{
	for (int i = 0; word && i < nr; i++)
		if (strcmp(words(i), word) == 0)
			return i;
	return 0;
}

static const char *status_word(int status)
{
	return module_status_word((enum module_status)status);
}

static const char *id_source_word(int source)
{
	return module_id_source_word((enum id_source)source);
}

/* The columns from id_source on. */
static void take_module(sqlite3_stmt *row, struct names *names, struct module *ret)
{
	ret->id_source = (enum id_source)find_word((const char *)sqlite3_column_text(row, 3),
						   id_source_word, ID_INJECTED + 1);
	if (sqlite3_column_type(row, 4) != SQLITE_NULL)
		ret->map_offset = (uint64_t)sqlite3_column_int64(row, 4);
	ret->reference = value_name(row, 5, names);
	ret->status = (enum module_status)find_word((const char *)sqlite3_column_text(row, 6),
						    status_word, MODULE_STATUS_NR);
	ret->detail = value_name(row, 7, names);
	ret->file = value_name(row, 8, names);
	ret->file_sha256 = value_name(row, 9, names);
	ret->debug_file = value_name(row, 10, names);
	ret->debug_sha256 = value_name(row, 11, names);
}

static struct error *read_modules(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = replay_prepare(
		replay->store,
		"SELECT module_id, path, build_id, id_source, map_offset, reference, "
		"status, detail, file, file_sha256, debug_file, debug_sha256 "
		"FROM module WHERE capture_id = ? ORDER BY module_id",
		replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		uint32_t path = value_name(row, 1, &model->names);
		int64_t id = sqlite3_column_int64(row, 0);
		uint32_t module;

		if (path == NAME_NONE) {
			err = replay_damaged(replay, "module", id);
			break;
		}
		module = modules_add_build(&model->modules, &model->names, path,
					   value_name(row, 2, &model->names));
		take_module(row, &model->names, &model->modules.list[module]);
		if (!ids_set(replay, &replay->modules, id, module, &alloc))
			err = replay_damaged(replay, "module", id);
	}
	return replay_finish(replay->store, row, status, err);
}

static struct error *read_symbols(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(replay->store,
			       "SELECT symbol_id, name FROM symbol WHERE capture_id = ? "
			       "ORDER BY symbol_id",
			       replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(row, 0);

		if (!ids_set(replay, &replay->symbols, id, value_name(row, 1, &model->names),
			     &alloc))
			err = replay_damaged(replay, "symbol", id);
	}
	return replay_finish(replay->store, row, status, err);
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
		if (!ids_set(replay, &replay->locations, id,
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
	struct error *err =
		replay_prepare(replay->store,
			       "SELECT function_id, module_id, symbol_id, is_inlined, name, origin "
			       "FROM function WHERE capture_id = ? ORDER BY function_id",
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
		location.flags |= (unsigned)find_word((const char *)sqlite3_column_text(row, 5),
						      word_of_origin, ORIGIN_NR)
				  << LOCATION_ORIGIN_SHIFT;
		if (!ids_set(replay, &replay->functions, id,
			     locations_add(&replay->model->locations, &location), &alloc))
			err = replay_damaged(replay, "function", id);
	}
	return replay_finish(replay->store, row, status, err);
}

/*
 * What a location's id means where no address matters: its function, or, where others were
 * inlined into it, a place that has them for its frames.
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
	if (block->nr == 1)
		return block->functions[0];
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
		uint32_t place = place_of(replay, block);

		if (place == ID_NONE || !ids_set(replay, &replay->locations, id++, place, alloc))
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
	return replay_take_list(replay, row, 1, &replay->locations, &nr) &&
	       ids_set(replay, &replay->stacks, id,
		       stacks_append(&replay->model->stacks, replay->list, nr),
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

static struct error *read_facts(struct replay *replay)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT name, value FROM fact WHERE capture_id = ? "
					   "ORDER BY position",
					   replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(row, 0);
		const char *value = (const char *)sqlite3_column_text(row, 1);

		facts_add(&replay->model->facts, name ? name : "",
			  (size_t)sqlite3_column_bytes(row, 0), value ? value : "",
			  (size_t)sqlite3_column_bytes(row, 1));
	}
	return replay_finish(replay->store, row, status, err);
}

static struct error *read_notes(struct replay *replay)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT code, count, first_line, first_byte FROM note "
					   "WHERE capture_id = ?",
					   replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		const char *code = (const char *)sqlite3_column_text(row, 0);

		for (int i = 0; code && i < NOTE_NR; i++)
			if (strcmp(notes_word(i), code) == 0)
				notes_add(&replay->model->notes, i, value_u64(row, 1),
					  value_u64(row, 2), value_u64(row, 3));
	}
	return replay_finish(replay->store, row, status, err);
}

/* What is known of all samples, those that will not be said too. */
static bool take_facts_of_all(struct replay *replay)
{
	const struct store_capture *from = replay->from;
	struct capture *model = replay->model;

	model->is_counted = true;
	if (from->has_times && !model->has_times) {
		model->has_times = true;
		model->start_ns = from->start_ns;
		model->end_ns = from->end_ns;
	}
	if (!from->has_first_event || model->has_first_event)
		return true;
	model->has_first_event = true;
	model->first_event = ids_get(&replay->events, from->first_event);
	return model->first_event != ID_NONE;
}

struct error *replay_read_names(struct replay *replay)
{
	struct error *err = read_events(replay);

	if (!err)
		err = read_tasks(replay);
	if (!err)
		err = read_modules(replay);
	if (!err)
		err = read_symbols(replay);
	if (!err)
		err = read_facts(replay);
	if (!err)
		err = read_notes(replay);
	if (!err)
		err = store_losses_read(replay->store, replay->from->id, &replay->events,
					&replay->model->losses);
	if (!err && !take_facts_of_all(replay))
		err = replay_damaged(replay, "capture", replay->from->id);
	replay->model->records += replay->from->records;
	replay->model->lost += replay->from->lost;
	replay->model->lost_samples += replay->from->lost_samples;
	return err;
}

void replay_release(struct replay *replay)
{
	ids_release(&replay->events);
	ids_release(&replay->tasks);
	ids_release(&replay->modules);
	ids_release(&replay->symbols);
	ids_release(&replay->locations);
	ids_release(&replay->stacks);
	ids_release(&replay->functions);
	free(replay->needed_stacks.marks);
	free(replay->list);
}
