/* series_write.c - counters into their tables: series, labels, blocks of times and of points */
#include "store/series.h"

#include <assert.h>
#include <sqlite3.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "store/point_block.h"
#include "store/store.h"
#include "store/value.h"

/* Points of all series that are not written yet. */
#define PENDING_MAX (1u << 20)

/* The block of a series that is being filled. */
struct pending {
	uint64_t *times_ns; /* owned */
	size_t times_alloc;
	uint32_t nr;
	int64_t first_position;
	struct text points;
};

struct store_series_writer {
	struct store *store;
	const struct capture *capture;
	int64_t capture_id, series_id, tick_block_id; /* the next one of the table */
	struct pending *pending;		      /* owned; per series */
	size_t pending_nr, pending_alloc;
	uint64_t points; /* that are pending */
	/* of the last block of times, which the next series often shares */
	uint64_t *last_times_ns; /* owned */
	size_t last_alloc;
	uint32_t last_nr;
	struct text offsets;
	sqlite3_stmt *insert_ticks, *insert_points;
};

struct error *store_series_new(struct store *store, const struct capture *capture,
			       int64_t capture_id, struct store_series_writer **ret)
{
	struct store_series_writer *writer = mem_zalloc(1, sizeof(*writer));
	struct error *err;

	writer->store = store;
	writer->capture = capture;
	writer->capture_id = capture_id;
	err = store_next_id(store, "SELECT ifnull(max(series_id), 0) FROM series",
			    &writer->series_id);
	if (!err)
		err = store_next_id(store, "SELECT ifnull(max(tick_block_id), 0) FROM tick_block",
				    &writer->tick_block_id);
	if (!err)
		err = store_prepare(store, "INSERT INTO tick_block VALUES (?, ?, ?, ?, ?, ?)",
				    &writer->insert_ticks);
	if (!err)
		err = store_prepare(store, "INSERT INTO point_block VALUES (?, ?, ?, ?)",
				    &writer->insert_points);
	if (err)
		store_series_free(writer);
	else
		*ret = writer;
	return err;
}

void store_series_free(struct store_series_writer *writer)
{
	if (!writer)
		return;
	for (size_t i = 0; i < writer->pending_nr; i++) {
		free(writer->pending[i].times_ns);
		text_release(&writer->pending[i].points);
	}
	free(writer->pending);
	free(writer->last_times_ns);
	text_release(&writer->offsets);
	sqlite3_finalize(writer->insert_ticks);
	sqlite3_finalize(writer->insert_points);
	free(writer);
}

/* ---- blocks */

static bool are_last_ticks(const struct store_series_writer *writer, const struct pending *pending)
{
	return writer->last_nr == pending->nr &&
	       memcmp(writer->last_times_ns, pending->times_ns,
		      pending->nr * sizeof(*pending->times_ns)) == 0;
}

/* The times of a block, unless they are those of the block before. */
static struct error *write_ticks(struct store_series_writer *writer, const struct pending *pending)
{
	sqlite3_stmt *insert = writer->insert_ticks;
	uint64_t step_ns;

	if (are_last_ticks(writer, pending))
		return NULL;
	GROW(writer->last_times_ns, pending->nr, writer->last_alloc);
	memcpy(writer->last_times_ns, pending->times_ns, pending->nr * sizeof(*pending->times_ns));
	writer->last_nr = pending->nr;
	text_clear(&writer->offsets);
	tick_block_add(&writer->offsets, pending->times_ns, pending->nr, &step_ns);
	sqlite3_bind_int64(insert, 1, writer->tick_block_id++);
	sqlite3_bind_int64(insert, 2, writer->capture_id);
	sqlite3_bind_int64(insert, 3, pending->nr);
	sqlite3_bind_int64(insert, 4, (int64_t)pending->times_ns[0]);
	sqlite3_bind_int64(insert, 5, (int64_t)step_ns);
	if (writer->offsets.size)
		sqlite3_bind_text(insert, 6, writer->offsets.bytes, (int)writer->offsets.size,
				  SQLITE_STATIC);
	else
		sqlite3_bind_null(insert, 6);
	return store_step(writer->store, insert);
}

static struct error *write_block(struct store_series_writer *writer, uint32_t series)
{
	struct pending *pending = &writer->pending[series];
	sqlite3_stmt *insert = writer->insert_points;
	struct error *err;

	if (!pending->nr)
		return NULL;
	err = write_ticks(writer, pending);
	if (err)
		return err;
	point_block_end(&pending->points);
	sqlite3_bind_int64(insert, 1, writer->series_id + series);
	sqlite3_bind_int64(insert, 2, pending->first_position);
	sqlite3_bind_int64(insert, 3, writer->tick_block_id - 1);
	sqlite3_bind_text(insert, 4, pending->points.bytes, (int)pending->points.size,
			  SQLITE_STATIC);
	err = store_step(writer->store, insert);
	writer->points -= pending->nr;
	pending->first_position += pending->nr;
	pending->nr = 0;
	text_clear(&pending->points);
	return err;
}

/* Whatever is pending, and its memory: there are so many series that each has little. */
static struct error *write_pending(struct store_series_writer *writer)
{
	struct error *err = NULL;

	for (uint32_t i = 0; !err && i < writer->pending_nr; i++) {
		struct pending *pending = &writer->pending[i];

		err = write_block(writer, i);
		free(pending->times_ns);
		pending->times_ns = NULL;
		pending->times_alloc = 0;
		text_release(&pending->points);
	}
	return err;
}

static struct pending *pending_of(struct store_series_writer *writer, uint32_t series)
{
	GROW(writer->pending, (size_t)series + 1, writer->pending_alloc);
	while (writer->pending_nr <= series)
		writer->pending[writer->pending_nr++] = (struct pending){0};
	return &writer->pending[series];
}

struct error *store_series_add(struct store_series_writer *writer, uint32_t series,
			       const struct point *point)
{
	struct pending *pending = pending_of(writer, series);

	GROW(pending->times_ns, (size_t)pending->nr + 1, pending->times_alloc);
	assert(!pending->nr || point->end_ns > pending->times_ns[pending->nr - 1]);
	pending->times_ns[pending->nr++] = point->end_ns;
	point_block_add(&pending->points, point);
	writer->points++;
	if (pending->nr == POINT_BLOCK_POINTS)
		return write_block(writer, series);
	return writer->points >= PENDING_MAX ? write_pending(writer) : NULL;
}

/* ---- series */

static void bind_role(sqlite3_stmt *insert, const struct series *series)
{
	if (series->role == ROLE_NONE)
		sqlite3_bind_null(insert, 4);
	else
		sqlite3_bind_text(insert, 4, series_role_word(series->role), -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 5, role_source_word(series->role_source), -1, SQLITE_STATIC);
}

static struct error *write_row(const struct store_series_writer *writer, uint32_t i,
			       sqlite3_stmt *insert)
{
	const struct series *series = &writer->capture->series.list[i];
	bool has_points = series->points || series->missing;

	sqlite3_bind_int64(insert, 1, writer->series_id + i);
	sqlite3_bind_int64(insert, 2, writer->capture_id);
	value_bind_name(insert, 3, &writer->capture->names, series->name);
	bind_role(insert, series);
	value_bind_name(insert, 6, &writer->capture->names, series->unit);
	sqlite3_bind_text(insert, 7, series_kind_word(series->kind), -1, SQLITE_STATIC);
	value_bind_u64(insert, 8, series->age_ns);
	value_bind_u64(insert, 9, series->points);
	value_bind_u64(insert, 10, series->missing);
	value_bind_u64(insert, 11, series->resets);
	sqlite3_bind_null(insert, 12);
	sqlite3_bind_null(insert, 13);
	if (has_points) {
		sqlite3_bind_int64(insert, 12, (int64_t)series->start_ns);
		sqlite3_bind_int64(insert, 13, (int64_t)series->last_ns);
	}
	return store_step(writer->store, insert);
}

static struct error *write_labels(const struct store_series_writer *writer, uint32_t i,
				  sqlite3_stmt *insert)
{
	const struct series *series = &writer->capture->series.list[i];
	struct error *err = NULL;

	for (uint32_t j = 0; !err && j < series->labels_nr; j++) {
		sqlite3_bind_int64(insert, 1, writer->series_id + i);
		sqlite3_bind_int64(insert, 2, j);
		value_bind_name(insert, 3, &writer->capture->names, series->labels[j].key);
		value_bind_name(insert, 4, &writer->capture->names, series->labels[j].value);
		err = store_step(writer->store, insert);
	}
	return err;
}

static struct error *write_rows(const struct store_series_writer *writer)
{
	sqlite3_stmt *series = NULL, *label = NULL;
	struct error *err = store_prepare(
		writer->store, "INSERT INTO series VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		&series);

	if (!err)
		err = store_prepare(writer->store, "INSERT INTO series_label VALUES (?, ?, ?, ?)",
				    &label);
	for (uint32_t i = 0; !err && i < writer->capture->series.nr; i++) {
		err = write_row(writer, i, series);
		if (!err)
			err = write_labels(writer, i, label);
	}
	sqlite3_finalize(series);
	sqlite3_finalize(label);
	return err;
}

struct error *store_series_write(struct store_series_writer *writer)
{
	struct error *err = write_pending(writer);

	return err ? err : write_rows(writer);
}
