/* select.c - a stage: lets the asked-for samples pass and counts the others by reason */
#include "model/select.h"

#include "base/mem.h"
#include "model/capture.h"

const char *select_reason_word(enum select_reason reason)
{
	static const char *const words[SELECT_REASON_NR] = {
		[SELECT_EVENT] = "--event", [SELECT_TIME] = "--from/--to", [SELECT_COMM] = "--comm",
		[SELECT_PID] = "--pid",	    [SELECT_TID] = "--tid",	   [SELECT_CPU] = "--cpu",
	};

	return words[reason];
}

bool select_parse_moment(const char *s, size_t size, struct moment *ret)
{
	struct moment moment = {.is_set = true};

	if (size && s[0] == '+') {
		moment.is_relative = true;
		s++;
		size--;
	}
	if (!units_parse_time(s, size, &moment.ns))
		return false;
	*ret = moment;
	return true;
}

static bool has_number(const int64_t *list, size_t nr, int32_t number)
{
	for (size_t i = 0; i < nr; i++)
		if (list[i] == number)
			return true;
	return nr == 0;
}

static bool has_comm(const struct selection *wanted, const struct names *names, uint32_t comm)
{
	if (!wanted->comms_nr)
		return true;
	if (comm == NAME_NONE)
		return false;
	for (size_t i = 0; i < wanted->comms_nr; i++)
		if (strcmp(wanted->comms[i], names_get(names, comm)->bytes) == 0)
			return true;
	return false;
}

/* 1 when the task passes, else 2 + reason. Where only a tid is known it is no pid. */
static unsigned char reason_of_task(const struct select *select, uint32_t id)
{
	static const struct task nobody = {TASK_ID_NONE, TASK_ID_NONE, NAME_NONE};
	const struct selection *wanted = select->wanted;
	const struct task *task = id == TASK_NONE ? &nobody : &select->capture->tasks.list[id];

	if (!has_comm(wanted, &select->capture->names, task->comm))
		return 2 + SELECT_COMM;
	if (!has_number(wanted->pids, wanted->pids_nr, task->pid))
		return 2 + SELECT_PID;
	if (!has_number(wanted->tids, wanted->tids_nr, task->tid))
		return 2 + SELECT_TID;
	return 1;
}

/* The answer per id is found once; sources number their ids from 0. */
static unsigned char *memo(unsigned char **list, size_t *nr, size_t *alloc, uint32_t id)
{
	while (*nr <= id) {
		GROW(*list, *nr + 1, *alloc);
		(*list)[(*nr)++] = 0;
	}
	return &(*list)[id];
}

static bool is_event_wanted(struct select *select, uint32_t event)
{
	const struct capture *capture = select->capture;
	const char *wanted = select->wanted->event;
	const char *name;

	if (!wanted)
		return select->wanted->all_events || event == select->capture->first_event;
	if (capture->events.list[event].name == NAME_NONE)
		return false;
	name = names_get(&capture->names, capture->events.list[event].name)->bytes;
	/* whether the name without modifiers is unique is checked once all events are known */
	return strcmp(name, wanted) == 0 || (events_base_size(name) == strlen(wanted) &&
					     strncmp(name, wanted, strlen(wanted)) == 0);
}

static bool passes_event(struct select *select, uint32_t event)
{
	unsigned char *known;

	known = memo(&select->event_passes, &select->event_passes_nr, &select->event_passes_alloc,
		     event);
	if (!*known)
		*known = is_event_wanted(select, event) ? 2 : 1;
	return *known == 2;
}

static bool is_before(const struct select *select, uint64_t time_ns, const struct moment *moment)
{
	uint64_t at = moment->ns;

	if (moment->is_relative && __builtin_add_overflow(at, select->capture->start_ns, &at))
		at = UINT64_MAX;
	return time_ns < at;
}

static bool passes_time(struct select *select, const struct sample *sample)
{
	const struct selection *wanted = select->wanted;
	bool has_time = sample->flags & SAMPLE_HAS_TIME;

	if (!wanted->from.is_set && !wanted->to.is_set)
		return true;
	if (!has_time)
		return false;
	if (wanted->from.is_set && is_before(select, sample->time_ns, &wanted->from))
		return false;
	return !wanted->to.is_set || is_before(select, sample->time_ns, &wanted->to);
}

static unsigned char reason_of(struct select *select, const struct sample *sample)
{
	const struct selection *wanted = select->wanted;
	unsigned char *known;

	/* time first: what a profile leaves out by bisection it does not look at */
	if (!passes_time(select, sample))
		return 2 + SELECT_TIME;
	if (!passes_event(select, sample->event))
		return 2 + SELECT_EVENT;
	if (!has_number(wanted->cpus, wanted->cpus_nr, sample->cpu))
		return 2 + SELECT_CPU;
	if (sample->task == TASK_NONE)
		return reason_of_task(select, TASK_NONE);
	known = memo(&select->task_reason, &select->task_reason_nr, &select->task_reason_alloc,
		     sample->task);
	if (!*known)
		*known = reason_of_task(select, sample->task);
	return *known;
}

/* What the capture says of itself as a whole, from all samples, selected or not. */
static void watch(struct capture *capture, const struct sample *sample)
{
	if (!capture->has_first_event)
		capture->first_event = sample->event;
	capture->has_first_event = true;
	if (!capture->is_counted)
		capture->events.list[sample->event].samples += sample->count;
	if (!(sample->flags & SAMPLE_HAS_TIME))
		return;
	if (!capture->has_times)
		capture->start_ns = capture->end_ns = sample->time_ns;
	capture->has_times = true;
	if (sample->time_ns > capture->end_ns)
		capture->end_ns = sample->time_ns;
}

/* Both are known to pass, and nothing else is asked: what most samples come to. */
static bool is_known_to_pass(const struct select *select, const struct sample *sample)
{
	return select->is_by_id && sample->event < select->event_passes_nr &&
	       select->event_passes[sample->event] == 2 && sample->task < select->task_reason_nr &&
	       select->task_reason[sample->task] == 1;
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct select *select = (struct select *)sink;
	unsigned char reason = 1;

	watch(select->capture, sample);
	if (!is_known_to_pass(select, sample))
		reason = reason_of(select, sample);
	select->has_passed = reason == 1;
	if (!select->has_passed) {
		select->count.left_out[reason - 2] += sample->count;
		return NULL;
	}
	select->count.passed += sample->count;
	return sink_sample(select->next, sample);
}

/* The same of points: the first one is where a capture without samples begins. */
static void watch_point(struct capture *capture, uint32_t series, const struct point *point)
{
	if (!capture->is_counted)
		series_watch(&capture->series.list[series], point);
	if (capture->clock == SOURCE_CLOCK_NONE)
		return;
	if (!capture->has_times)
		capture->start_ns = capture->end_ns = point->begin_ns;
	capture->has_times = true;
	if (point->end_ns > capture->end_ns)
		capture->end_ns = point->end_ns;
}

static struct error *on_point(struct sink *sink, uint32_t series, const struct point *point)
{
	struct select *select = (struct select *)sink;
	const struct selection *wanted = select->wanted;

	watch_point(select->capture, series, point);
	if (wanted->all_points)
		return sink_point(select->next, series, point);
	if (wanted->from.is_set && is_before(select, point->end_ns, &wanted->from))
		return NULL;
	if (wanted->to.is_set && !is_before(select, point->end_ns, &wanted->to))
		return NULL;
	return sink_point(select->next, series, point);
}

static void soon(const struct sink *sink, const struct sample *sample, bool is_again)
{
	sink_soon(((const struct select *)sink)->next, sample, is_again);
}

static void expect(struct sink *sink, size_t nr)
{
	sink_expect(((struct select *)sink)->next, nr);
}

static uint32_t known(const struct sink *sink)
{
	const struct select *select = (const struct select *)sink;

	return select->has_passed ? sink_known(select->next) : SAMPLE_NOT_KNOWN;
}

void select_init(struct select *select, struct capture *capture, const struct selection *wanted,
		 struct sink *next)
{
	*select = (struct select){
		.sink = {.sample = on_sample,
			 .soon = soon,
			 .expect = expect,
			 .known = known,
			 .point = on_point},
		.next = next,
		.capture = capture,
		.wanted = wanted,
		.is_by_id = !wanted->from.is_set && !wanted->to.is_set && !wanted->cpus_nr,
	};
}

void select_release(struct select *select)
{
	free(select->event_passes);
	free(select->task_reason);
}
