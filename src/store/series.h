/* series.h - counters in their tables: written as they come, read series by series */
#pragma once

#include <stdint.h>

#include "base/error.h"

struct capture;
struct point;
struct sink;
struct store;
struct store_capture;
struct store_series_writer;

/* Begins to write a capture's points. The capture is borrowed. Owned: store_series_free(). */
ERROR_RESULT struct error *store_series_new(struct store *store, const struct capture *capture,
					    int64_t capture_id, struct store_series_writer **ret);

/*
 * Keeps the next point of a series, by its id in capture->series. What is not written yet takes
 * some 20 bytes a point and never more than 2^20 points.
 */
ERROR_RESULT struct error *store_series_add(struct store_series_writer *writer, uint32_t series,
					    const struct point *point);

/* Writes what is left, and the series themselves. */
ERROR_RESULT struct error *store_series_write(struct store_series_writer *writer);
void store_series_free(struct store_series_writer *writer);

/*
 * Adds a capture's series to model->series, in their order. *ret_first is the table's id of the
 * first one, the others follow it; what is after them in the list is none of this capture's.
 */
ERROR_RESULT struct error *store_series_read(struct store *store, int64_t capture_id,
					     struct capture *model, int64_t *ret_first);

/*
 * Says the points of the series with this id whose end_ns is from_ns <= end_ns < to_ns to
 * sink->point, as points of `series`.
 */
ERROR_RESULT struct error *store_points_read(struct store *store, int64_t series_id,
					     uint64_t from_ns, uint64_t to_ns, struct sink *sink,
					     uint32_t series);
