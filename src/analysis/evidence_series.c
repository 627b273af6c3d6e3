/* evidence_series.c - which series of counters says what, by its role */
#include "analysis/evidence_series.h"

#include <math.h>
#include <string.h>

#include "analysis/series_tracks.h"
#include "base/mem.h"
#include "model/capture.h"

#define NS_PER_S 1e9

/* In the order in which they are taken: of two lines with one kind the first that is there. */
static const struct {
	enum series_role role;
	enum evidence_kind kind;
	bool is_rate; /* wants a counter; else a gauge */
	double scale; /* to the unit of the evidence */
} lines[] = {
	{ROLE_QUEUE_DEPTH, EVIDENCE_DEPTH, false, 1},
	{ROLE_QUEUE_OLDEST_AGE, EVIDENCE_AGE, false, 1},
	{ROLE_QUEUE_OFFERED, EVIDENCE_OFFERED, true, 1},
	{ROLE_QUEUE_ADMITTED, EVIDENCE_ADMITTED, true, 1},
	{ROLE_QUEUE_COMPLETED, EVIDENCE_COMPLETED, true, 1},
	{ROLE_QUEUE_REJECTED, EVIDENCE_REJECTED, true, 1},
	{ROLE_SERVICE_TIME, EVIDENCE_BUSY, true, 1},
	{ROLE_SERVICE_TIME, EVIDENCE_SERVICE, false, 1},
	{ROLE_LATENCY_P999, EVIDENCE_LATENCY, false, 1},
	{ROLE_LATENCY_P99, EVIDENCE_LATENCY, false, 1},
	{ROLE_LATENCY_P95, EVIDENCE_LATENCY, false, 1},
	{ROLE_LATENCY_P90, EVIDENCE_LATENCY, false, 1},
	{ROLE_LATENCY_P50, EVIDENCE_LATENCY, false, 1},
	{ROLE_CPU_PROCESS, EVIDENCE_CPU, true, 1 / NS_PER_S},
	{ROLE_LOCK_WAIT, EVIDENCE_LOCK_WAIT, true, 1},
	{ROLE_CPU_WAIT, EVIDENCE_RUN_DELAY, true, 1},
	{ROLE_CPU_WAIT, EVIDENCE_RUN_DELAY, false, NS_PER_S},
	{ROLE_PRESSURE_CPU, EVIDENCE_RUN_DELAY, true, 1},
	{ROLE_CPU_THROTTLED, EVIDENCE_THROTTLED, true, 1},
	{ROLE_SERVICE_INFLIGHT, EVIDENCE_PENDING, false, 1},
	{ROLE_RSS, EVIDENCE_RSS, false, 1},
};

/* A share of the time, and no time. */
static bool is_share(const struct capture *capture, const struct series *series)
{
	const char *unit =
		series->unit == NAME_NONE ? "" : names_display(&capture->names, series->unit);

	return strcmp(unit, "percent") == 0 || strcmp(unit, "ratio") == 0;
}

static double scale_of(size_t line, const struct capture *capture, const struct series *series)
{
	bool is_time = lines[line].role == ROLE_CPU_WAIT || lines[line].role == ROLE_PRESSURE_CPU;

	return is_time && is_share(capture, series) ? NS_PER_S : lines[line].scale;
}

/* Which series are taken: those of a queue; where is_of_queue is false those of the process. */
struct wanted {
	const char *queue; /* NULL: all */
	bool is_of_queue;
};

static bool is_wanted(const struct wanted *wanted, const struct capture *capture, uint32_t id)
{
	const struct series *series = &capture->series.list[id];
	uint32_t label = series_label(series, &capture->names, "queue");

	if (!wanted->queue)
		return true;
	/* items of a queue that is not named are those of another one, or of all together */
	if (label == NAME_NONE)
		return !wanted->is_of_queue &&
		       strncmp(series_role_word(series->role), "queue.", 6) != 0;
	return wanted->is_of_queue &&
	       strcmp(names_display(&capture->names, label), wanted->queue) == 0;
}

static void take_line(struct evidence_set *set, size_t line, struct series_tracks *tracks,
		      const struct wanted *wanted, size_t *ignored)
{
	for (uint32_t i = 0; i < tracks->nr; i++) {
		struct track *track = &tracks->list[i].track;

		if (tracks->capture->series.list[i].role != lines[line].role ||
		    (track->kind == TRACK_RATE) != lines[line].is_rate || !track_has_value(track) ||
		    !is_wanted(wanted, tracks->capture, i))
			continue;
		if (set->tracks[lines[line].kind].nr) {
			*ignored += strcmp(set->tracks[lines[line].kind].name, track->name) == 0;
			continue;
		}
		for (size_t k = 0; k < track->nr; k++)
			track->values[k] *=
				scale_of(line, tracks->capture, &tracks->capture->series.list[i]);
		evidence_set_add(set, lines[line].kind, track);
	}
}

static void take_capacity(struct evidence_set *set, const struct series_tracks *tracks,
			  const struct wanted *wanted)
{
	for (uint32_t i = 0; i < tracks->nr; i++) {
		if (isnan(set->evidence.capacity) && tracks->list[i].is_begun &&
		    tracks->capture->series.list[i].role == ROLE_QUEUE_CAPACITY &&
		    is_wanted(wanted, tracks->capture, i))
			set->evidence.capacity =
				track_median(&tracks->list[i].track, 0, UINT64_MAX);
	}
}

void evidence_take_series(struct evidence_set *set, struct series_tracks *tracks, const char *queue,
			  size_t *ret_ignored)
{
	const struct wanted passes[] = {{queue, true}, {queue, false}};
	size_t ignored = 0;

	for (size_t pass = 0; pass < (queue ? 2U : 1U); pass++) {
		take_capacity(set, tracks, &passes[pass]);
		for (size_t line = 0; line < ARRAY_NR(lines); line++)
			take_line(set, line, tracks, &passes[pass], &ignored);
	}
	if (ret_ignored)
		*ret_ignored += ignored;
}
