/* recorder.h - a sink that keeps when each sample was, and hands it on to a tally */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/sink.h"

struct tally;

/* So many samples are kept at most, which takes 24 bytes each. */
#define RECORDER_SAMPLES_MAX (1u << 25)

struct recorded {
	uint64_t time_ns;
	uint64_t period; /* whole units, as much as fits */
	uint32_t task;	 /* TASK_NONE */
	uint32_t entry;	 /* of the tally */
};

struct recorder {
	struct sink sink;    /* say samples to this */
	struct tally *tally; /* borrowed */
	struct recorded *list;
	size_t nr, alloc;
	weight without_time; /* samples that have no time, and are not in the list */
};

/* More samples than the limit are an error that says how to take fewer. */
void recorder_init(struct recorder *recorder, struct tally *tally);
void recorder_release(struct recorder *recorder);
