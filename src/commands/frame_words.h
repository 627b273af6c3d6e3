/* frame_words.h - what is said of a frame by its function */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct function;
struct naming;
struct text;

/* A word: "library", "root"; NULL where nothing is known. */
const char *frame_words_origin(const struct function *function);

/* "library libc.so.6" */
void frame_words_add_origin(const struct naming *naming, uint32_t function, struct text *text);

/* Whether that is the same of both. */
bool frame_words_have_one_origin(const struct function *a, const struct function *b);

/* How far its name is to be trusted; of which module, where that is not all of it. */
void frame_words_add_doubt(const struct naming *naming, uint32_t function, uint32_t doubted,
			   struct text *text);
