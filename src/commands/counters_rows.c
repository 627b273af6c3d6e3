/* counters_rows.c - what tephra counters says of one operand: a row for each series and measure */
#include "commands/counters_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/queue_check.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/counters_queue.h"
#include "commands/counters_side.h"

/* ---- rows */

void counters_rows_release(struct counters_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++) {
		free(rows->list[i].capture);
		free(rows->list[i].series);
		free(rows->list[i].measure);
		free(rows->list[i].unit);
		free(rows->list[i].remark);
	}
	free(rows->list);
	*rows = (struct counters_rows){0};
}

struct counters_row *counters_rows_add(struct counters_rows *rows, const char *capture,
				       const char *series, const char *measure, const char *unit)
{
	GROW(rows->list, rows->nr + 1, rows->alloc);
	rows->list[rows->nr] = (struct counters_row){
		.capture = mem_strdup(capture),
		.series = mem_strdup(series),
		.measure = mem_strdup(measure),
		.unit = mem_strdup(unit),
		.remark = mem_strdup(""),
		.role = "",
	};
	return &rows->list[rows->nr++];
}

void counters_row_remark(struct counters_row *row, const char *format, ...)
{
	va_list args;
	struct text text = TEXT_INIT;

	text_addf(&text, "%s%s", row->remark, *row->remark ? "; " : "");
	va_start(args, format);
	text_addv(&text, format, args);
	va_end(args);
	free(row->remark);
	row->remark = text_take(&text);
}

double counters_unit_seconds(const char *unit)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"ns", 1e-9},   {"us", 1e-6}, {"usec", 1e-6}, {"ms", 1e-3},
		     {"msec", 1e-3}, {"s", 1},	   {"seconds", 1}};

	for (size_t i = 0; i < ARRAY_NR(units); i++)
		if (strcmp(units[i].unit, unit) == 0)
			return units[i].seconds;
	return 0;
}

static void tell_share(struct counters_row *row, const struct per_unit *result)
{
	if (result->is_estimate)
		counters_row_remark(row,
				    "an estimate: it was counted for %.0f to %.0f %% of the time",
				    result->running_least * 100, result->running_most * 100);
}

static void tell_refusal(struct counters_row *row, const struct per_unit *result)
{
	static const char *const words[PER_UNIT_REFUSAL_NR] = {
		[PER_UNIT_NO_INTERVAL] = "no interval of it is covered",
		[PER_UNIT_NO_WORK] = "the divisor did not move",
		[PER_UNIT_OTHER_TIME] = "refused: the two were not counted at the same time",
		[PER_UNIT_GUESS] = "refused: a guess from so little",
	};

	if (result->refusal)
		counters_row_remark(row, "%s", words[result->refusal]);
}

void counters_row_set(struct counters_row *row, const struct per_unit *result, double scale)
{
	row->result = *result;
	row->result.ratio.value *= scale;
	row->result.ratio.variance *= scale * scale;
	row->result.low *= scale;
	row->result.high *= scale;
	row->has_value = !result->refusal;
	row->has_interval = row->has_value && isfinite(result->low) && isfinite(result->high);
	tell_refusal(row, result);
	tell_share(row, result);
	if (result->left_out)
		counters_row_remark(row,
				    "%zu intervals that the divisor does not cover are left out",
				    result->left_out);
}

/* ---- one series */

/* What stays the same for all series of a capture. */
struct building {
	struct counters_side *side;
	struct counters_rows *rows;
	const struct counters_divisor *divisor;
	struct counters_at divisor_at;
	struct amounts work; /* of the divisor, on the clock of the capture that is read */
	bool has_work;
	const char *work_error; /* why there is none; owned by err */
	uint64_t clock_error_ns;
	uint64_t from_ns, to_ns;
};

static bool is_clock(const struct series *series)
{
	return series->role == ROLE_CLOCK_MONOTONIC || series->role == ROLE_CLOCK_REALTIME;
}

static void add_unit(const struct building *building, const struct capture *capture,
		     const struct series *series, struct text *unit)
{
	const char *own =
		series->unit == NAME_NONE ? "" : names_display(&capture->names, series->unit);

	text_add(unit, own);
	if (series->kind != SERIES_GAUGE && !building->divisor)
		text_add(unit, "/s");
}

/* The state of a series that has no value. */
static const char *no_value(const struct series *series)
{
	return series->missing ? "it was not counted or is not supported" : "no points";
}

/* Of a gauge an amount is its value times seconds. */
static void add_gauge_range(const struct building *building, struct counters_row *row,
			    const struct amounts *amounts)
{
	double least = INFINITY, most = -INFINITY;

	if (building->from_ns == 0 && building->to_ns == UINT64_MAX && amounts->has_values) {
		least = amounts->least;
		most = amounts->most;
	}
	for (size_t i = 0; i < amounts->nr; i++) {
		const struct amount *amount = &amounts->list[i];
		double value = amount->value / ((double)(amount->end_ns - amount->begin_ns) / 1e9);

		if (amount->begin_ns < building->from_ns || amount->end_ns > building->to_ns)
			continue;
		least = fmin(least, value);
		most = fmax(most, value);
	}
	if (least <= most)
		counters_row_remark(row, "from %.6g to %.6g", least, most);
}

static void check_age(struct counters_row *row, const struct series *series,
		      const struct amounts *amounts)
{
	double rise;

	if (series->role != ROLE_QUEUE_OLDEST_AGE || row->seconds <= 0)
		return;
	rise = queue_check_age(amounts, row->seconds);
	if (rise > QUEUE_CHECK_AGE_MOST)
		counters_row_remark(row,
				    "it rises by %.3g s a second: its unit or its clock is "
				    "another one",
				    rise);
}

static void add_total(struct counters_row *row, const struct series *series,
		      const struct amounts *amounts)
{
	row->has_value = amounts->has_values;
	row->result.ratio.value = amounts->most;
	row->result.running_least = row->result.running_most = 1;
	counters_row_remark(row, "%s",
			    row->has_value ? "the total of a run, of which no time is known"
					   : no_value(series));
}

static void measure(const struct building *building, size_t at, const struct series *series,
		    const struct amounts *amounts)
{
	const struct counters_capture *capture = &building->side->list[at];
	const struct counters_divisor *divisor = building->divisor;
	CLEANUP(text_release) struct text name = TEXT_INIT, unit = TEXT_INIT, per = TEXT_INIT;
	const char *measures[] = {"mean", "per second"};
	bool is_total = capture->model.clock == SOURCE_CLOCK_NONE;
	struct counters_row *row;
	struct per_unit result;

	series_add_display(&name, series, &capture->model.names);
	add_unit(building, &capture->model, series, &unit);
	if (divisor)
		text_addf(&per, "per %s%s", divisor->units > 1 ? "1000 " : "", divisor->name);
	row = counters_rows_add(building->rows, capture->name, text_string(&name),
				divisor	   ? text_string(&per)
				: is_total ? "total"
					   : measures[series->kind != SERIES_GAUGE],
				text_string(&unit));
	row->role = series_role_word(series->role);
	row->seconds =
		series->unit == NAME_NONE
			? 0
			: counters_unit_seconds(names_display(&capture->model.names, series->unit));
	if (is_total && !divisor) {
		add_total(row, series, amounts);
		return;
	}
	if (divisor && !building->has_work) {
		counters_row_remark(row, "%s",
				    is_total ? "totals of a run have no times: perf stat -I 500 has"
					     : building->work_error);
		return;
	}
	result = per_unit_of(amounts, divisor ? &building->work : NULL, building->from_ns,
			     building->to_ns);
	counters_row_set(row, &result, divisor ? divisor->units : 1);
	if (!amounts->has_values)
		counters_row_remark(row, "%s", no_value(series));
	if (series->kind == SERIES_GAUGE)
		add_gauge_range(building, row, amounts);
	if (series->resets)
		counters_row_remark(row, "it began anew %" PRIu64 " times", series->resets);
	check_age(row, series, amounts);
	if (building->clock_error_ns)
		counters_row_remark(row, "clocks agree to %.3g s",
				    (double)building->clock_error_ns / 1e9);
}

/* Amounts per unit of work are of what adds up; gauges do not. */
static bool is_measured(const struct building *building, const struct series *series)
{
	return !is_clock(series) && !(building->divisor && series->kind == SERIES_GAUGE);
}

static struct error *measure_capture(struct building *building, size_t at)
{
	struct counters_side *side = building->side;
	const struct capture *model = &side->list[at].model;
	struct error *err = counters_side_range(side, at, &building->from_ns, &building->to_ns);

	for (uint32_t i = 0; !err && i < model->series.nr; i++) {
		const struct series *series = &model->series.list[i];
		CLEANUP(amounts_release) struct amounts amounts = {0};

		if (!is_measured(building, series) ||
		    (building->divisor && building->divisor_at.capture == at &&
		     building->divisor_at.series == i))
			continue;
		err = counters_side_amounts(side, (struct counters_at){at, i}, &amounts);
		if (err)
			break;
		measure(building, at, series, &amounts);
	}
	if (!err && !building->divisor)
		err = counters_queue_add(side, at, building->from_ns, building->to_ns,
					 building->rows);
	return err;
}

/* ---- the divisor */

static struct error *read_divisor(struct counters_side *side, const char *name,
				  struct counters_at *ret_at, struct amounts *ret)
{
	struct error *err = counters_side_find(side, name, ret_at);

	if (!err && counters_side_series(side, *ret_at)->kind == SERIES_GAUGE)
		err = error_new(ERROR_USAGE, "'%s' is a gauge: nothing can be divided by it", name);
	return err ? err : counters_side_amounts(side, *ret_at, ret);
}

static struct error *measure_all(struct building *building, const struct amounts *work)
{
	struct counters_side *side = building->side;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < side->nr; i++) {
		struct error *loose = NULL;

		if (!side->list[i].model.series.nr)
			continue;
		building->has_work = false;
		if (building->divisor) {
			amounts_copy(work, &building->work);
			loose = counters_side_move(side, &building->work,
						   building->divisor_at.capture, i,
						   &building->clock_error_ns);
			building->has_work = !loose;
			building->work_error = loose ? error_text(loose) : NULL;
		}
		err = measure_capture(building, i);
		amounts_release(&building->work);
		error_free(loose);
	}
	return err;
}

struct error *counters_rows_build(struct counters_side *side,
				  const struct counters_divisor *divisor, struct counters_rows *ret)
{
	struct building building = {.side = side, .rows = ret, .divisor = divisor};
	CLEANUP(amounts_release) struct amounts work = {0};
	struct error *err = NULL;

	if (divisor)
		err = read_divisor(side, divisor->name, &building.divisor_at, &work);
	return err ? err : measure_all(&building, &work);
}
