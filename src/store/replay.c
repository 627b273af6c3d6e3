/* replay.c - the store as a source: a profile's captures said to a sink again */
#include "store/replay.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "model/capture.h"
#include "store/captures.h"
#include "store/path_block.h"
#include "store/replay_names.h"
#include "store/series.h"
#include "store/store.h"
#include "store/unwindings.h"
#include "store/value.h"

/* ---- samples */

/* Samples that are read before their stacks are. */
#define PENDING_MAX (1u << 15)

struct pending {
	int64_t id, stack_id, dump_id; /* dump_id: 0 for none */
	struct sample sample;
};

/* The columns of samples with a stack dump. */
static bool take_unwinding(const struct replay *replay, sqlite3_stmt *row, struct pending *ret)
{
	struct sample *sample = &ret->sample;

	if (sqlite3_column_type(row, 9) == SQLITE_NULL)
		return true;
	sample->flags |= SAMPLE_HAS_UNWINDING;
	sample->unwinding = ids_get(&replay->unwindings, sqlite3_column_int64(row, 9));
	if (sqlite3_column_type(row, 10) != SQLITE_NULL) {
		sample->flags |= SAMPLE_LACKS_FILE;
		ret->dump_id = sqlite3_column_int64(row, 10);
	}
	return sample->unwinding != ID_NONE;
}

static bool take_sample(const struct replay *replay, sqlite3_stmt *row, struct pending *ret)
{
	struct sample *sample = &ret->sample;

	ret->id = sqlite3_column_int64(row, 0);
	ret->stack_id = sqlite3_column_int64(row, 5);
	ret->dump_id = 0;
	*sample = (struct sample){
		.time_ns = (uint64_t)sqlite3_column_int64(row, 1),
		.cpu = sqlite3_column_int(row, 3),
		.flags = SAMPLE_HAS_TIME,
	};
	/* NULL reads as 0, and each question to SQLite costs */
	if (!sample->time_ns && sqlite3_column_type(row, 1) == SQLITE_NULL)
		sample->flags = 0;
	if (!sample->cpu && sqlite3_column_type(row, 3) == SQLITE_NULL)
		sample->cpu = CPU_NONE;
	sample->event = ids_get(&replay->events, sqlite3_column_int64(row, 4));
	if (replay->unwindings.nr && !take_unwinding(replay, row, ret))
		return false;
	return sample->event != ID_NONE &&
	       replay_column_id(row, 2, &replay->tasks, TASK_NONE, &sample->task) &&
	       replay_column_id(row, 6, &replay->locations, LOCATION_NONE, &sample->leaf) &&
	       value_weight(row, 7, &sample->count) && value_weight(row, 8, &sample->period);
}

/* The next samples, PENDING_MAX at most; *ret_nr is 0 behind the last one. */
static struct error *take_pending(struct replay *replay, sqlite3_stmt *row, struct pending *list,
				  size_t *ret_nr)
{
	int status = SQLITE_ROW;
	size_t nr = 0;

	while (nr < PENDING_MAX && (status = sqlite3_step(row)) == SQLITE_ROW) {
		if (!take_sample(replay, row, &list[nr]))
			return replay_damaged(replay, "sample", list[nr].id);
		need(&replay->needed_stacks, list[nr++].stack_id);
	}
	*ret_nr = nr;
	return status == SQLITE_ROW || status == SQLITE_DONE ? NULL
							     : store_error(replay->store, status);
}

static void mark_unwound(struct capture *model, const struct sample *sample)
{
	unwindings_mark(&model->unwindings, sample->unwinding,
			stacks_ids(&model->stacks, sample->callers),
			stacks_depth(&model->stacks, sample->callers));
}

static struct error *say_pending(struct replay *replay, struct pending *list, size_t nr)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < nr; i++) {
		list[i].sample.callers = ids_get(&replay->stacks, list[i].stack_id);
		if (list[i].sample.callers == ID_NONE)
			return replay_damaged(replay, "sample", list[i].id);
		if (list[i].sample.flags & SAMPLE_HAS_UNWINDING && replay->options->needs_addresses)
			mark_unwound(replay->model, &list[i].sample);
		if (list[i].dump_id && replay->options->needs_dumps) {
			err = store_dump_read(replay, &replay->dump, list[i].dump_id);
			list[i].sample.user = &replay->dump.user;
		}
		if (!err)
			err = sink_sample(replay->sink, &list[i].sample);
	}
	return err;
}

/* Which stacks are needed is known once their samples are read, but not how many there are. */
static struct error *say_rows(struct replay *replay, sqlite3_stmt *row)
{
	struct pending *list = mem_alloc(PENDING_MAX * sizeof(*list));
	struct error *err;
	size_t nr;

	do {
		err = take_pending(replay, row, list, &nr);
		if (!err && nr && replay->needed_stacks.marks)
			err = replay_read_stacks(replay);
		if (!err)
			err = say_pending(replay, list, nr);
	} while (!err && nr == PENDING_MAX);
	free(list);
	return err;
}

static struct error *say_samples(struct replay *replay, int64_t first, int64_t last)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(
		replay->store,
		replay->unwindings.nr ? "SELECT sample_id, time_ns, task_id, cpu, event_id, "
					"stack_id, leaf_location_id, count, period, unwinding_id, "
					"dump_id FROM sample "
					"WHERE sample_id BETWEEN ?1 AND ?2 ORDER BY sample_id"
				      : "SELECT sample_id, time_ns, task_id, cpu, event_id, "
					"stack_id, leaf_location_id, count, period FROM sample "
					"WHERE sample_id BETWEEN ?1 AND ?2 ORDER BY sample_id",
		first, &row);

	if (err)
		return err;
	sqlite3_bind_int64(row, 2, last);
	err = say_rows(replay, row);
	sqlite3_finalize(row);
	return err;
}

/*
 * The first sample of first..last whose time is not before time_ns; last + 1 where all are.
 * Ids are in time order, so no index is needed; samples without a time come first.
 */
static struct error *bisect(struct replay *replay, int64_t first, int64_t last, uint64_t time_ns,
			    int64_t *ret)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(
		replay->store, "SELECT time_ns FROM sample WHERE sample_id = ?", 0, &row);
	int status = SQLITE_ROW;

	while (!err && first <= last) {
		int64_t middle = first + (last - first) / 2;

		sqlite3_reset(row);
		sqlite3_bind_int64(row, 1, middle);
		status = sqlite3_step(row);
		if (status != SQLITE_ROW)
			err = status == SQLITE_DONE ? replay_damaged(replay, "sample", middle)
						    : store_error(replay->store, status);
		else if (sqlite3_column_type(row, 0) == SQLITE_NULL ||
			 (uint64_t)sqlite3_column_int64(row, 0) < time_ns)
			first = middle + 1;
		else
			last = middle - 1;
	}
	*ret = first;
	return replay_finish(replay->store, row, SQLITE_DONE, err);
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
	err = replay_prepare(replay->store,
			     "SELECT count FROM sample WHERE sample_id BETWEEN ?1 AND ?2", first,
			     &row);
	if (!err)
		sqlite3_bind_int64(row, 2, last);
	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		weight one;

		if (value_weight(row, 0, &one))
			count->left_out += one;
		else
			err = replay_damaged(replay, "sample", first);
	}
	return replay_finish(replay->store, row, status, err);
}

/* Which samples are said, and how many are left out by the range. */
static struct error *find_range(struct replay *replay, struct replay_count *count)
{
	int64_t first = replay->from->first_sample, last = replay->from->last_sample;
	struct error *err = NULL;

	replay->begin = first;
	replay->end = last + 1;
	if (!replay->options->has_range)
		return NULL;
	err = bisect(replay, first, last, replay->options->from_ns, &replay->begin);
	if (!err)
		err = bisect(replay, replay->begin, last, replay->options->to_ns, &replay->end);
	if (!err && replay->begin > first)
		err = count_left_out(replay, first, replay->begin - 1, count);
	if (!err && replay->end <= last)
		err = count_left_out(replay, replay->end, last, count);
	return err;
}

/* Of a small range only the stacks that its samples have are read, else all at once. */
static struct error *prepare_stacks(struct replay *replay)
{
	const struct store_capture *from = replay->from;
	uint64_t nr = (uint64_t)(from->last_stack - from->first_stack) + 1;

	if (replay->options->needs_all_stacks || nr >= replay->rows_max ||
	    replay->end - replay->begin > (from->last_sample - from->first_sample) / 2)
		return replay_read_stacks(replay);
	replay->needed_stacks = (struct needed){from->first_stack, nr, mem_zalloc(nr, 1)};
	replay->stacks.base = from->first_stack;
	replay->stacks.has_base = true;
	return NULL;
}

/* Paths are in their order: the callers of one are often those of the one before. */
static bool take_path(struct replay *replay, struct path_block *block, uint32_t last_nr,
		      struct sample *sample)
{
	struct stacks *stacks = &replay->model->stacks;
	const struct ids *functions = &replay->functions;
	uint32_t callers_nr = block->nr ? block->nr - 1 : 0;

	for (uint32_t i = block->shared; i < block->nr; i++) {
		block->path[i] = functions->list[block->path[i]];
		if (block->path[i] == ID_NONE)
			return false;
	}
	sample->leaf = block->nr ? block->path[callers_nr] : LOCATION_NONE;
	sample->count = block->count;
	sample->period = block->period;
	if (!last_nr || block->nr != last_nr || block->shared < callers_nr)
		sample->callers = stacks_append(stacks, block->path, callers_nr);
	return true;
}

/* Each path of a row of path_block as one sample that stands for many. */
static struct error *say_block(struct replay *replay, sqlite3_stmt *row, struct path_block *block)
{
	struct sample sample = {.cpu = CPU_NONE};
	int64_t id = sqlite3_column_int64(row, 0);
	const char *text = (const char *)sqlite3_column_text(row, 3);
	enum path_block_step step = PATH_BLOCK_END;
	struct error *err = NULL;
	uint32_t last_nr = 0;

	sample.event = ids_get(&replay->events, sqlite3_column_int64(row, 1));
	if (sample.event == ID_NONE || !text || !path_block_begin(block, text) ||
	    !replay_column_id(row, 2, &replay->tasks, TASK_NONE, &sample.task))
		return replay_damaged(replay, "path_block", id);
	while (!err && (step = path_block_next(block)) == PATH_BLOCK_PATH) {
		if (!take_path(replay, block, last_nr, &sample))
			return replay_damaged(replay, "path_block", id);
		last_nr = block->nr;
		err = sink_sample(replay->sink, &sample);
	}
	if (!err && step == PATH_BLOCK_DAMAGED)
		err = replay_damaged(replay, "path_block", id);
	return err;
}

static struct error *say_paths(struct replay *replay)
{
	struct path_block block = {.base = replay->functions.base, .limit = replay->functions.nr};
	sqlite3_stmt *row;
	struct error *err = replay_prepare(replay->store,
					   "SELECT first_path_id, event_id, task_id, paths "
					   "FROM path_block WHERE capture_id = ? "
					   "ORDER BY first_path_id",
					   replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW)
		err = say_block(replay, row, &block);
	path_block_release(&block);
	return replay_finish(replay->store, row, status, err);
}

static struct error *find_rows_max(struct replay *replay)
{
	struct stat st;

	if (stat(replay->store->path, &st) < 0)
		return error_os("cannot read '%s'", replay->store->path);
	replay->rows_max = (uint64_t)st.st_size < ROWS_MAX ? (uint64_t)st.st_size : ROWS_MAX;
	return NULL;
}

/* What whole samples refer to, and the samples. */
static struct error *replay_samples(struct replay *replay, struct replay_count *count)
{
	struct error *err = find_range(replay, count);

	if (!err)
		err = replay_read_places(replay);
	if (!err)
		err = prepare_stacks(replay);
	if (!err)
		err = store_unwindings_read(replay);
	return err ? err : say_samples(replay, replay->begin, replay->end - 1);
}

static struct error *replay_paths(struct replay *replay)
{
	struct error *err = replay_read_functions(replay);

	return err ? err : say_paths(replay);
}

/* Model ids are table ids less the first; where they are not the profile is none of ours. */
static struct error *check_ids(const struct replay *replay, const struct ids *ids,
			       const char *table)
{
	for (uint32_t i = 0; i < ids->nr; i++)
		if (ids->list[i] != i)
			return replay_damaged(replay, table, ids->base + i);
	return NULL;
}

static void fill_symbols(const struct replay *replay, struct replay_tables *tables)
{
	const struct ids *symbols = &replay->symbols;

	tables->names_nr = replay->model->names.nr;
	tables->symbol_of = mem_alloc(tables->names_nr * sizeof(*tables->symbol_of));
	for (uint32_t i = 0; i < tables->names_nr; i++)
		tables->symbol_of[i] = -1;
	for (uint32_t i = 0; i < symbols->nr; i++)
		if (symbols->list[i] != ID_NONE)
			tables->symbol_of[symbols->list[i]] = symbols->base + i;
}

static struct error *fill_tables(const struct replay *replay, struct replay_tables *tables)
{
	struct error *err = check_ids(replay, &replay->events, "event");

	if (!err)
		err = check_ids(replay, &replay->tasks, "task");
	if (!err)
		err = check_ids(replay, &replay->modules, "module");
	if (!err)
		err = check_ids(replay, &replay->locations, "location");
	if (err)
		return err;
	tables->event = replay->events.base;
	tables->task = replay->tasks.base;
	tables->module = replay->modules.base;
	fill_symbols(replay, tables);
	return NULL;
}

/* Series by series, each in its own order of time. */
static struct error *replay_points(struct replay *replay)
{
	const struct replay_options *options = replay->options;
	uint64_t to_ns = options->has_range ? options->to_ns : UINT64_MAX;
	struct error *err = NULL;

	for (uint32_t i = replay->series_begin; !err && i < replay->model->series.nr; i++)
		err = store_points_read(
			replay->store, replay->first_series + (i - replay->series_begin),
			options->has_range ? options->from_ns : 0, to_ns, replay->sink, i);
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
	/* one look at the file for all statements: what is added meanwhile is not seen */
	struct error *err = store_run(store, "SAVEPOINT replay");

	*ret = (struct replay_count){0};
	model->has_offsets |= strcmp(from->format, "perf-data") == 0;
	if (!err)
		err = find_rows_max(&replay);
	if (!err)
		err = replay_read_names(&replay);
	if (!err && options->needs_samples)
		err = replay_samples(&replay, ret);
	else if (!err)
		err = replay_paths(&replay);
	if (!err && options->needs_points && sink->point)
		err = replay_points(&replay);
	if (!err && options->tables)
		err = fill_tables(&replay, options->tables);
	replay_release(&replay);
	if (!err)
		err = store_run(store, "RELEASE replay");
	return err;
}
