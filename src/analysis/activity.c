/* activity.c - a sink that counts which process was busy when */
#include "analysis/activity.h"

#include <math.h>

#include "base/mem.h"
#include "model/capture.h"

static bool is_of(const struct activity *activity, const struct activity_process *process,
		  const struct task *task)
{
	if (task->pid != TASK_ID_NONE)
		return process->pid == task->pid;
	return activity->capture->tasks.list[process->task].comm == task->comm;
}

static struct activity_process *add_process(struct activity *activity, uint32_t task)
{
	const struct task *of = &activity->capture->tasks.list[task];
	struct activity_process *process;

	for (uint32_t i = 0; i < activity->nr; i++)
		if (is_of(activity, activity->list[i], of) || i + 1 == ACTIVITY_PROCESSES_MAX) {
			if (of->tid == of->pid && of->pid != TASK_ID_NONE)
				activity->list[i]->task = task;
			activity->of_task[task] = i + 1;
			return activity->list[i];
		}
	process = mem_zalloc(1, sizeof(*process));
	process->pid = of->pid;
	process->task = task;
	process->is_idle = of->tid == 0;
	GROW(activity->list, (size_t)activity->nr + 1, activity->alloc);
	activity->list[activity->nr++] = process;
	activity->of_task[task] = activity->nr;
	return process;
}

/* A process is told by its pid; where the capture has none, by a task's own name. */
static struct activity_process *process_of(struct activity *activity, uint32_t task)
{
	while (activity->of_task_nr <= task) {
		GROW(activity->of_task, activity->of_task_nr + 1, activity->of_task_alloc);
		activity->of_task[activity->of_task_nr++] = 0;
	}
	if (activity->of_task[task])
		return activity->list[activity->of_task[task] - 1];
	return add_process(activity, task);
}

/* Two slots become one. */
static void halve(struct activity *activity)
{
	for (uint32_t i = 0; i < activity->nr; i++) {
		double *slots = activity->list[i]->slots;

		for (size_t j = 0; j < ACTIVITY_SLOTS / 2; j++)
			slots[j] = slots[2 * j] + slots[2 * j + 1];
		memset(slots + ACTIVITY_SLOTS / 2, 0, ACTIVITY_SLOTS / 2 * sizeof(*slots));
	}
	activity->slot_ns *= 2;
}

static size_t slot_of(struct activity *activity, uint64_t time_ns)
{
	if (!activity->has_times) {
		activity->begin_ns = activity->end_ns = time_ns;
		activity->slot_ns = ACTIVITY_SLOT_NS;
		activity->has_times = true;
	}
	if (time_ns <= activity->begin_ns)
		return 0;
	if (time_ns > activity->end_ns)
		activity->end_ns = time_ns;
	while ((time_ns - activity->begin_ns) / activity->slot_ns >= ACTIVITY_SLOTS)
		halve(activity);
	return (size_t)((time_ns - activity->begin_ns) / activity->slot_ns);
}

static bool is_wanted(const struct activity *activity, uint32_t event)
{
	const struct capture *capture = activity->capture;

	if (!activity->event)
		return event == capture->first_event;
	return event == events_find(&capture->events, &capture->names, activity->event);
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct activity *activity = (struct activity *)sink;
	struct activity_process *process;

	if (sample->task == TASK_NONE || !is_wanted(activity, sample->event))
		return NULL;
	process = process_of(activity, sample->task);
	process->weight += sample->period;
	if (sample->flags & SAMPLE_HAS_TIME) {
		size_t slot = slot_of(activity, sample->time_ns);

		process->slots[slot] += weight_number(sample->period);
	}
	return NULL;
}

void activity_init(struct activity *activity, const struct capture *capture, const char *event)
{
	*activity = (struct activity){
		.sink = {.sample = on_sample}, .capture = capture, .event = event};
}

void activity_release(struct activity *activity)
{
	for (uint32_t i = 0; i < activity->nr; i++)
		free(activity->list[i]);
	free(activity->list);
	free(activity->of_task);
	*activity = (struct activity){0};
}

static int compare(const void *a_of, const void *b_of)
{
	const struct activity_process *a = *(struct activity_process *const *)a_of;
	const struct activity_process *b = *(struct activity_process *const *)b_of;

	if (a->is_idle != b->is_idle)
		return a->is_idle ? 1 : -1;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* Samples are not told to it after that. */
void activity_sort(struct activity *activity)
{
	if (activity->nr)
		qsort(activity->list, activity->nr, sizeof(struct activity_process *), compare);
}

/* What a slot holds is spread evenly over the time that it covers. */
void activity_parts(const struct activity *activity, const struct activity_process *process,
		    double *ret, size_t nr)
{
	/* the moment of the last sample is within */
	double all_ns = (double)(activity->end_ns - activity->begin_ns) + 1;
	double slot = (double)activity->slot_ns, part = fmax(all_ns / (double)nr, 1);

	for (size_t i = 0; i < nr; i++) {
		double from = (double)i * part, to = from + part, sum = 0;

		for (size_t j = (size_t)(from / slot); j < ACTIVITY_SLOTS; j++) {
			double begin = fmax(from, (double)j * slot);
			double end = fmin(to, (double)(j + 1) * slot);

			if ((double)j * slot >= to)
				break;
			/* the last slot is full only up to the last sample */
			if (end > begin)
				sum += process->slots[j] * (end - begin) /
				       fmax(1, fmin(slot, all_ns - (double)j * slot));
		}
		ret[i] = sum / part;
	}
}
