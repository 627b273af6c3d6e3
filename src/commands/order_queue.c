/* order_queue.c - whose counters are evidence, where there are those of several queues */
#include "commands/order_queue.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/gather.h"
#include "commands/order_evidence.h"

struct queue {
	const char *name; /* borrowed from its capture */
	double rise[2];	  /* of its depth, and of its oldest age, above their medians */
};

/* Of all that was gathered, in the order of its series. */
struct queues {
	struct queue *list; /* owned */
	size_t nr, alloc;
};

static struct queue *queue_of(struct queues *queues, const char *name)
{
	for (size_t i = 0; i < queues->nr; i++)
		if (strcmp(queues->list[i].name, name) == 0)
			return &queues->list[i];
	GROW(queues->list, queues->nr + 1, queues->alloc);
	queues->list[queues->nr] = (struct queue){.name = name};
	return &queues->list[queues->nr++];
}

static double rise_of(const struct track *track)
{
	double median = track_median(track, 0, UINT64_MAX), most = median;

	for (size_t i = 0; i < track->nr; i++)
		most = fmax(most, track->values[i]);
	return most > median ? most - median : 0;
}

static void add_series(const struct gathered_capture *from, uint32_t id, struct queues *queues)
{
	static const enum series_role roles[2] = {ROLE_QUEUE_DEPTH, ROLE_QUEUE_OLDEST_AGE};
	const struct capture *capture = &from->profile.capture;
	const struct series *series = &capture->series.list[id];
	const struct track *track = &from->counters.list[id].track;
	uint32_t label = series_label(series, &capture->names, "queue");
	struct queue *queue;

	if (label == NAME_NONE || series->role == ROLE_NONE || !track_has_value(track))
		return;
	queue = queue_of(queues, names_display(&capture->names, label));
	for (size_t i = 0; i < ARRAY_NR(roles); i++)
		if (series->role == roles[i])
			queue->rise[i] = fmax(queue->rise[i], rise_of(track));
}

/* The place of the one that is wanted; queues->nr for none. */
static size_t find(const struct queues *queues, const char *name)
{
	size_t best = 0;

	for (size_t i = 0; i < queues->nr; i++) {
		const double *rise = queues->list[i].rise, *most = queues->list[best].rise;

		if (name && strcmp(queues->list[i].name, name) == 0)
			return i;
		if (rise[0] > most[0] || (rise[0] == most[0] && rise[1] > most[1]))
			best = i;
	}
	return name ? queues->nr : best;
}

/* Their names but one. */
static void add_names(const struct queues *queues, size_t but, struct text *text)
{
	for (size_t i = 0; i < queues->nr; i++)
		if (i != but)
			text_addf(text, "%s%s", text->size ? ", " : "", queues->list[i].name);
}

struct error *order_queue_choose(const struct gathered *gathered, const char *name,
				 char **ret_queue, char **ret_others)
{
	struct text others = TEXT_INIT;
	struct queues queues = {0};
	struct error *err = NULL;
	size_t at;

	for (size_t i = 0; i < gathered->nr; i++)
		for (uint32_t k = 0; k < gathered->list[i]->counters.nr; k++)
			if (!gathered->list[i]->untied)
				add_series(gathered->list[i], k, &queues);
	at = find(&queues, name);
	add_names(&queues, at, &others);
	if (name && at == queues.nr)
		err = error_hint(error_new(ERROR_USAGE, "no queue is called '%s'", name),
				 "there is: %s", others.size ? text_string(&others) : "no name");
	if (!err && queues.nr > 1) {
		*ret_queue = mem_strdup(queues.list[at].name);
		*ret_others = mem_strdup(text_string(&others));
	}
	free(queues.list);
	text_release(&others);
	return err;
}

void order_queue_tell(const struct order_evidence *evidence)
{
	if (evidence->other_queues)
		fprintf(stderr, "note: read is queue %s; there is also: %s; choose with --queue\n",
			evidence->queue, evidence->other_queues);
}
