/* answer.h - what addresses of one module are called, and how that comes back from a worker */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/text.h"
#include "model/modules.h"
#include "model/names.h"

/* Where a name comes from. */
enum answer_source {
	ANSWER_DWARF,  /* debug information */
	ANSWER_SYMTAB, /* a symbol table, of a minidebuginfo too */
	ANSWER_DYNSYM, /* the symbols of dynamic linking alone: functions may be missing */
	ANSWER_PLT,    /* a stub that jumps to that function */
	ANSWER_KALLSYMS,
	ANSWER_JIT, /* a perf map or a jitdump */
	ANSWER_SOURCE_NR,
};

/* One function at an address. Ids are of answer.names. */
struct answer_frame {
	uint32_t raw_name; /* as the file has it */
	uint32_t name;	   /* as it is shown */
	uint32_t file;	   /* of the line; NAME_NONE: not known */
	uint32_t line;	   /* 0: not known */
	uint8_t is_inlined;
	uint8_t source; /* enum answer_source */
	uint8_t origin; /* enum origin; ORIGIN_UNKNOWN: that of its module */
	uint8_t unused;
};

/* Per address, in the order in which they were asked for, its frames, outermost first. */
struct answer {
	struct names names;
	struct answer_frame *frames;
	size_t frames_nr, frames_alloc;
	size_t ended_nr;  /* frames of addresses that are ended */
	uint32_t *counts; /* of frames, per address */
	uint32_t nr;
	size_t counts_alloc;
	uint32_t outside;	 /* addresses in no code of the file */
	struct text unsupported; /* what of the file could not be read; empty: nothing */
};

void answer_release(struct answer *answer);

/* A frame of the address whose turn it is; then the end of that address. */
void answer_add(struct answer *answer, const struct answer_frame *frame);
void answer_end_address(struct answer *answer);

/* All of it as bytes; the reader of them trusts nothing: false where they are not of `nr`
 * addresses. */
void answer_write(const struct answer *answer, struct text *ret);
bool answer_read(struct bytes bytes, uint32_t nr, struct answer *ret);
