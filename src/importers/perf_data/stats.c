/* stats.c - what perf stat record wrote: counters read at each interval */
#include "importers/perf_data/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/perf_data/event_names.h"
#include "importers/perf_data/state.h"

/* tools/perf/util/stat.h, enum aggr_mode: the first two are the same in every version. */
enum {
	AGGREGATION_NONE,
	AGGREGATION_GLOBAL
};

/* tools/lib/perf/include/perf/event.h, perf_record_stat_config */
enum {
	STAT_CONFIG_AGGR_MODE
};

/* A counter of a thread has no CPU. */
#define CPU_ANY UINT32_MAX

#define COMM_SIZE 16

void perf_stats_release(struct perf_stats *stats)
{
	counters_release(&stats->counters);
	free(stats->list);
	map_release(&stats->map);
	free(stats->sums);
	free(stats->units);
	free(stats->threads);
	*stats = (struct perf_stats){0};
}

static void begin(struct perf_data *data)
{
	struct perf_stats *stats = &data->stats;

	if (stats->has_begun)
		return;
	stats->has_begun = true;
	counters_init(&stats->counters, data->reader, data->capture, data->sink);
	data->capture->clock = SOURCE_CLOCK_START;
}

/* ---- what counters are */

void perf_stats_update(struct perf_data *data, uint32_t attr, uint64_t type, struct bytes body)
{
	struct perf_stats *stats = &data->stats;
	struct perf_stat_unit *unit;
	uint64_t bits;
	const char *s;
	size_t size;

	GROW(stats->units, (size_t)attr + 1, stats->units_alloc);
	while (stats->units_nr <= attr)
		stats->units[stats->units_nr++] = (struct perf_stat_unit){NAME_NONE, 1};
	unit = &stats->units[attr];
	if (type == 0) {
		size = bytes_string(&body, &s);
		unit->unit = size ? names_add(&data->capture->names, s, size) : NAME_NONE;
	} else if (type == 1 && bytes_u64(&body, &bits)) {
		memcpy(&unit->scale, &bits, sizeof(bits));
		if (!isfinite(unit->scale))
			unit->scale = 1;
	}
}

/* THREAD_MAP: u64 nr, { u64 tid, char comm[16] } */
static void take_threads(struct perf_data *data, struct bytes body)
{
	struct perf_stats *stats = &data->stats;
	struct bytes comm;
	uint64_t nr, tid;

	if (!bytes_u64(&body, &nr))
		return;
	stats->threads_nr = 0;
	while (nr-- && bytes_u64(&body, &tid) && bytes_part(&body, COMM_SIZE, &comm)) {
		CLEANUP(text_release) struct text name = TEXT_INIT;
		const char *s;
		size_t size = bytes_string(&comm, &s);

		text_add_bytes(&name, s, size);
		text_addf(&name, "-%" PRIu64, tid);
		GROW(stats->threads, stats->threads_nr + 1, stats->threads_alloc);
		stats->threads[stats->threads_nr++] =
			names_add(&data->capture->names, name.bytes, name.size);
	}
}

/* STAT_CONFIG: u64 nr, { u64 tag, u64 value } */
static void take_config(struct perf_data *data, struct bytes body)
{
	uint64_t nr, tag, value;

	if (!bytes_u64(&body, &nr))
		return;
	while (nr-- && bytes_u64(&body, &tag) && bytes_u64(&body, &value))
		if (tag == STAT_CONFIG_AGGR_MODE)
			data->stats.aggregation = value;
}

static const struct perf_stat_unit *unit_of(const struct perf_stats *stats, uint32_t attr)
{
	static const struct perf_stat_unit none = {NAME_NONE, 1};

	return attr < stats->units_nr ? &stats->units[attr] : &none;
}

/* The series that a counter adds to: of all CPUs and threads, or one for each. */
static struct error *find_series(struct perf_data *data, uint32_t attr, uint32_t cpu,
				 uint32_t thread, uint32_t *ret)
{
	struct names *names = &data->capture->names;
	struct perf_stats *stats = &data->stats;
	struct series_label label;
	struct series series = {
		.unit = unit_of(stats, attr)->unit,
		.kind = SERIES_DELTA,
		.labels = &label,
	};
	char digits[16];

	perf_event_names_add(data, &data->events.list[attr]);
	series.name = data->capture->events.list[data->events.list[attr].event].name;
	if (stats->aggregation != AGGREGATION_GLOBAL && cpu != CPU_ANY) {
		snprintf(digits, sizeof(digits), "%" PRIu32, cpu);
		label.key = names_add_string(names, "cpu");
		label.value = names_add_string(names, digits);
		series.labels_nr = 1;
	} else if (stats->aggregation != AGGREGATION_GLOBAL && thread < stats->threads_nr) {
		label.key = names_add_string(names, "thread");
		label.value = stats->threads[thread];
		series.labels_nr = 1;
	}
	return counters_find(&stats->counters, &series, ret);
}

/* ---- what was read */

struct key {
	const struct perf_stats *stats;
	const struct perf_stat_counter *counter;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;
	const struct perf_stat_counter *a = key->counter, *b = &key->stats->list[index];

	return a->id == b->id && a->cpu == b->cpu && a->thread == b->thread;
}

static struct error *find_counter(struct perf_data *data, struct perf_stat_counter *wanted,
				  uint32_t attr, struct perf_stat_counter **ret)
{
	struct perf_stats *stats = &data->stats;
	const uint64_t bytes[] = {wanted->id, (uint64_t)wanted->cpu << 32 | wanted->thread};
	uint32_t hash = map_hash(bytes, sizeof(bytes));
	struct map_slot *slot;
	struct error *err;

	map_grow(&stats->map);
	slot = map_find(&stats->map, hash, is_same, &(struct key){stats, wanted});
	if (slot->id != MAP_NONE) {
		*ret = &stats->list[slot->id];
		return NULL;
	}
	if (stats->nr == PERF_STAT_COUNTERS_MAX)
		return error_new(ERROR_LIMIT, "'%s' has more than %u counters", data->reader->name,
				 PERF_STAT_COUNTERS_MAX);
	wanted->scale = unit_of(stats, attr)->scale;
	err = find_series(data, attr, wanted->cpu, wanted->thread, &wanted->series);
	if (err)
		return err;
	map_fill(&stats->map, slot, hash, stats->nr);
	GROW(stats->list, (size_t)stats->nr + 1, stats->alloc);
	stats->list[stats->nr] = *wanted;
	*ret = &stats->list[stats->nr++];
	return NULL;
}

/* STAT: u64 id, u32 cpu, u32 thread, u64 value, u64 enabled, u64 running */
static struct error *take_stat(struct perf_data *data, struct bytes body, uint64_t offset)
{
	struct perf_stat_counter wanted = {0}, *counter = NULL;
	uint64_t value, enabled, running;
	struct error *err;
	uint32_t attr;

	if (!bytes_u64(&body, &wanted.id) || !bytes_u32(&body, &wanted.cpu) ||
	    !bytes_u32(&body, &wanted.thread) || !bytes_u64(&body, &value) ||
	    !bytes_u64(&body, &enabled) || !bytes_u64(&body, &running))
		return NULL;
	attr = perf_events_find(&data->events, wanted.id);
	if (attr == UINT32_MAX && data->events.nr == 1)
		attr = 0;
	if (attr == UINT32_MAX) {
		perf_note(data, NOTE_UNKNOWN_VALUE, 1, offset);
		return NULL;
	}
	err = find_counter(data, &wanted, attr, &counter);
	if (err || !counter)
		return err;
	counter->value = value;
	counter->enabled = enabled;
	counter->running = running;
	counter->is_read = true;
	return NULL;
}

/* ---- intervals */

/* A total below that of before began anew: then it is what came since. */
static uint64_t difference(uint64_t now, uint64_t before)
{
	return now >= before ? now - before : now;
}

/* The value is an estimate where the counter did not run all the time that it was enabled. */
static void add_counter(struct perf_stat_counter *counter, struct perf_stat_sum *sum)
{
	uint64_t value = difference(counter->value, counter->last_value);
	uint64_t enabled = difference(counter->enabled, counter->last_enabled);
	uint64_t running = difference(counter->running, counter->last_running);

	sum->is_read = true;
	sum->scale = counter->scale;
	sum->enabled += enabled;
	sum->running += running;
	sum->is_counted |= running != 0;
	if (running && running < enabled) {
		sum->is_estimate = true;
		sum->estimate += (double)value * ((double)enabled / (double)running);
	} else if (running && __builtin_add_overflow(sum->exact, value, &sum->exact)) {
		sum->exact = UINT64_MAX;
	}
	counter->last_value = counter->value;
	counter->last_enabled = counter->enabled;
	counter->last_running = counter->running;
	counter->is_read = false;
}

/* 1e-6 as a decimal: most scales are powers of ten, and then nothing is rounded. */
static bool power_of_ten(double scale, int *ret)
{
	for (int exponent = 0; exponent <= 12; exponent++)
		if (scale == pow(10, -exponent)) {
			*ret = exponent;
			return true;
		}
	return false;
}

static struct decimal value_of(const struct perf_stat_sum *sum)
{
	struct decimal exact = {0};
	char digits[32];
	double value = ((double)sum->exact + sum->estimate) * sum->scale;
	int exponent, size;

	if (!sum->is_estimate && power_of_ten(sum->scale, &exponent)) {
		size = snprintf(digits, sizeof(digits), "%" PRIu64 "e-%d", sum->exact, exponent);
		if (decimal_parse(digits, (size_t)size, &exact))
			return exact;
	}
	return isfinite(value) ? decimal_of_number(value) : exact;
}

static struct error *say_sum(struct perf_data *data, uint32_t series, uint64_t begin_ns,
			     uint64_t end_ns)
{
	struct perf_stats *stats = &data->stats;
	const struct perf_stat_sum *sum = &stats->sums[series];
	struct point point = {.begin_ns = begin_ns, .end_ns = end_ns};

	if (!sum->is_read)
		return NULL;
	point.state = sum->is_counted ? POINT_OK : POINT_NOT_COUNTED;
	if (sum->is_counted) {
		point.value = value_of(sum);
		point.enabled_ns = sum->enabled;
		point.running_ns = sum->running;
	}
	return counters_say(&stats->counters, series, &point);
}

static void add_up(struct perf_data *data)
{
	struct perf_stats *stats = &data->stats;

	GROW(stats->sums, (size_t)data->capture->series.nr, stats->sums_alloc);
	stats->sums_nr = data->capture->series.nr;
	memset(stats->sums, 0, stats->sums_nr * sizeof(*stats->sums));
	for (uint32_t i = 0; i < stats->nr; i++)
		if (stats->list[i].is_read)
			add_counter(&stats->list[i], &stats->sums[stats->list[i].series]);
}

/* STAT_ROUND: u64 type (0 an interval, 1 the end), u64 time since perf stat began */
static struct error *take_round(struct perf_data *data, struct bytes body, uint64_t offset)
{
	struct perf_stats *stats = &data->stats;
	uint64_t type, end_ns, begin_ns = stats->interval_end_ns;
	struct error *err = NULL;

	if (!bytes_u64(&body, &type) || !bytes_u64(&body, &end_ns))
		return NULL;
	if (end_ns <= begin_ns || end_ns > INT64_MAX) {
		perf_note(data, NOTE_COUNTER_TIME, 1, offset);
		return NULL;
	}
	add_up(data);
	for (uint32_t i = 0; !err && i < stats->sums_nr; i++)
		err = say_sum(data, i, begin_ns, end_ns);
	stats->interval_end_ns = end_ns;
	return err;
}

struct error *perf_stats_take(struct perf_data *data, const struct perf_record *record)
{
	struct bytes body = record->bytes;

	bytes_skip(&body, 8);
	switch (record->type) {
	case PERF_RECORD_THREAD_MAP:
		take_threads(data, body);
		return NULL;
	case PERF_RECORD_STAT_CONFIG:
		take_config(data, body);
		return NULL;
	case PERF_RECORD_STAT:
		begin(data);
		return take_stat(data, body, record->offset);
	case PERF_RECORD_STAT_ROUND:
		begin(data);
		return take_round(data, body, record->offset);
	default:
		return NULL;
	}
}

/* perf stat reads once more when it ends; what did not change then is no loss. */
void perf_stats_finish(struct perf_data *data)
{
	uint64_t left = 0;

	for (uint32_t i = 0; i < data->stats.nr; i++) {
		const struct perf_stat_counter *counter = &data->stats.list[i];

		left += counter->is_read && (counter->value != counter->last_value ||
					     counter->enabled != counter->last_enabled);
	}
	perf_note(data, NOTE_COUNTER_ROUND, left, data->file.size);
}
