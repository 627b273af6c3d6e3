/* cursor.h - a frame while its caller is looked for, and what machines differ in */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "model/unwindings.h"
#include "unwind/rules.h"

struct cursor_machine;

/* A dump: bytes.at is what stood at the address `begin`. */
struct cursor_stack {
	struct bytes bytes;
	uint64_t begin;
};

struct cursor {
	struct rules_registers registers;
	const struct cursor_machine *machine;
	struct cursor_stack stack;
	uint64_t cut;  /* registers that were saved where the dump does not reach */
	uint64_t mask; /* of addresses of code, without what else is in a pointer */
	bool is_exact; /* its ip is of an instruction that did not run to its end: it is the
			  leaf, or was interrupted; otherwise the ip is behind a call */
	uint8_t found; /* enum found_by, of the caller that a step went to */
};

/* What a frame's machine adds to the rules of its call-frame information. */
struct cursor_machine {
	uint16_t elf_machine;
	unsigned ip, sp, fp;
	bool is_little;	    /* its memory always is, whatever the byte order of the capture */
	uint64_t preserved; /* registers that a callee gives back, and that rules follow */

	/* Fills the registers from those of a sample; false where ip or sp is not there. */
	bool (*read)(struct cursor *cursor, uint64_t mask, const struct bytes *regs);

	/* The code at a frame's ip is the kernel's return from a signal handler. */
	bool (*is_trampoline)(const unsigned char *code, size_t size);

	/* Such a frame's caller: the registers that the kernel put on the stack. */
	bool (*leave_signal)(struct cursor *cursor);
};

extern const struct cursor_machine cursor_x86_64, cursor_aarch64;

/* 8 bytes of the dump; false where it does not hold them. */
static inline bool cursor_load(const struct cursor *cursor, uint64_t address, uint64_t *ret)
{
	uint64_t at = address - cursor->stack.begin, size = bytes_left(&cursor->stack.bytes);

	if (size < 8 || at > size - 8)
		return false;
	memcpy(ret, cursor->stack.bytes.at + at, 8);
	if (cursor->stack.bytes.is_swapped)
		*ret = __builtin_bswap64(*ret);
	return true;
}

static inline bool cursor_knows(const struct cursor *cursor, unsigned reg)
{
	return reg < RULES_REGISTERS && cursor->registers.known >> reg & 1;
}

static inline void cursor_set(struct cursor *cursor, unsigned reg, uint64_t value)
{
	cursor->registers.value[reg] = value;
	cursor->registers.known |= UINT64_C(1) << reg;
}

/*
 * The caller by the rule of this frame's place. UNWIND_STOP_NR: it is found, and `cursor` is it.
 * What a rule does not answer (RULE_NO_FDE) is the caller's matter.
 */
enum unwind_stop cursor_step(struct cursor *cursor, const struct rule *rule, struct rules *rules,
			     uint64_t vaddr);
