/* recorder.c - a sink that keeps when each sample was, and hands it on to a tally */
#include "model/recorder.h"

#include "base/mem.h"
#include "model/tally.h"

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct recorder *recorder = (struct recorder *)sink;
	struct error *err = sink_sample(&recorder->tally->sink, sample);
	weight period = sample->period / WEIGHT_ONE;

	if (err)
		return err;
	if (!(sample->flags & SAMPLE_HAS_TIME)) {
		recorder->without_time += sample->count;
		return NULL;
	}
	if (recorder->nr == RECORDER_SAMPLES_MAX)
		return error_hint(error_new(ERROR_LIMIT,
					    "more than %u samples cannot be put in order of time",
					    RECORDER_SAMPLES_MAX),
				  "--from, --to, --tid and the like choose some");
	GROW(recorder->list, recorder->nr + 1, recorder->alloc);
	recorder->list[recorder->nr++] = (struct recorded){
		.time_ns = sample->time_ns,
		.period = period > UINT64_MAX ? UINT64_MAX : (uint64_t)period,
		.task = sample->task,
		.entry = recorder->tally->last,
	};
	return NULL;
}

static void soon(const struct sink *sink, const struct sample *sample, bool is_again)
{
	sink_soon(&((const struct recorder *)sink)->tally->sink, sample, is_again);
}

void recorder_init(struct recorder *recorder, struct tally *tally)
{
	*recorder = (struct recorder){
		.sink = {.sample = on_sample, .soon = soon},
		.tally = tally,
	};
}

void recorder_release(struct recorder *recorder)
{
	free(recorder->list);
	*recorder = (struct recorder){0};
}
