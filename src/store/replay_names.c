/* replay_names.c - what the ids of a profile's samples mean, read into a model */
#include "store/replay_names.h"

#include <inttypes.h>
#include <sqlite3.h>

#include "base/mem.h"
#include "model/capture.h"
#include "store/captures.h"
#include "store/losses.h"
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

	if (!ids->list)
		ids->base = id;
	at = (uint64_t)id - (uint64_t)ids->base; /* large for what is before the base */
	if (at >= replay->rows_max)
		return false;
	while (ids->nr <= at) {
		GROW(ids->list, (size_t)ids->nr + 1, *alloc);
		ids->list[ids->nr++] = ID_NONE;
	}
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
		mark = memchr(needed->marks + at, 1, needed->nr - at);
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

static struct error *read_modules(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(replay->store,
			       "SELECT module_id, path, build_id FROM module WHERE capture_id = ? "
			       "ORDER BY module_id",
			       replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		uint32_t path = value_name(row, 1, &model->names);
		int64_t id = sqlite3_column_int64(row, 0);

		if (path == NAME_NONE ||
		    !ids_set(replay, &replay->modules, id,
			     modules_add_build(&model->modules, &model->names, path,
					       value_name(row, 2, &model->names)),
			     &alloc))
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
	int64_t id = replay->from->first_location - 1;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(replay->store,
			       "SELECT location_id, module_id, symbol_id, is_inlined, "
			       "address, line FROM location "
			       "WHERE location_id BETWEEN ?1 AND ?2 ORDER BY location_id",
			       replay->from->first_location, &row);
	int status = SQLITE_DONE;

	if (!err)
		sqlite3_bind_int64(row, 2, replay->from->last_location);
	while (!err &&
	       (status = step_to_needed(row, &replay->needed_locations, &id)) == SQLITE_ROW) {
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
		if (!ids_set(replay, &replay->locations, id,
			     locations_add_new(&model->locations, &location), &alloc))
			err = replay_damaged(replay, "location", id);
	}
	return replay_finish(replay->store, row, status, err);
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
			       "SELECT function_id, module_id, symbol_id, is_inlined "
			       "FROM function WHERE capture_id = ? ORDER BY function_id",
			       replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(row, 0);
		struct location location;

		if (!take_place(replay, row, 1, &location) ||
		    !ids_set(replay, &replay->functions, id,
			     locations_add(&replay->model->locations, &location), &alloc))
			err = replay_damaged(replay, "function", id);
	}
	return replay_finish(replay->store, row, status, err);
}

/*
 * Stacks were told apart when they were written, and are not looked for again. They hold places
 * in the capture's list of locations until map_stacks(), for these are read behind them: only
 * now it is known which ones are needed.
 */
static struct error *read_callers(struct replay *replay)
{
	const struct store_capture *from = replay->from;
	uint64_t locations_nr = (uint64_t)(from->last_location - from->first_location) + 1;
	uint32_t limit = locations_nr < UINT32_MAX ? (uint32_t)locations_nr : UINT32_MAX;
	int64_t id = from->first_stack - 1;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT stack_id, callers FROM stack "
					   "WHERE stack_id BETWEEN ?1 AND ?2 ORDER BY stack_id",
					   from->first_stack, &row);
	int status = SQLITE_DONE;

	if (!err)
		sqlite3_bind_int64(row, 2, from->last_stack);
	while (!err && (status = step_to_needed(row, &replay->needed_stacks, &id)) == SQLITE_ROW) {
		uint32_t nr;

		if (!value_list(row, 1, from->first_location, limit, &replay->list,
				&replay->list_alloc, &nr) ||
		    !ids_set(replay, &replay->stacks, id,
			     stacks_append(&replay->model->stacks, replay->list, nr), &alloc)) {
			err = replay_damaged(replay, "stack", id);
			break;
		}
		for (uint32_t i = 0; i < nr; i++)
			need(&replay->needed_locations, from->first_location + replay->list[i]);
	}
	return replay_finish(replay->store, row, status, err);
}

static bool map_stack(struct replay *replay, uint32_t stack)
{
	struct stacks *stacks = &replay->model->stacks;
	uint32_t *id = stacks->ids + stacks->list[stack].offset;
	uint32_t *end = id + stacks->list[stack].nr;

	for (; id < end; id++) {
		*id = ids_get(&replay->locations, replay->from->first_location + *id);
		if (*id == ID_NONE)
			return false;
	}
	return true;
}

static struct error *map_stacks(struct replay *replay)
{
	const struct ids *stacks = &replay->stacks;

	for (uint32_t i = 0; i < stacks->nr; i++)
		if (stacks->list[i] != ID_NONE && !map_stack(replay, stacks->list[i]))
			return replay_damaged(replay, "stack", stacks->base + i);
	return NULL;
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

struct error *replay_read_stacks(struct replay *replay)
{
	struct error *err = read_callers(replay);

	if (!err)
		err = read_locations(replay);
	return err ? err : map_stacks(replay);
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
	free(replay->needed_locations.marks);
	free(replay->list);
}
