/* plt.h - stubs of the procedure linkage table, and which function each jumps to */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

#include "base/text.h"

#define PLT_UNNAMED SIZE_MAX

struct plt_stub {
	uint64_t lo;	   /* address as in the file */
	uint32_t size;	   /* bytes */
	size_t name;	   /* where "foo@plt" begins in plt.names, NUL-terminated; or PLT_UNNAMED */
	uint64_t resolver; /* address of what chooses the function; of the unnamed ones */
};

struct plt {
	struct plt_stub *list; /* owned; as they stand in the file's sections */
	size_t nr, alloc;
	struct text names;
};

/*
 * Decodes the stubs of .plt, .plt.sec, .plt.got and .iplt (x86-64 and aarch64; others have
 * none) and names each after the symbol whose address the dynamic linker puts into the GOT
 * slot that it jumps through. Entry sizes and headers are not assumed: bfd, gold, lld and
 * mold differ in them. The names come from .dynsym, which stripped binaries keep; where a
 * slot has no symbol but a resolver (IRELATIVE), the resolver's address is given instead. A
 * stub that has neither is not in the list.
 *
 * Layouts: System V ABI, AMD64 and AArch64 supplements, "Procedure Linkage Table"; of the
 * variants with IBT and BTI what the linkers write.
 */
void plt_build(struct plt *ret, Elf *binary);
void plt_release(struct plt *plt);
