/* elf_file_address.c - from a place in a file to the address that the file itself gives it */
#include <elf.h>
#include <inttypes.h>

#include "base/text.h"
#include "binaries/elf_file_parts.h"

/* The smallest page of the machines that record; used where a segment names no alignment. */
#define PAGE_MIN 4096u

static uint64_t align_down(uint64_t offset, uint64_t align)
{
	if (align < PAGE_MIN || (align & (align - 1)))
		align = PAGE_MIN;
	return offset & ~(align - 1);
}

static bool is_in(uint64_t at, uint64_t begin, uint64_t size)
{
	return at >= begin && at - begin < size;
}

static bool is_executable(const struct elf_segment *segment)
{
	return segment->type == PT_LOAD && (segment->flags & PF_X);
}

/* Was the mapping that begins at map_offset one of this segment? Pages are at least PAGE_MIN. */
static bool begins_at(const struct elf_segment *segment, uint64_t map_offset)
{
	return map_offset <= segment->offset &&
	       map_offset >= align_down(segment->offset, segment->align) &&
	       map_offset % PAGE_MIN == 0 && segment->offset - map_offset < PAGE_MIN;
}

/* ---- the binary itself: vaddr = offset - p_offset + p_vaddr */

/* Where pages are rounded the mapping begins before the segment does. */
static bool holds(const struct elf_segment *segment, uint64_t offset, bool rounds)
{
	uint64_t begin = segment->offset;

	if (is_in(offset, begin, segment->file_size))
		return true;
	return rounds && offset < begin && offset >= align_down(begin, PAGE_MIN) &&
	       segment->vaddr >= begin - offset;
}

struct wanted {
	uint64_t offset, map_offset;
	uint32_t flags; /* PF_X, or 0 for any */
	bool rounds;
};

/* The only segment that holds the offset, or the one of several that the mapping belongs to. */
static const struct elf_segment *choose(const struct elf_file *file, const struct wanted *wanted)
{
	const struct elf_segment *only = NULL, *mapped = NULL;
	unsigned nr = 0, mapped_nr = 0;

	for (uint32_t i = 0; i < file->segments_nr; i++) {
		const struct elf_segment *segment = &file->segments[i];

		if (segment->type != PT_LOAD || (segment->flags & wanted->flags) != wanted->flags ||
		    !holds(segment, wanted->offset, wanted->rounds))
			continue;
		only = segment;
		nr++;
		if (begins_at(segment, wanted->map_offset)) {
			mapped = segment;
			mapped_nr++;
		}
	}
	if (nr == 1)
		return only;
	return mapped_nr == 1 ? mapped : NULL;
}

static bool address_in_binary(const struct elf_file *file, uint64_t offset, uint64_t map_offset,
			      uint64_t *ret)
{
	const struct wanted tries[] = {
		{offset, map_offset, PF_X, false},
		{offset, map_offset, PF_X, true},
		{offset, map_offset, 0, false},
	};

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		const struct elf_segment *segment = choose(file, &tries[i]);

		if (segment) {
			*ret = offset - segment->offset + segment->vaddr;
			return true;
		}
	}
	return false;
}

/* ---- a debug file alone: the offsets of its segments are its own, or zero; addresses and
 * memory sizes are the binary's. The first page of the executable segment is mapped from
 * map_offset on, so vaddr = offset - map_offset + align_down(p_vaddr, page). Of two executable
 * segments the second one's offset in the binary is not known. */

static bool address_in_segment(const struct elf_file *file, const struct elf_segment *segment,
			       uint64_t beyond, uint64_t *ret)
{
	uint64_t begin = align_down(segment->vaddr, PAGE_MIN), at;

	if (__builtin_add_overflow(begin, beyond, &at) || at < segment->vaddr ||
	    !is_in(at, segment->vaddr, segment->mem_size) || !elf_file_is_text(file, at))
		return false;
	*ret = at;
	return true;
}

static bool address_in_debug_file(const struct elf_file *file, uint64_t offset, uint64_t map_offset,
				  uint64_t *ret)
{
	const struct elf_segment *only = NULL;

	if (map_offset == ELF_FILE_OFFSET_UNKNOWN || offset < map_offset)
		return false;
	for (uint32_t i = 0; i < file->segments_nr; i++) {
		if (!is_executable(&file->segments[i]))
			continue;
		if (only)
			return false;
		only = &file->segments[i];
	}
	return only && address_in_segment(file, only, offset - map_offset, ret);
}

bool elf_file_address(const struct elf_file *file, uint64_t file_offset, uint64_t map_offset,
		      uint64_t *ret_vaddr)
{
	uint64_t vaddr;
	bool known = elf_file_is_debug_only(file)
			     ? address_in_debug_file(file, file_offset, map_offset, &vaddr)
			     : address_in_binary(file, file_offset, map_offset, &vaddr);

	if (known)
		*ret_vaddr = vaddr;
	return known;
}

/* ---- what is at an address */

const unsigned char *elf_file_at(const struct elf_file *file, uint64_t vaddr, size_t *ret_left)
{
	for (uint32_t i = 0; i < file->segments_nr; i++) {
		const struct elf_segment *segment = &file->segments[i];
		struct bytes part;

		if (segment->type != PT_LOAD || !is_in(vaddr, segment->vaddr, segment->file_size) ||
		    !elf_file_part(file, segment->offset, segment->file_size, &part) ||
		    !bytes_skip(&part, vaddr - segment->vaddr))
			continue;
		*ret_left = bytes_left(&part);
		return part.at;
	}
	return NULL;
}

/* ---- two halves of one link */

/* The next executable section from *at on; both files have them in the order of the link. */
static const struct elf_section *next_code(const struct elf_file *file, uint32_t *at)
{
	while (*at < file->sections_nr) {
		const struct elf_section *section = &file->sections[(*at)++];

		if (elf_file_is_code(section))
			return section;
	}
	return NULL;
}

static char *section_difference(const struct elf_section *ours, const struct elf_section *theirs)
{
	struct text text = TEXT_INIT;

	if (!ours || !theirs)
		text_addf(&text, "only one of them has the section %s",
			  ours ? ours->name : theirs->name);
	else if (strcmp(ours->name, theirs->name) != 0)
		text_addf(&text, "section %s stands where the other has %s", ours->name,
			  theirs->name);
	else if (ours->addr != theirs->addr)
		text_addf(&text, "%s is at 0x%" PRIx64 " and at 0x%" PRIx64, ours->name, ours->addr,
			  theirs->addr);
	else if (ours->size != theirs->size)
		text_addf(&text, "%s has %" PRIu64 " and %" PRIu64 " bytes", ours->name, ours->size,
			  theirs->size);
	else
		return NULL;
	return text_take(&text);
}

static char *code_difference(const struct elf_file *binary, const struct elf_file *debug)
{
	uint32_t at = 0, debug_at = 0;

	for (;;) {
		const struct elf_section *ours = next_code(binary, &at);
		const struct elf_section *theirs = next_code(debug, &debug_at);
		char *difference;

		if (!ours && !theirs)
			return NULL;
		difference = section_difference(ours, theirs);
		if (difference)
			return difference;
	}
}

char *elf_file_layout_difference(const struct elf_file *binary, const struct elf_file *debug)
{
	struct text text = TEXT_INIT;

	if (binary->machine != debug->machine || binary->is_64 != debug->is_64 ||
	    binary->is_swapped != debug->is_swapped) {
		text_addf(&text, "made for machine %u and %u, with %u and %u bits", binary->machine,
			  debug->machine, binary->is_64 ? 64 : 32, debug->is_64 ? 64 : 32);
		return text_take(&text);
	}
	if (!binary->sections_nr || !debug->sections_nr)
		return NULL;
	return code_difference(binary, debug);
}
