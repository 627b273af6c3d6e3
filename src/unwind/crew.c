/* crew.c - threads that share the work of one call */
#include "unwind/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

/* Jobs are taken so many at a time, or threads would mostly wait for the counter. */
#define TAKEN_AT_ONCE 8

struct helper {
	struct crew *crew;
	pthread_t thread;
	unsigned number;
};

struct crew {
	struct helper *helpers; /* owned */
	unsigned helpers_nr;
	pthread_mutex_t lock;
	pthread_cond_t has_work, is_done;
	uint64_t call;	 /* the number of the call that is on */
	unsigned active; /* helpers that are in it; who wakes up when all is taken never is */
	bool is_over;
	crew_fn *fn;
	void *context;
	size_t nr;
	atomic_size_t next;
};

static void work(struct crew *crew, unsigned thread)
{
	size_t begin;

	while ((begin = atomic_fetch_add(&crew->next, TAKEN_AT_ONCE)) < crew->nr)
		for (size_t i = begin; i < crew->nr && i < begin + TAKEN_AT_ONCE; i++)
			crew->fn(crew->context, thread, i);
}

/* Waits for the next call; false: there is none. The lock is held. */
static bool wait_for_work(struct crew *crew, uint64_t *call)
{
	while (crew->call == *call && !crew->is_over)
		pthread_cond_wait(&crew->has_work, &crew->lock);
	*call = crew->call;
	return !crew->is_over;
}

static void *help(void *helper_of)
{
	struct helper *helper = helper_of;
	struct crew *crew = helper->crew;
	uint64_t call = 0;

	pthread_mutex_lock(&crew->lock);
	while (wait_for_work(crew, &call)) {
		if (atomic_load(&crew->next) >= crew->nr)
			continue;
		crew->active++;
		pthread_mutex_unlock(&crew->lock);
		work(crew, helper->number);
		pthread_mutex_lock(&crew->lock);
		if (!--crew->active)
			pthread_cond_signal(&crew->is_done);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

/* A thread that cannot be made is not there: the others do its work. */
struct crew *crew_new(unsigned threads)
{
	struct crew *crew = mem_zalloc(1, sizeof(*crew));

	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->has_work, NULL);
	pthread_cond_init(&crew->is_done, NULL);
	crew->helpers = mem_zalloc(threads, sizeof(*crew->helpers));
	while (crew->helpers_nr + 1 < threads) {
		struct helper *helper = &crew->helpers[crew->helpers_nr];

		*helper = (struct helper){.crew = crew, .number = crew->helpers_nr + 1};
		if (pthread_create(&helper->thread, NULL, help, helper) != 0)
			break;
		crew->helpers_nr++;
	}
	return crew;
}

void crew_free(struct crew *crew)
{
	if (!crew)
		return;
	pthread_mutex_lock(&crew->lock);
	crew->is_over = true;
	pthread_cond_broadcast(&crew->has_work);
	pthread_mutex_unlock(&crew->lock);
	for (unsigned i = 0; i < crew->helpers_nr; i++)
		pthread_join(crew->helpers[i].thread, NULL);
	pthread_mutex_destroy(&crew->lock);
	pthread_cond_destroy(&crew->has_work);
	pthread_cond_destroy(&crew->is_done);
	free(crew->helpers);
	free(crew);
}

void crew_run(struct crew *crew, crew_fn *fn, void *context, size_t nr)
{
	pthread_mutex_lock(&crew->lock);
	crew->fn = fn;
	crew->context = context;
	crew->nr = nr;
	atomic_store(&crew->next, 0);
	crew->call++;
	pthread_cond_broadcast(&crew->has_work);
	pthread_mutex_unlock(&crew->lock);
	work(crew, 0);
	pthread_mutex_lock(&crew->lock);
	while (crew->active)
		pthread_cond_wait(&crew->is_done, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}
