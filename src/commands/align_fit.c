/* align_fit.c - CPU time in samples and in a counter, brought together to fit their clocks */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/clock_fit.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/align.h"
#include "model/capture.h"
#include "model/sink.h"
#include "store/replay.h"
#include "store/series.h"
#include "store/store.h"

/* ---- samples of one process */

struct process {
	int32_t pid;
	size_t samples;
};

struct samples {
	struct sink sink;
	struct capture capture;
	struct fit_sample *list; /* owned */
	int32_t *pids;		 /* owned, one each sample */
	size_t nr, alloc, pids_alloc;
	struct process *processes; /* owned */
	size_t processes_nr, processes_alloc;
};

/* More samples are not needed for any fit, and their memory would be. */
#define SAMPLES_MAX (1u << 26)

static void samples_release(struct samples *samples)
{
	capture_release(&samples->capture);
	free(samples->list);
	free(samples->pids);
	free(samples->processes);
}

static void count_process(struct samples *samples, int32_t pid)
{
	for (size_t i = 0; i < samples->processes_nr; i++)
		if (samples->processes[i].pid == pid) {
			samples->processes[i].samples++;
			return;
		}
	GROW(samples->processes, samples->processes_nr + 1, samples->processes_alloc);
	samples->processes[samples->processes_nr++] = (struct process){pid, 1};
}

/* Of clock events, whose periods are CPU time; what idles is no process. */
static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct samples *samples = (struct samples *)sink;
	const struct capture *capture = &samples->capture;
	int32_t pid;

	if (!(sample->flags & SAMPLE_HAS_TIME) || sample->task == TASK_NONE ||
	    sample->event != capture->first_event ||
	    capture->events.list[sample->event].unit != UNIT_NS)
		return NULL;
	pid = capture->tasks.list[sample->task].pid;
	if (pid <= 0)
		return NULL;
	if (samples->nr == SAMPLES_MAX)
		return error_new(ERROR_LIMIT, "more than %u samples are too many for a fit",
				 SAMPLES_MAX);
	GROW(samples->list, samples->nr + 1, samples->alloc);
	GROW(samples->pids, samples->nr + 1, samples->pids_alloc);
	samples->pids[samples->nr] = pid;
	samples->list[samples->nr++] =
		(struct fit_sample){sample->time_ns, (uint64_t)weight_number(sample->period),
				    (uint32_t)capture->tasks.list[sample->task].tid};
	count_process(samples, pid);
	return NULL;
}

static struct error *read_samples(const struct align *align, uint32_t which,
				  struct samples *samples)
{
	const struct store_capture *from = &align->captures.list[which];
	const struct replay_options options = {.needs_samples = true, .without_frames = true};
	struct replay_count count;
	struct error *err;

	samples->sink.sample = on_sample;
	err = store_replay(align->store, from, &options, &samples->capture, &samples->sink, &count);
	if (!err && !samples->nr)
		err = error_hint(error_new(ERROR_INPUT,
					   "the first event of '%s' does not sample CPU time",
					   from->name),
				 "perf record -e cpu-clock does, and so does task-clock");
	return err;
}

/* Nineteen of twenty samples: what runs beside it, a shell, does no harm. */
static struct error *choose_process(const struct align *align, const struct samples *samples,
				    int32_t *ret)
{
	const struct option_numbers *pids = &align->options->pids;
	CLEANUP(text_release) struct text there = TEXT_INIT;

	if (pids->nr == 1) {
		*ret = (int32_t)pids->list[0];
		return NULL;
	}
	for (size_t i = 0; i < samples->processes_nr; i++) {
		const struct process *process = &samples->processes[i];

		if (process->samples >= samples->nr - samples->nr / 20) {
			*ret = process->pid;
			return NULL;
		}
		if (process->samples >= samples->nr / 20)
			text_addf(&there, "%s%" PRId32 " (%zu samples)", there.size ? ", " : "",
				  process->pid, process->samples);
	}
	return error_hint(error_new(ERROR_USAGE, "which process does the counter count?"),
			  "--pid=<pid>; there is: %s", text_string(&there));
}

static void keep_process(struct samples *samples, int32_t pid)
{
	size_t nr = 0;

	for (size_t i = 0; i < samples->nr; i++)
		if (samples->pids[i] == pid)
			samples->list[nr++] = samples->list[i];
	samples->nr = nr;
}

/* ---- the counter */

struct counter {
	struct sink sink;
	double scale;		   /* of its unit to ns */
	struct fit_interval *list; /* owned */
	size_t nr, alloc;
	struct point before;
	bool has_before;
};

static struct error *ignore_sample(struct sink *sink, const struct sample *sample)
{
	(void)sink;
	(void)sample;
	return NULL;
}

static struct error *on_point(struct sink *sink, uint32_t series, const struct point *point)
{
	struct counter *counter = (struct counter *)sink;
	double difference;

	(void)series;
	if (counter->has_before && point->state == POINT_OK) {
		difference = decimal_difference(point->value, counter->before.value);
		GROW(counter->list, counter->nr + 1, counter->alloc);
		counter->list[counter->nr++] = (struct fit_interval){
			counter->before.end_ns, point->end_ns, difference * counter->scale};
	}
	counter->has_before = point_has_value(point);
	counter->before = *point;
	return NULL;
}

/* Where it is: a capture, and the table's id of the series. */
struct place {
	uint32_t capture;
	int64_t series;
	double scale;
	size_t nr; /* that come in question */
};

static bool is_meant(const struct align *align, const struct capture *model,
		     const struct series *series)
{
	CLEANUP(text_release) struct text name = TEXT_INIT;

	if (series->kind != SERIES_CUMULATIVE)
		return false;
	if (!align->options->series)
		return series->role == ROLE_CPU_PROCESS;
	series_add_display(&name, series, &model->names);
	return strcmp(text_string(&name), align->options->series) == 0;
}

static struct error *look_into(const struct align *align, uint32_t which, struct place *place,
			       struct text *there)
{
	struct capture model = {0};
	int64_t first = 0;
	struct error *err =
		store_series_read(align->store, align->captures.list[which].id, &model, &first);

	for (uint32_t i = 0; !err && i < model.series.nr; i++) {
		const struct series *series = &model.series.list[i];
		const char *unit =
			series->unit == NAME_NONE ? "" : names_display(&model.names, series->unit);

		if (!is_meant(align, &model, series))
			continue;
		*place = (struct place){which, first + i, 0, place->nr + 1};
		text_addf(there, "%s%s: ", place->nr > 1 ? ", " : "",
			  align->captures.list[which].name);
		series_add_display(there, series, &model.names);
		place->scale = units_ns_of(unit);
		if (!(place->scale > 0))
			err = error_hint(
				error_new(ERROR_INPUT,
					  "the unit of the counter of CPU time is not "
					  "known ('%s')",
					  unit),
				"tephra import --map '<column>=cpu.process,ns,cumulative'");
	}
	capture_release(&model);
	return err;
}

static struct error *find_counter(const struct align *align, struct place *ret)
{
	CLEANUP(text_release) struct text there = TEXT_INIT;
	uint32_t wanted;
	struct error *err = align_target(align, &wanted);

	*ret = (struct place){0};
	for (uint32_t i = 0; !err && i < align->captures.nr; i++)
		if (wanted == CLOCK_WALL || wanted == i)
			err = look_into(align, i, ret, &there);
	if (err || ret->nr == 1)
		return err;
	if (!ret->nr)
		return error_hint(
			error_new(ERROR_INPUT, "no counter of the CPU time of a process is there"),
			"one of another name: --series=<name>; 'tephra info --series "
			"'%s'' lists them",
			align->path);
	return error_hint(error_new(ERROR_USAGE, "%zu counters come in question", ret->nr),
			  "--to=<capture> and --series=<name>; there is: %s", text_string(&there));
}

static struct error *read_counter(const struct align *align, const struct place *place,
				  struct counter *counter)
{
	counter->sink = (struct sink){.sample = ignore_sample, .point = on_point};
	counter->scale = place->scale;
	return store_points_read(align->store, place->series, 0, UINT64_MAX, &counter->sink, 0);
}

/* ---- the tie */

/* One offset fits the whole recording: what the clocks drift in it is part of the error. */
static struct clock_tie tie_of(const struct align *align, uint32_t source,
			       const struct place *place, const struct fit *fit)
{
	const struct store_capture *capture = &align->captures.list[source];
	uint64_t drift_ppb = (uint64_t)align->options->drift_ppm * 1000;
	double half_ns = (double)(capture->end_ns - capture->start_ns) / 2;

	return (struct clock_tie){
		.source = source,
		.target = place->capture,
		.how = TIE_FIT,
		.first_ns = capture->start_ns,
		.last_ns = capture->end_ns,
		.offset_ns = -fit->offset_ns,
		.error_ns = fit->error_ns + (uint64_t)(half_ns * (double)drift_ppb / 1e9),
		.drift_ppb = drift_ppb,
	};
}

static void tell(const struct align *align, const struct fit *fit)
{
	if (!align->options->quiet)
		fprintf(stderr,
			"%s: %zu intervals of the counter; samples follow %.1f %% of its "
			"variation and are %.1f %% of its CPU time\n",
			align->path, fit->intervals, fit->explained * 100, fit->scale * 100);
}

static struct error *fit_and_add(struct align *align, uint32_t source, const struct place *place,
				 const struct samples *samples, const struct counter *counter,
				 int *ret_status)
{
	const struct store_capture *capture = &align->captures.list[source];
	const struct fit_input input = {samples->list,	 samples->nr,	capture->start_ns,
					capture->end_ns, counter->list, counter->nr};
	struct clock_tie tie;
	struct fit fit;
	struct error *err = clock_fit(&input, &fit);

	if (err && error_kind(err) == ERROR_INPUT) {
		fprintf(stderr, "%s: %s\n", align->path, error_text(err));
		error_free(err);
		*ret_status = 1;
		return NULL;
	}
	if (err)
		return err;
	tell(align, &fit);
	tie = tie_of(align, source, place, &fit);
	return align_add(align, &tie);
}

struct error *align_fit(struct align *align, int *ret_status)
{
	CLEANUP(samples_release) struct samples samples = {0};
	struct counter counter = {0};
	struct place place;
	uint32_t source;
	int32_t pid = 0;
	struct error *err;

	if (!align->options->captures.nr)
		for (size_t i = 0; i < align->captures.nr; i++)
			align->is_wanted[i] = align->captures.list[i].samples > 0;
	err = align_one(align, &source);
	if (!err)
		err = find_counter(align, &place);
	if (!err && place.capture == source)
		err = error_new(ERROR_USAGE, "samples and counter are on one clock already");
	if (!err)
		err = read_samples(align, source, &samples);
	if (!err)
		err = choose_process(align, &samples, &pid);
	if (err)
		return err;
	keep_process(&samples, pid);
	err = read_counter(align, &place, &counter);
	if (!err)
		err = fit_and_add(align, source, &place, &samples, &counter, ret_status);
	free(counter.list);
	return err;
}
