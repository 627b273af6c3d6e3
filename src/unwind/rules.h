/* rules.h - how to get from a frame to its caller, as the call-frame information says */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct elf_file;
struct rules;

/*
 * Call-frame information (DWARF 5, section 6.4; .eh_frame: LSB Core, section 10.6) is a program
 * per function. It is run once, and each of its rows becomes a rule of 16 bytes that a stepper
 * follows without looking at the program again.
 *
 * Registers have their DWARF numbers: x86-64 0-15 (rax rdx rcx rbx rsi rdi rbp rsp r8-r15) and
 * 16 for rip; aarch64 x0-x30, 31 for sp and, here, 32 for pc.
 */
#define RULES_REGISTERS	  33
#define RULES_SAVED_NR	  6
#define RULES_NO_REGISTER 0xffu
#define RULES_PADDING_MAX 16u	/* a shorter gap between two functions belongs to the first */
#define RULES_STEPS_MAX	  1000u /* operations of one DWARF expression */
#define RULES_STACK_MAX	  64u	/* values on its stack */
#define RULES_SECTION_MAX (256u << 20) /* bytes of .debug_frame when it is unpacked */

enum rule_kind {
	RULE_NO_FDE,  /* nothing is known about this address */
	RULE_REG,     /* CFA = reg + cfa */
	RULE_DEREF,   /* CFA = *(reg + cfa) */
	RULE_PLT,     /* CFA = rsp + cfa + ((rip & 15) >= reg ? 8 : 0) */
	RULE_EXPR,    /* ask rules_evaluate() */
	RULE_END,     /* the outermost frame: its return address is undefined */
	RULE_DEREF_8, /* CFA = *(reg + cfa) + 8 */
};

enum rule_flags {
	RULE_SIGNAL = 1 << 0,	   /* a signal trampoline: its caller was interrupted, not left */
	RULE_SIGNED = 1 << 1,	   /* aarch64: the return address carries an authentication code */
	RULE_DEBUG_FRAME = 1 << 2, /* from .debug_frame; otherwise from .eh_frame */
};

/* Where a register was saved, in units of 8 bytes; two numbers mean something else. */
#define RULE_SAME (-128) /* it was not: the caller has the same value */
#define RULE_LOST 127	 /* its value in the caller is undefined */

/* In from_base: ra counts from the base. Bit i: off[i] does; never of the two above. */
#define RULE_RA_FROM_BASE (1u << RULES_SAVED_NR)

struct rule {
	uint8_t kind, reg, flags;
	int8_t ra;   /* where the return address is; RULE_SAME (aarch64): it is in x30 still */
	int32_t cfa; /* bytes */
	int8_t off[RULES_SAVED_NR]; /* of the registers rules_saved() */
	uint8_t base;		    /* register; RULES_NO_REGISTER where from_base is 0 */
	uint8_t from_base;	    /* what counts from it; all else counts from the CFA */
};

/* The registers of a frame: those whose bit is set in `known` have a value. */
struct rules_registers {
	uint64_t value[RULES_REGISTERS];
	uint64_t known;
};

/* Reads 8 bytes of the frame's memory; false where they are not there. */
typedef bool rules_load_fn(void *user, uint64_t address, uint64_t *ret);

enum rules_outcome {
	RULES_FOUND,
	RULES_NOT_LOADED, /* memory was asked for that is not there */
	RULES_FAILED,	  /* not well formed, too long, or of a register that is not known */
};

/*
 * Rules of one module. From the binary that ran (NULL where it is not there) .eh_frame is
 * taken; for addresses that it does not cover .debug_frame of `debug` (NULL for none) or of
 * the binary itself, also compressed with zlib. Both files are borrowed and must live longer.
 * They may be hostile: what is not well formed in them has no rule.
 *
 * Little is read here. A function's rows are compiled when rules_find() first meets it. Any
 * number of threads may call the functions below on the same rules at once; what one of them
 * has compiled never changes, and is there until rules_close().
 *
 * Fails for machines other than x86-64 and aarch64, and for 32-bit files (x32, ILP32). A file
 * without any call-frame information is no error: it has no rule.
 */
ERROR_RESULT struct error *rules_open(const struct elf_file *binary, const struct elf_file *debug,
				      struct rules **ret);
void rules_close(struct rules *rules);

/* Compiles all functions, for those who want to know what that costs. Returns the rows' number. */
size_t rules_compile(struct rules *rules);

/* Functions that have call-frame information; 0: there is none in the files. */
size_t rules_functions(const struct rules *rules);

/* The registers that off[] is about. x86-64: rbx rbp r12-r15; aarch64: x29 x19-x23. */
const uint8_t *rules_saved(const struct rules *rules);

/*
 * The rule at an address as written in the file. Of a caller that is the return address less 1.
 * Never NULL.
 */
const struct rule *rules_find(struct rules *rules, uint64_t vaddr);

/*
 * The caller's registers by the call-frame information at vaddr, whatever kind of rule it has,
 * and slowly (1 us): the stack pointer is the CFA unless it has a rule of its own, the program
 * counter is the return address (an authentication code is still in it). Registers that a function
 * must preserve keep their value where no rule says otherwise, others are not known then. What
 * cannot be loaded is not known; without a CFA or a return address it fails. `ret` may be `from`.
 */
enum rules_outcome rules_evaluate(struct rules *rules, uint64_t vaddr,
				  const struct rules_registers *from, rules_load_fn *load,
				  void *user, struct rules_registers *ret);
