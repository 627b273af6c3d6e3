/* elf_file_code.c - where the code of an ELF file is */
#include <elf.h>

#include "base/mem.h"
#include "binaries/elf_file_parts.h"

static void add(struct elf_file *file, uint64_t begin, uint64_t size)
{
	uint64_t end;

	if (size && !__builtin_add_overflow(begin, size, &end))
		file->code[file->code_nr++] = (struct elf_range){begin, end};
}

static void add_sections(struct elf_file *file)
{
	bool has_bytes = false;

	file->code = mem_zalloc(file->sections_nr, sizeof(*file->code));
	for (uint32_t i = 0; i < file->sections_nr; i++) {
		const struct elf_section *section = &file->sections[i];

		if (!elf_file_is_code(section))
			continue;
		add(file, section->addr, section->size);
		has_bytes |= section->size && section->type != SHT_NOBITS;
	}
	file->is_debug_only = !has_bytes;
}

static void add_segments(struct elf_file *file)
{
	file->code = mem_zalloc(file->segments_nr, sizeof(*file->code));
	for (uint32_t i = 0; i < file->segments_nr; i++) {
		const struct elf_segment *segment = &file->segments[i];

		if (segment->type == PT_LOAD && (segment->flags & PF_X))
			add(file, segment->vaddr, segment->file_size);
	}
}

static int compare(const void *left, const void *right)
{
	const struct elf_range *a = left, *b = right;

	return (a->begin > b->begin) - (a->begin < b->begin);
}

/* The sections of a kernel module all begin at 0. */
static void merge(struct elf_file *file)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < file->code_nr; i++) {
		const struct elf_range *range = &file->code[i];

		if (!nr || range->begin > file->code[nr - 1].end)
			file->code[nr++] = *range;
		else if (range->end > file->code[nr - 1].end)
			file->code[nr - 1].end = range->end;
	}
	file->code_nr = nr;
}

void elf_file_read_code(struct elf_file *file)
{
	if (file->sections_nr)
		add_sections(file);
	else
		add_segments(file);
	qsort(file->code, file->code_nr, sizeof(*file->code), compare);
	merge(file);
}

bool elf_file_is_text(const struct elf_file *file, uint64_t vaddr)
{
	uint32_t low = 0, high = file->code_nr;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (vaddr >= file->code[middle].end)
			low = middle + 1;
		else
			high = middle;
	}
	return low < file->code_nr && vaddr >= file->code[low].begin;
}
