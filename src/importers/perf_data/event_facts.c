/* event_facts.c - how each event was recorded, as a fact in the words of perf's own header */
#include "importers/perf_data/event_facts.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_data/attr.h"
#include "importers/perf_data/state.h"

/* linux/perf_event.h, struct perf_event_attr: the place of each bit, and perf's word for it. */
static const struct {
	unsigned bit;
	const char *word;
} flags[] = {
	{1, "inherit"},	     {4, "exclude_user"},    {5, "exclude_kernel"}, {6, "exclude_hv"},
	{7, "exclude_idle"}, {10, "freq"},	     {19, "exclude_host"},  {20, "exclude_guest"},
	{25, "use_clockid"}, {26, "context_switch"},
};

static void add_flags(const struct perf_attr *attr, struct text *text)
{
	for (size_t i = 0; i < ARRAY_NR(flags); i++)
		if (attr->flags >> flags[i].bit & 1)
			text_addf(text, ", %s = 1", flags[i].word);
}

static void add_event(const struct perf_attr *attr, const char *name, struct text *text)
{
	text_addf(text, "name = %s, type = %" PRIu32 ", config = 0x%" PRIx64, name, attr->type,
		  attr->config);
	text_addf(text, ", { sample_period, sample_freq } = %" PRIu64, attr->sample_period);
	add_flags(attr, text);
	if (perf_attr_flag(attr, PERF_ATTR_USE_CLOCKID))
		text_addf(text, ", clockid = %" PRIu32, attr->clockid);
	if (attr->sample_stack_user)
		text_addf(text, ", sample_stack_user = %" PRIu32, attr->sample_stack_user);
	if (attr->sample_max_stack)
		text_addf(text, ", sample_max_stack = %" PRIu16, attr->sample_max_stack);
}

/* Was the event told before, by another of its attrs? */
static bool is_told(const struct perf_events *events, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++)
		if (events->list[i].event == events->list[index].event)
			return true;
	return false;
}

void perf_event_facts_tell(struct perf_data *data)
{
	const struct capture *capture = data->capture;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	uint32_t told = 0;

	for (uint32_t i = 0; i < data->events.nr && told < PERF_EVENT_FACTS_MAX; i++) {
		const struct perf_attr *attr = &data->events.list[i];

		if (attr->event == EVENT_NONE || is_told(&data->events, i))
			continue;
		text_clear(&text);
		add_event(attr, events_display(&capture->events, &capture->names, attr->event),
			  &text);
		facts_add(&data->capture->facts, "event", strlen("event"), text_string(&text),
			  text.size);
		told++;
	}
}
