/* sampling.c - samples on their way: read, their stacks looked for, and said */
#include "importers/perf_data/sampling.h"

#include "base/mem.h"
#include "importers/perf_data/event_names.h"
#include "importers/perf_data/offcpu.h"
#include "importers/perf_data/state.h"
#include "importers/perf_data/tracing.h"
#include "model/details.h"

static uint64_t period_of(const struct perf_attr *attr, const struct perf_sample *sample)
{
	if (sample->has_period)
		return sample->period;
	return perf_attr_flag(attr, PERF_ATTR_FREQ) || !attr->sample_period ? 1
									    : attr->sample_period;
}

/*
 * What the counters of a group counted since the last sample of its leader. The leader's is the
 * period of the sample; a member's is said with the same call chain, as no sample (its count is
 * 0), so that it can be drawn as its own event and no sample is counted twice. perf says each of
 * them as a sample.
 */
static struct error *say_values(struct perf_data *data, uint32_t leader, struct sample *said)
{
	struct capture *capture = data->capture;
	struct error *err;

	said->period = 0;
	for (size_t i = 0; i < data->values.nr; i++)
		if (data->values.list[i].attr == leader)
			said->period = weight_of(data->values.list[i].delta);
	capture->events.list[said->event].has_periods = true;
	err = sink_sample(data->sink, said);
	said->count = 0;
	for (size_t i = 0; i < data->values.nr && !err; i++) {
		struct perf_attr *attr = &data->events.list[data->values.list[i].attr];

		if (data->values.list[i].attr == leader)
			continue;
		perf_event_names_add(data, attr);
		capture->events.list[attr->event].has_periods = true;
		said->event = attr->event;
		said->period = weight_of(data->values.list[i].delta);
		err = sink_sample(data->sink, said);
	}
	return err;
}

/* A group without ids cannot be told apart: its samples have their period alone. */
static bool has_values(const struct perf_attr *attr)
{
	return perf_attr_has(attr, PERF_BIT_READ) &&
	       (!(attr->read_format & PERF_READ_GROUP) || attr->read_format & PERF_READ_ID);
}

static void set_details(const struct perf_data *data, const struct perf_attr *attr,
			const struct perf_sample *sample, struct details *ret)
{
	const struct {
		enum perf_sample_bit bit;
		enum detail detail;
		uint64_t value;
	} numbers[] = {
		{PERF_BIT_WEIGHT, DETAIL_WEIGHT, sample->weight},
		/* { u32, u16, u16 }, in a word that is the same in both byte orders */
		{PERF_BIT_WEIGHT_STRUCT, DETAIL_WEIGHT, sample->weight & 0xffffffff},
		{PERF_BIT_WEIGHT_STRUCT, DETAIL_WEIGHT_2, sample->weight >> 32 & 0xffff},
		{PERF_BIT_WEIGHT_STRUCT, DETAIL_WEIGHT_3, sample->weight >> 48},
		{PERF_BIT_ADDR, DETAIL_DATA_ADDRESS, sample->addr},
		{PERF_BIT_DATA_SRC, DETAIL_DATA_SOURCE, sample->data_src},
		{PERF_BIT_TRANSACTION, DETAIL_TRANSACTION, sample->transaction},
		{PERF_BIT_PHYS_ADDR, DETAIL_PHYSICAL_ADDRESS, sample->phys_addr},
		{PERF_BIT_CGROUP, DETAIL_CGROUP, sample->cgroup},
		{PERF_BIT_DATA_PAGE_SIZE, DETAIL_DATA_PAGE_SIZE, sample->data_page_size},
		{PERF_BIT_CODE_PAGE_SIZE, DETAIL_CODE_PAGE_SIZE, sample->code_page_size},
	};

	*ret = (struct details){.cgroup_path = NAME_NONE};
	for (size_t i = 0; i < ARRAY_NR(numbers); i++)
		if (perf_attr_has(attr, numbers[i].bit))
			details_set(ret, numbers[i].detail, numbers[i].value);
	if (perf_attr_has(attr, PERF_BIT_CGROUP))
		ret->cgroup_path = perf_cgroups_path(&data->cgroups, sample->cgroup);
}

/* What only those are told who ask for it. */
static void add_wanted(struct perf_data *data, const struct perf_attr *attr,
		       const struct perf_sample *sample, struct details *details,
		       struct sample *said)
{
	set_details(data, attr, sample, details);
	if (details->has)
		said->details = details;
	if (!data->tracing || !bytes_left(&sample->raw))
		return;
	fields_clear(&data->fields);
	if (perf_tracing_fields(data->tracing, sample->raw, &data->fields))
		said->fields = &data->fields;
}

static struct error *say_sample(struct perf_data *data, struct perf_pending *pending)
{
	struct capture *capture = data->capture;
	const struct perf_attr *attr = &data->events.list[pending->attr];
	const struct perf_sample *sample = &pending->sample;
	const struct perf_record *record = &pending->record;
	bool is_fixed = !perf_attr_flag(attr, PERF_ATTR_FREQ) && attr->sample_period;
	struct sample *said = &pending->said;
	struct details details;
	struct sample_user user;

	if (sample->has_period || is_fixed)
		capture->events.list[attr->event].has_periods = true;
	said->cpu = sample->has_cpu ? (int32_t)sample->cpu : CPU_NONE;
	said->count = WEIGHT_ONE;
	said->period = weight_of(period_of(attr, sample));
	if (sample->has_time && sample->time <= INT64_MAX) {
		said->time_ns = sample->time;
		said->flags |= SAMPLE_HAS_TIME;
	}
	if (capture->wants_fields)
		add_wanted(data, attr, sample, &details, said);
	if (sample->regs_abi) {
		user = (struct sample_user){
			sample->regs_abi, attr->sample_regs_user, sample->regs, sample->stack,
			spaces_get(&data->chains.spaces, perf_chains_pid(sample))};
		said->user = &user;
	}
	perf_note(data, NOTE_NOT_UNWOUND,
		  !(said->flags & SAMPLE_HAS_UNWINDING) && perf_dumps_has(sample), record->offset);
	if (!has_values(attr))
		return sink_sample(data->sink, said);
	perf_values_take(&data->values, &data->events, pending->attr, sample);
	perf_note(data, NOTE_UNKNOWN_VALUE, data->values.unknown, record->offset);
	return say_values(data, pending->attr, said);
}

/* Out of its dump, where it has one and somebody unwinds. */
static bool find_unwound(struct perf_data *data, const struct perf_pending *pending,
			 struct sample *said)
{
	struct dump_stack_ids ids;
	bool lacks_file;

	if (!data->capture->unwinder || !perf_dumps_has(&pending->sample) ||
	    !perf_dumps_find(&data->dumps, &data->chains, &pending->sample,
			     data->events.list[pending->attr].sample_regs_user,
			     pending->record.misc, pending->unwound, &ids, &lacks_file))
		return false;
	said->callers = ids.callers;
	said->leaf = ids.leaf;
	said->unwinding = ids.unwinding;
	said->flags = SAMPLE_HAS_UNWINDING | (lacks_file ? SAMPLE_LACKS_FILE : 0);
	return true;
}

static struct perf_pending *pending_at(const struct perf_sampling *sampling, uint64_t nr)
{
	return &sampling->list[nr & (sampling->ahead - 1)];
}

/* Field by field: a struct of this size is cleared by an instruction that takes longer. */
static void begin_said(struct sample *said, uint32_t event)
{
	said->time_ns = 0;
	said->task = TASK_NONE;
	said->event = event;
	said->callers = said->leaf = said->unwinding = 0;
	said->cpu = 0;
	said->flags = 0;
	said->count = said->period = 0;
	said->fields = NULL;
	said->details = NULL;
	said->user = NULL;
	said->known = SAMPLE_NOT_KNOWN;
}

static void find_next(struct perf_data *data)
{
	struct perf_sampling *sampling = &data->sampling;
	struct perf_pending *pending = pending_at(sampling, sampling->found++);

	const struct perf_attr *attr = &data->events.list[pending->attr];
	const struct perf_sample *sample = &pending->sample;
	struct sample *said = &pending->said;

	begin_said(said, attr->event);
	if (!find_unwound(data, pending, said))
		perf_chains_find(&data->chains, attr, sample, pending->record.misc, &pending->hint,
				 &said->callers, &said->leaf);
	if (sample->has_tid) /* -1 is a task that was exiting */
		said->task = perf_threads_task(&data->threads, data->capture, (int32_t)sample->pid,
					       (int32_t)sample->tid);
	sink_soon(data->sink, said, false);
}

static struct error *say_next(struct perf_data *data)
{
	struct perf_sampling *sampling = &data->sampling;
	struct perf_pending *pending = pending_at(sampling, sampling->said++);
	struct error *err;

	if (sampling->said + PERF_SAMPLING_SOON < sampling->found)
		sink_soon(data->sink,
			  &pending_at(sampling, sampling->said + PERF_SAMPLING_SOON)->said, true);
	err = say_sample(data, pending);

	records_drop(pending->record.chunk);
	return err;
}

/* Those that were taken and not found yet, half of what is ahead at most. */
static void unwind_many(struct perf_data *data)
{
	struct perf_sampling *sampling = &data->sampling;
	struct capture *capture = data->capture;
	size_t nr = 0;

	for (uint64_t i = sampling->found; i < sampling->taken; i++) {
		struct perf_pending *pending = pending_at(sampling, i);
		struct unwinder_job *job = &sampling->jobs[nr];

		pending->unwound = NULL;
		if (!perf_dumps_has(&pending->sample))
			continue;
		perf_dumps_prepare(&data->chains, &pending->sample,
				   data->events.list[pending->attr].sample_regs_user, job);
		pending->unwound = job->ret = &sampling->unwound[nr++];
	}
	capture->unwinder->unwind_many(capture->unwinder, capture, sampling->jobs, nr);
}

static void find_all(struct perf_data *data)
{
	const struct perf_sampling *sampling = &data->sampling;

	if (sampling->unwound)
		unwind_many(data);
	while (sampling->found < sampling->taken)
		find_next(data);
}

/* Of samples of one kind only; where others come later they are unwound one by one. */
static void begin(struct perf_data *data, const struct perf_attr *attr)
{
	struct perf_sampling *sampling = &data->sampling;
	const struct unwinder *unwinder = data->capture->unwinder;
	bool has_many = unwinder && unwinder->unwind_many &&
			perf_attr_has(attr, PERF_BIT_REGS_USER) &&
			perf_attr_has(attr, PERF_BIT_STACK_USER);

	sampling->ahead = has_many ? PERF_SAMPLING_AHEAD_MANY : PERF_SAMPLING_AHEAD;
	sampling->list = mem_zalloc(sampling->ahead, sizeof(*sampling->list));
	if (!has_many)
		return;
	sampling->unwound = mem_zalloc(sampling->ahead / 2, sizeof(*sampling->unwound));
	sampling->jobs = mem_zalloc(sampling->ahead / 2, sizeof(*sampling->jobs));
}

struct error *perf_sampling_flush(struct perf_data *data)
{
	const struct perf_sampling *sampling = &data->sampling;
	struct error *err = perf_plain_flush(data);

	find_all(data);
	while (!err && sampling->said < sampling->taken)
		err = say_next(data);
	return err;
}

static struct error *take(struct perf_data *data, const struct perf_record *record, uint32_t attr)
{
	struct perf_sampling *sampling = &data->sampling;
	struct perf_pending *pending;
	struct bytes body = record->bytes;

	bytes_skip(&body, 8);
	if (!sampling->list)
		begin(data, &data->events.list[attr]);
	pending = pending_at(sampling, sampling->taken);
	perf_event_names_add(data, &data->events.list[attr]);
	if (!perf_sample_read(body, &data->events.list[attr], &pending->sample)) {
		perf_note(data, NOTE_SHORT_SAMPLE, 1, record->offset);
		return NULL;
	}
	perf_note(data, NOTE_LEFTOVER, pending->sample.has_leftover, record->offset);
	if (bytes_left(&pending->sample.raw) && perf_offcpu_is(&data->events.list[attr]))
		perf_offcpu_take(&pending->sample);
	perf_deferred_join(data, &pending->sample, &pending->chain, record->offset);
	pending->record = *record;
	pending->attr = attr;
	perf_chains_look(&data->chains, &pending->sample, record->misc, &pending->hint);
	records_hold(record->chunk);
	sampling->taken++;
	if (sampling->unwound && sampling->taken - sampling->found == sampling->ahead / 2)
		find_all(data);
	else if (sampling->taken - sampling->found > sampling->ahead / 2)
		find_next(data);
	return sampling->taken - sampling->said < sampling->ahead ? NULL : say_next(data);
}

struct error *perf_sampling_take(struct perf_data *data, const struct perf_record *record)
{
	uint32_t attr = perf_events_of_sample(&data->events, &record->bytes);
	struct error *err;

	if (attr == UINT32_MAX) {
		perf_note(data, NOTE_UNKNOWN_EVENT, 1, record->offset);
		return NULL;
	}
	if (perf_plain_is(data))
		return perf_plain_take(data, record, attr);
	/* a pipe may name an event of another kind behind samples */
	err = perf_plain_flush(data);
	return err ? err : take(data, record, attr);
}

void perf_sampling_release(struct perf_sampling *sampling)
{
	while (sampling->said < sampling->taken)
		records_drop(pending_at(sampling, sampling->said++)->record.chunk);
	for (uint32_t i = 0; i < sampling->ahead; i++)
		text_release(&sampling->list[i].chain);
	free(sampling->list);
	free(sampling->unwound);
	free(sampling->jobs);
}
