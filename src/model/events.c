/* events.c - what was sampled, and the unit of its period */
#include "model/events.h"

#include <string.h>

#include "base/mem.h"
#include "model/names.h"

void events_release(struct events *events)
{
	free(events->list);
	*events = (struct events){0};
}

/* The modifier letters of perf-list(1), "EVENT MODIFIERS". */
#define MODIFIERS "ukhIGHpPSDWeb"

const char *events_display(const struct events *events, const struct names *names, uint32_t event)
{
	uint32_t name = events->list[event].name;

	return name == NAME_NONE ? "samples" : names_display(names, name);
}

size_t events_base_size(const char *name)
{
	size_t size = strlen(name);
	const char *colon = strrchr(name, ':');
	const char *slash = strrchr(name, '/');

	if (colon && colon[1] && strspn(colon + 1, MODIFIERS) == strlen(colon + 1))
		return (size_t)(colon - name);
	/* "cpu/event=0x3c/u" */
	if (slash && slash != name && slash[1] && strchr(name, '/') != slash &&
	    strspn(slash + 1, MODIFIERS) == strlen(slash + 1))
		return (size_t)(slash + 1 - name);
	return size;
}

static enum unit unit_of(const char *name)
{
	static const char *const clocks[] = {"cpu-clock", "task-clock"};
	size_t size = events_base_size(name);

	for (size_t i = 0; i < ARRAY_NR(clocks); i++)
		if (strlen(clocks[i]) == size && memcmp(clocks[i], name, size) == 0)
			return UNIT_NS;
	return UNIT_EVENTS;
}

uint32_t events_add(struct events *events, const struct names *names, uint32_t name)
{
	struct event *event;

	for (uint32_t i = 0; i < events->nr; i++)
		if (events->list[i].name == name)
			return i;
	GROW(events->list, (size_t)events->nr + 1, events->list_alloc);
	event = &events->list[events->nr];
	*event = (struct event){.name = name, .unit = UNIT_SAMPLES};
	if (name != NAME_NONE)
		event->unit = unit_of(names_get(names, name)->bytes);
	return events->nr++;
}

void events_set_walked_by(struct events *events, uint32_t event, enum walked_by by)
{
	struct event *at = &events->list[event];

	if (at->is_walker_known && at->walked_by != by)
		by = WALKED_UNKNOWN;
	at->walked_by = by;
	at->is_walker_known = true;
}

uint32_t events_find(const struct events *events, const struct names *names, const char *wanted)
{
	size_t size = strlen(wanted);
	uint32_t found = EVENT_NONE, found_nr = 0;

	for (uint32_t i = 0; i < events->nr; i++) {
		const char *name;

		if (events->list[i].name == NAME_NONE)
			continue;
		name = names_get(names, events->list[i].name)->bytes;
		if (strcmp(name, wanted) == 0)
			return i;
		if (events_base_size(name) == size && memcmp(name, wanted, size) == 0) {
			found = i;
			found_nr++;
		}
	}
	return found_nr == 1 ? found : EVENT_NONE;
}
