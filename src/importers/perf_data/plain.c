/* plain.c - samples of words and a call chain alone, on their way: what most recordings have */
#include "importers/perf_data/plain.h"

#include "base/mem.h"
#include "importers/perf_data/attr.h"
#include "importers/perf_data/event_names.h"
#include "importers/perf_data/sample.h"
#include "importers/perf_data/state.h"

bool perf_plain_is(const struct perf_data *data)
{
	return !data->events.has_others && !data->capture->wants_fields;
}

static struct perf_plain_sample *sample_at(const struct perf_plain *plain, uint64_t nr)
{
	return &plain->list[nr & (PERF_PLAIN_AHEAD - 1)];
}

/* ---- read */

static inline uint64_t word_at(const unsigned char *at, bool is_swapped)
{
	return perf_sample_word(&(struct bytes){at, NULL, is_swapped}, 0);
}

static inline uint32_t half_at(const unsigned char *at, bool is_swapped)
{
	uint32_t half;

	memcpy(&half, at, sizeof(half));
	return is_swapped ? __builtin_bswap32(half) : half;
}

/*
 * Fields that the layout does not have are 0. False: the record is shorter than its fields. Inlined
 * for each byte order, which is then asked for once and not for each field.
 */
static inline __attribute__((always_inline)) bool read_fields(const struct perf_record *record,
							      const struct perf_fields *fields,
							      bool is_swapped,
							      struct perf_plain_sample *ret)
{
	const unsigned char *at = record->bytes.at;
	size_t left = bytes_left(&record->bytes);
	uint64_t nr = 0;

	if (left < fields->least)
		return false;
	left -= fields->least;
	if (fields->chain)
		nr = word_at(at + fields->chain, is_swapped);
	if (nr > left / 8)
		return false;
	ret->ip = fields->ip ? word_at(at + fields->ip, is_swapped) : 0;
	ret->pid = fields->tid ? half_at(at + fields->tid, is_swapped) : 0;
	ret->tid = fields->tid ? half_at(at + fields->tid + 4, is_swapped) : 0;
	ret->time = fields->time ? word_at(at + fields->time, is_swapped) : 0;
	ret->cpu = fields->cpu ? half_at(at + fields->cpu, is_swapped) : 0;
	ret->period = fields->period ? word_at(at + fields->period, is_swapped) : 0;
	ret->chain.at = at + fields->least;
	ret->chain.end = ret->chain.at + nr * 8;
	ret->chain.is_swapped = is_swapped;
	return true;
}

static bool read_sample(const struct perf_record *record, const struct perf_fields *fields,
			struct perf_plain_sample *ret)
{
	return record->bytes.is_swapped ? read_fields(record, fields, true, ret)
					: read_fields(record, fields, false, ret);
}

static void join_deferred(struct perf_data *data, struct perf_plain_sample *at, uint64_t offset)
{
	struct perf_sample sample = {.chain = at->chain, .tid = at->tid};

	perf_deferred_join(data, &sample, &at->room, offset);
	at->chain = sample.chain;
}

/* ---- samples that are like others that were said lately */

/* Odd numbers whose products differ in their high bits. */
#define FACTOR_LEAF  UINT64_C(0x9e3779b97f4a7c15)
#define FACTOR_TASK  UINT64_C(0xc2b2ae3d27d4eb4f)
#define FACTOR_EVENT UINT64_C(0x165667b19e3779f9)

static struct perf_known *slot_of(const struct perf_plain *plain, uint64_t high)
{
	return &plain->known[high >> 48];
}

/*
 * By its chain, which its hint has without the leaf: the fingerprint of a struct memo, and as safe.
 * The thread is in it, too: threads that do the same would take each other's place.
 */
static void look(struct perf_data *data, struct perf_plain_sample *at)
{
	const struct perf_plain *plain = &data->plain;
	size_t nr = bytes_left(&at->chain) / 8;
	const struct perf_known *slot;

	perf_chains_look_ips(&data->chains, &at->chain, perf_chains_process(at->pid), at->misc,
			     &at->hint);
	at->has_key = at->hint.leaf + 1 < nr; /* without callers there is no fingerprint */
	if (!at->has_key)
		return;
	at->key = at->hint.key;
	at->key.high ^= perf_sample_word(&at->chain, at->hint.leaf) * FACTOR_LEAF;
	at->key.high ^= at->tid * FACTOR_TASK;
	slot = slot_of(plain, at->key.high);
	__builtin_prefetch(slot);
	__builtin_prefetch(&slot->leaf);
}

_Static_assert(PERF_KNOWN == 1 << (64 - 48), "the high bits of the hash are the index");

static bool is_slot_of(const struct perf_known *slot, const struct perf_plain_sample *at)
{
	return slot->high == at->key.high && slot->low == (uint32_t)at->key.low;
}

static bool find_known(const struct perf_plain *plain, struct perf_plain_sample *at)
{
	const struct perf_known *slot = slot_of(plain, at->key.high);

	if (!at->has_key || !is_slot_of(slot, at))
		return false;
	at->said.callers = slot->callers;
	at->said.leaf = slot->leaf;
	at->said.known = slot->known;
	return true;
}

static void keep_known(const struct perf_plain *plain, const struct perf_plain_sample *at)
{
	if (at->has_key)
		*slot_of(plain, at->key.high) = (struct perf_known){
			.high = at->key.high,
			.low = (uint32_t)at->key.low,
			.known = SAMPLE_NOT_KNOWN,
			.callers = at->said.callers,
			.leaf = at->said.leaf,
		};
}

/* Once it was said; another one may be in its slot now. */
static void mark_known(struct perf_data *data, const struct perf_plain_sample *at)
{
	struct perf_known *slot = slot_of(&data->plain, at->key.high);

	if (at->has_key && is_slot_of(slot, at))
		slot->known = sink_known(data->sink);
}

/* ---- their stacks */

static void find_stack(struct perf_data *data, const struct perf_attr *attr,
		       struct perf_plain_sample *at)
{
	int32_t pid = perf_chains_process(at->pid);

	at->said.known = SAMPLE_NOT_KNOWN;
	if (at->hint.leaf < bytes_left(&at->chain) / 8)
		perf_chains_find_ips(&data->chains, &at->chain, pid, &at->hint, &at->said.callers,
				     &at->said.leaf);
	else /* no chain, or one of markers only */
		perf_chains_find_ip(&data->chains, attr->fields.ip ? &at->ip : NULL, pid, at->misc,
				    &at->said.callers, &at->said.leaf);
}

/* Is it like one that was said lately? If not, what finds its stack is fetched. */
static void check_next(struct perf_data *data)
{
	struct perf_plain *plain = &data->plain;
	struct perf_plain_sample *at = sample_at(plain, plain->checked++);
	const struct perf_attr *attr = &data->events.list[at->attr];

	at->said.event = attr->event;
	at->said.task = TASK_NONE;
	if (attr->fields.tid) /* -1 is a task that was exiting */
		at->said.task = perf_threads_task(&data->threads, data->capture, (int32_t)at->pid,
						  (int32_t)at->tid);
	at->key.low ^= at->said.task * FACTOR_TASK ^ at->said.event * FACTOR_EVENT;
	at->is_known = find_known(plain, at);
	if (!at->is_known)
		perf_chains_fetch(&data->chains, &at->chain, &at->hint);
}

static void find_next(struct perf_data *data)
{
	struct perf_plain *plain = &data->plain;
	struct perf_plain_sample *at = sample_at(plain, plain->found++);

	/* the one before may have been like it */
	if (!at->is_known && !find_known(plain, at)) {
		find_stack(data, &data->events.list[at->attr], at);
		keep_known(plain, at);
	}
	sink_soon(data->sink, &at->said, false);
}

/* ---- said */

static uint64_t period_of(const struct perf_attr *attr, const struct perf_plain_sample *at)
{
	if (attr->fields.period)
		return at->period;
	return perf_attr_flag(attr, PERF_ATTR_FREQ) || !attr->sample_period ? 1
									    : attr->sample_period;
}

static struct error *say_next(struct perf_data *data)
{
	struct perf_plain *plain = &data->plain;
	struct perf_plain_sample *at = sample_at(plain, plain->said++);
	const struct perf_attr *attr = &data->events.list[at->attr];
	struct sample *said = &at->said;
	struct error *err;

	if (plain->said + PERF_SAMPLING_SOON < plain->found)
		sink_soon(data->sink, &sample_at(plain, plain->said + PERF_SAMPLING_SOON)->said,
			  true);
	if (attr->fields.period || (!perf_attr_flag(attr, PERF_ATTR_FREQ) && attr->sample_period))
		data->capture->events.list[attr->event].has_periods = true;
	said->cpu = attr->fields.cpu ? (int32_t)at->cpu : CPU_NONE;
	said->count = WEIGHT_ONE;
	said->period = weight_of(period_of(attr, at));
	said->time_ns = 0;
	said->flags = 0;
	if (attr->fields.time && at->time <= INT64_MAX) {
		said->time_ns = at->time;
		said->flags = SAMPLE_HAS_TIME;
	}
	err = sink_sample(data->sink, said);
	if (said->known == SAMPLE_NOT_KNOWN)
		mark_known(data, at);
	records_drop(at->chunk);
	return err;
}

struct error *perf_plain_flush(struct perf_data *data)
{
	struct perf_plain *plain = &data->plain;
	struct error *err = NULL;

	while (plain->checked < plain->taken)
		check_next(data);
	while (plain->found < plain->taken)
		find_next(data);
	while (!err && plain->said < plain->taken)
		err = say_next(data);
	return err;
}

static void begin(struct perf_plain *plain)
{
	plain->list = mem_zalloc(PERF_PLAIN_AHEAD, sizeof(*plain->list));
	plain->known = mem_zalloc(PERF_KNOWN, sizeof(*plain->known));
}

struct error *perf_plain_take(struct perf_data *data, const struct perf_record *record,
			      uint32_t attr_nr)
{
	struct perf_plain *plain = &data->plain;
	struct perf_attr *attr = &data->events.list[attr_nr];
	struct perf_plain_sample *at;

	if (!plain->list)
		begin(plain);
	at = sample_at(plain, plain->taken);
	perf_event_names_add(data, attr);
	if (!read_sample(record, &attr->fields, at)) {
		perf_note(data, NOTE_SHORT_SAMPLE, 1, record->offset);
		return NULL;
	}
	perf_note(data, NOTE_LEFTOVER, at->chain.end != record->bytes.end, record->offset);
	if (perf_deferred_is(&at->chain))
		join_deferred(data, at, record->offset);
	at->attr = attr_nr;
	at->misc = record->misc;
	at->chunk = record->chunk;
	records_hold(at->chunk);
	look(data, at);
	plain->taken++;
	if (plain->taken - plain->checked > PERF_PLAIN_AHEAD / 4)
		check_next(data);
	if (plain->taken - plain->found > PERF_PLAIN_AHEAD / 2)
		find_next(data);
	return plain->taken - plain->said < PERF_PLAIN_AHEAD ? NULL : say_next(data);
}

void perf_plain_release(struct perf_plain *plain)
{
	while (plain->said < plain->taken)
		records_drop(sample_at(plain, plain->said++)->chunk);
	for (unsigned i = 0; plain->list && i < PERF_PLAIN_AHEAD; i++)
		text_release(&plain->list[i].room);
	free(plain->list);
	free(plain->known);
}
