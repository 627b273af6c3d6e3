/* frame_look.h - how a frame looks and what is said of it, by its function */
#pragma once

#include <stdint.h>

#include "renderers/palette.h"

struct function;
struct naming;
struct text;

enum paint frame_look_paint(const struct function *function);

/* By the function whose name is doubted, FUNCTION_NONE: none is. */
enum hatch frame_look_mark(const struct naming *naming, uint32_t doubted);

/* A word: "library", "root"; NULL where nothing is known. */
const char *frame_look_origin(const struct function *function);

/* "library libc.so.6" */
void frame_look_add_origin(const struct naming *naming, uint32_t function, struct text *text);

/* How far its name is to be trusted; of which module, where that is not all of it. */
void frame_look_add_doubt(const struct naming *naming, uint32_t function, uint32_t doubted,
			  struct text *text);
