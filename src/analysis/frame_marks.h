/* frame_marks.h - which places and call chains hold a function that is looked for */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/modules.h"

struct naming;

struct frame_marks {
	unsigned char *places; /* per location, owned */
	unsigned char *stacks; /* per stack, owned */
	uint32_t functions_nr; /* that match */
	bool holds_empty;      /* also samples that have no leaf */
};

/* Functions whose names match, inlined ones too. The naming is not needed afterwards. */
void frame_marks_init(struct frame_marks *marks, const struct naming *naming, const regex_t *regex);

/* Samples whose innermost function is of that origin; of unknown also those without any. */
void frame_marks_init_origin(struct frame_marks *marks, const struct naming *naming,
			     enum origin origin);
void frame_marks_release(struct frame_marks *marks);

/* Does the sample's chain hold such a frame? leaf may be LOCATION_NONE. */
bool frame_marks_hold(const struct frame_marks *marks, uint32_t callers, uint32_t leaf);
