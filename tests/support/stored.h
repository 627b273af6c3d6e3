/* stored.h - captures read from text, kept in a profile of a folder of its own, and said again */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/capture.h"
#include "store/replay.h"
#include "tests/support/listener.h"

struct store;

struct stored {
	char folder[32], path[64];
	struct store *store; /* the profile, opened to be read; see stored_open() */
};

void stored_init(struct stored *stored);
void stored_release(struct stored *stored);

/* Text of perf script or, without times, folded stacks: its capture and its samples. */
void stored_hear(const char *text, struct capture *capture, struct listener *listener);

/* Puts the samples into the profile, which is made for the first ones. sha256 is any text. */
void stored_add(struct stored *stored, const char *name, struct capture *capture,
		const struct listener *listener);

/* Both in one. */
void stored_add_text(struct stored *stored, const char *name, const char *text);

/* Says the n-th capture (from 0) again. */
void stored_replay(struct stored *stored, size_t nth, const struct replay_options *options,
		   struct capture *model, struct listener *listener, struct replay_count *ret);

/* The one number that a query gives, or the one text (owned). */
int64_t stored_number(struct stored *stored, const char *sql);
char *stored_text(struct stored *stored, const char *sql);

/* Runs statements on the profile as somebody else does. */
void stored_change(struct stored *stored, const char *sql);
