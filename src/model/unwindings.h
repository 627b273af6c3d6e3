/* unwindings.h - how call chains were found: what each frame is from, and why the chain ends */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/* What the address of a frame was found by. */
enum found_by {
	FOUND_LEAF,	    /* the register that holds it, as the sample has it */
	FOUND_CFI,	    /* call frame information of the frame inside of it */
	FOUND_CFI_EXPR,	    /* the same, an expression of it */
	FOUND_SIGNAL,	    /* what a signal interrupted: its frame on the stack */
	FOUND_GUESS_LEAF,   /* a guess: the word at the stack pointer of a leaf without CFI */
	FOUND_GUESS_FP,	    /* a guess: the chain of frame pointers, without CFI */
	FOUND_KERNEL_CHAIN, /* the kernel walked its own stack */
	FOUND_USER_CHAIN,   /* the kernel or the recorder walked the user's */
	FOUND_LBR,	    /* last branches */
	FOUND_NOTHING,	    /* the frame at the root that says that callers are missing */
	FOUND_BY_NR,
};

/* Why no more callers were looked for. Only after the first one is the chain whole. */
enum unwind_stop {
	UNWIND_END,	    /* the outermost frame: it has no return address */
	UNWIND_TRUNCATED,   /* the dump does not hold what is needed */
	UNWIND_NO_MAP,	    /* an address is in no mapping */
	UNWIND_NO_FILE,	    /* a module's file is not here, or none was looked for */
	UNWIND_NO_CFI,	    /* the file says nothing of the place, and no guess fits */
	UNWIND_BAD_CFA,	    /* the next frame would not be outside of this one */
	UNWIND_EXPR_FAILED, /* an expression of the call frame information cannot be computed */
	UNWIND_MAX_DEPTH,   /* more frames than UNWIND_FRAMES_MAX */
	UNWIND_UNSUPPORTED, /* a task of 32 bits, or registers that are missing */
	UNWIND_STOP_NR,
};

#define UNWIND_FRAMES_MAX 512

/* The root frame of a stack that the dump, or the depth, cut; and of one that ends otherwise. */
#define UNWIND_ROOT_TRUNCATED  "[truncated]"
#define UNWIND_ROOT_INCOMPLETE "[incomplete]"

struct unwinding {
	size_t offset; /* into unwindings->found */
	uint32_t nr;   /* frames: those of the stack, outermost first, and the leaf */
	enum unwind_stop stop;
};

/* Each different one once. */
struct unwindings {
	char *found; /* owned: a letter for each frame, see found_by_letter() */
	size_t found_nr, found_alloc;
	struct unwinding *list; /* owned */
	uint32_t nr;
	size_t list_alloc;
	struct map map;
	unsigned char *unwound; /* owned; by location id: 1 where CFI found it */
	size_t unwound_nr, unwound_alloc;
};

void unwindings_release(struct unwindings *unwindings);

/* The id of this one; `found` are nr letters. Ids count from 0 in order of appearance. */
uint32_t unwindings_add(struct unwindings *unwindings, enum unwind_stop stop, const char *found,
			uint32_t nr);

/*
 * These callers, outermost first, were found as an unwinding says whose letters are theirs and the
 * leaf's. Which of them are return addresses that CFI led to is kept.
 */
void unwindings_mark(struct unwindings *unwindings, uint32_t id, const uint32_t *callers,
		     uint32_t nr);

/* Did CFI ever lead to this location, as to a return address? */
static inline bool unwindings_led_to(const struct unwindings *unwindings, uint32_t location)
{
	return location < unwindings->unwound_nr && unwindings->unwound[location];
}

static inline const char *unwindings_found(const struct unwindings *unwindings, uint32_t id)
{
	return unwindings->found + unwindings->list[id].offset;
}

/* 'l', 'c', 'x', 's', 'g', 'f', 'k', 'u', 'b', '-', in the order of the enum: never changed. */
char found_by_letter(enum found_by found);

/* FOUND_BY_NR for a letter of none. */
enum found_by found_by_of_letter(char letter);

/* "cfi": a key of JSON, never renamed. */
const char *found_by_word(enum found_by found);

/* "truncated": a key of JSON and of table unwinding, never renamed. */
const char *unwind_stop_word(enum unwind_stop stop);

/* UNWIND_STOP_NR for a word of none. */
enum unwind_stop unwind_stop_of_word(const char *word);

/* The name of the frame that stands at the root of such a stack; NULL where it is whole. */
const char *unwind_stop_root(enum unwind_stop stop);
