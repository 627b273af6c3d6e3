/* callsites.c - is there a call before each return address? */
#include "binaries/callsites.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "binaries/elf_file.h"

#define BEFORE 8 /* the longest call without prefixes has 7 bytes */

/* The bytes right before vaddr, at the end of ret; what is not in the file is 0. */
static void bytes_before(const struct elf_file *file, uint64_t vaddr,
			 unsigned char ret[static BEFORE])
{
	memset(ret, 0, BEFORE);
	for (size_t nr = vaddr < BEFORE ? (size_t)vaddr : BEFORE; nr; nr--) {
		size_t left;
		const unsigned char *at = elf_file_at(file, vaddr - nr, &left);

		if (at && left >= nr) {
			memcpy(ret + BEFORE - nr, at, nr);
			return;
		}
	}
}

/* ---- x86-64: e8 rel32, or ff /2 whose length by ModRM and SIB ends at the return address */

static size_t x86_indirect_length(unsigned modrm, unsigned sib)
{
	unsigned mod = modrm >> 6, rm = modrm & 7;
	size_t length = 2;

	if (mod == 3)
		return length;
	if (rm == 4)
		length++;
	if (mod == 1)
		return length + 1;
	if (mod == 2 || (mod == 0 && (rm == 5 || (rm == 4 && (sib & 7) == 5))))
		length += 4;
	return length;
}

static bool is_behind_x86_call(const unsigned char before[static BEFORE])
{
	if (before[BEFORE - 5] == 0xe8)
		return true;
	for (size_t length = 2; length <= 7; length++) {
		const unsigned char *at = before + BEFORE - length;

		if (at[0] == 0xff && (at[1] >> 3 & 7) == 2 &&
		    x86_indirect_length(at[1], length > 2 ? at[2] : 0) == length)
			return true;
	}
	return false;
}

/* ---- aarch64: instructions are little-endian whatever the data is */

static bool is_behind_aarch64_call(const unsigned char before[static BEFORE])
{
	static const struct {
		uint32_t mask, value;
	} calls[] = {
		{0xfc000000, 0x94000000}, /* bl */
		{0xfffffc1f, 0xd63f0000}, /* blr */
		{0xfffffc1f, 0xd63f081f}, /* blraaz */
		{0xfffffc1f, 0xd63f0c1f}, /* blrabz */
		{0xfffff800, 0xd73f0800}, /* blraa, blrab */
	};
	const unsigned char *at = before + BEFORE - 4;
	uint32_t word =
		at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;

	for (size_t i = 0; i < ARRAY_NR(calls); i++)
		if ((word & calls[i].mask) == calls[i].value)
			return true;
	return false;
}

static bool is_behind_call(const struct elf_file *file, uint64_t vaddr)
{
	unsigned char before[BEFORE];

	bytes_before(file, vaddr, before);
	if (file->machine == EM_AARCH64)
		return vaddr % 4 == 0 && is_behind_aarch64_call(before);
	return is_behind_x86_call(before);
}

void callsites_count(const struct elf_file *file, const uint64_t *return_vaddrs, size_t nr,
		     size_t *ret_ok, size_t *ret_total)
{
	*ret_ok = *ret_total = 0;
	if ((file->machine != EM_X86_64 && file->machine != EM_AARCH64) ||
	    elf_file_is_debug_only(file))
		return;
	*ret_total = nr;
	for (size_t i = 0; i < nr; i++)
		if (is_behind_call(file, return_vaddrs[i]))
			++*ret_ok;
}

/* ---- frame pointers */

/* Code that keeps them has 1.4 to 4 such prologues a kilobyte, other code at most 0.2. */
#define BYTES_PER_PROLOGUE_MAX 2048

/* push %rbp; mov %rsp,%rbp */
static size_t count_x86_prologues(const unsigned char *at, size_t size)
{
	static const unsigned char prologue[] = {0x55, 0x48, 0x89, 0xe5};
	const unsigned char *end = at + size;
	size_t nr = 0;

	while ((at = memmem(at, (size_t)(end - at), prologue, sizeof(prologue)))) {
		at += sizeof(prologue);
		nr++;
	}
	return nr;
}

/* mov x29, sp */
static size_t count_aarch64_prologues(const unsigned char *at, size_t size)
{
	static const unsigned char prologue[] = {0xfd, 0x03, 0x00, 0x91};
	size_t nr = 0;

	for (size_t i = 0; i + sizeof(prologue) <= size; i += sizeof(prologue))
		nr += memcmp(at + i, prologue, sizeof(prologue)) == 0;
	return nr;
}

bool callsites_keeps_frame_pointers(const struct elf_file *file)
{
	size_t prologues = 0, bytes = 0;

	for (uint32_t i = 0; i < file->code_nr; i++) {
		size_t size = 0, code = file->code[i].end - file->code[i].begin;
		const unsigned char *at = elf_file_at(file, file->code[i].begin, &size);

		if (!at)
			continue;
		if (size > code)
			size = code;
		bytes += size;
		prologues += file->machine == EM_AARCH64 ? count_aarch64_prologues(at, size)
							 : count_x86_prologues(at, size);
	}
	return prologues && bytes / prologues <= BYTES_PER_PROLOGUE_MAX;
}
