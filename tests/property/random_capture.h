/* random_capture.h - a capture by chance: its perf script text, and what must come of it */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"

struct chance;
struct text;

#define RANDOM_SAMPLES_MAX 60
#define RANDOM_DEPTH_MAX   12
#define RANDOM_EVENTS_NR   2

struct random_sample {
	unsigned comm, event; /* indices into the pools of random_capture.c */
	int pid, tid, cpu;
	uint64_t time_ns, period;
	unsigned depth;
	unsigned frames[RANDOM_DEPTH_MAX]; /* indices, leaf first */
	bool has_lost_header;		   /* damage: its header became an odd line */
	unsigned lost_frames;		   /* damage: a bit per frame line that became odd */
};

/* The columns of the text. */
struct random_layout {
	bool has_pid, has_cpu, has_time, has_nanoseconds, has_period, has_cr, has_last_blank_line;
};

struct random_capture {
	struct random_layout layout;
	struct random_sample samples[RANDOM_SAMPLES_MAX];
	unsigned nr;
	unsigned odd_lines, messages; /* damage: lines that stand between samples */
};

void random_capture_draw(struct chance *chance, struct random_capture *ret);

/* Damages some samples in ways that the model below knows. */
void random_capture_damage(struct chance *chance, struct random_capture *capture);

void random_capture_write(const struct random_capture *capture, struct text *text);

const char *random_event(unsigned event);
const char *random_comm(unsigned comm);
extern const unsigned random_comms_nr;

/* Which samples; a member that is negative, or 0 for `to_ns`, is not asked for. */
struct random_wish {
	int event, comm, cpu;
	uint64_t from_ns, to_ns;
	bool counts_samples;
};

/*
 * The folded lines that must come out, sorted, with the comm as root; the simplest way to
 * get them. Returns their sum.
 */
weight random_capture_fold(const struct random_capture *capture, const struct random_wish *wish,
			   struct text *text);

/* The samples that must be read, and what must be noted. */
struct random_counts {
	unsigned samples, unrecognised, messages, orphans;
};

void random_capture_count(const struct random_capture *capture, struct random_counts *ret);

/* Sorts the lines of a text by their bytes. */
void random_sort_lines(struct text *text);
