/* evidence.c - the tracks that readings are made of: what they are called, and their means */
#include "analysis/evidence.h"

#include <math.h>

#include "analysis/track.h"

const char *evidence_word(enum evidence_kind kind)
{
	static const char *const words[EVIDENCE_NR] = {
		[EVIDENCE_DEPTH] = "queue.depth",
		[EVIDENCE_AGE] = "queue.oldest_age",
		[EVIDENCE_OFFERED] = "queue.offered",
		[EVIDENCE_ADMITTED] = "queue.admitted",
		[EVIDENCE_COMPLETED] = "queue.completed",
		[EVIDENCE_REJECTED] = "queue.rejected",
		[EVIDENCE_SERVICE] = "service.time",
		[EVIDENCE_BUSY] = "service.busy",
		[EVIDENCE_LATENCY] = "latency",
		[EVIDENCE_CPU] = "cpu.process",
		[EVIDENCE_STAGE] = "cpu.util",
		[EVIDENCE_RUN_ON] = "cpu.run_on",
		[EVIDENCE_LOCK_WAIT] = "lock.wait",
		[EVIDENCE_RUN_DELAY] = "cpu.wait",
		[EVIDENCE_THROTTLED] = "cpu.throttled",
		[EVIDENCE_PENDING] = "service.inflight",
		[EVIDENCE_RSS] = "rss",
		[EVIDENCE_HEAP] = "heap.live",
	};

	return words[kind];
}

/* A gauge stands for the time since the point before it. */
static double length_of(const struct track *track, size_t i)
{
	if (track->kind == TRACK_RATE)
		return (double)(track->end_ns[i] - track->begin_ns[i]);
	return i ? (double)(track->end_ns[i] - track->end_ns[i - 1]) : 0;
}

/* A rate is within the span with the half of it that decides. */
static bool is_within(const struct track *track, size_t i, struct span span)
{
	uint64_t middle = track->begin_ns[i] + (track->end_ns[i] - track->begin_ns[i]) / 2;

	return middle > span.from_ns && middle <= span.to_ns;
}

double evidence_mean(const struct evidence *evidence, enum evidence_kind kind, struct span span)
{
	const struct track *track = evidence->tracks[kind];
	double sum = 0, length = 0;

	for (size_t i = 0; track && i < track->nr; i++) {
		double of = length_of(track, i);

		if (!is_within(track, i, span) || isnan(track->values[i]))
			continue;
		sum += track->values[i] * of;
		length += of;
	}
	return length > 0 ? sum / length : (double)NAN;
}
