/* pace.c - how far apart the samples of one CPU are */
#include "analysis/pace.h"

#include "base/mem.h"
#include "model/sink.h"

/* The octave and, below it, the three bits behind the first. */
static unsigned bin_of(uint64_t ns)
{
	unsigned octave = ns ? 63 - (unsigned)__builtin_clzll(ns) : 0;

	return octave * 8 + (unsigned)(octave >= 3 ? ns >> (octave - 3) & 7 : 0);
}

/* The middle of a bin. */
static uint64_t length_of(unsigned bin)
{
	unsigned octave = bin / 8;
	uint64_t begin = UINT64_C(1) << octave;

	return begin + begin / 16 * (2 * (bin % 8) + 1);
}

static struct pace_event *event_of(struct pace *pace, uint32_t event)
{
	if (!pace->events[event]) {
		pace->events[event] = mem_zalloc(1, sizeof(struct pace_event));
		pace->events[event]->last_ns = mem_zalloc(PACE_CPUS_MAX, sizeof(uint64_t));
	}
	return pace->events[event];
}

void pace_add(struct pace *pace, const struct sample *sample)
{
	struct pace_event *event;
	uint64_t *last_ns;

	if (!(sample->flags & SAMPLE_HAS_TIME) || sample->cpu < 0 || sample->cpu >= PACE_CPUS_MAX ||
	    sample->event >= PACE_EVENTS_MAX || !sample->count)
		return;
	event = event_of(pace, sample->event);
	last_ns = &event->last_ns[sample->cpu];
	if (*last_ns && sample->time_ns > *last_ns) {
		event->bins[bin_of(sample->time_ns - *last_ns)]++;
		event->nr++;
	}
	*last_ns = sample->time_ns;
}

void pace_release(struct pace *pace)
{
	for (size_t i = 0; i < PACE_EVENTS_MAX; i++) {
		if (pace->events[i])
			free(pace->events[i]->last_ns);
		free(pace->events[i]);
		pace->events[i] = NULL;
	}
}

uint64_t pace_nr(const struct pace *pace, uint32_t event)
{
	return event < PACE_EVENTS_MAX && pace->events[event] ? pace->events[event]->nr : 0;
}

uint64_t pace_median_ns(const struct pace *pace, uint32_t event)
{
	uint64_t nr = pace_nr(pace, event), below = 0;

	for (unsigned i = 0; nr && i < PACE_BINS; i++) {
		below += pace->events[event]->bins[i];
		if (below * 2 >= nr)
			return length_of(i);
	}
	return 0;
}
