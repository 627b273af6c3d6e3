/* order.c - records put into the order of time with bounded memory */
#include "importers/perf_data/order.h"

#include "base/mem.h"

void order_release(struct order *order)
{
	for (size_t i = 0; i < order->nr; i++)
		records_drop(order->list[i].chunk);
	free(order->list);
	free(order->merged);
	order->list = order->merged = NULL;
	order->nr = order->list_alloc = order->merged_alloc = order->waiting = 0;
}

void order_add(struct order *order, uint64_t time, const struct perf_record *record)
{
	GROW(order->list, order->nr + 1, order->list_alloc);
	order->list[order->nr++] = (struct order_entry){time, record->bytes.at, record->chunk,
							record->offset, record->print};
	order->is_swapped = record->bytes.is_swapped;
	records_hold(record->chunk);
	if (record->type != PERF_RECORD_SAMPLE && time < order->first_other)
		order->first_other = time;
	if (time > order->latest)
		order->latest = time;
}

static size_t run_end(const struct order_entry *list, size_t begin, size_t nr)
{
	size_t end = begin + 1;

	while (end < nr && list[end - 1].time <= list[end].time)
		end++;
	return end;
}

/* Merges two neighbouring runs; of equal times those of the first run stay first. */
static void merge(const struct order_entry *from, size_t middle, size_t end, struct order_entry *to)
{
	size_t a = 0, b = middle, out = 0;

	while (a < middle && b < end)
		to[out++] = from[b].time < from[a].time ? from[b++] : from[a++];
	while (a < middle)
		to[out++] = from[a++];
	while (b < end)
		to[out++] = from[b++];
}

/*
 * A natural merge sort: the runs are the buffers of the CPUs, which are in order already, so
 * few passes do. Stable.
 */
static void sort(struct order *order)
{
	GROW(order->merged, order->nr, order->merged_alloc);
	for (;;) {
		struct order_entry *swap = order->list;
		size_t swap_alloc = order->list_alloc, begin = 0;

		if (order->nr < 2 || run_end(order->list, 0, order->nr) == order->nr)
			return;
		while (begin < order->nr) {
			size_t middle = run_end(order->list, begin, order->nr);
			size_t end = middle < order->nr ? run_end(order->list, middle, order->nr)
							: middle;

			merge(order->list + begin, middle - begin, end - begin,
			      order->merged + begin);
			begin = end;
		}
		order->list = order->merged;
		order->list_alloc = order->merged_alloc;
		order->merged = swap;
		order->merged_alloc = swap_alloc;
	}
}

static uint32_t type_of(const struct order_entry *entry, bool is_swapped)
{
	uint32_t type;

	memcpy(&type, entry->at, sizeof(type));
	return is_swapped ? __builtin_bswap32(type) : type;
}

void order_record(const struct order_entry *entry, bool is_swapped, struct perf_record *ret)
{
	uint16_t size;

	ret->type = type_of(entry, is_swapped);
	ret->misc = order_misc(entry, is_swapped);
	memcpy(&size, entry->at + 6, sizeof(size));
	if (is_swapped)
		size = __builtin_bswap16(size);
	ret->bytes.at = entry->at;
	ret->bytes.end = entry->at + size;
	ret->bytes.is_swapped = is_swapped;
	ret->payload = (struct bytes){0};
	ret->offset = entry->offset;
	ret->chunk = entry->chunk;
	ret->print = entry->print;
}

/* What is said next has long left the cache: its first lines are fetched some records ahead. */
#define NEAR 12

static void take_early(struct order *order, uint64_t limit)
{
	uint64_t before = order->first_other;

	if (limit < before)
		before = limit + 1;
	order->nr = order->take_early(order->context, order->list, order->nr, before);
}

static uint64_t find_first_other(const struct order *order)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < order->nr; i++)
		if (type_of(&order->list[i], order->is_swapped) != PERF_RECORD_SAMPLE &&
		    order->list[i].time < first)
			first = order->list[i].time;
	return first;
}

/* Says the entries up to and with the limit; the others stay, in order. */
static struct error *say_until(struct order *order, uint64_t limit)
{
	struct error *err = NULL;
	size_t said = 0;

	if (order->take_early)
		take_early(order, limit);
	sort(order);
	while (!err && said < order->nr && order->list[said].time <= limit) {
		struct perf_record record;

		if (said + NEAR < order->nr)
			records_fetch(order->list[said + NEAR].at);
		order_record(&order->list[said], order->is_swapped, &record);
		err = order->say(order->context, &record);
		records_drop(record.chunk);
		said++;
	}
	if (said)
		memmove(order->list, order->list + said, (order->nr - said) * sizeof(*order->list));
	order->nr -= said;
	order->waiting = order->nr;
	if (order->first_other <= limit)
		order->first_other = find_first_other(order);
	return err;
}

struct error *order_round(struct order *order)
{
	struct error *err = NULL;

	/* rounds of nothing must not look at all that waits again and again */
	if (order->nr - order->waiting >= order->waiting / 8)
		err = say_until(order, order->limit);
	order->limit = order->latest;
	order->latest = 0;
	return err;
}

struct error *order_finish(struct order *order)
{
	return say_until(order, UINT64_MAX);
}
