/* sink.h - what a source can say, and who listens */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/units.h"

struct details;
struct fields;
struct point;
struct sample_user;

enum sample_flags {
	SAMPLE_HAS_TIME = 1 << 0,
	SAMPLE_HAS_UNWINDING = 1 << 1, /* its stack is out of a dump */
	SAMPLE_LACKS_FILE = 1 << 2,    /* to be unwound again where more files are */
};

#define CPU_NONE (-1)

/* Ids are those of the source's struct capture. */
struct sample {
	uint64_t time_ns; /* in the capture's own clock, valid with SAMPLE_HAS_TIME */
	uint32_t task;	  /* TASK_NONE where the capture has none */
	uint32_t event;
	uint32_t callers; /* stack id */
	uint32_t leaf;	  /* location id, LOCATION_NONE when there is no call chain */
	uint32_t
		unwinding; /* id, UNWINDING_NONE where there was no dump, or it was left as it is */
	int32_t cpu;
	uint32_t flags; /* enum sample_flags */
	weight count;	/* how many samples it stands for: 1, or the count of a folded line */
	const struct fields *fields;   /* of a tracepoint, where capture->wants_fields; else NULL */
	const struct details *details; /* the same: NULL where there are none, or not wanted */
	const struct sample_user *user; /* registers and stack, NULL where it has none */
	weight period; /* how much of the event it stands for; its count where nothing says */
	/*
	 * What sink_known() answered to a sample of the same callers, leaf, event and task: a way
	 * that is shorter. SAMPLE_NOT_KNOWN: nothing, which is always right.
	 */
	uint32_t known;
};

/* It is 0, so that whoever says nothing of it is right. */
#define SAMPLE_NOT_KNOWN 0u

/*
 * A source says its samples in the order of the input, which is time order in all formats
 * that have times. A stage is a sink that stands before another one.
 */
struct sink {
	/* Called once per sample, which is borrowed. An error ends the reading. */
	struct error *(*sample)(struct sink *sink, const struct sample *sample);
	/*
	 * Optional: this sample comes soon, what it needs is fetched from memory. Said twice, some
	 * samples apart: the second time what the first has fetched tells where the rest is. Of
	 * the sample only callers, leaf, event, task and known are valid.
	 */
	void (*soon)(const struct sink *sink, const struct sample *sample, bool is_again);
	/* Optional: so many samples, each of a stack of its own, are to come, about. */
	void (*expect)(struct sink *sink, size_t nr);
	/* Optional: what samples like the one that was said last shall have as `known`. */
	uint32_t (*known)(const struct sink *sink);
	/*
	 * Optional: called once per point of a counter, which is borrowed, those of one series in
	 * time order. series is an id of the capture's struct series_list.
	 */
	struct error *(*point)(struct sink *sink, uint32_t series, const struct point *point);
};

static inline void sink_soon(const struct sink *sink, const struct sample *sample, bool is_again)
{
	if (sink->soon)
		sink->soon(sink, sample, is_again);
}

static inline void sink_expect(struct sink *sink, size_t nr)
{
	if (sink->expect)
		sink->expect(sink, nr);
}

static inline uint32_t sink_known(const struct sink *sink)
{
	return sink->known ? sink->known(sink) : SAMPLE_NOT_KNOWN;
}

ERROR_RESULT static inline struct error *sink_sample(struct sink *sink, const struct sample *sample)
{
	return sink->sample(sink, sample);
}

/* Who does not listen to points does not hear them. */
ERROR_RESULT static inline struct error *sink_point(struct sink *sink, uint32_t series,
						    const struct point *point)
{
	return sink->point ? sink->point(sink, series, point) : NULL;
}
