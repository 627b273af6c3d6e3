/* counters_queue.c - what several series of a queue tell: utilisation, means, Little's law */
#include "commands/counters_queue.h"

#include <math.h>

#include "analysis/queue_check.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/counters_rows.h"
#include "commands/counters_side.h"

struct range {
	struct counters_side *side;
	size_t capture;
	uint64_t from_ns, to_ns;
	struct counters_rows *rows;
};

static const struct capture *model_of(const struct range *range)
{
	return &range->side->list[range->capture].model;
}

/* The series of that role of the same queue; UINT32_MAX for none. */
static uint32_t partner_of(const struct range *range, uint32_t series, enum series_role role)
{
	const struct capture *model = model_of(range);
	uint32_t queue = series_label(&model->series.list[series], &model->names, "queue");

	for (uint32_t i = 0; i < model->series.nr; i++)
		if (model->series.list[i].role == role &&
		    series_label(&model->series.list[i], &model->names, "queue") == queue)
			return i;
	return UINT32_MAX;
}

static double seconds_of(const struct range *range, uint32_t series)
{
	const struct capture *model = model_of(range);
	uint32_t unit = model->series.list[series].unit;

	return unit == NAME_NONE ? 0 : counters_unit_seconds(names_display(&model->names, unit));
}

static struct error *read_amounts(const struct range *range, uint32_t series, struct amounts *ret)
{
	return counters_side_amounts(range->side, (struct counters_at){range->capture, series},
				     ret);
}

/* x per n, or per second where n is UINT32_MAX. */
static struct error *divide(const struct range *range, uint32_t x, uint32_t n, struct per_unit *ret)
{
	CLEANUP(amounts_release) struct amounts amounts = {0}, divisor = {0};
	struct error *err = read_amounts(range, x, &amounts);

	if (!err && n != UINT32_MAX)
		err = read_amounts(range, n, &divisor);
	if (!err)
		*ret = per_unit_of(&amounts, n == UINT32_MAX ? NULL : &divisor, range->from_ns,
				   range->to_ns);
	return err;
}

static struct counters_row *add_row(const struct range *range, uint32_t series, const char *measure,
				    const char *unit)
{
	const struct capture *model = model_of(range);
	CLEANUP(text_release) struct text name = TEXT_INIT;
	struct counters_row *row;

	series_add_display(&name, &model->series.list[series], &model->names);
	row = counters_rows_add(range->rows, range->side->list[range->capture].name,
				text_string(&name), measure, unit);
	row->role = series_role_word(model->series.list[series].role);
	return row;
}

/* CPU time in a second, as a share of one CPU. */
static struct error *add_utilisation(const struct range *range, uint32_t series)
{
	double seconds = seconds_of(range, series);
	struct per_unit result;
	struct error *err;

	if (seconds <= 0)
		return NULL;
	err = divide(range, series, UINT32_MAX, &result);
	if (!err)
		counters_row_set(add_row(range, series, "utilisation", "percent of a CPU"), &result,
				 seconds * 100);
	return err;
}

/* The time of all items by their number: what each had on average. */
static struct error *add_mean(const struct range *range, uint32_t series, const char *measure)
{
	uint32_t completed = partner_of(range, series, ROLE_QUEUE_COMPLETED);
	double seconds = seconds_of(range, series);
	struct counters_row *row;
	struct per_unit result;
	struct error *err;

	if (completed == UINT32_MAX || seconds <= 0)
		return NULL;
	err = divide(range, series, completed, &result);
	if (err)
		return err;
	row = add_row(range, series, measure, "s");
	row->seconds = 1;
	counters_row_set(row, &result, seconds);
	return NULL;
}

static void tell_little(struct counters_row *row, double depth, double waiting)
{
	static const char *const words[] = {
		[QUEUE_TOO_SMALL] = "too few items wait to tell",
		[QUEUE_FITS] = "they describe one queue",
		[QUEUE_DOES_NOT_FIT] = "these columns do not describe one queue",
	};

	counters_row_remark(row, "depth %.3g, arrivals x wait %.3g: %s", depth, waiting,
			    words[queue_check_little(depth, waiting)]);
}

/*
 * Items that wait on average = arrivals a second x the time that each waits, and that is the time
 * that all waited in a second. 1 is what it should be.
 */
static struct error *add_little(const struct range *range, uint32_t depth)
{
	uint32_t wait = partner_of(range, depth, ROLE_QUEUE_WAIT);
	struct per_unit items, waiting;
	struct counters_row *row;
	struct error *err;
	double seconds;

	if (wait == UINT32_MAX)
		return NULL;
	seconds = seconds_of(range, wait);
	if (seconds <= 0 || model_of(range)->series.list[wait].kind == SERIES_GAUGE)
		return NULL;
	err = divide(range, depth, UINT32_MAX, &items);
	if (!err)
		err = divide(range, wait, UINT32_MAX, &waiting);
	if (err)
		return err;
	row = add_row(range, depth, "Little's law", "depth / (arrivals x wait)");
	row->has_value = !items.refusal && !waiting.refusal && waiting.ratio.value > 0;
	if (row->has_value)
		row->result.ratio.value = items.ratio.value / (waiting.ratio.value * seconds);
	row->result.intervals = items.intervals;
	row->result.running_least = row->result.running_most = 1;
	tell_little(row, items.ratio.value, waiting.ratio.value * seconds);
	return NULL;
}

struct error *counters_queue_add(struct counters_side *side, size_t capture, uint64_t from_ns,
				 uint64_t to_ns, struct counters_rows *rows)
{
	const struct range range = {side, capture, from_ns, to_ns, rows};
	const struct capture *model = model_of(&range);
	struct error *err = NULL;

	for (uint32_t i = 0; !err && i < model->series.nr; i++) {
		const struct series *series = &model->series.list[i];

		if (series->role == ROLE_CPU_PROCESS && series->kind != SERIES_GAUGE)
			err = add_utilisation(&range, i);
		else if (series->role == ROLE_SERVICE_TIME && series->kind != SERIES_GAUGE)
			err = add_mean(&range, i, "mean service time");
		else if (series->role == ROLE_QUEUE_WAIT && series->kind != SERIES_GAUGE)
			err = add_mean(&range, i, "mean wait");
		else if (series->role == ROLE_QUEUE_DEPTH)
			err = add_little(&range, i);
	}
	return err;
}
