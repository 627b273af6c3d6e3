/* reading_facts.c - the sentences that support or contradict a reading, with their numbers */
#include "analysis/reading_facts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "analysis/order_limits.h"
#include "base/mem.h"
#include "base/text.h"

#define FACT_SIZE_MAX 320

static void add(char **list, size_t *nr, const char *format, va_list args)
{
	char sentence[FACT_SIZE_MAX];

	if (*nr == READING_FACTS_MAX)
		return;
	vsnprintf(sentence, sizeof(sentence), format, args);
	list[(*nr)++] = mem_strdup(sentence);
}

void reading_for(struct reading *reading, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(reading->for_it, &reading->for_nr, format, args);
	va_end(args);
}

void reading_against(struct reading *reading, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(reading->against, &reading->against_nr, format, args);
	va_end(args);
}

/* A time for people; buffers of this size hold any. */
#define TIME_SIZE 32

static const char *time_text(double ns, char *buffer)
{
	if (ns >= 1e9)
		snprintf(buffer, TIME_SIZE, "%.3g s", ns / 1e9);
	else if (ns >= 1e6)
		snprintf(buffer, TIME_SIZE, "%.3g ms", ns / 1e6);
	else
		snprintf(buffer, TIME_SIZE, "%.3g us", ns / 1e3);
	return buffer;
}

/* Says it for or against. */
#define SAY(reading, is_for, ...)                                \
	do {                                                     \
		if (is_for)                                      \
			reading_for((reading), __VA_ARGS__);     \
		else                                             \
			reading_against((reading), __VA_ARGS__); \
	} while (0)

void facts_cost(struct reading *reading, const struct demand *demand)
{
	double before = demand->before.cpu_item, during = demand->during.cpu_item;
	bool rose = demand->cost_ratio >= READING_COST_RISE;
	char from[TIME_SIZE], to[TIME_SIZE];

	if (isnan(before) || isnan(during) || (!rose && demand->cost_ratio >= DEMAND_FLAT))
		return;
	SAY(reading, rose == (reading->kind == READING_WORKING),
	    "CPU per item %s: %s before, %s during it (%.2f times)", rose ? "rose" : "did not rise",
	    time_text(before, from), time_text(during, to), demand->cost_ratio);
}

void facts_used(struct reading *reading, const struct evidence *evidence,
		const struct demand *demand)
{
	double before = demand->before.used, during = demand->during.used;
	bool is_full = during >= CROSSING_SATURATED;
	bool wants_full = reading->kind == READING_WORKING || reading->kind == READING_OVERLOAD;

	if (isnan(during))
		return;
	SAY(reading, is_full == wants_full,
	    "%s%s used %.0f %% of the CPU time that %s threads have, %.0f %% before",
	    demand->is_by_process ? "the process" : "stage ",
	    demand->is_by_process ? "" : (evidence->stage ? evidence->stage : "?"), 100 * during,
	    demand->is_by_process ? "the worker" : "its", 100 * before);
}

void facts_load(struct reading *reading, const struct demand *demand)
{
	double before = demand->before.arrivals, during = demand->during.arrivals;
	bool rose = demand->load_ratio >= DEMAND_FLAT;

	if (isnan(before) || isnan(during))
		return;
	if (!rose && demand->arrivals_are_least) {
		reading_against(reading,
				"nothing counts what a full queue turned away: at least %.4g "
				"items a second came, %.4g before",
				during, before);
		return;
	}
	SAY(reading, rose == (reading->kind == READING_OVERLOAD),
	    "%s items came: %.4g a second before, %.4g during it", rose ? "more" : "no more",
	    before, during);
}

void facts_wait(struct reading *reading, const struct demand *demand)
{
	double before = demand->before.wait_most, during = demand->during.wait_least;
	char from[TIME_SIZE], to[TIME_SIZE], all[TIME_SIZE];

	if (isnan(before) || isnan(during))
		return;
	SAY(reading, during - before > READING_CONTRADICTS * demand->during.service_least,
	    "of the time that a worker had an item, it was not on a CPU for %s%s of %s; %s%s before",
	    demand->during.wait_most > during * 1.001 ? "at least " : "", time_text(during, to),
	    time_text(demand->during.service_least, all),
	    demand->before.wait_least < before * 0.999 ? "at most " : "", time_text(before, from));
}

void facts_lock(struct reading *reading, const struct demand *demand)
{
	double before = demand->before.lock_item, during = demand->during.lock_item;
	double grew = during - before, wait = demand->during.wait_least - demand->before.wait_most;
	char from[TIME_SIZE], to[TIME_SIZE];

	if (isnan(grew) || wait <= READING_CONTRADICTS * demand->during.service_least)
		return;
	if (grew > READING_LOCK_SHARE * wait && wait > 0)
		reading_for(reading, "%s per item at a lock, %s before", time_text(during, to),
			    time_text(before, from));
	else if (wait > 0)
		reading_for(reading,
			    "not at the lock that is measured (%s per item, %s before): "
			    "another wait, as I/O or downstream",
			    time_text(during, to), time_text(before, from));
}

void facts_delay(struct reading *reading, const struct demand *demand)
{
	double before = demand->before.delay_item, during = demand->during.delay_item;
	double wait = demand->during.wait_least - demand->before.wait_most;
	char from[TIME_SIZE], to[TIME_SIZE];
	bool is_much = during - before > READING_LOCK_SHARE * wait && during > before;

	if (isnan(before) || isnan(during) ||
	    (reading->kind == READING_WAITING &&
	     !(wait > READING_CONTRADICTS * demand->during.service_least)))
		return;
	SAY(reading, is_much == (reading->kind == READING_RUN_QUEUE),
	    "able to run and without a CPU for %s per item, %s before", time_text(during, to),
	    time_text(before, from));
}

void facts_run_on(struct reading *reading, const struct demand *demand)
{
	double during = demand->during.run_on, used = demand->during.used;
	bool is_stopped = during > used + READING_RUN_ON;

	if (demand->has_delay || isnan(during) || used >= CROSSING_SATURATED)
		return;
	SAY(reading, is_stopped == (reading->kind == READING_RUN_QUEUE),
	    "of its samples %.0f %% are followed by another at once, of a CPU it used %.0f %%: %s",
	    100 * during, 100 * used,
	    is_stopped ? "it works on, and is then stopped" : "it waits within each item");
}

/* That rows come in time says little: a quota may have the period of their tick. */
void facts_late(struct reading *reading, const struct demand *demand)
{
	double before = demand->before.late, during = demand->during.late;

	if (isnan(before) || isnan(during) || during < READING_LATE || during < 2 * before)
		return;
	SAY(reading, reading->kind == READING_RUN_QUEUE,
	    "%.0f %% of the counters' rows came late, %.0f %% before: who writes them got no CPU "
	    "either",
	    100 * during, 100 * before);
}

void facts_function(struct reading *reading, const char *name, double before_ns, double during_ns)
{
	char from[TIME_SIZE], to[TIME_SIZE];

	reading_for(reading, "%s takes %s of CPU per item, %s before", name,
		    time_text(during_ns, to), time_text(before_ns, from));
}
