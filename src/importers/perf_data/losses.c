/* losses.c - LOST, LOST_SAMPLES, THROTTLE and UNTHROTTLE records, each by event and second */
#include "importers/perf_data/losses.h"

#include "base/mem.h"
#include "importers/perf_data/event_names.h"
#include "importers/perf_data/state.h"

void perf_losses_release(struct perf_losses *losses)
{
	free(losses->list);
	map_release(&losses->map);
	*losses = (struct perf_losses){0};
}

/* The trailer of a record that is no sample: its time and the id of its event, 0 for none. */
static struct perf_sample trailer_of(const struct perf_data *data, const struct perf_record *record)
{
	struct perf_sample trailer = {0};
	uint32_t attr;

	if (!data->events.nr)
		return trailer;
	attr = perf_events_of_other(&data->events, &record->bytes);
	if (!perf_trailer_read(record->bytes, &data->events.list[attr], &trailer))
		return (struct perf_sample){0};
	return trailer;
}

/* The event that an id is of. Where there is one event alone it needs no id. */
static uint32_t event_of(struct perf_data *data, uint64_t id)
{
	uint32_t attr = data->events.nr == 1 ? 0 : perf_events_find(&data->events, id);

	if (attr == UINT32_MAX)
		return EVENT_NONE;
	perf_event_names_add(data, &data->events.list[attr]);
	return data->events.list[attr].event;
}

/*
 * { u64 id, u64 lost }: the id is of the event that happened to write it, the loss of all that
 * share its buffer.
 */
static void take_lost(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	struct perf_sample trailer = trailer_of(data, record);
	struct loss loss = {
		.kind = LOSS_EVENTS, .event = EVENT_NONE, .second = losses_second(trailer.time)};
	uint64_t id;

	if (!bytes_u64(&body, &id) || !bytes_u64(&body, &loss.count))
		return;
	data->capture->lost += loss.count;
	losses_add(&data->capture->losses, &loss);
}

/* { u64 lost } of the event in the trailer. */
static void take_lost_samples(struct perf_data *data, const struct perf_record *record,
			      struct bytes body)
{
	struct perf_sample trailer = trailer_of(data, record);
	struct loss loss = {
		.kind = record->misc & PERF_MISC_LOST_SAMPLES_BPF ? LOSS_FILTERED : LOSS_SAMPLES,
		.event = event_of(data, trailer.id),
		.second = losses_second(trailer.time),
	};

	if (!bytes_u64(&body, &loss.count) || !loss.count)
		return;
	if (loss.kind == LOSS_SAMPLES)
		data->capture->lost_samples += loss.count;
	losses_add(&data->capture->losses, &loss);
}

struct key {
	const struct perf_losses *losses;
	uint64_t stream_id;
};

static bool is_same(const void *key_of, uint32_t index)
{
	const struct key *key = key_of;

	return key->losses->list[index].stream_id == key->stream_id;
}

static struct perf_stopped *stopped_of(struct perf_losses *losses, uint64_t stream_id)
{
	uint32_t hash = map_hash(&stream_id, sizeof(stream_id));
	struct map_slot *slot;

	map_grow(&losses->map);
	slot = map_find(&losses->map, hash, is_same, &(struct key){losses, stream_id});
	if (slot->id != MAP_NONE)
		return &losses->list[slot->id];
	map_fill(&losses->map, slot, hash, losses->nr);
	GROW(losses->list, (size_t)losses->nr + 1, losses->alloc);
	losses->list[losses->nr] = (struct perf_stopped){.stream_id = stream_id};
	return &losses->list[losses->nr++];
}

/* { u64 time, u64 id, u64 stream id }: between the two an event is off on its CPU. */
static void take_throttle(struct perf_data *data, const struct perf_record *record,
			  struct bytes body)
{
	struct losses *losses = &data->capture->losses;
	struct perf_stopped *stopped;
	uint64_t time_ns, id, stream_id;

	if (!bytes_u64(&body, &time_ns) || !bytes_u64(&body, &id) || !bytes_u64(&body, &stream_id))
		return;
	stopped = stopped_of(&data->losses, stream_id ? stream_id : id);
	if (record->type == PERF_RECORD_UNTHROTTLE) {
		if (stopped->is_stopped)
			losses_add_throttled(losses, stopped->event, stopped->begin_ns, time_ns);
		stopped->is_stopped = false;
		return;
	}
	perf_note(data, NOTE_THROTTLED, 1, record->offset);
	stopped->event = event_of(data, id);
	losses_add(losses, &(struct loss){.kind = LOSS_THROTTLED,
					  .event = stopped->event,
					  .second = losses_second(time_ns),
					  .count = 1});
	if (!stopped->is_stopped)
		stopped->begin_ns = time_ns;
	stopped->is_stopped = true;
}

void perf_losses_take(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	if (record->type == PERF_RECORD_LOST)
		take_lost(data, record, body);
	else if (record->type == PERF_RECORD_LOST_SAMPLES)
		take_lost_samples(data, record, body);
	else
		take_throttle(data, record, body);
}

void perf_losses_finish(struct perf_data *data)
{
	for (uint32_t i = 0; i < data->losses.nr; i++) {
		const struct perf_stopped *stopped = &data->losses.list[i];

		if (stopped->is_stopped)
			losses_add(&data->capture->losses,
				   &(struct loss){.kind = LOSS_STILL_THROTTLED,
						  .event = stopped->event,
						  .second = losses_second(stopped->begin_ns),
						  .count = 1});
	}
}
