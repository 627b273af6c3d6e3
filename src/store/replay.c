/* replay.c - the store as a source: a profile's captures said to a sink again */
#include "store/replay.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "store/captures.h"
#include "store/path_block.h"
#include "store/replay_names.h"
#include "store/series.h"
#include "store/store.h"
#include "store/unwindings.h"
#include "store/value.h"

/* ---- samples */

/*
 * Samples that are read before their stacks are. Where only the needed stacks are read, each lot
 * of samples goes through the whole table once more; else few are best, which stay in the cache.
 */
#define PENDING_MAX	(1u << 17)
#define PENDING_ALL_MAX (1u << 11)

struct pending {
	int64_t id, stack_id, leaf_id, dump_id; /* 0 for none */
	struct sample sample;
};

/* The columns that are read; which of the last three there are depends. */
enum column {
	COLUMN_ID,
	COLUMN_TIME,
	COLUMN_TASK,
	COLUMN_EVENT,
	COLUMN_STACK,
	COLUMN_LEAF,
	COLUMN_COUNT,
	COLUMN_PERIOD,
	COLUMN_CPU,
	COLUMN_UNWINDING,
	COLUMN_DUMP,
};

/* The columns of samples with a stack dump. */
static bool take_unwinding(const struct replay *replay, sqlite3_stmt *row, struct pending *ret)
{
	struct sample *sample = &ret->sample;

	if (sqlite3_column_type(row, COLUMN_UNWINDING) == SQLITE_NULL)
		return true;
	sample->flags |= SAMPLE_HAS_UNWINDING;
	sample->unwinding =
		ids_get(&replay->unwindings, sqlite3_column_int64(row, COLUMN_UNWINDING));
	if (sqlite3_column_type(row, COLUMN_DUMP) != SQLITE_NULL) {
		sample->flags |= SAMPLE_LACKS_FILE;
		ret->dump_id = sqlite3_column_int64(row, COLUMN_DUMP);
	}
	return sample->unwinding != ID_NONE;
}

static int32_t take_cpu(const struct replay *replay, sqlite3_stmt *row)
{
	int32_t cpu = CPU_NONE;

	if (replay->options->without_cpu)
		return cpu;
	cpu = sqlite3_column_int(row, COLUMN_CPU);
	/* NULL reads as 0, and each question to SQLite costs */
	return !cpu && sqlite3_column_type(row, COLUMN_CPU) == SQLITE_NULL ? CPU_NONE : cpu;
}

/* All but what its stack and leaf mean: see find_places(). */
static bool take_sample(const struct replay *replay, sqlite3_stmt *row, struct pending *ret)
{
	struct sample *sample = &ret->sample;

	ret->id = sqlite3_column_int64(row, COLUMN_ID);
	ret->stack_id = sqlite3_column_int64(row, COLUMN_STACK);
	ret->leaf_id = sqlite3_column_int64(row, COLUMN_LEAF);
	ret->dump_id = 0;
	*sample = (struct sample){
		.time_ns = (uint64_t)sqlite3_column_int64(row, COLUMN_TIME),
		.cpu = take_cpu(replay, row),
		.flags = SAMPLE_HAS_TIME,
	};
	if (!sample->time_ns && sqlite3_column_type(row, COLUMN_TIME) == SQLITE_NULL)
		sample->flags = 0;
	sample->event = ids_get(&replay->events, sqlite3_column_int64(row, COLUMN_EVENT));
	if (replay->unwindings.nr && !take_unwinding(replay, row, ret))
		return false;
	/* ids are never 0 */
	if (!ret->leaf_id && sqlite3_column_type(row, COLUMN_LEAF) != SQLITE_NULL)
		return false;
	return sample->event != ID_NONE &&
	       replay_column_id(row, COLUMN_TASK, &replay->tasks, TASK_NONE, &sample->task) &&
	       value_weight(row, COLUMN_COUNT, &sample->count) &&
	       value_weight(row, COLUMN_PERIOD, &sample->period);
}

/* The next samples, `most` of them; *ret_nr is less behind the last one. */
static struct error *take_pending(struct replay *replay, sqlite3_stmt *row, struct pending *list,
				  size_t most, size_t *ret_nr)
{
	int status = SQLITE_ROW;
	size_t nr = 0;

	while (nr < most && (status = sqlite3_step(row)) == SQLITE_ROW) {
		if (!take_sample(replay, row, &list[nr]))
			return replay_damaged(replay, "sample", list[nr].id);
		need(&replay->needed_stacks, list[nr++].stack_id);
	}
	*ret_nr = nr;
	return status == SQLITE_ROW || status == SQLITE_DONE ? NULL
							     : store_error(replay->store, status);
}

/* Places and what a sink keeps of them lie all over memory; what is needed soon is fetched. */
#define AHEAD 16

static void fetch_place(const struct replay *replay, const struct pending *pending)
{
	uint64_t at = (uint64_t)pending->leaf_id - (uint64_t)replay->locations.base;

	if (at < replay->locations.nr)
		__builtin_prefetch(&replay->locations.list[at]);
}

/* What stacks and leaves mean; those of the latter that are NULL were read as 0. */
static struct error *find_places(const struct replay *replay, struct pending *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct pending *pending = &list[i];
		struct sample *sample = &pending->sample;

		if (i + AHEAD < nr)
			fetch_place(replay, pending + AHEAD);
		sample->callers = ids_get(&replay->stacks, pending->stack_id);
		sample->leaf = LOCATION_NONE;
		if (pending->leaf_id)
			sample->leaf = ids_get(&replay->locations, pending->leaf_id);
		if (sample->callers == ID_NONE || (pending->leaf_id && sample->leaf == ID_NONE))
			return replay_damaged(replay, "sample", pending->id);
	}
	return NULL;
}

static void mark_unwound(struct capture *model, const struct sample *sample)
{
	unwindings_mark(&model->unwindings, sample->unwinding,
			stacks_ids(&model->stacks, sample->callers),
			stacks_depth(&model->stacks, sample->callers));
}

static struct error *say_one(struct replay *replay, struct pending *pending)
{
	struct error *err = NULL;

	if (pending->sample.flags & SAMPLE_HAS_UNWINDING && replay->options->needs_addresses)
		mark_unwound(replay->model, &pending->sample);
	if (pending->dump_id && replay->options->needs_dumps) {
		err = store_dump_read(replay, &replay->dump, pending->dump_id);
		pending->sample.user = &replay->dump.user;
	}
	return err ? err : sink_sample(replay->sink, &pending->sample);
}

static struct error *say_pending(struct replay *replay, struct pending *list, size_t nr)
{
	struct error *err = find_places(replay, list, nr);

	for (size_t i = 0; !err && i < nr; i++) {
		if (i + AHEAD < nr)
			sink_soon(replay->sink, &list[i + AHEAD].sample, false);
		if (i + AHEAD / 2 < nr)
			sink_soon(replay->sink, &list[i + AHEAD / 2].sample, true);
		err = say_one(replay, &list[i]);
	}
	return err;
}

/* Which stacks are needed is known once their samples are read, but not how many there are. */
static struct error *say_rows(struct replay *replay, sqlite3_stmt *row)
{
	size_t most = replay->needed_stacks.marks ? PENDING_MAX : PENDING_ALL_MAX, nr = 0;
	struct pending *list = mem_alloc(most * sizeof(*list));
	struct error *err;

	do {
		err = take_pending(replay, row, list, most, &nr);
		if (!err && nr && replay->needed_stacks.marks)
			err = replay_read_stacks(replay);
		if (!err)
			err = say_pending(replay, list, nr);
	} while (!err && nr == most);
	free(list);
	return err;
}

static struct error *say_samples(struct replay *replay, int64_t first, int64_t last)
{
	CLEANUP(text_release) struct text sql = TEXT_INIT;
	sqlite3_stmt *row;
	struct error *err;

	text_add(&sql, "SELECT sample_id, time_ns, task_id, event_id, stack_id, leaf_location_id, "
		       "count, period");
	text_add(&sql, replay->options->without_cpu ? ", NULL" : ", cpu");
	if (replay->unwindings.nr)
		text_add(&sql, ", unwinding_id, dump_id");
	text_add(&sql, " FROM sample WHERE sample_id BETWEEN ?1 AND ?2 ORDER BY sample_id");
	err = replay_prepare(replay->store, text_string(&sql), first, &row);
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
static void take_path(struct replay *replay, const struct path_block *block, uint32_t last_nr,
		      struct sample *sample)
{
	struct stacks *stacks = &replay->model->stacks;
	uint32_t callers_nr = block->nr ? block->nr - 1 : 0;

	sample->leaf = block->nr ? block->path[callers_nr] : LOCATION_NONE;
	sample->count = block->count;
	sample->period = block->period;
	if (!last_nr)
		sample->callers = stacks_append(stacks, block->path, callers_nr, 0);
	else if (block->nr != last_nr || block->shared < callers_nr)
		sample->callers =
			stacks_append_next(stacks, block->path, callers_nr,
					   block->shared < last_nr ? block->shared : last_nr - 1);
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
	if (sample.event == ID_NONE || !text ||
	    !path_block_begin(block, text, (size_t)sqlite3_column_bytes(row, 3)) ||
	    !replay_column_id(row, 2, &replay->tasks, TASK_NONE, &sample.task))
		return replay_damaged(replay, "path_block", id);
	while (!err && (step = path_block_next(block)) == PATH_BLOCK_PATH) {
		take_path(replay, block, last_nr, &sample);
		last_nr = block->nr;
		err = sink_sample(replay->sink, &sample);
	}
	if (!err && step == PATH_BLOCK_DAMAGED)
		err = replay_damaged(replay, "path_block", id);
	return err;
}

/* More are not expected, whatever a damaged file says. */
#define EXPECTED_MAX (1 << 20)

/*
 * What paths become is expected at its whole size: paths of a block have the ids from its first
 * one on. How many the last block has is not known before it is read.
 */
static struct error *expect_paths(struct replay *replay)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(
		replay->store,
		"SELECT (SELECT max(first_path_id) FROM path_block WHERE capture_id = ?1) - "
		"(SELECT min(first_path_id) FROM path_block WHERE capture_id = ?1)",
		replay->from->id, &row);
	int status = err ? SQLITE_DONE : sqlite3_step(row);
	int64_t nr = 0;

	if (status == SQLITE_ROW)
		nr = sqlite3_column_int64(row, 0);
	if (nr > 0 && nr < EXPECTED_MAX) {
		nr += nr / 64 + 256;
		stacks_expect(&replay->model->stacks, (size_t)nr);
		sink_expect(replay->sink, (size_t)nr);
	}
	return replay_finish(replay->store, row, status, err);
}

static struct error *say_paths(struct replay *replay)
{
	struct path_block block = {.base = replay->functions.base,
				   .limit = replay->functions.nr,
				   .meaning_of = replay->functions.list};
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

/*
 * There are no more rows than bytes, whatever a damaged file says. What is being written is not in
 * a file yet, or not under its name.
 */
static struct error *find_rows_max(struct replay *replay)
{
	struct error *err;
	struct stat st;
	int64_t size;

	if (replay->store->is_changing) {
		err = store_next_id(replay->store,
				    "SELECT page_count * page_size "
				    "FROM pragma_page_count, pragma_page_size",
				    &size);
		if (!err)
			replay->rows_max = (uint64_t)size < ROWS_MAX ? (uint64_t)size : ROWS_MAX;
		return err;
	}
	if (stat(replay->store->path, &st) < 0)
		return error_os("cannot read '%s'", replay->store->path);
	replay->rows_max = (uint64_t)st.st_size < ROWS_MAX ? (uint64_t)st.st_size : ROWS_MAX;
	return NULL;
}

_Static_assert(ID_NONE == PATH_BLOCK_NOTHING, "what a path's id means");

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

	if (!err)
		err = expect_paths(replay);
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

/*
 * Tables are read from front to back, once: what SQLite keeps of them is memory that is made
 * ready and thrown out of the processor's cache for nothing. Whoever writes needs it.
 */
static struct error *keep_few_pages(const struct store *store)
{
	if (sqlite3_db_readonly(store->db, "main") != 1)
		return NULL;
	return store_run(store, "PRAGMA cache_size = -256");
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
	struct error *err = keep_few_pages(store);

	*ret = (struct replay_count){0};
	/* one look at the file for all statements: what is added meanwhile is not seen */
	if (!err)
		err = store_run(store, "SAVEPOINT replay");
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
