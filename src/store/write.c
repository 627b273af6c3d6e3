/* write.c - the store as a sink: a capture's samples and names into a profile's tables */
#include "store/write.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "store/clock_maps.h"
#include "store/derived.h"
#include "store/dumps.h"
#include "store/losses.h"
#include "store/series.h"
#include "store/store.h"
#include "store/unwindings.h"
#include "store/value.h"
#include "store/write_places.h"

/* Where the ids of this capture begin in each table: model ids count from 0. */
struct bases {
	int64_t capture, event, thread, module, symbol, location, stack, sample, function;
	int64_t unwinding, dump, dump_space;
};

struct store_writer {
	struct sink sink;
	struct store *store;
	struct capture *capture;
	struct bases base;
	struct tally tally; /* what path_block is made of */
	sqlite3_stmt *insert_sample;
	weight samples;
	int64_t samples_nr;
	uint64_t last_ns;
	bool has_start, is_unsorted;
	bool drops_stacks; /* those that lack a file, too */
	struct store_dumps dumps;
	struct store_series_writer *series;
};

static struct error *find_bases(const struct store *store, struct bases *ret)
{
	const struct {
		const char *sql;
		int64_t *base;
	} tables[] = {
		{"SELECT ifnull(max(capture_id), 0) FROM capture", &ret->capture},
		{"SELECT ifnull(max(event_id), 0) FROM event", &ret->event},
		{"SELECT ifnull(max(task_id), 0) FROM task", &ret->thread},
		{"SELECT ifnull(max(module_id), 0) FROM module", &ret->module},
		{"SELECT ifnull(max(symbol_id), 0) FROM symbol", &ret->symbol},
		{"SELECT ifnull(max(location_id), 0) FROM location", &ret->location},
		{"SELECT ifnull(max(stack_id), 0) FROM stack", &ret->stack},
		{"SELECT ifnull(max(sample_id), 0) FROM sample", &ret->sample},
		{"SELECT ifnull(max(function_id), 0) FROM function", &ret->function},
		{"SELECT ifnull(max(unwinding_id), 0) FROM unwinding", &ret->unwinding},
		{"SELECT ifnull(max(dump_id), 0) FROM dump", &ret->dump},
		{"SELECT ifnull(max(dump_space_id), 0) FROM dump_space", &ret->dump_space},
	};
	struct error *err = NULL;

	for (size_t i = 0; !err && i < ARRAY_NR(tables); i++)
		err = store_next_id(store, tables[i].sql, tables[i].base);
	return err;
}

/* ---- samples */

static void watch_time(struct store_writer *writer, const struct sample *sample)
{
	if (!(sample->flags & SAMPLE_HAS_TIME)) {
		/* without a time comes before all times */
		writer->is_unsorted |= writer->has_start;
		return;
	}
	writer->is_unsorted |= writer->has_start && sample->time_ns < writer->last_ns;
	writer->last_ns = sample->time_ns;
	writer->has_start = true;
}

/* How its stack was found, and the dump where it has to be found again. */
static struct error *bind_unwinding(struct store_writer *writer, const struct sample *sample)
{
	sqlite3_stmt *insert = writer->insert_sample;
	struct error *err;
	int64_t dump;

	sqlite3_bind_null(insert, 11);
	if (!(sample->flags & SAMPLE_HAS_UNWINDING)) {
		sqlite3_bind_null(insert, 10);
		return NULL;
	}
	sqlite3_bind_int64(insert, 10, writer->base.unwinding + sample->unwinding);
	if (!(sample->flags & SAMPLE_LACKS_FILE) || writer->drops_stacks || !sample->user)
		return NULL;
	err = store_dumps_add(&writer->dumps, sample->user, &dump);
	if (!err)
		sqlite3_bind_int64(insert, 11, dump);
	return err;
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct store_writer *writer = (struct store_writer *)sink;
	sqlite3_stmt *insert = writer->insert_sample;
	struct error *err = bind_unwinding(writer, sample);

	if (err)
		return err;
	watch_time(writer, sample);
	writer->samples += sample->count;
	if (sample->flags & SAMPLE_HAS_TIME)
		sqlite3_bind_int64(insert, 2, (int64_t)sample->time_ns);
	else
		sqlite3_bind_null(insert, 2);
	sqlite3_bind_int64(insert, 1, writer->base.sample + writer->samples_nr++);
	if (sample->task == TASK_NONE)
		sqlite3_bind_null(insert, 3);
	else
		sqlite3_bind_int64(insert, 3, writer->base.thread + sample->task);
	value_bind_int(insert, 4, sample->cpu, CPU_NONE);
	sqlite3_bind_int64(insert, 5, writer->base.event + sample->event);
	sqlite3_bind_int64(insert, 6, writer->base.stack + sample->callers);
	if (sample->leaf == LOCATION_NONE)
		sqlite3_bind_null(insert, 7);
	else
		sqlite3_bind_int64(insert, 7, writer->base.location + sample->leaf);
	value_bind_weight(insert, 8, sample->count);
	value_bind_weight(insert, 9, sample->period);
	err = store_step(writer->store, insert);
	return err ? err : sink_sample(&writer->tally.sink, sample);
}

static struct error *on_point(struct sink *sink, uint32_t series, const struct point *point)
{
	return store_series_add(((struct store_writer *)sink)->series, series, point);
}

/* Samples without a time first, then by time; what is of the same time keeps its order. */
static struct error *sort_samples(const struct store_writer *writer)
{
	CLEANUP(text_release) struct text sql = TEXT_INIT;
	int64_t first = writer->base.sample;

	if (!writer->is_unsorted)
		return NULL;
	text_addf(&sql,
		  "CREATE TEMP TABLE sorted AS SELECT * FROM sample WHERE sample_id >= %" PRId64
		  " ORDER BY time_ns, sample_id;"
		  "DELETE FROM sample WHERE sample_id >= %" PRId64 ";"
		  "INSERT INTO sample SELECT rowid - 1 + %" PRId64
		  ", time_ns, task_id, cpu, event_id, stack_id, leaf_location_id, count, period, "
		  "unwinding_id, dump_id"
		  " FROM sorted ORDER BY rowid;"
		  "DROP TABLE sorted;",
		  first, first, first);
	return store_run(writer->store, text_string(&sql));
}

/* ---- what ids mean: one function a table */

static struct error *write_events(const struct store_writer *writer)
{
	static const char *const units[] = {"samples", "ns", "events"};
	const struct capture *capture = writer->capture;
	sqlite3_stmt *insert;
	struct error *err = store_prepare(
		writer->store, "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", &insert);

	for (uint32_t i = 0; !err && i < capture->events.nr; i++) {
		const struct event *event = &capture->events.list[i];

		sqlite3_bind_int64(insert, 1, writer->base.event + i);
		sqlite3_bind_int64(insert, 2, writer->base.capture);
		value_bind_name(insert, 3, &capture->names, event->name);
		sqlite3_bind_text(insert, 4, units[event->unit], -1, SQLITE_STATIC);
		sqlite3_bind_int(insert, 5, event->has_periods);
		value_bind_weight(insert, 6, event->samples);
		sqlite3_bind_text(insert, 7, walked_by_word(event->walked_by), -1, SQLITE_STATIC);
		err = store_step(writer->store, insert);
	}
	sqlite3_finalize(insert);
	return err;
}

/* A thread is written with the first of its names; its id is that name's. */
static struct error *write_threads(const struct store_writer *writer, int64_t *thread_of)
{
	const struct tasks *tasks = &writer->capture->tasks;
	struct tasks seen = {0}; /* threads by pid and tid */
	uint32_t *first = mem_alloc(tasks->nr * sizeof(*first));
	sqlite3_stmt *insert;
	struct error *err =
		store_prepare(writer->store, "INSERT INTO thread VALUES (?, ?, ?, ?)", &insert);

	for (uint32_t i = 0; !err && i < tasks->nr; i++) {
		struct task thread = {tasks->list[i].pid, tasks->list[i].tid, NAME_NONE};
		uint32_t nr = seen.nr, id = tasks_add(&seen, &thread);

		if (id == nr)
			first[id] = i;
		thread_of[i] = writer->base.thread + first[id];
		if (id < nr)
			continue;
		sqlite3_bind_int64(insert, 1, thread_of[i]);
		sqlite3_bind_int64(insert, 2, writer->base.capture);
		value_bind_int(insert, 3, thread.pid, TASK_ID_NONE);
		value_bind_int(insert, 4, thread.tid, TASK_ID_NONE);
		err = store_step(writer->store, insert);
	}
	sqlite3_finalize(insert);
	tasks_release(&seen);
	free(first);
	return err;
}

static struct error *write_tasks(const struct store_writer *writer)
{
	const struct capture *capture = writer->capture;
	int64_t *thread_of = mem_alloc(capture->tasks.nr * sizeof(*thread_of));
	sqlite3_stmt *insert = NULL;
	struct error *err = write_threads(writer, thread_of);

	if (!err)
		err = store_prepare(writer->store, "INSERT INTO task VALUES (?, ?, ?)", &insert);
	for (uint32_t i = 0; !err && i < capture->tasks.nr; i++) {
		sqlite3_bind_int64(insert, 1, writer->base.thread + i);
		sqlite3_bind_int64(insert, 2, thread_of[i]);
		value_bind_name(insert, 3, &capture->names, capture->tasks.list[i].comm);
		err = store_step(writer->store, insert);
	}
	sqlite3_finalize(insert);
	free(thread_of);
	return err;
}

static struct error *write_modules(const struct store_writer *writer)
{
	const struct capture *capture = writer->capture;
	sqlite3_stmt *insert;
	struct error *err =
		store_prepare(writer->store,
			      "INSERT INTO module (module_id, capture_id, path, basename, origin, "
			      "build_id, id_source, map_offset, reference) "
			      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			      &insert);

	for (uint32_t i = 0; !err && i < capture->modules.nr; i++) {
		const struct module *module = &capture->modules.list[i];

		sqlite3_bind_int64(insert, 1, writer->base.module + i);
		sqlite3_bind_int64(insert, 2, writer->base.capture);
		value_bind_name(insert, 3, &capture->names, module->path);
		value_bind_name(insert, 4, &capture->names, module->basename);
		sqlite3_bind_text(insert, 5, origin_word(module->origin), -1, SQLITE_STATIC);
		value_bind_name(insert, 6, &capture->names, module->build_id);
		sqlite3_bind_text(insert, 7, module_id_source_word(module->id_source), -1,
				  SQLITE_STATIC);
		if (module->map_offset == MODULE_NO_OFFSET)
			sqlite3_bind_null(insert, 8);
		else
			sqlite3_bind_int64(insert, 8, (int64_t)module->map_offset);
		value_bind_name(insert, 9, &capture->names, module->reference);
		err = store_step(writer->store, insert);
	}
	sqlite3_finalize(insert);
	return err;
}

static struct error *write_names(const struct store_writer *writer)
{
	int64_t *symbol_of = mem_alloc(writer->capture->names.nr * sizeof(*symbol_of));
	struct error *err = write_places(writer->store, writer->capture,
					 &(struct place_bases){
						 .capture = writer->base.capture,
						 .module = writer->base.module,
						 .symbol = writer->base.symbol,
						 .location = writer->base.location,
						 .stack = writer->base.stack,
					 },
					 symbol_of);

	if (!err)
		err = derived_write(writer->store, writer->capture, &writer->tally,
				    &(struct derived_bases){
					    .capture = writer->base.capture,
					    .event = writer->base.event,
					    .task = writer->base.thread,
					    .module = writer->base.module,
					    .location = writer->base.location,
					    .function = writer->base.function,
				    },
				    symbol_of);
	free(symbol_of);
	return err;
}

static struct error *write_fact(const struct store_writer *writer, sqlite3_stmt *insert,
				int position, const char *source, const char *name,
				size_t name_size, const char *value)
{
	sqlite3_bind_int64(insert, 1, writer->base.capture);
	sqlite3_bind_int(insert, 2, position);
	sqlite3_bind_text(insert, 3, source, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 4, name, (int)name_size, SQLITE_STATIC);
	sqlite3_bind_text(insert, 5, value, -1, SQLITE_STATIC);
	return store_step(writer->store, insert);
}

static struct error *write_facts(const struct store_writer *writer, const struct store_about *about)
{
	const struct facts *facts = &writer->capture->facts;
	int position = 0;
	sqlite3_stmt *insert;
	struct error *err =
		store_prepare(writer->store, "INSERT INTO fact VALUES (?, ?, ?, ?, ?)", &insert);

	for (size_t i = 0; !err && i < facts->nr; i++)
		err = write_fact(writer, insert, position++, "capture", facts->list[i].name,
				 strlen(facts->list[i].name), facts->list[i].value);
	for (size_t i = 0; !err && i < about->facts_nr; i++) {
		const char *equals = strchr(about->facts[i], '=');

		err = write_fact(writer, insert, position++, "user", about->facts[i],
				 (size_t)(equals - about->facts[i]), equals + 1);
	}
	sqlite3_finalize(insert);
	return err;
}

static struct error *write_notes(const struct store_writer *writer)
{
	sqlite3_stmt *insert;
	struct error *err =
		store_prepare(writer->store, "INSERT INTO note VALUES (?, ?, ?, ?, ?)", &insert);

	for (int i = 0; !err && i < NOTE_NR; i++) {
		const struct note *note = &writer->capture->notes.list[i];

		if (!note->count)
			continue;
		sqlite3_bind_int64(insert, 1, writer->base.capture);
		sqlite3_bind_text(insert, 2, notes_word(i), -1, SQLITE_STATIC);
		value_bind_u64(insert, 3, note->count);
		value_bind_u64(insert, 4, note->first_line);
		value_bind_u64(insert, 5, note->first_byte);
		err = store_step(writer->store, insert);
	}
	sqlite3_finalize(insert);
	return err;
}

static struct error *write_capture(const struct store_writer *writer,
				   const struct store_about *about)
{
	const struct capture *capture = writer->capture;
	const struct bases *base = &writer->base;
	sqlite3_stmt *insert;
	struct error *err =
		store_prepare(writer->store,
			      "INSERT INTO capture VALUES "
			      "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?18, ?8, ?9, ?10, ?11, ?12, ?13, "
			      "?14, ?15, ?16, ?17, ?19)",
			      &insert);

	if (err)
		return err;
	sqlite3_bind_int64(insert, 1, base->capture);
	sqlite3_bind_text(insert, 2, about->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 3, about->sha256, -1, SQLITE_STATIC);
	value_bind_u64(insert, 4, about->size_bytes);
	sqlite3_bind_text(insert, 5, capture->format, -1, SQLITE_STATIC);
	value_bind_weight(insert, 6, writer->samples);
	if (capture->has_times) {
		sqlite3_bind_int64(insert, 7, (int64_t)capture->start_ns);
		sqlite3_bind_int64(insert, 18, (int64_t)capture->end_ns);
	}
	if (capture->has_first_event)
		sqlite3_bind_int64(insert, 8, base->event + capture->first_event);
	sqlite3_bind_int64(insert, 9, base->sample);
	sqlite3_bind_int64(insert, 10, base->sample + writer->samples_nr - 1);
	sqlite3_bind_int64(insert, 11, base->location);
	sqlite3_bind_int64(insert, 12,
			   base->location + frames_places(&capture->frames, capture->locations.nr) -
				   1);
	sqlite3_bind_int64(insert, 13, base->stack);
	sqlite3_bind_int64(insert, 14, base->stack + capture->stacks.nr - 1);
	value_bind_u64(insert, 15, capture->records);
	value_bind_u64(insert, 16, capture->lost);
	value_bind_u64(insert, 17, capture->lost_samples);
	sqlite3_bind_text(insert, 19, source_clock_word(capture->clock), -1, SQLITE_STATIC);
	err = store_step(writer->store, insert);
	sqlite3_finalize(insert);
	return err;
}

static struct error *write_all(struct store_writer *writer, const struct store_about *about)
{
	struct error *err = write_capture(writer, about);

	if (!err)
		err = write_events(writer);
	if (!err)
		err = write_tasks(writer);
	if (!err)
		err = write_modules(writer);
	if (!err)
		err = write_names(writer);
	if (!err)
		err = store_unwindings_write(writer->store, writer->base.capture,
					     writer->base.unwinding, &writer->capture->unwindings);
	if (!err)
		err = write_facts(writer, about);
	if (!err)
		err = write_notes(writer);
	if (!err)
		err = store_losses_write(writer->store, writer->base.capture, writer->base.event,
					 &writer->capture->losses);
	if (!err)
		err = store_clocks_write(writer->store, writer->base.capture,
					 &writer->capture->ties);
	if (!err)
		err = store_series_write(writer->series);
	if (!err)
		err = sort_samples(writer);
	if (!err)
		err = store_run(writer->store, "RELEASE capture");
	return err;
}

struct error *store_write_begin(struct store *store, struct capture *capture,
				struct store_writer **ret)
{
	struct store_writer *writer = mem_zalloc(1, sizeof(*writer));
	struct error *err;

	writer->sink.sample = on_sample;
	writer->sink.point = on_point;
	writer->store = store;
	writer->capture = capture;
	tally_init(&writer->tally, capture, &(struct tally_options){.by = TALLY_BY_TASK});
	err = find_bases(store, &writer->base);
	writer->dumps = (struct store_dumps){
		.store = store,
		.capture = writer->base.capture,
		.module = writer->base.module,
		.next_dump = writer->base.dump,
		.next_space = writer->base.dump_space,
	};
	if (!err)
		err = store_run(store, "SAVEPOINT capture");
	if (!err)
		err = store_prepare(store,
				    "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				    &writer->insert_sample);
	if (!err)
		err = store_series_new(store, capture, writer->base.capture, &writer->series);
	if (err)
		return store_write_end(writer, NULL, err);
	*ret = writer;
	return NULL;
}

void store_write_drop_stacks(struct store_writer *writer)
{
	writer->drops_stacks = true;
}

struct sink *store_write_sink(struct store_writer *writer)
{
	return &writer->sink;
}

const struct tally *store_write_tally(const struct store_writer *writer)
{
	return &writer->tally;
}

weight store_write_samples(const struct store_writer *writer)
{
	return writer->samples;
}

struct error *store_write_end(struct store_writer *writer, const struct store_about *about,
			      struct error *err)
{
	if (!err && about)
		err = write_all(writer, about);
	sqlite3_finalize(writer->insert_sample);
	store_dumps_release(&writer->dumps);
	store_series_free(writer->series);
	tally_release(&writer->tally);
	free(writer);
	return err;
}

static struct error *find_text(struct store *store, const char *sql, const char *key, char **ret)
{
	sqlite3_stmt *statement;
	struct error *err = store_prepare(store, sql, &statement);
	int status;

	*ret = NULL;
	if (err)
		return err;
	sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
	status = sqlite3_step(statement);
	if (status == SQLITE_ROW)
		*ret = mem_strdup((const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	return status == SQLITE_ROW || status == SQLITE_DONE ? NULL : store_error(store, status);
}

struct error *store_write_drop_twin(struct store_writer *writer, const char *sha256,
				    char **ret_name)
{
	struct store *store = writer->store;
	struct error *err =
		find_text(store, "SELECT name FROM capture WHERE sha256 = ?", sha256, ret_name);

	if (err || !*ret_name)
		return err;
	err = store_run(store, "ROLLBACK TO capture");
	return store_write_end(writer, NULL, err ? err : store_run(store, "RELEASE capture"));
}

struct error *store_has_name(struct store *store, const char *name, bool *ret)
{
	char *found;
	struct error *err =
		find_text(store, "SELECT name FROM capture WHERE name = ?", name, &found);

	*ret = found != NULL;
	free(found);
	return err;
}
