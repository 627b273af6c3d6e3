/* captures.c - the list of the captures that are in a profile */
#include "store/captures.h"

#include <inttypes.h>
#include <sqlite3.h>

#include "base/mem.h"
#include "store/store.h"
#include "store/value.h"

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

/* A clock that this build does not know is no clock that anything can be laid beside. */
static enum source_clock clock_of(const char *word)
{
	enum source_clock clock = word ? source_clock_of_word(word) : SOURCE_CLOCK_NR;

	return clock < SOURCE_CLOCK_NR ? clock : SOURCE_CLOCK_UNKNOWN;
}

static bool take_capture(sqlite3_stmt *row, struct store_capture *ret)
{
	*ret = (struct store_capture){
		.id = sqlite3_column_int64(row, 0),
		.name = column_text(row, 1),
		.sha256 = column_text(row, 2),
		.size_bytes = value_u64(row, 3),
		.format = column_text(row, 4),
		.has_times = sqlite3_column_type(row, 6) != SQLITE_NULL,
		.start_ns = value_u64(row, 6),
		.end_ns = value_u64(row, 7),
		.has_first_event = sqlite3_column_type(row, 8) != SQLITE_NULL,
		.first_event = sqlite3_column_int64(row, 8),
		.first_sample = sqlite3_column_int64(row, 9),
		.last_sample = sqlite3_column_int64(row, 10),
		.first_location = sqlite3_column_int64(row, 11),
		.last_location = sqlite3_column_int64(row, 12),
		.first_stack = sqlite3_column_int64(row, 13),
		.last_stack = sqlite3_column_int64(row, 14),
		.records = value_u64(row, 15),
		.lost = value_u64(row, 16),
		.lost_samples = value_u64(row, 17),
		.clock = clock_of((const char *)sqlite3_column_text(row, 18)),
	};
	return value_weight(row, 5, &ret->samples) &&
	       is_range(ret->first_sample, ret->last_sample) &&
	       is_range(ret->first_location, ret->last_location) &&
	       is_range(ret->first_stack, ret->last_stack);
}

struct error *store_captures(struct store *store, struct store_captures *ret)
{
	sqlite3_stmt *row = NULL;
	struct error *err = NULL;
	int status = sqlite3_prepare_v2(store->db, "SELECT * FROM capture ORDER BY capture_id", -1,
					&row, NULL);

	*ret = (struct store_captures){0};
	while (!err && row && (status = sqlite3_step(row)) == SQLITE_ROW) {
		GROW(ret->list, ret->nr + 1, ret->alloc);
		if (!take_capture(row, &ret->list[ret->nr++]))
			err = error_new(ERROR_INPUT, "'%s' is damaged: table capture, row %" PRId64,
					store->path, ret->list[ret->nr - 1].id);
	}
	sqlite3_finalize(row);
	if (!err && status != SQLITE_DONE)
		err = store_error(store, status);
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
