/* gather_range.c - a range of an incident on its axis, and what it leaves */
#include "commands/gather.h"

#include "base/mem.h"
#include "commands/range.h"

/* Why a range cannot be brought to that capture, or from it. Owned by the caller. */
static struct error *take_untied(struct gathered_capture *capture)
{
	struct error *untied = capture->untied;

	capture->untied = NULL;
	return untied;
}

/* ---- what is inside */

static void cut_track(struct track *track, uint64_t from_ns, uint64_t to_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < track->nr; i++) {
		if (track->begin_ns[i] < from_ns || track->end_ns[i] >= to_ns)
			continue;
		track->begin_ns[kept] = track->begin_ns[i];
		track->end_ns[kept] = track->end_ns[i];
		track->values[kept++] = track->values[i];
	}
	track->nr = kept;
}

static void cut_counters(struct gathered *gathered)
{
	for (size_t i = 0; i < gathered->nr; i++) {
		struct series_tracks *counters = &gathered->list[i]->counters;

		for (uint32_t k = 0; k < counters->nr; k++)
			cut_track(&counters->list[k].track,
				  gathered->has_from ? gathered->from_ns : 0,
				  gathered->has_to ? gathered->to_ns : UINT64_MAX);
	}
}

/* The first slot that begins at that time of the axis or later. */
static uint64_t slot_at(const struct utilisation *samples, uint64_t time_ns)
{
	__int128 own_ns = (__int128)time_ns - samples->offset_ns;

	if (own_ns <= 0)
		return 0;
	if (own_ns > UINT64_MAX - UTILISATION_SLOT_NS)
		return UINT64_MAX;
	return ((uint64_t)own_ns + UTILISATION_SLOT_NS - 1) / UTILISATION_SLOT_NS;
}

/* Of samples on another clock than the range is on whole slots are kept. */
static void cut_samples(const struct gathered *gathered, struct utilisation *samples)
{
	size_t begin = 0, end = samples->nr;

	if (gathered->has_to)
		end = utilisation_find(samples, slot_at(samples, gathered->to_ns));
	if (gathered->has_from)
		begin = utilisation_find(samples, slot_at(samples, gathered->from_ns));
	samples->nr = end > begin ? end - begin : 0;
	memmove(samples->cells, samples->cells + begin, samples->nr * sizeof(*samples->cells));
}

static struct error *cut(struct gathered *gathered)
{
	struct gathered_capture *samples = gathered->samples;

	cut_counters(gathered);
	if (!samples || samples == gathered->reference)
		return NULL;
	if (samples->untied)
		return take_untied(samples);
	cut_samples(gathered, &samples->samples);
	if (!samples->samples.nr)
		return error_new(ERROR_INPUT, "the range has no sample of '%s'", samples->name);
	return NULL;
}

/* ---- where it is */

static struct gathered_capture *find_reference(const struct gathered *gathered)
{
	if (gathered->reference)
		return gathered->reference;
	return gathered->samples ? gathered->samples : gathered->axis;
}

static uint64_t on_axis(const struct gathered_capture *capture, uint64_t time_ns)
{
	__int128 at = (__int128)time_ns + capture->offset_ns;

	if (at < 0)
		return 0;
	return at > UINT64_MAX ? UINT64_MAX : (uint64_t)at;
}

struct error *gather_settle_range(struct gathered *gathered, enum gather_range range)
{
	struct gathered_capture *reference = gathered->reference = find_reference(gathered);
	uint64_t start_ns;

	if (!reference)
		return NULL;
	gathered->has_from = gathered->from.is_set;
	gathered->has_to = gathered->to.is_set;
	if (reference->untied && (gathered->has_from || gathered->has_to))
		return take_untied(reference);
	start_ns = reference->profile.capture.start_ns;
	gathered->from_ns = on_axis(reference, range_ns(&gathered->from, start_ns, 0));
	gathered->to_ns = on_axis(reference, range_ns(&gathered->to, start_ns, UINT64_MAX));
	gathered->start_ns = reference->untied ? gathered->axis->profile.capture.start_ns
					       : on_axis(reference, start_ns);
	if (range == GATHER_CUT && (gathered->has_from || gathered->has_to))
		return cut(gathered);
	return NULL;
}
