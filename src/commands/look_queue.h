/* look_queue.h - what counters say of a queue, and what tephra order reads out of it first */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"

struct json;
struct profile_options;

/* Lines for people. Zeroed memory is empty. */
struct look_queue {
	bool has_counters;
	struct text state;	    /* what left its baseline and when, or that nothing did */
	struct text reading;	    /* the first reading; empty where there is none */
	struct text reason;	    /* what supports it */
	const char *word, *verdict; /* of the reading, for programs; NULL: none */
};

/* Lines of a screen, none without counters; and the member "queue", null without them. */
void look_queue_write(const struct look_queue *queue, FILE *out);
void look_queue_write_json(const struct look_queue *queue, struct json *json);

void look_queue_release(struct look_queue *queue);

/* Reads all operands again, captures and counters, and orders what they say. */
ERROR_RESULT struct error *look_queue_read(const struct profile_options *options, int argc,
					   char **argv, struct look_queue *ret);
