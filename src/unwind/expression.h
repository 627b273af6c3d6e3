/* expression.h - the expressions of call-frame information, run or recognized */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "unwind/rules.h"

/* What an expression sees. Steps are counted down over all expressions of a frame. */
struct expression_world {
	const struct rules_registers *registers;
	rules_load_fn *load;
	void *user;
	unsigned steps; /* that are left, RULES_STEPS_MAX at first */
};

/*
 * Runs it (DWARF 5, section 2.5; without what needs a unit, an object or a thread). `first`, where
 * it is not NULL, lies on the stack before (the CFA).
 */
enum rules_outcome expression_run(struct expression_world *world, struct bytes in,
				  const uint64_t *first, uint64_t *ret);

/* ---- the shapes that compilers and linkers write */
enum expression_shape {
	EXPRESSION_OTHER,
	EXPRESSION_REGISTER, /* reg + offset */
	EXPRESSION_DEREF,    /* *(reg + offset) */
	EXPRESSION_DEREF_8,  /* *(reg + offset) + 8: perlasm's, as of OpenSSL */
	EXPRESSION_PLT,	     /* rsp + 8 + ((rip & 15) >= offset ? 8 : 0) */
};

enum expression_shape expression_shape(struct bytes in, uint8_t *ret_reg, int64_t *ret_offset);
