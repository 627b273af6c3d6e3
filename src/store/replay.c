/* replay.c - the store as a source: a profile's captures said to a sink again */
#include "store/replay.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "model/capture.h"
#include "store/store.h"
#include "store/value.h"

/* From an id of a table to the id of the model: table ids of a capture follow each other. */
struct ids {
	int64_t base;
	uint32_t *list; /* owned; ID_NONE where the table has no such row */
	uint32_t nr;
};

#define ID_NONE UINT32_MAX

/* Ids of one capture in one table; more are no profile of ours. */
#define ROWS_MAX ((uint64_t)1 << 31)

struct replay {
	struct store *store;
	const struct store_capture *from;
	const struct replay_options *options;
	struct capture *model;
	struct sink *sink;
	struct ids events, tasks, modules, symbols, locations, stacks, functions;
	uint64_t rows_max; /* a row is longer than a byte: the file's size, at most ROWS_MAX */
	uint32_t *list;	   /* an array of ids, read from a row */
	size_t list_alloc;
};

static struct error *damaged(const struct replay *replay, const char *table, int64_t id)
{
	return error_new(ERROR_INPUT, "'%s' is damaged: table %s, row %" PRId64 " leads nowhere",
			 replay->store->path, table, id);
}

static struct error *prepare(struct store *store, const char *sql, int64_t id, sqlite3_stmt **ret)
{
	int status = sqlite3_prepare_v2(store->db, sql, -1, ret, NULL);

	if (status != SQLITE_OK)
		return store_error(store, status);
	if (sqlite3_bind_parameter_count(*ret))
		sqlite3_bind_int64(*ret, 1, id);
	return NULL;
}

/* The end of a loop over rows: NULL when it ended because there were no more. */
static struct error *finish(struct store *store, sqlite3_stmt *statement, int status,
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

static uint32_t ids_get(const struct ids *ids, int64_t id)
{
	uint64_t at = (uint64_t)id - (uint64_t)ids->base;

	return at < ids->nr ? ids->list[at] : ID_NONE;
}

/* The meaning of an id in a column: `none` for NULL; false where it leads nowhere. */
static bool column_id(sqlite3_stmt *row, int column, const struct ids *ids, uint32_t none,
		      uint32_t *ret)
{
	if (sqlite3_column_type(row, column) == SQLITE_NULL) {
		*ret = none;
		return true;
	}
	*ret = ids_get(ids, sqlite3_column_int64(row, column));
	return *ret != ID_NONE;
}

/* ---- the list of captures */

static uint64_t column_u64(sqlite3_stmt *row, int column)
{
	int64_t number = sqlite3_column_int64(row, column);

	return number < 0 ? 0 : (uint64_t)number;
}

static char *column_text(sqlite3_stmt *row, int column)
{
	const char *s = (const char *)sqlite3_column_text(row, column);

	return mem_strdup(s ? s : "");
}

/* Ids count from 1; a capture without a row in a table ends before it begins. */
static bool is_range(int64_t first, int64_t last)
{
	return first > 0 && last >= first - 1 && last < INT64_MAX;
}

static bool take_capture(sqlite3_stmt *row, struct store_capture *ret)
{
	*ret = (struct store_capture){
		.id = sqlite3_column_int64(row, 0),
		.name = column_text(row, 1),
		.sha256 = column_text(row, 2),
		.size_bytes = column_u64(row, 3),
		.format = column_text(row, 4),
		.has_times = sqlite3_column_type(row, 6) != SQLITE_NULL,
		.start_ns = column_u64(row, 6),
		.end_ns = column_u64(row, 7),
		.has_first_event = sqlite3_column_type(row, 8) != SQLITE_NULL,
		.first_event = sqlite3_column_int64(row, 8),
		.first_sample = sqlite3_column_int64(row, 9),
		.last_sample = sqlite3_column_int64(row, 10),
		.first_location = sqlite3_column_int64(row, 11),
		.last_location = sqlite3_column_int64(row, 12),
		.first_stack = sqlite3_column_int64(row, 13),
		.last_stack = sqlite3_column_int64(row, 14),
		.records = column_u64(row, 15),
		.lost = column_u64(row, 16),
		.lost_samples = column_u64(row, 17),
	};
	return value_weight(row, 5, &ret->samples) &&
	       is_range(ret->first_sample, ret->last_sample) &&
	       is_range(ret->first_location, ret->last_location) &&
	       is_range(ret->first_stack, ret->last_stack);
}

struct error *store_captures(struct store *store, struct store_captures *ret)
{
	sqlite3_stmt *row;
	struct error *err = prepare(store, "SELECT * FROM capture ORDER BY capture_id", 0, &row);
	int status = SQLITE_DONE;

	*ret = (struct store_captures){0};
	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		GROW(ret->list, ret->nr + 1, ret->alloc);
		if (!take_capture(row, &ret->list[ret->nr++]))
			err = error_new(ERROR_INPUT, "'%s' is damaged: table capture, row %" PRId64,
					store->path, ret->list[ret->nr - 1].id);
	}
	err = finish(store, row, status, err);
	if (err)
		store_captures_release(ret);
	return err;
}

void store_captures_release(struct store_captures *captures)
{
	for (size_t i = 0; i < captures->nr; i++) {
		free(captures->list[i].name);
		free(captures->list[i].format);
		free(captures->list[i].sha256);
	}
	free(captures->list);
	*captures = (struct store_captures){0};
}

/* ---- what ids mean: one function a table */

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
	struct error *err = prepare(replay->store,
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
			err = damaged(replay, "event", sqlite3_column_int64(row, 0));
	}
	return finish(replay->store, row, status, err);
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
	struct error *err = prepare(replay->store,
				    "SELECT task_id, pid, tid, comm FROM task "
				    "JOIN thread USING (thread_id) WHERE capture_id = ? "
				    "ORDER BY task_id",
				    replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		struct task task;

		if (!column_task_id(row, 1, &task.pid) || !column_task_id(row, 2, &task.tid)) {
			err = damaged(replay, "thread", sqlite3_column_int64(row, 0));
			break;
		}
		task.comm = value_name(row, 3, &model->names);
		if (!ids_set(replay, &replay->tasks, sqlite3_column_int64(row, 0),
			     tasks_add(&model->tasks, &task), &alloc))
			err = damaged(replay, "task", sqlite3_column_int64(row, 0));
	}
	return finish(replay->store, row, status, err);
}

static struct error *read_modules(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = prepare(replay->store,
				    "SELECT module_id, path FROM module WHERE capture_id = ? "
				    "ORDER BY module_id",
				    replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		uint32_t path = value_name(row, 1, &model->names);
		int64_t id = sqlite3_column_int64(row, 0);

		if (path == NAME_NONE ||
		    !ids_set(replay, &replay->modules, id,
			     modules_add(&model->modules, &model->names, path), &alloc))
			err = damaged(replay, "module", id);
	}
	return finish(replay->store, row, status, err);
}

static struct error *read_symbols(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = prepare(replay->store,
				    "SELECT symbol_id, name FROM symbol WHERE capture_id = ? "
				    "ORDER BY symbol_id",
				    replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(row, 0);

		if (!ids_set(replay, &replay->symbols, id, value_name(row, 1, &model->names),
			     &alloc))
			err = damaged(replay, "symbol", id);
	}
	return finish(replay->store, row, status, err);
}

/* The columns module_id, symbol_id and is_inlined, from `column` on. */
static bool take_place(const struct replay *replay, sqlite3_stmt *row, int column,
		       struct location *ret)
{
	*ret = (struct location){.line = NAME_NONE};
	if (sqlite3_column_int(row, column + 2))
		ret->flags |= LOCATION_INLINED;
	return column_id(row, column, &replay->modules, MODULE_NONE, &ret->module) &&
	       column_id(row, column + 1, &replay->symbols, NAME_NONE, &ret->name);
}

static struct error *read_locations(struct replay *replay)
{
	struct capture *model = replay->model;
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = prepare(replay->store,
				    "SELECT location_id, module_id, symbol_id, is_inlined, "
				    "address, line FROM location "
				    "WHERE location_id BETWEEN ?1 AND ?2 ORDER BY location_id",
				    replay->from->first_location, &row);
	int status = SQLITE_DONE;

	if (!err)
		sqlite3_bind_int64(row, 2, replay->from->last_location);
	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(row, 0);
		struct location location;

		if (!take_place(replay, row, 1, &location)) {
			err = damaged(replay, "location", id);
			break;
		}
		if (sqlite3_column_type(row, 4) != SQLITE_NULL) {
			location.address = (uint64_t)sqlite3_column_int64(row, 4);
			location.flags |= LOCATION_HAS_ADDRESS;
		}
		location.line = value_name(row, 5, &model->names);
		if (!ids_set(replay, &replay->locations, id,
			     locations_add(&model->locations, &location), &alloc))
			err = damaged(replay, "location", id);
	}
	return finish(replay->store, row, status, err);
}

/*
 * Functions become locations without an address: with path weights there are no others.
 * They are told apart from locations with one, which have LOCATION_HAS_ADDRESS.
 */
static struct error *read_functions(struct replay *replay)
{
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = prepare(replay->store,
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
			err = damaged(replay, "function", id);
	}
	return finish(replay->store, row, status, err);
}

/* The row's array of ids as ids of the model, in replay->list. */
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

/* They were told apart when they were written, and are not looked for again. */
static struct error *read_stacks(struct replay *replay)
{
	size_t alloc = 0;
	sqlite3_stmt *row;
	struct error *err = prepare(replay->store,
				    "SELECT stack_id, callers FROM stack "
				    "WHERE stack_id BETWEEN ?1 AND ?2 ORDER BY stack_id",
				    replay->from->first_stack, &row);
	int status = SQLITE_DONE;

	if (!err)
		sqlite3_bind_int64(row, 2, replay->from->last_stack);
	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(row, 0);
		uint32_t nr;

		if (!take_list(replay, row, 1, &replay->locations, &nr) ||
		    !ids_set(replay, &replay->stacks, id,
			     stacks_append(&replay->model->stacks, replay->list, nr), &alloc))
			err = damaged(replay, "stack", id);
	}
	return finish(replay->store, row, status, err);
}

static struct error *read_facts(struct replay *replay)
{
	sqlite3_stmt *row;
	struct error *err = prepare(replay->store,
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
	return finish(replay->store, row, status, err);
}

static struct error *read_notes(struct replay *replay)
{
	sqlite3_stmt *row;
	struct error *err = prepare(replay->store,
				    "SELECT code, count, first_line, first_byte FROM note "
				    "WHERE capture_id = ?",
				    replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		const char *code = (const char *)sqlite3_column_text(row, 0);

		for (int i = 0; code && i < NOTE_NR; i++)
			if (strcmp(notes_word(i), code) == 0)
				notes_add(&replay->model->notes, i, column_u64(row, 1),
					  column_u64(row, 2), column_u64(row, 3));
	}
	return finish(replay->store, row, status, err);
}

/* ---- samples */

static bool take_sample(const struct replay *replay, sqlite3_stmt *row, struct sample *ret)
{
	*ret = (struct sample){.cpu = CPU_NONE};
	if (sqlite3_column_type(row, 1) != SQLITE_NULL) {
		ret->time_ns = (uint64_t)sqlite3_column_int64(row, 1);
		ret->flags = SAMPLE_HAS_TIME;
	}
	if (sqlite3_column_type(row, 3) != SQLITE_NULL)
		ret->cpu = sqlite3_column_int(row, 3);
	return column_id(row, 2, &replay->tasks, TASK_NONE, &ret->task) &&
	       column_id(row, 4, &replay->events, ID_NONE, &ret->event) &&
	       column_id(row, 5, &replay->stacks, ID_NONE, &ret->callers) &&
	       column_id(row, 6, &replay->locations, LOCATION_NONE, &ret->leaf) &&
	       ret->event != ID_NONE && ret->callers != ID_NONE &&
	       value_weight(row, 7, &ret->count) && value_weight(row, 8, &ret->period);
}

static struct error *say_samples(struct replay *replay, int64_t first, int64_t last)
{
	sqlite3_stmt *row;
	struct error *err = prepare(replay->store,
				    "SELECT sample_id, time_ns, task_id, cpu, event_id, stack_id, "
				    "leaf_location_id, count, period FROM sample "
				    "WHERE sample_id BETWEEN ?1 AND ?2 ORDER BY sample_id",
				    first, &row);
	int status = SQLITE_DONE;

	if (!err)
		sqlite3_bind_int64(row, 2, last);
	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		struct sample sample;

		if (take_sample(replay, row, &sample))
			err = sink_sample(replay->sink, &sample);
		else
			err = damaged(replay, "sample", sqlite3_column_int64(row, 0));
	}
	return finish(replay->store, row, status, err);
}

/*
 * The first sample of first..last whose time is not before time_ns; last + 1 where all are.
 * Ids are in time order, so no index is needed; samples without a time come first.
 */
static struct error *bisect(struct replay *replay, int64_t first, int64_t last, uint64_t time_ns,
			    int64_t *ret)
{
	sqlite3_stmt *row;
	struct error *err =
		prepare(replay->store, "SELECT time_ns FROM sample WHERE sample_id = ?", 0, &row);
	int status = SQLITE_ROW;

	while (!err && first <= last) {
		int64_t middle = first + (last - first) / 2;

		sqlite3_reset(row);
		sqlite3_bind_int64(row, 1, middle);
		status = sqlite3_step(row);
		if (status != SQLITE_ROW)
			err = status == SQLITE_DONE ? damaged(replay, "sample", middle)
						    : store_error(replay->store, status);
		else if (sqlite3_column_type(row, 0) == SQLITE_NULL ||
			 (uint64_t)sqlite3_column_int64(row, 0) < time_ns)
			first = middle + 1;
		else
			last = middle - 1;
	}
	*ret = first;
	return finish(replay->store, row, SQLITE_DONE, err);
}

static struct error *count_left_out(struct replay *replay, int64_t first, int64_t last,
				    struct replay_count *count)
{
	sqlite3_stmt *row;
	struct error *err;
	int status = SQLITE_DONE;

	/* a sample with a time stands for itself; only others can have a count */
	if (replay->from->has_times) {
		count->left_out += weight_of((uint64_t)(last - first + 1));
		return NULL;
	}
	err = prepare(replay->store, "SELECT count FROM sample WHERE sample_id BETWEEN ?1 AND ?2",
		      first, &row);
	if (!err)
		sqlite3_bind_int64(row, 2, last);
	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		weight one;

		if (value_weight(row, 0, &one))
			count->left_out += one;
		else
			err = damaged(replay, "sample", first);
	}
	return finish(replay->store, row, status, err);
}

static struct error *say_range(struct replay *replay, struct replay_count *count)
{
	int64_t first = replay->from->first_sample, last = replay->from->last_sample;
	int64_t begin = first, end = last + 1;
	struct error *err = NULL;

	if (replay->options->has_range) {
		err = bisect(replay, first, last, replay->options->from_ns, &begin);
		if (!err)
			err = bisect(replay, begin, last, replay->options->to_ns, &end);
		if (!err && begin > first)
			err = count_left_out(replay, first, begin - 1, count);
		if (!err && end <= last)
			err = count_left_out(replay, end, last, count);
	}
	return err ? err : say_samples(replay, begin, end - 1);
}

/* Rows are sorted by path: the callers of one are often those of the row before. */
static uint32_t callers_of(struct replay *replay, uint32_t nr, uint32_t last)
{
	struct stacks *stacks = &replay->model->stacks;

	if (last != STACK_NONE && stacks_depth(stacks, last) == nr &&
	    memcmp(stacks_ids(stacks, last), replay->list, nr * sizeof(*replay->list)) == 0)
		return last;
	return stacks_append(stacks, replay->list, nr);
}

static bool take_path(struct replay *replay, sqlite3_stmt *row, uint32_t last, struct sample *ret)
{
	uint32_t nr;

	*ret = (struct sample){.cpu = CPU_NONE, .leaf = LOCATION_NONE};
	if (!column_id(row, 1, &replay->events, ID_NONE, &ret->event) || ret->event == ID_NONE ||
	    !column_id(row, 2, &replay->tasks, TASK_NONE, &ret->task) ||
	    !take_list(replay, row, 3, &replay->functions, &nr) ||
	    !value_weight(row, 4, &ret->count) || !value_weight(row, 5, &ret->period))
		return false;
	if (nr)
		ret->leaf = replay->list[--nr];
	ret->callers = callers_of(replay, nr, last);
	return true;
}

/* Each row of path_weight as one sample that stands for many. */
static struct error *say_paths(struct replay *replay)
{
	uint32_t last = STACK_NONE;
	sqlite3_stmt *row;
	struct error *err = prepare(replay->store,
				    "SELECT path_id, event_id, task_id, path, count, period "
				    "FROM path_weight WHERE capture_id = ? ORDER BY path_id",
				    replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		struct sample sample;

		if (!take_path(replay, row, last, &sample)) {
			err = damaged(replay, "path_weight", sqlite3_column_int64(row, 0));
			break;
		}
		last = sample.callers;
		err = sink_sample(replay->sink, &sample);
	}
	return finish(replay->store, row, status, err);
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

static struct error *find_rows_max(struct replay *replay)
{
	struct stat st;

	if (stat(replay->store->path, &st) < 0)
		return error_os("cannot read '%s'", replay->store->path);
	replay->rows_max = (uint64_t)st.st_size < ROWS_MAX ? (uint64_t)st.st_size : ROWS_MAX;
	return NULL;
}

static struct error *read_model(struct replay *replay)
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
	if (!err && replay->options->needs_samples)
		err = read_locations(replay);
	if (!err && replay->options->needs_samples)
		err = read_stacks(replay);
	if (!err && !replay->options->needs_samples)
		err = read_functions(replay);
	if (!err && !take_facts_of_all(replay))
		err = damaged(replay, "capture", replay->from->id);
	replay->model->records += replay->from->records;
	replay->model->lost += replay->from->lost;
	replay->model->lost_samples += replay->from->lost_samples;
	return err;
}

struct error *store_replay(struct store *store, const struct store_capture *from,
			   const struct replay_options *options, struct capture *model,
			   struct sink *sink, struct replay_count *ret)
{
	struct replay replay = {
		.store = store,
		.from = from,
		.options = options,
		.model = model,
		.sink = sink,
	};
	struct error *err = find_rows_max(&replay);

	*ret = (struct replay_count){0};
	if (!err)
		err = read_model(&replay);
	if (!err && options->needs_samples)
		err = say_range(&replay, ret);
	else if (!err)
		err = say_paths(&replay);
	ids_release(&replay.events);
	ids_release(&replay.tasks);
	ids_release(&replay.modules);
	ids_release(&replay.symbols);
	ids_release(&replay.locations);
	ids_release(&replay.stacks);
	ids_release(&replay.functions);
	free(replay.list);
	return err;
}
