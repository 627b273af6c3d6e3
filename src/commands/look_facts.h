/* look_facts.h - what tephra look shows of one capture, gathered before any of it is written */
#pragma once

#include "analysis/activity.h"
#include "analysis/audit.h"
#include "analysis/kinds.h"
#include "analysis/recording.h"
#include "analysis/summary.h"
#include "analysis/top.h"
#include "base/text.h"
#include "commands/flame_picture.h"
#include "commands/look_queue.h"

/* Functions in each list, and commands at the end. */
#define LOOK_FUNCTIONS 5
#define LOOK_NEXT      3

struct look_options {
	struct profile_options profile;
	const char *output; /* the picture's file */
	int format;	    /* enum look_format */
	bool no_picture;
};

enum look_format {
	LOOK_TABLE,
	LOOK_JSON
};

struct look {
	const struct look_options *options; /* borrowed */
	struct flame_options flame;	    /* of the picture; borrows what options own */
	struct profile profile;
	struct summary summary;
	struct activity activity;
	struct recording recording;
	struct audit audit;
	struct kinds kinds;
	struct top top;
	size_t notable[LOOK_FUNCTIONS]; /* rows of the top */
	size_t notable_nr;
	struct look_queue queue;
	struct text picture;	/* its path */
	struct text no_picture; /* or why there is none */
	struct text next[LOOK_NEXT];
	double seconds; /* from the first sample to the last; 0: not known */
};

void look_release(struct look *look);

/* Reads the one operand that has samples, looks at it, and draws its picture. */
ERROR_RESULT struct error *look_gather(struct look *look, char *operand);

/* The commands that are worth the next minutes, as they are typed. */
void look_choose_next(struct look *look, int argc, char **argv);

/* The name of a function of the top. */
const char *look_function(const struct look *look, size_t row);

/* The module with the most samples that end in a function without a name; MODULE_NONE. */
uint32_t look_worst_module(const struct look *look, weight *ret_unnamed);

/* When it was recorded, in words: "2026-11-30 02:25:06 UTC"; nothing where that is not known. */
void look_add_date(const struct look *look, struct text *text);

/* The screen, or the JSON. */
void look_write_screen(const struct look *look, FILE *out);
void look_write_json(const struct look *look, FILE *out);
