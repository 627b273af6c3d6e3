/* early.h - samples like others that were said, counted before it is their turn */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct order_entry;
struct perf_data;

/*
 * Counts those whose time is less than `before`, takes them out of the list, and answers how many
 * entries are left. What they mean is what they mean now: see struct order. They are said when
 * the known samples are.
 */
size_t perf_early_take(struct perf_data *data, struct order_entry *list, size_t nr,
		       uint64_t before);
