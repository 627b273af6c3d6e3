/* cfi_index.h - which entry of a section is about an address */
#pragma once

#include "base/error.h"
#include "binaries/elf_file.h"
#include "unwind/cfi.h"

/* FDEs by their first address, rising, each once. */
struct cfi_index {
	uint64_t *starts; /* owned */
	uint32_t *fdes;	  /* owned: where they are in the section */
	uint32_t nr, alloc;

	/*
	 * As many stretches of 2^shift bytes from starts[0] on as there are FDEs, or fewer:
	 * slots[i] is the last FDE that begins at or before stretch i. A search through 100,000
	 * starts would wait for memory 17 times; so it is once, and then once or twice.
	 */
	uint32_t *slots; /* owned; one more than there are stretches */
	uint64_t slots_nr;
	unsigned shift;
};

/* More functions are not read; the largest programs have one million. */
#define CFI_INDEX_MAX (1u << 24)

#define CFI_INDEX_NONE UINT32_MAX

/*
 * The table of .eh_frame_hdr (`header`, at `vaddr`) that linkers make for the section. False where
 * there is none, it is empty or not in order, or it refers to what is outside of the section.
 */
bool cfi_index_from_header(const struct cfi_section *section, struct bytes header, uint64_t vaddr,
			   struct cfi_index *ret);

/*
 * By reading the section from end to end. Functions that are not in the file's code are left out:
 * linkers leave those that they dropped at 0.
 */
void cfi_index_from_section(const struct cfi_section *section, const struct elf_file *file,
			    struct cfi_index *ret);
void cfi_index_release(struct cfi_index *index);

/* The last one that begins at or before vaddr, CFI_INDEX_NONE for none. */
static inline uint32_t cfi_index_find(const struct cfi_index *index, uint64_t vaddr)
{
	uint32_t low, nr;
	uint64_t slot;

	if (index->nr == 0 || vaddr < index->starts[0])
		return CFI_INDEX_NONE;
	slot = (vaddr - index->starts[0]) >> index->shift;
	if (slot >= index->slots_nr)
		return index->nr - 1;
	low = index->slots[slot];
	nr = index->slots[slot + 1] - low + 1;
	while (nr > 1) {
		uint32_t half = nr / 2;

		low = vaddr >= index->starts[low + half] ? low + half : low;
		nr -= half;
	}
	return low;
}
