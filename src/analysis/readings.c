/* readings.c - what an incident can be read as, with what supports and what contradicts it */
#include "analysis/readings.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/crossing.h"
#include "analysis/order_limits.h"
#include "analysis/reading_facts.h"
#include "analysis/track.h"

const char *reading_word(enum reading_kind kind)
{
	static const char *const words[READING_NR] = {
		[READING_WORKING] = "working",	   [READING_OVERLOAD] = "overload",
		[READING_WAITING] = "waiting",	   [READING_RUN_QUEUE] = "run-queue",
		[READING_LOST_WAKE] = "lost-wake", [READING_MEMORY] = "memory",
		[READING_RETAINING] = "retaining", [READING_NONE] = "none",
	};

	return words[kind];
}

const char *reading_text(enum reading_kind kind)
{
	static const char *const texts[READING_NR] = {
		[READING_WORKING] = "each item costs more CPU: a service-time regression",
		[READING_OVERLOAD] = "more items come than can be served",
		[READING_WAITING] = "workers wait: for a lock, I/O or somebody downstream",
		[READING_RUN_QUEUE] = "workers wait for a CPU: neighbours, a quota, pressure",
		[READING_LOST_WAKE] = "there is work and nobody was woken for it",
		[READING_MEMORY] = "memory grows that no live object holds",
		[READING_RETAINING] = "live objects are kept",
		[READING_NONE] = "nothing left its baseline",
	};

	return texts[kind];
}

const char *reading_verdict_word(enum reading_verdict verdict)
{
	static const char *const words[] = {"supported", "undecided", "contradicted"};

	return words[verdict];
}

/* ---- the captures that decide */

static const char cpu_samples[] =
	"CPU samples of the process: perf record -k CLOCK_MONOTONIC -F 499 -g -e cpu-clock -p <pid>";
static const char scheduler_events[] =
	"scheduler events: perf record -k CLOCK_MONOTONIC -a -e sched:sched_switch,sched:sched_waking";
static const char completion_counters[] =
	"a counter of completed items and the queue's depth, ten times a second";
static const char arrival_counters[] =
	"a counter of offered items (or of admitted and rejected ones), ten times a second";
static const char task_recording[] =
	"a recording of tasks and wakes, or scheduler events with sched_waking";
static const char heap_profiles[] = "heap profiles at two quiet moments, and a series of RSS";
static const char queue_counters[] =
	"counters of the queue (depth, oldest age, admitted, completed, rejected), ten times a second";

static void undecided(struct reading *reading, const char *decided_by)
{
	reading->verdict = READING_UNDECIDED;
	reading->decided_by = decided_by;
}

/* By how much of the incident it explains. */
static void judge(struct reading *reading, struct demand_share share, const char *decided_by)
{
	reading->share = share;
	if (share.least >= READING_SUPPORTS)
		reading->verdict = READING_SUPPORTED;
	else if (share.most <= READING_CONTRADICTS)
		reading->verdict = READING_CONTRADICTED;
	else
		undecided(reading, decided_by);
}

/* ---- each reading of an incident */

static void read_working(struct reading *reading, const struct evidence *evidence,
			 const struct demand *demand)
{
	bool has_cpu = !isnan(demand->during.cpu), has_items = !isnan(demand->during.completions);

	judge(reading, demand->working,
	      !has_cpu	   ? cpu_samples
	      : !has_items ? completion_counters
			   : arrival_counters);
	if (reading->verdict == READING_SUPPORTED && demand->cost_ratio < READING_COST_RISE)
		undecided(reading, cpu_samples);
	facts_cost(reading, demand);
	facts_used(reading, evidence, demand);
	facts_load(reading, demand);
}

static void read_overload(struct reading *reading, const struct evidence *evidence,
			  const struct demand *demand)
{
	judge(reading, demand->load, arrival_counters);
	facts_load(reading, demand);
	facts_used(reading, evidence, demand);
	facts_cost(reading, demand);
}

/* The share of what was waited for that a lock explains. */
static double lock_part(const struct demand *demand)
{
	double grew = demand->during.lock_item - demand->before.lock_item;
	double wait = demand->during.wait_most - demand->before.wait_least;

	return !(grew > 0) || !(wait > 0) ? 0 : grew > wait ? 1 : grew / wait;
}

/* A thread that waits within each item does not work on for long: no quota stops it so often. */
static bool waits_within_items(const struct demand *demand)
{
	return demand->during.run_on <= demand->during.used + READING_RUN_ON;
}

static void read_waiting(struct reading *reading, const struct evidence *evidence,
			 const struct demand *demand)
{
	struct demand_share share = demand->has_delay ? demand->waiting : demand->wait;

	if (!demand->has_delay && lock_part(demand) < READING_LOCK_SHARE &&
	    !waits_within_items(demand))
		share.least = 0;
	judge(reading, share, isnan(demand->during.cpu) ? cpu_samples : scheduler_events);
	facts_wait(reading, demand);
	facts_lock(reading, demand);
	facts_used(reading, evidence, demand);
	facts_delay(reading, demand);
	facts_run_on(reading, demand);
	facts_late(reading, demand);
}

static void read_run_queue(struct reading *reading, const struct evidence *evidence,
			   const struct demand *demand)
{
	struct demand_share share = demand->delay;

	if (!demand->has_delay)
		share = (struct demand_share){0, demand->wait.most * (1 - lock_part(demand))};
	judge(reading, share, scheduler_events);
	facts_delay(reading, demand);
	facts_run_on(reading, demand);
	facts_late(reading, demand);
	facts_used(reading, evidence, demand);
}

/* Nothing is done although there is work, and neither a CPU nor a lock is what is waited for. */
static void read_lost_wake(struct reading *reading, const struct evidence *evidence,
			   const struct incident *incident, const struct demand *demand)
{
	double ratio = demand->during.completions / demand->before.completions;
	const struct onset *pending = &incident->onsets[EVIDENCE_PENDING];
	bool is_idle = demand->during.used <= READING_IDLE * demand->before.used;

	reading->share = (struct demand_share){0, 0};
	if (ratio > READING_STALLED) {
		reading->verdict = READING_CONTRADICTED;
		reading_against(reading,
				"items were completed all the while: %.3g a second, %.3g before",
				demand->during.completions, demand->before.completions);
		return;
	}
	reading->share = demand->wait;
	undecided(reading, isnan(ratio) ? completion_counters : task_recording);
	if (isnan(ratio))
		return;
	reading_for(reading, "hardly an item was completed: %.3g a second, %.3g before",
		    demand->during.completions, demand->before.completions);
	if (is_idle)
		reading_for(
			reading,
			"the stage had nothing to do: %.0f %% of its CPU time used, %.0f %% before",
			100 * demand->during.used, 100 * demand->before.used);
	if (evidence->tracks[EVIDENCE_PENDING] && pending->is_found && pending->direction > 0) {
		reading_for(reading, "what is begun and not done grew from %.3g",
			    pending->baseline);
		if (is_idle && lock_part(demand) < READING_LOCK_SHARE)
			reading->verdict = READING_SUPPORTED;
	}
}

/* ---- memory: beside the queue, and without a share of its incident */

static bool rises(const struct incident *incident, enum evidence_kind kind)
{
	return incident->onsets[kind].is_found && incident->onsets[kind].direction > 0;
}

static void read_retaining(struct reading *reading, const struct evidence *evidence,
			   const struct incident *incident)
{
	bool has_heap = evidence->tracks[EVIDENCE_HEAP], has_rss = evidence->tracks[EVIDENCE_RSS];

	if (has_heap) {
		bool grows = rises(incident, EVIDENCE_HEAP);

		reading->verdict = grows ? READING_SUPPORTED : READING_CONTRADICTED;
		(grows ? reading_for : reading_against)(reading,
							"live heap %s its baseline of %.4g bytes",
							grows ? "rose above" : "stayed at",
							incident->onsets[EVIDENCE_HEAP].baseline);
	} else if (has_rss && !rises(incident, EVIDENCE_RSS)) {
		reading->verdict = READING_CONTRADICTED;
		reading_against(reading, "resident memory did not grow");
	} else {
		undecided(reading, heap_profiles);
	}
}

static void read_memory(struct reading *reading, const struct evidence *evidence,
			const struct incident *incident)
{
	bool has_heap = evidence->tracks[EVIDENCE_HEAP], has_rss = evidence->tracks[EVIDENCE_RSS];

	if (!has_rss) {
		undecided(reading, heap_profiles);
		return;
	}
	if (!rises(incident, EVIDENCE_RSS)) {
		reading->verdict = READING_CONTRADICTED;
		reading_against(reading, "resident memory did not grow");
		return;
	}
	reading_for(reading, "resident memory rose from %.4g bytes",
		    incident->onsets[EVIDENCE_RSS].baseline);
	if (!has_heap) {
		undecided(reading, heap_profiles);
	} else if (rises(incident, EVIDENCE_HEAP)) {
		reading->verdict = READING_CONTRADICTED;
		reading_against(reading, "live heap rose, too: it is held");
	} else {
		reading->verdict = READING_SUPPORTED;
		reading_for(reading, "live heap did not");
	}
}

/* ---- nothing */

static bool has_memory_finding(const struct incident *incident)
{
	return rises(incident, EVIDENCE_RSS) || rises(incident, EVIDENCE_HEAP);
}

/* A limit that was reached speaks against quiet, even where no test finds a change. */
static bool reached_limit(const struct evidence *evidence)
{
	const struct track *depth = evidence->tracks[EVIDENCE_DEPTH];
	const struct track *rejected = evidence->tracks[EVIDENCE_REJECTED];
	const struct track *completed = evidence->tracks[EVIDENCE_COMPLETED];
	const struct track *admitted = evidence->tracks[EVIDENCE_ADMITTED];
	struct milestone milestone;

	return (depth && !isnan(evidence->capacity) &&
		crossing_capacity(depth, evidence->capacity, &milestone, NULL)) ||
	       (rejected && crossing_rejection(rejected, &milestone, NULL)) ||
	       (completed && admitted && crossing_admission(completed, admitted, &milestone, NULL));
}

static void read_none(struct reading *reading, const struct evidence *evidence,
		      const struct incident *incident)
{
	if (incident->is_found) {
		reading->verdict = READING_CONTRADICTED;
		reading_against(reading, "%s left its baseline",
				evidence->tracks[incident->symptom]->name);
	} else if (!incident->is_judged) {
		undecided(reading, queue_counters);
		reading_against(reading,
				"no series of a queue, of latency or of service has %d points",
				CHANGE_POINTS_MIN);
	} else if (reached_limit(evidence)) {
		undecided(reading, queue_counters);
		reading_against(reading, "a limit was reached, although no series is seen to leave "
					 "its baseline");
	} else if (has_memory_finding(incident)) {
		reading->verdict = READING_CONTRADICTED;
		reading_against(reading, "memory grew");
	} else {
		reading->verdict = READING_SUPPORTED;
		reading_for(reading,
			    "no series of the queue, of latency or of service left its baseline");
	}
}

/* Where no symptom is found there is nothing to be explained; where none was looked for it is open.
 */
static void read_without_incident(struct reading *reading, const struct incident *incident)
{
	if (!incident->is_judged) {
		undecided(reading, queue_counters);
		return;
	}
	reading->verdict = READING_CONTRADICTED;
	reading_against(
		reading,
		"no symptom: nothing of the queue, of latency or of service left its baseline");
}

static void read_one(struct reading *reading, const struct evidence *evidence,
		     const struct incident *incident, const struct demand *demand)
{
	reading->share = (struct demand_share){0, NAN};
	if (reading->kind == READING_MEMORY)
		read_memory(reading, evidence, incident);
	else if (reading->kind == READING_RETAINING)
		read_retaining(reading, evidence, incident);
	else if (reading->kind == READING_NONE)
		read_none(reading, evidence, incident);
	else if (!incident->is_found)
		read_without_incident(reading, incident);
	else if (reading->kind == READING_WORKING)
		read_working(reading, evidence, demand);
	else if (reading->kind == READING_OVERLOAD)
		read_overload(reading, evidence, demand);
	else if (reading->kind == READING_WAITING)
		read_waiting(reading, evidence, demand);
	else if (reading->kind == READING_RUN_QUEUE)
		read_run_queue(reading, evidence, demand);
	else
		read_lost_wake(reading, evidence, incident, demand);
}

/* The middle of what the share can be. */
static double rank(const struct reading *reading)
{
	return isnan(reading->share.most) ? -1 : (reading->share.least + reading->share.most) / 2;
}

static int compare(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;

	if (x->verdict != y->verdict)
		return x->verdict < y->verdict ? -1 : 1;
	if (rank(x) != rank(y))
		return rank(x) > rank(y) ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

void readings_make(const struct evidence *evidence, const struct incident *incident,
		   struct readings *ret)
{
	*ret = (struct readings){.demand = {.load_ratio = NAN}};
	if (incident->is_found)
		demand_measure(evidence, incident, &ret->demand);
	for (int kind = 0; kind < READING_NR; kind++) {
		ret->list[kind].kind = (enum reading_kind)kind;
		read_one(&ret->list[kind], evidence, incident, &ret->demand);
	}
	qsort(ret->list, READING_NR, sizeof(*ret->list), compare);
}

void readings_release(struct readings *readings)
{
	for (int i = 0; i < READING_NR; i++) {
		for (size_t k = 0; k < readings->list[i].for_nr; k++)
			free(readings->list[i].for_it[k]);
		for (size_t k = 0; k < readings->list[i].against_nr; k++)
			free(readings->list[i].against[k]);
	}
}
