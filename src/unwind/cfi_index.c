/* cfi_index.c - which entry of a section is about an address */
#include "unwind/cfi_index.h"

#include <dwarf.h>

#include "base/mem.h"

static void add(struct cfi_index *index, uint64_t start, uint32_t fde)
{
	if (index->nr == index->alloc) {
		index->alloc = (uint32_t)mem_next_alloc(index->alloc, index->nr + 1,
							sizeof(*index->starts));
		index->starts = mem_realloc(index->starts, index->alloc, sizeof(*index->starts));
		index->fdes = mem_realloc(index->fdes, index->alloc, sizeof(*index->fdes));
	}
	index->starts[index->nr] = start;
	index->fdes[index->nr++] = fde;
}

/* Called once all are in. */
static void make_slots(struct cfi_index *index)
{
	uint64_t first, span;
	uint32_t fde = 0;

	if (!index->nr)
		return;
	first = index->starts[0];
	span = index->starts[index->nr - 1] - first;
	while (span >> index->shift >= index->nr)
		index->shift++;
	index->slots_nr = (span >> index->shift) + 1;
	index->slots = mem_alloc((index->slots_nr + 1) * sizeof(*index->slots));
	for (uint64_t i = 0; i < index->slots_nr; i++) {
		while (fde + 1 < index->nr && index->starts[fde + 1] - first <= i << index->shift)
			fde++;
		index->slots[i] = fde;
	}
	index->slots[index->slots_nr] = index->nr - 1;
}

void cfi_index_release(struct cfi_index *index)
{
	free(index->starts);
	free(index->fdes);
	free(index->slots);
	*index = (struct cfi_index){0};
}

/* ---- .eh_frame_hdr: version, encodings, where .eh_frame is, how many pairs, pairs */

struct header {
	struct cfi_section section; /* pointers count from here */
	struct bytes pairs;
	uint8_t encoding;
	uint64_t nr;
};

static bool read_header(struct bytes bytes, uint64_t vaddr, struct header *ret)
{
	uint8_t version, frame_encoding, nr_encoding;
	uint64_t frame;

	ret->section = (struct cfi_section){.all = bytes, .vaddr = vaddr, .data_base = vaddr};
	ret->pairs = bytes;
	return bytes_u8(&ret->pairs, &version) && version == 1 &&
	       bytes_u8(&ret->pairs, &frame_encoding) && bytes_u8(&ret->pairs, &nr_encoding) &&
	       bytes_u8(&ret->pairs, &ret->encoding) &&
	       cfi_pointer(&ret->section, &ret->pairs, frame_encoding, &frame) &&
	       cfi_pointer(&ret->section, &ret->pairs, nr_encoding, &ret->nr) && ret->nr > 0 &&
	       ret->nr <= CFI_INDEX_MAX;
}

static bool read_pair(const struct cfi_section *section, struct header *header,
		      struct cfi_index *index)
{
	uint64_t start, fde;

	if (!cfi_pointer(&header->section, &header->pairs, header->encoding, &start) ||
	    !cfi_pointer(&header->section, &header->pairs, header->encoding, &fde))
		return false;
	fde -= section->vaddr;
	if (fde >= bytes_left(&section->all) || (index->nr && start < index->starts[index->nr - 1]))
		return false;
	if (!index->nr || start > index->starts[index->nr - 1])
		add(index, start, (uint32_t)fde);
	return true;
}

bool cfi_index_from_header(const struct cfi_section *section, struct bytes bytes, uint64_t vaddr,
			   struct cfi_index *ret)
{
	struct cfi_index index = {0};
	struct header header;

	if (!read_header(bytes, vaddr, &header))
		return false;
	for (uint64_t i = 0; i < header.nr; i++) {
		if (!read_pair(section, &header, &index)) {
			cfi_index_release(&index);
			return false;
		}
	}
	make_slots(&index);
	*ret = index;
	return true;
}

/* ---- the section from end to end */

struct found {
	uint64_t start, size;
	uint32_t fde;
};

struct scan {
	const struct cfi_section *section;
	const struct elf_file *file;
	struct cfi_cie cie; /* the last one: neighbours share it */
	uint32_t cie_at;
	bool has_cie;
	struct found *found; /* owned */
	size_t found_nr, found_alloc;
};

static bool has_cie(struct scan *scan, uint32_t offset)
{
	if (!scan->has_cie || scan->cie_at != offset) {
		scan->has_cie = cfi_cie_read(scan->section, offset, &scan->cie);
		scan->cie_at = offset;
	}
	return scan->has_cie;
}

static void scan_entry(struct scan *scan, uint32_t offset, const struct cfi_entry *entry)
{
	struct cfi_fde fde;

	if (entry->kind != CFI_FDE || !has_cie(scan, entry->cie) ||
	    !cfi_fde_read(scan->section, entry, &scan->cie, &fde) || fde.start >= fde.end ||
	    !elf_file_is_text(scan->file, fde.start))
		return;
	GROW(scan->found, scan->found_nr + 1, scan->found_alloc);
	scan->found[scan->found_nr++] = (struct found){fde.start, fde.end - fde.start, offset};
}

/* Of several at one address the longest comes first, then the first in the section. */
static int compare(const void *left, const void *right)
{
	const struct found *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->fde < b->fde ? -1 : a->fde > b->fde;
}

/* An entry that is not well formed, but whole, is passed over. */
void cfi_index_from_section(const struct cfi_section *section, const struct elf_file *file,
			    struct cfi_index *ret)
{
	struct scan scan = {.section = section, .file = file};
	struct cfi_index index = {0};
	struct cfi_entry entry;
	uint64_t offset = 0, next = 0;

	while (scan.found_nr < CFI_INDEX_MAX) {
		bool is_good = cfi_entry_at(section, offset, &entry, &next);

		if (next <= offset)
			break;
		if (is_good)
			scan_entry(&scan, (uint32_t)offset, &entry);
		offset = next;
	}
	if (scan.found_nr)
		qsort(scan.found, scan.found_nr, sizeof(*scan.found), compare);
	for (size_t i = 0; i < scan.found_nr; i++)
		if (!index.nr || scan.found[i].start > index.starts[index.nr - 1])
			add(&index, scan.found[i].start, scan.found[i].fde);
	free(scan.found);
	make_slots(&index);
	*ret = index;
}
