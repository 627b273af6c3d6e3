/* incident.c - the stretch of time that is to be explained: while a symptom grew */
#include <math.h>

#include "analysis/crossing.h"
#include "analysis/evidence.h"
#include "analysis/order_limits.h"
#include "analysis/track.h"

/* Which way a departure is a symptom, the surest first; what share of the greatest is still high.
 */
static const struct symptom {
	enum evidence_kind kind;
	int direction;
	double high;
} symptoms[] = {
	{EVIDENCE_DEPTH, 1, INCIDENT_HIGH},	      {EVIDENCE_AGE, 1, INCIDENT_HIGH},
	{EVIDENCE_LATENCY, 1, INCIDENT_RATE_HIGH},    {EVIDENCE_REJECTED, 1, INCIDENT_RATE_HIGH},
	{EVIDENCE_COMPLETED, -1, INCIDENT_RATE_HIGH}, {EVIDENCE_SERVICE, 1, INCIDENT_RATE_HIGH},
};

#define SYMPTOMS_NR (sizeof(symptoms) / sizeof(symptoms[0]))

/* Where less comes in, less is done: that is no symptom. */
static bool is_lull(const struct evidence *evidence)
{
	const struct track *completed = evidence->tracks[EVIDENCE_COMPLETED];
	const struct track *admitted = evidence->tracks[EVIDENCE_ADMITTED];
	struct milestone milestone;

	return completed && admitted && !crossing_admission(completed, admitted, &milestone, NULL);
}

static bool rises(const struct incident *incident, enum evidence_kind kind)
{
	return incident->onsets[kind].is_found && incident->onsets[kind].direction > 0;
}

/* Service that got slower is no symptom where the queue does not show it, unless it costs more CPU.
 */
static bool is_felt(const struct evidence *evidence, const struct incident *incident)
{
	if (!evidence->tracks[EVIDENCE_DEPTH] && !evidence->tracks[EVIDENCE_AGE])
		return true;
	return rises(incident, EVIDENCE_CPU) || rises(incident, EVIDENCE_STAGE);
}

static bool is_symptom(const struct evidence *evidence, const struct incident *incident,
		       const struct symptom *symptom)
{
	const struct onset *onset = &incident->onsets[symptom->kind];

	return evidence->tracks[symptom->kind] && onset->is_found &&
	       onset->direction == symptom->direction &&
	       !(symptom->kind == EVIDENCE_COMPLETED && is_lull(evidence)) &&
	       !(symptom->kind == EVIDENCE_SERVICE && !is_felt(evidence, incident));
}

/* The last point where the departure is still near its greatest. */
static size_t last_high(const struct track *track, const struct onset *onset, double high)
{
	double greatest = 0;
	size_t last = onset->first;

	for (size_t i = onset->first; i < onset->last; i++)
		greatest = fmax(greatest, onset->direction * (track->values[i] - onset->baseline));
	for (size_t i = onset->first; i < onset->last; i++) {
		if (onset->direction * (track->values[i] - onset->baseline) >= high * greatest)
			last = i;
	}
	return last;
}

/* Without the first tick, where half of it may be well; a coarse track has no tick to spare. */
static void spans_set(const struct track *track, const struct symptom *symptom,
		      struct incident *incident)
{
	const struct onset *onset = &incident->onsets[symptom->kind];
	size_t last = last_high(track, onset, symptom->high);

	incident->symptom = symptom->kind;
	incident->is_found = true;
	incident->before = (struct span){track->begin_ns[0] ? track->begin_ns[0] - 1 : 0,
					 onset->milestone.after_ns};
	incident->during = (struct span){onset->milestone.until_ns, track->end_ns[last]};
	if (last < onset->first + INCIDENT_TICKS_MIN)
		incident->during.from_ns = track->end_ns[onset->first ? onset->first - 1 : 0];
}

void incident_find(const struct evidence *evidence, uint64_t seed, struct incident *ret)
{
	*ret = (struct incident){.is_found = false};
	for (int kind = 0; kind < EVIDENCE_NR; kind++) {
		if (evidence->tracks[kind])
			onset_find(evidence->tracks[kind], seed, &ret->onsets[kind]);
	}
	for (size_t i = 0; i < SYMPTOMS_NR; i++) {
		const struct track *track = evidence->tracks[symptoms[i].kind];

		ret->is_judged = ret->is_judged || (track && track->nr >= CHANGE_POINTS_MIN);
		if (!ret->is_found && is_symptom(evidence, ret, &symptoms[i]))
			spans_set(track, &symptoms[i], ret);
	}
}
