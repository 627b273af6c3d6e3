/* dump_stack.c - a stack while it is put together: the kernel's frames and those out of a dump */
#include "model/dump_stack.h"

#include "base/mem.h"
#include "model/stacks.h"

void dump_stack_release(struct dump_stack *stack)
{
	free(stack->ids);
	free(stack->letters);
	*stack = (struct dump_stack){0};
}

void dump_stack_begin(struct dump_stack *stack, size_t frames_max)
{
	GROW(stack->ids, frames_max + 1, stack->ids_alloc);
	GROW(stack->letters, frames_max + 1, stack->letters_alloc);
	stack->nr = 0;
}

static void reverse(struct dump_stack *stack)
{
	for (size_t i = 0, j = stack->nr; i + 1 < j--; i++) {
		uint32_t id = stack->ids[i];
		char letter = stack->letters[i];

		stack->ids[i] = stack->ids[j];
		stack->ids[j] = id;
		stack->letters[i] = stack->letters[j];
		stack->letters[j] = letter;
	}
}

void dump_stack_end(struct dump_stack *stack, enum unwind_stop stop, struct stacks *stacks,
		    struct unwindings *unwindings, struct dump_stack_ids *ret)
{
	uint32_t callers_nr = (uint32_t)stack->nr - 1;

	reverse(stack);
	ret->leaf = stack->ids[callers_nr];
	ret->callers = stacks_add(stacks, stack->ids, callers_nr);
	ret->unwinding = unwindings_add(unwindings, stop, stack->letters, callers_nr + 1);
	unwindings_mark(unwindings, ret->unwinding, stack->ids, callers_nr);
}
