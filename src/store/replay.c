/* replay.c - the store as a source: a profile's captures said to a sink again */
#include "store/replay.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "model/capture.h"
#include "store/captures.h"
#include "store/replay_names.h"
#include "store/store.h"
#include "store/value.h"

/* ---- samples */

static bool take_sample(const struct replay *replay, sqlite3_stmt *row, struct sample *ret)
{
	*ret = (struct sample){
		.time_ns = (uint64_t)sqlite3_column_int64(row, 1),
		.cpu = sqlite3_column_int(row, 3),
		.flags = SAMPLE_HAS_TIME,
	};
	/* NULL reads as 0, and each question to SQLite costs */
	if (!ret->time_ns && sqlite3_column_type(row, 1) == SQLITE_NULL)
		ret->flags = 0;
	if (!ret->cpu && sqlite3_column_type(row, 3) == SQLITE_NULL)
		ret->cpu = CPU_NONE;
	ret->event = ids_get(&replay->events, sqlite3_column_int64(row, 4));
	ret->callers = ids_get(&replay->stacks, sqlite3_column_int64(row, 5));
	return ret->event != ID_NONE && ret->callers != ID_NONE &&
	       replay_column_id(row, 2, &replay->tasks, TASK_NONE, &ret->task) &&
	       replay_column_id(row, 6, &replay->locations, LOCATION_NONE, &ret->leaf) &&
	       value_weight(row, 7, &ret->count) && value_weight(row, 8, &ret->period);
}

static struct error *say_samples(struct replay *replay, int64_t first, int64_t last)
{
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(replay->store,
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
			err = replay_damaged(replay, "sample", sqlite3_column_int64(row, 0));
	}
	return replay_finish(replay->store, row, status, err);
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

static void needed_init(const struct replay *replay, struct needed *needed, int64_t first,
			int64_t last)
{
	uint64_t nr = (uint64_t)(last - first) + 1;

	if (nr < replay->rows_max)
		*needed = (struct needed){first, nr, mem_zalloc(nr, 1)};
}

/* Of a small range only the stacks and places that its samples have are read. */
static struct error *find_needed(struct replay *replay)
{
	const struct store_capture *from = replay->from;
	sqlite3_stmt *row;
	struct error *err;
	int status = SQLITE_DONE;

	if (replay->options->needs_all_names ||
	    replay->end - replay->begin > (from->last_sample - from->first_sample) / 2)
		return NULL;
	needed_init(replay, &replay->needed_stacks, from->first_stack, from->last_stack);
	needed_init(replay, &replay->needed_locations, from->first_location, from->last_location);
	err = replay_prepare(replay->store,
			     "SELECT stack_id, leaf_location_id FROM sample "
			     "WHERE sample_id BETWEEN ?1 AND ?2",
			     replay->begin, &row);
	if (!err)
		sqlite3_bind_int64(row, 2, replay->end - 1);
	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		need(&replay->needed_stacks, sqlite3_column_int64(row, 0));
		need(&replay->needed_locations, sqlite3_column_int64(row, 1)); /* NULL: 0 */
	}
	return replay_finish(replay->store, row, status, err);
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
	ret->event = ids_get(&replay->events, sqlite3_column_int64(row, 1));
	if (ret->event == ID_NONE ||
	    !replay_column_id(row, 2, &replay->tasks, TASK_NONE, &ret->task) ||
	    !replay_take_list(replay, row, 3, &replay->functions, &nr) ||
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
	struct error *err = replay_prepare(replay->store,
					   "SELECT path_id, event_id, task_id, path, count, period "
					   "FROM path_weight WHERE capture_id = ? ORDER BY path_id",
					   replay->from->id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		struct sample sample;

		if (!take_path(replay, row, last, &sample)) {
			err = replay_damaged(replay, "path_weight", sqlite3_column_int64(row, 0));
			break;
		}
		last = sample.callers;
		err = sink_sample(replay->sink, &sample);
	}
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
		err = find_needed(replay);
	if (!err)
		err = replay_read_stacks(replay);
	return err ? err : say_samples(replay, replay->begin, replay->end - 1);
}

static struct error *replay_paths(struct replay *replay)
{
	struct error *err = replay_read_functions(replay);

	return err ? err : say_paths(replay);
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
	if (!err)
		err = find_rows_max(&replay);
	if (!err)
		err = replay_read_names(&replay);
	if (!err && options->needs_samples)
		err = replay_samples(&replay, ret);
	else if (!err)
		err = replay_paths(&replay);
	replay_release(&replay);
	if (!err)
		err = store_run(store, "RELEASE replay");
	return err;
}
