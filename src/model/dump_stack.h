/* dump_stack.h - a stack while it is put together: the kernel's frames and those out of a dump */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/unwindings.h"

struct stacks;

/* Frames that were added so far, leaf first. */
struct dump_stack {
	uint32_t *ids; /* owned: locations */
	char *letters; /* owned: of the same, what each was found by */
	size_t nr, ids_alloc, letters_alloc;
};

/* What it became. */
struct dump_stack_ids {
	uint32_t callers, leaf, unwinding;
};

void dump_stack_release(struct dump_stack *stack);

/* Begins a new one, of frames_max frames at most beside the root that says what is missing. */
void dump_stack_begin(struct dump_stack *stack, size_t frames_max);

static inline void dump_stack_add(struct dump_stack *stack, uint32_t location, enum found_by found)
{
	stack->ids[stack->nr] = location;
	stack->letters[stack->nr++] = found_by_letter(found);
}

/* Ends it, which must have a frame: turned round, and kept once in both lists. */
void dump_stack_end(struct dump_stack *stack, enum unwind_stop stop, struct stacks *stacks,
		    struct unwindings *unwindings, struct dump_stack_ids *ret);
