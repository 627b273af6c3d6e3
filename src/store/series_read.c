/* series_read.c - counters out of their tables: a capture's series, and the points of one */
#include "store/series.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <string.h>

#include "base/mem.h"
#include "model/capture.h"
#include "model/sink.h"
#include "store/point_block.h"
#include "store/replay_names.h"
#include "store/store.h"
#include "store/value.h"

static struct error *damaged(const struct store *store, const char *table, int64_t id)
{
	return error_new(ERROR_INPUT, "'%s' is damaged: table %s, row %" PRId64 " leads nowhere",
			 store->path, table, id);
}

/* ---- series */

static const char *text_of(sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);

	return text ? text : "";
}

static const char *source_word(int source)
{
	return role_source_word(source);
}

/* A role of a newer tephra would be none here; a schema that has it is refused before. */
static bool take_series(sqlite3_stmt *row, struct capture *model, struct series *ret)
{
	*ret = (struct series){
		.name = value_name(row, 1, &model->names),
		.role = series_role_of_word(text_of(row, 2)),
		.role_source = value_word(text_of(row, 3), source_word, ROLE_SOURCE_NR),
		.unit = value_name(row, 4, &model->names),
		.kind = series_kind_of_word(text_of(row, 5)),
		.age_ns = value_u64(row, 6),
		.points = value_u64(row, 7),
		.missing = value_u64(row, 8),
		.resets = value_u64(row, 9),
		.start_ns = value_u64(row, 10),
		.last_ns = value_u64(row, 11),
	};
	return ret->name != NAME_NONE && ret->role < ROLE_NR && ret->kind < SERIES_KIND_NR;
}

static struct error *read_rows(struct store *store, int64_t capture_id, struct capture *model,
			       uint32_t first, int64_t *ret_first)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(
		store,
		"SELECT series_id, name, role, role_source, unit, kind, age_ns, points, missing, "
		"resets, start_ns, last_ns FROM series WHERE capture_id = ? ORDER BY series_id",
		capture_id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t id = sqlite3_column_int64(row, 0);
		struct series series;

		if (model->series.nr == first)
			*ret_first = id;
		if (model->series.nr - first >= SERIES_MAX ||
		    id != *ret_first + (model->series.nr - first) ||
		    !take_series(row, model, &series))
			err = damaged(store, "series", id);
		else
			series_add(&model->series, &series);
	}
	return replay_finish(store, row, status, err);
}

static bool take_label(sqlite3_stmt *row, struct capture *model, uint32_t first, int64_t first_id)
{
	uint64_t at = (uint64_t)sqlite3_column_int64(row, 0) - (uint64_t)first_id;
	struct series_label label = {value_name(row, 1, &model->names),
				     value_name(row, 2, &model->names)};
	struct series *series;

	if (at >= model->series.nr - first)
		return false;
	series = &model->series.list[first + at];
	if (label.key == NAME_NONE || label.value == NAME_NONE ||
	    series->labels_nr == SERIES_LABELS_MAX)
		return false;
	series->labels =
		mem_realloc(series->labels, series->labels_nr + 1, sizeof(*series->labels));
	series->labels[series->labels_nr++] = label;
	return true;
}

static struct error *read_labels(struct store *store, int64_t capture_id, struct capture *model,
				 uint32_t first, int64_t first_id)
{
	sqlite3_stmt *row;
	struct error *err = replay_prepare(
		store,
		"SELECT series_id, key, value FROM series JOIN series_label "
		"USING (series_id) WHERE capture_id = ? ORDER BY series_id, position",
		capture_id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW)
		if (!take_label(row, model, first, first_id))
			err = damaged(store, "series_label", sqlite3_column_int64(row, 0));
	return replay_finish(store, row, status, err);
}

struct error *store_series_read(struct store *store, int64_t capture_id, struct capture *model,
				int64_t *ret_first)
{
	uint32_t first = model->series.nr;
	struct error *err;

	*ret_first = 0;
	err = read_rows(store, capture_id, model, first, ret_first);
	return err ? err : read_labels(store, capture_id, model, first, *ret_first);
}

/* ---- points */

/* What is read of a row: where its points are said to, and of them which. */
struct range {
	uint64_t from_ns, to_ns;
	struct sink *sink;
	uint32_t series;
	uint64_t last_ns; /* of the point before */
	bool has_last;
};

static struct error *say_points(struct range *range, const uint64_t *times_ns, uint32_t nr,
				const char *at, bool *ret_damaged)
{
	enum point_block_step step = POINT_BLOCK_DAMAGED;
	struct error *err = NULL;
	struct point point;
	uint32_t i = 0;

	*ret_damaged =
		!point_block_begin(&at) || (range->has_last && times_ns[0] <= range->last_ns);
	for (; !*ret_damaged && !err && i < nr; i++) {
		step = point_block_next(&at, times_ns[i], &point);
		*ret_damaged = step != POINT_BLOCK_POINT;
		if (!*ret_damaged && point.end_ns >= range->from_ns && point.end_ns < range->to_ns)
			err = range->sink->point(range->sink, range->series, &point);
	}
	if (!*ret_damaged && !err)
		*ret_damaged = point_block_next(&at, 0, &point) != POINT_BLOCK_END;
	range->last_ns = times_ns[nr - 1];
	range->has_last = true;
	return err;
}

static struct error *say_row(struct range *range, sqlite3_stmt *row, bool *ret_damaged)
{
	uint64_t times_ns[POINT_BLOCK_POINTS];
	uint64_t nr = value_u64(row, 1);
	const char *points = (const char *)sqlite3_column_text(row, 5);

	*ret_damaged = true;
	if (!nr || nr > POINT_BLOCK_POINTS || !points ||
	    !tick_block_read((const char *)sqlite3_column_text(row, 4), value_u64(row, 2),
			     value_u64(row, 3), (uint32_t)nr, times_ns))
		return NULL;
	if (times_ns[0] >= range->to_ns || times_ns[nr - 1] < range->from_ns) {
		*ret_damaged = range->has_last && times_ns[0] <= range->last_ns;
		range->last_ns = times_ns[nr - 1];
		range->has_last = true;
		return NULL;
	}
	return say_points(range, times_ns, (uint32_t)nr, points, ret_damaged);
}

struct error *store_points_read(struct store *store, int64_t series_id, uint64_t from_ns,
				uint64_t to_ns, struct sink *sink, uint32_t series)
{
	struct range range = {.from_ns = from_ns, .to_ns = to_ns, .sink = sink, .series = series};
	sqlite3_stmt *row;
	struct error *err =
		replay_prepare(store,
			       "SELECT first_position, tick_block.points, start_ns, step_ns, "
			       "offsets, point_block.points FROM point_block "
			       "JOIN tick_block USING (tick_block_id) WHERE series_id = ? "
			       "ORDER BY first_position",
			       series_id, &row);
	int status = SQLITE_DONE;

	while (!err && (status = sqlite3_step(row)) == SQLITE_ROW) {
		bool is_damaged;

		err = say_row(&range, row, &is_damaged);
		if (!err && is_damaged)
			err = damaged(store, "point_block", series_id);
	}
	return replay_finish(store, row, status, err);
}
