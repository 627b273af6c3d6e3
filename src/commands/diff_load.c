/* diff_load.c - how busy both sides of a comparison were, by the counters of their profiles */
#include <math.h>

#include "analysis/amounts.h"
#include "base/mem.h"
#include "base/units.h"
#include "commands/diff_report.h"
#include "model/series.h"
#include "store/captures.h"
#include "store/series.h"
#include "store/store.h"

/* What is less apart, by its larger side, is listed as the same; what is more apart is doubtful. */
#define DIFFERS_LEAST 0.10
#define DOUBT_LEAST   0.25

/* A counter that covers less of a capture says nothing of it. */
#define COVERED_LEAST 0.5

/* Of shares of time: what is less of a second in each second matters to nobody. */
#define SHARE_LEAST 0.02

static const char machine[] = "the machine was busier on one side, and the same may take longer";
static const char offered[] = "what came differs: per second and share follow it (--per does not)";

static const struct {
	enum series_role role;
	const char *doubt; /* where both sides differ much; NULL */
} roles[] = {
	{ROLE_QUEUE_OFFERED, offered},	 {ROLE_QUEUE_DEPTH, NULL},
	{ROLE_QUEUE_REJECTED, NULL},	 {ROLE_SERVICE_INFLIGHT, NULL},
	{ROLE_CPU_UTIL, NULL},		 {ROLE_CPU_IDLE, NULL},
	{ROLE_CPU_IOWAIT, NULL},	 {ROLE_CPU_STEAL, machine},
	{ROLE_CPU_THROTTLED, machine},	 {ROLE_CPU_WAIT, machine},
	{ROLE_CPU_RUNNABLE, machine},	 {ROLE_IO_BLOCKED, NULL},
	{ROLE_PRESSURE_CPU, machine},	 {ROLE_PRESSURE_IO, NULL},
	{ROLE_PRESSURE_MEMORY, machine},
};

/* A counter of load, by its name: how much there was, and in what time, of each side. */
struct load {
	char *name;  /* owned, as it is shown */
	char *unit;  /* owned, "" where it is not known */
	size_t role; /* index into roles */
	bool is_gauge;
	double sum[2], seconds[2];
};

struct loads {
	struct load *list; /* in the order of the profiles */
	size_t nr, alloc;
};

static void loads_release(struct loads *loads)
{
	for (size_t i = 0; i < loads->nr; i++) {
		free(loads->list[i].name);
		free(loads->list[i].unit);
	}
	free(loads->list);
}

static size_t role_of(const struct series *series)
{
	size_t i = 0;

	while (i < ARRAY_NR(roles) && roles[i].role != series->role)
		i++;
	return i;
}

static struct load *load_of(struct loads *loads, const struct series *series,
			    const struct names *names)
{
	CLEANUP(text_release) struct text name = TEXT_INIT;

	series_add_display(&name, series, names);
	for (size_t i = 0; i < loads->nr; i++)
		if (strcmp(loads->list[i].name, text_string(&name)) == 0)
			return &loads->list[i];
	GROW(loads->list, loads->nr + 1, loads->alloc);
	loads->list[loads->nr] = (struct load){
		.name = mem_strdup(text_string(&name)),
		.unit = mem_strdup(series->unit == NAME_NONE ? ""
							     : names_display(names, series->unit)),
		.role = role_of(series),
		.is_gauge = series->kind == SERIES_GAUGE,
	};
	return &loads->list[loads->nr++];
}

/* ---- amounts in the time of a run */

static void add_amounts(struct load *load, const struct diff_run *run,
			const struct amounts *amounts)
{
	double sum = 0, seconds = 0, whole = (double)(run->end_ns - run->begin_ns) / 1e9;

	for (size_t i = 0; i < amounts->nr; i++) {
		const struct amount *amount = &amounts->list[i];
		uint64_t begin =
			amount->begin_ns > run->begin_ns ? amount->begin_ns : run->begin_ns;
		uint64_t end = amount->end_ns < run->end_ns ? amount->end_ns : run->end_ns;

		if (begin >= end)
			continue;
		sum += amount->value * (double)(end - begin) /
		       (double)(amount->end_ns - amount->begin_ns);
		seconds += (double)(end - begin) / 1e9;
	}
	if (seconds < COVERED_LEAST * whole)
		return;
	load->sum[run->is_after] += sum;
	load->seconds[run->is_after] += seconds;
}

static struct error *read_series(struct store *store, int64_t id, const struct series *series,
				 const struct diff_run *run, struct load *load)
{
	struct amounts amounts;
	struct error *err;

	amounts_init(&amounts, series->kind);
	err = store_points_read(store, id, 0, UINT64_MAX, &amounts.sink, 0);
	if (!err)
		add_amounts(load, run, &amounts);
	amounts_release(&amounts);
	return err;
}

static bool is_same_clock(enum source_clock a, enum source_clock b)
{
	return a == b || a == SOURCE_CLOCK_UNKNOWN || b == SOURCE_CLOCK_UNKNOWN;
}

static struct error *read_capture(struct store *store, const struct store_capture *capture,
				  const struct diff_run *run, struct loads *loads)
{
	CLEANUP(capture_release) struct capture model = {0};
	int64_t first = 0;
	struct error *err = NULL;

	if (!is_same_clock(capture->clock, run->profile.capture.clock))
		return NULL;
	err = store_series_read(store, capture->id, &model, &first);
	for (uint32_t i = 0; !err && i < model.series.nr; i++) {
		const struct series *series = &model.series.list[i];

		if (role_of(series) < ARRAY_NR(roles))
			err = read_series(store, first + i, series, run,
					  load_of(loads, series, &model.names));
	}
	return err;
}

static struct error *read_run(const struct diff_run *run, struct loads *loads)
{
	struct store_captures captures = {0};
	struct store *store = NULL;
	struct error *err;

	if (!run->profile.is_stored || !run->has_time)
		return NULL;
	err = store_open(run->profile.operand, &store);
	if (!err)
		err = store_captures(store, &captures);
	for (size_t i = 0; !err && i < captures.nr; i++)
		err = read_capture(store, &captures.list[i], run, loads);
	store_captures_release(&captures);
	store_close(store);
	return err;
}

/* ---- in words */

static double mean_of(const struct load *load, bool is_after)
{
	return load->seconds[is_after] > 0 ? load->sum[is_after] / load->seconds[is_after] : 0;
}

static void add_mean(const struct load *load, bool is_after, struct text *text)
{
	double mean = mean_of(load, is_after), ns = fabs(mean) * units_ns_of(load->unit);

	if (!(load->seconds[is_after] > 0)) {
		text_add(text, "not recorded");
		return;
	}
	if (units_ns_of(load->unit) > 0 && ns < 1e18) {
		text_add(text, mean < 0 ? "-" : "");
		units_add_time(text, (weight)(ns * 1e9));
	} else {
		text_addf(text, "%.4g%s%s", mean, *load->unit ? " " : "", load->unit);
	}
	text_add(text, load->is_gauge ? " on average" : " per second");
}

/* How far apart both sides are, as a part of the larger; 0 where one has it not. */
static double apart(const struct load *load)
{
	double before = mean_of(load, false), after = mean_of(load, true);
	double share = fabs(after - before) * units_ns_of(load->unit) / 1e9;

	if (!(load->seconds[0] > 0) || !(load->seconds[1] > 0) || before == after)
		return 0;
	if (!load->is_gauge && units_ns_of(load->unit) > 0 && share < SHARE_LEAST)
		return 0;
	return fabs(after - before) / fmax(fabs(before), fabs(after));
}

static void add_load(struct diff_report *report, const struct load *load)
{
	CLEANUP(text_release) struct text what = TEXT_INIT, before = TEXT_INIT, after = TEXT_INIT;
	const char *doubt = roles[load->role].doubt;
	bool has_work = report->sides->runs[0].work_nr > 0;
	struct diff_fact *fact;

	text_addf(&what, "%s (%s)", load->name, series_role_word(roles[load->role].role));
	add_mean(load, false, &before);
	add_mean(load, true, &after);
	fact = diff_facts_new(report, text_string(&what), text_string(&before),
			      text_string(&after));
	fact->differs =
		apart(load) > DIFFERS_LEAST || !(load->seconds[0] > 0) || !(load->seconds[1] > 0);
	if (doubt && apart(load) > DOUBT_LEAST && !(doubt == offered && has_work))
		fact->doubt = mem_strdup(doubt);
}

struct error *diff_load_find(struct diff_report *report)
{
	CLEANUP(loads_release) struct loads loads = {0};
	struct error *err = NULL;

	for (size_t i = 0; !err && i < report->sides->nr; i++)
		err = read_run(&report->sides->runs[i], &loads);
	for (size_t i = 0; !err && i < loads.nr; i++)
		if (loads.list[i].seconds[0] > 0 || loads.list[i].seconds[1] > 0)
			add_load(report, &loads.list[i]);
	return err;
}
