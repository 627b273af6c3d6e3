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

static uint64_t period_of(const struct perf_attr *attr, uint64_t period)
{
	if (attr->fields.period)
		return period;
	return perf_attr_flag(attr, PERF_ATTR_FREQ) || !attr->sample_period ? 1
									    : attr->sample_period;
}

/* Its user frames may stand elsewhere: they take the place of the cookie that stands for them. */
static void join_deferred(struct perf_data *data, struct perf_plain_sample *at, uint64_t offset)
{
	struct perf_sample sample = {.chain = at->chain, .tid = at->tid};

	perf_deferred_join(data, &sample, &at->room, offset);
	at->chain = sample.chain;
}

/* ---- samples that are like others that were said */

/* Odd numbers whose products differ in their high bits. */
#define FACTOR_KIND  UINT64_C(0xc2b2ae3d27d4eb4f)
#define FACTOR_EVENT UINT64_C(0x165667b19e3779f9)

/*
 * From the number of its words on. Of a chain that is to be joined from two it says too little, and
 * of what is behind the chain there is a note.
 */
void perf_plain_print(struct perf_record *record, uint32_t attr, const struct perf_fields *fields)
{
	size_t left = bytes_left(&record->bytes);
	struct bytes chain = {record->bytes.at + fields->least, record->bytes.end,
			      record->bytes.is_swapped};

	if (!fields->chain || left < fields->least ||
	    word_at(record->bytes.at + fields->chain, chain.is_swapped) != bytes_left(&chain) / 8 ||
	    left % 8 || perf_deferred_is(&chain))
		return;
	record->print.key = memo_key(chain.at - 8, bytes_left(&chain) + 8);
	record->print.attr = attr;
}

/* Tasks that are counted alike have a number; of the others each has one of its own. */
static uint64_t kind_of(uint32_t alike, uint32_t task)
{
	return alike != SINK_ALIKE_NONE ? alike : ~(uint64_t)task;
}

/*
 * Of a chain, where it is, and whom it is counted for: the fingerprint of a struct memo, and as
 * safe.
 */
static struct memo_key key_of(struct perf_data *data, struct memo_key chain, uint32_t pid,
			      unsigned misc, uint32_t event, uint64_t kind)
{
	uint64_t where = perf_chains_where(&data->chains, perf_chains_process(pid), misc) ^
			 kind * FACTOR_KIND ^ event * FACTOR_EVENT;

	return (struct memo_key){chain.high ^ where, chain.low ^ where};
}

static uint32_t attr_now(const struct perf_data *data, const struct order_entry *entry)
{
	struct perf_record record;

	order_record(entry, data->order.is_swapped, &record);
	return perf_events_of_sample(&data->events, &record.bytes);
}

/* False where it needs more than a look: all of it must be as it was when its print was taken. */
bool perf_plain_look(struct perf_data *data, const struct order_entry *entry,
		     struct perf_plain_look *ret)
{
	const struct perf_attr *attr = &data->events.list[entry->print.attr];
	const struct perf_fields *fields = &attr->fields;
	const unsigned char *at = entry->at;
	bool is_swapped = data->order.is_swapped;
	uint32_t pid, task, alike;

	if (attr->event == EVENT_NONE || !fields->tid ||
	    (data->events.nr > 1 && attr_now(data, entry) != entry->print.attr))
		return false;
	pid = half_at(at + fields->tid, is_swapped);
	task = perf_threads_task_lately(&data->threads, (int32_t)pid,
					(int32_t)half_at(at + fields->tid + 4, is_swapped));
	alike = task == TASK_NONE ? SINK_ALIKE_NONE : sink_alike(data->sink, task);
	if (alike == SINK_ALIKE_NONE)
		return false;
	ret->key = key_of(data, entry->print.key, pid, order_misc(entry, is_swapped), attr->event,
			  kind_of(alike, task));
	ret->period =
		period_of(attr, fields->period ? word_at(at + fields->period, is_swapped) : 0);
	ret->time = fields->time ? entry->time : UINT64_MAX;
	return true;
}

static bool find_known(const struct perf_plain *plain, struct perf_plain_sample *at)
{
	const struct perf_known_slot *slot = perf_known_find(&plain->known, at->key);

	if (!slot)
		return false;
	at->said.callers = plain->known.list[slot->said].callers;
	at->said.leaf = plain->known.list[slot->said].leaf;
	at->said.known = slot->known;
	return true;
}

/* A sample without a chain has a place that its ip says, which is not in its key. */
static bool has_leaf(const struct perf_plain_sample *at)
{
	return at->hint.leaf < bytes_left(&at->chain) / 8;
}

/* Once it was said. */
static void mark_known(struct perf_data *data, const struct perf_plain_sample *at)
{
	struct perf_known_slot *slot = perf_known_find(&data->plain.known, at->key);

	if (slot)
		slot->known = sink_known(data->sink);
}

/* ---- their stacks */

static void find_stack(struct perf_data *data, const struct perf_attr *attr,
		       struct perf_plain_sample *at)
{
	int32_t pid = perf_chains_process(at->pid);

	at->said.known = SAMPLE_NOT_KNOWN;
	if (has_leaf(at))
		perf_chains_find_ips(&data->chains, &at->chain, pid, &at->hint, &at->said.callers,
				     &at->said.leaf);
	else /* no chain, or one of markers only */
		perf_chains_find_ip(&data->chains, attr->fields.ip ? &at->ip : NULL, pid, at->misc,
				    &at->said.callers, &at->said.leaf);
}

/* What finds its stack is fetched, and what tells that it is like one that was said. */
static void check_next(struct perf_data *data)
{
	struct perf_plain *plain = &data->plain;
	struct perf_plain_sample *at = sample_at(plain, plain->checked++);
	const struct perf_attr *attr = &data->events.list[at->attr];
	struct sample *said = &at->said;

	said->event = attr->event;
	said->task = TASK_NONE;
	if (attr->fields.tid) /* -1 is a task that was exiting */
		said->task = perf_threads_task(&data->threads, data->capture, (int32_t)at->pid,
					       (int32_t)at->tid);
	at->key = key_of(data, at->print, at->pid, at->misc, said->event,
			 kind_of(sink_alike(data->sink, said->task), said->task));
	perf_known_fetch(&plain->known, at->key);
	perf_chains_look_ips(&data->chains, &at->chain, perf_chains_process(at->pid), at->misc,
			     &at->hint);
	perf_chains_fetch(&data->chains, &at->chain, &at->hint);
}

static struct error *keep_known(struct perf_data *data, const struct perf_plain_sample *at)
{
	struct perf_known *known = &data->plain.known;
	struct error *err = NULL;

	if (!has_leaf(at))
		return NULL;
	if (perf_known_is_full(known)) {
		err = perf_known_say(known, data->sink);
		perf_known_release(known);
	}
	perf_known_keep(known, at->key, &at->said);
	return err;
}

static struct error *find_next(struct perf_data *data)
{
	struct perf_plain *plain = &data->plain;
	struct perf_plain_sample *at = sample_at(plain, plain->found++);
	struct error *err = NULL;

	if (!find_known(plain, at)) {
		find_stack(data, &data->events.list[at->attr], at);
		err = keep_known(data, at);
	}
	sink_soon(data->sink, &at->said, false);
	return err;
}

/* ---- said */

static struct error *say_next(struct perf_data *data)
{
	struct perf_plain *plain = &data->plain;
	struct perf_plain_sample *at = sample_at(plain, plain->said++);
	const struct perf_attr *attr = &data->events.list[at->attr];
	struct sample *said = &at->said;
	struct error *err;

	records_drop(at->chunk); /* its bytes are not needed any more */
	if (plain->said + PERF_SAMPLING_SOON < plain->found)
		sink_soon(data->sink, &sample_at(plain, plain->said + PERF_SAMPLING_SOON)->said,
			  true);
	if (attr->fields.period || (!perf_attr_flag(attr, PERF_ATTR_FREQ) && attr->sample_period))
		data->capture->events.list[attr->event].has_periods = true;
	said->cpu = attr->fields.cpu ? (int32_t)at->cpu : CPU_NONE;
	said->count = WEIGHT_ONE;
	said->period = weight_of(period_of(attr, at->period));
	said->time_ns = 0;
	said->flags = 0;
	if (attr->fields.time && at->time <= INT64_MAX) {
		said->time_ns = at->time;
		said->flags = SAMPLE_HAS_TIME;
	}
	err = sink_sample(data->sink, said);
	if (said->known == SAMPLE_NOT_KNOWN)
		mark_known(data, at);
	return err;
}

struct error *perf_plain_flush(struct perf_data *data)
{
	struct perf_plain *plain = &data->plain;
	struct error *err = NULL;

	while (plain->checked < plain->taken)
		check_next(data);
	while (!err && plain->found < plain->taken)
		err = find_next(data);
	while (!err && plain->said < plain->taken)
		err = say_next(data);
	return err;
}

struct error *perf_plain_finish(struct perf_data *data)
{
	return perf_known_say(&data->plain.known, data->sink);
}

static void begin(struct perf_plain *plain)
{
	plain->list = mem_zalloc(PERF_PLAIN_AHEAD, sizeof(*plain->list));
}

static void take_print(struct perf_data *data, const struct perf_record *record,
		       struct perf_plain_sample *at)
{
	at->print = record->print.key;
	if (record->print.attr == at->attr)
		return;
	/* none was taken, or it was read as another event's */
	if (perf_deferred_is(&at->chain))
		join_deferred(data, at, record->offset);
	at->print = memo_key(at->chain.at, bytes_left(&at->chain));
}

struct error *perf_plain_take(struct perf_data *data, const struct perf_record *record,
			      uint32_t attr_nr)
{
	struct perf_plain *plain = &data->plain;
	struct perf_attr *attr = &data->events.list[attr_nr];
	struct perf_plain_sample *at;
	struct error *err = NULL;

	if (!plain->list)
		begin(plain);
	at = sample_at(plain, plain->taken);
	perf_event_names_add(data, attr);
	if (!read_sample(record, &attr->fields, at)) {
		perf_note(data, NOTE_SHORT_SAMPLE, 1, record->offset);
		return NULL;
	}
	perf_note(data, NOTE_LEFTOVER, at->chain.end != record->bytes.end, record->offset);
	at->attr = attr_nr;
	at->misc = record->misc;
	at->chunk = record->chunk;
	records_hold(at->chunk);
	take_print(data, record, at);
	plain->taken++;
	if (plain->taken - plain->checked > PERF_PLAIN_AHEAD / 4)
		check_next(data);
	if (plain->taken - plain->found > PERF_PLAIN_AHEAD / 2)
		err = find_next(data);
	return err || plain->taken - plain->said < PERF_PLAIN_AHEAD ? err : say_next(data);
}

void perf_plain_release(struct perf_plain *plain)
{
	while (plain->said < plain->taken)
		records_drop(sample_at(plain, plain->said++)->chunk);
	for (unsigned i = 0; plain->list && i < PERF_PLAIN_AHEAD; i++)
		text_release(&plain->list[i].room);
	free(plain->list);
	perf_known_release(&plain->known);
}
