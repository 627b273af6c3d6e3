/* debug_image.c - a file whose debug sections are packed, unpacked in memory for libdw */
#include "symbols/debug_image.h"

#include <elf.h>
#include <endian.h>
#include <gelf.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define SECTIONS_MAX 1024u

/* Where fields are, by class: System V gABI, chapter 4. */
struct fields {
	size_t header, phoff, shoff; /* of the file's header: its size, and offsets in it */
	size_t phnum;
	size_t section, type, flags, offset, size; /* the same of a section's header */
	unsigned word;				   /* bytes of an offset */
};

static const struct fields fields_32 = {
	.header = sizeof(Elf32_Ehdr),
	.phoff = offsetof(Elf32_Ehdr, e_phoff),
	.shoff = offsetof(Elf32_Ehdr, e_shoff),
	.phnum = offsetof(Elf32_Ehdr, e_phnum),
	.section = sizeof(Elf32_Shdr),
	.type = offsetof(Elf32_Shdr, sh_type),
	.flags = offsetof(Elf32_Shdr, sh_flags),
	.offset = offsetof(Elf32_Shdr, sh_offset),
	.size = offsetof(Elf32_Shdr, sh_size),
	.word = 4,
};

static const struct fields fields_64 = {
	.header = sizeof(Elf64_Ehdr),
	.phoff = offsetof(Elf64_Ehdr, e_phoff),
	.shoff = offsetof(Elf64_Ehdr, e_shoff),
	.phnum = offsetof(Elf64_Ehdr, e_phnum),
	.section = sizeof(Elf64_Shdr),
	.type = offsetof(Elf64_Shdr, sh_type),
	.flags = offsetof(Elf64_Shdr, sh_flags),
	.offset = offsetof(Elf64_Shdr, sh_offset),
	.size = offsetof(Elf64_Shdr, sh_size),
	.word = 8,
};

/* A section that has bytes in the image. */
struct part {
	size_t index;
	const unsigned char *at; /* in the file, packed or not */
	size_t size;
	size_t unpacked; /* its size in the image */
	uint64_t flags;
	uint32_t type;
	bool is_packed;
};

struct plan {
	const struct fields *fields;
	bool is_big;
	size_t sections_nr, names; /* names: the section of their names */
	size_t table;		   /* of section headers in the file */
	struct part *parts;	   /* owned */
	size_t parts_nr, parts_alloc;
	size_t size;	/* of the image */
	bool is_packed; /* a part is */
	const unsigned char *file;
	size_t file_size;
};

static void put(const struct plan *plan, unsigned char *at, uint64_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[plan->is_big ? size - 1 - i : i] = (unsigned char)(number >> 8 * i);
}

/* ---- what goes into it */

/* Sections that say that other files belong to this one: their names are beside its own. */
static bool leads_elsewhere(const char *name)
{
	return strncmp(name, ".zdebug_", 8) == 0 || strcmp(name, ".gnu_debugaltlink") == 0 ||
	       strcmp(name, ".debug_addr") == 0 || strcmp(name, ".debug_cu_index") == 0 ||
	       (strncmp(name, ".debug_", 7) == 0 && strchr(name + 1, '.'));
}

static bool add_packed(struct plan *plan, Elf_Scn *scn, struct part *part)
{
	size_t head = plan->fields == &fields_64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	GElf_Chdr memory, *packing = gelf_getchdr(scn, &memory);

	if (!packing || packing->ch_type != ELFCOMPRESS_ZLIB || part->size < head)
		return false;
	part->at += head;
	part->size -= head;
	part->unpacked = packing->ch_size;
	part->flags &= ~(uint64_t)SHF_COMPRESSED;
	part->is_packed = plan->is_packed = true;
	return packing->ch_size / DEBUG_IMAGE_RATIO_MAX <= part->size;
}

static bool add_part(struct plan *plan, Elf_Scn *scn, const GElf_Shdr *header)
{
	struct part part = {
		.index = elf_ndxscn(scn), .flags = header->sh_flags, .type = header->sh_type};

	if (header->sh_offset > plan->file_size ||
	    header->sh_size > plan->file_size - header->sh_offset)
		return false;
	part.at = plan->file + header->sh_offset;
	part.size = part.unpacked = header->sh_size;
	if (header->sh_flags & SHF_COMPRESSED && !add_packed(plan, scn, &part))
		return false;
	/* sections begin at multiples of 16; the sum of sizes is bounded by that of the file */
	plan->size = (plan->size + 15) & ~(size_t)15;
	if (__builtin_add_overflow(plan->size, part.unpacked, &plan->size))
		return false;
	GROW(plan->parts, plan->parts_nr + 1, plan->parts_alloc);
	plan->parts[plan->parts_nr++] = part;
	return true;
}

static bool plan_sections(Elf *elf, struct plan *plan)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(scn, &header))
			return false;
		name = elf_strptr(elf, plan->names, header.sh_name);
		if (!name || leads_elsewhere(name))
			return false;
		if (header.sh_type == SHT_NOBITS ||
		    (strncmp(name, ".debug_", 7) != 0 && elf_ndxscn(scn) != plan->names))
			continue;
		if (!add_part(plan, scn, &header))
			return false;
	}
	return plan->is_packed;
}

/* Numbers of sections that do not fit into the header stand elsewhere; such files are left alone.
 */
static bool plan_file(Elf *elf, struct plan *plan)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header) || header.e_type == ET_REL || !header.e_shnum ||
	    header.e_shnum > SECTIONS_MAX || header.e_shstrndx >= header.e_shnum)
		return false;
	plan->fields = gelf_getclass(elf) == ELFCLASS64 ? &fields_64 : &fields_32;
	plan->is_big = header.e_ident[EI_DATA] == ELFDATA2MSB;
	plan->sections_nr = header.e_shnum;
	plan->names = header.e_shstrndx;
	plan->table = header.e_shoff;
	plan->file = (const unsigned char *)elf_rawfile(elf, &plan->file_size);
	plan->size = plan->fields->header + plan->sections_nr * plan->fields->section;
	return plan->file && header.e_shentsize == plan->fields->section &&
	       plan->file_size >= plan->fields->header && plan->table <= plan->file_size &&
	       plan->sections_nr <= (plan->file_size - plan->table) / plan->fields->section &&
	       plan_sections(elf, plan);
}

/* ---- the image */

/* As in the file, but that the table of sections follows, and that there are no segments. */
static void write_heads(const struct plan *plan, unsigned char *image)
{
	const struct fields *fields = plan->fields;
	unsigned char *section = image + fields->header;

	memcpy(image, plan->file, fields->header);
	put(plan, image + fields->phoff, 0, fields->word);
	put(plan, image + fields->phnum, 0, 2);
	put(plan, image + fields->shoff, fields->header, fields->word);
	memcpy(section, plan->file + plan->table, plan->sections_nr * fields->section);
	for (size_t i = 1; i < plan->sections_nr; i++)
		put(plan, section + i * fields->section + fields->type, SHT_NOBITS, 4);
}

static bool write_part(const struct part *part, struct libdeflate_decompressor *unpacker,
		       unsigned char *to)
{
	size_t taken, size;

	if (part->is_packed)
		return libdeflate_zlib_decompress_ex(unpacker, part->at, part->size, to,
						     part->unpacked, &taken,
						     &size) == LIBDEFLATE_SUCCESS &&
		       size == part->unpacked;
	memcpy(to, part->at, part->size);
	return true;
}

static bool write_parts(const struct plan *plan, struct libdeflate_decompressor *unpacker,
			unsigned char *image)
{
	const struct fields *fields = plan->fields;
	size_t at = fields->header + plan->sections_nr * fields->section;

	for (size_t i = 0; i < plan->parts_nr; i++) {
		const struct part *part = &plan->parts[i];
		unsigned char *section = image + fields->header + part->index * fields->section;

		at = (at + 15) & ~(size_t)15;
		if (!write_part(part, unpacker, image + at))
			return false;
		put(plan, section + fields->type, part->type, 4);
		put(plan, section + fields->flags, part->flags, fields->word);
		put(plan, section + fields->offset, at, fields->word);
		put(plan, section + fields->size, part->unpacked, fields->word);
		at += part->unpacked;
	}
	return true;
}

static bool write_image(const struct plan *plan, struct debug_image *ret)
{
	struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
	bool is_good = false;

	ret->size = plan->size;
	ret->bytes = mem_try_map(plan->size); /* without it there is still libdw's way */
	if (unpacker && ret->bytes) {
		write_heads(plan, ret->bytes);
		is_good = write_parts(plan, unpacker, ret->bytes);
	}
	if (unpacker)
		libdeflate_free_decompressor(unpacker);
	if (is_good)
		ret->elf = elf_memory((char *)ret->bytes, plan->size);
	return ret->elf;
}

bool debug_image_make(Elf *elf, struct debug_image *ret)
{
	struct plan plan = {0};
	bool is_made;

	*ret = (struct debug_image){0};
	is_made = plan_file(elf, &plan) && write_image(&plan, ret);
	free(plan.parts);
	if (!is_made)
		debug_image_release(ret);
	return is_made;
}

void debug_image_release(struct debug_image *image)
{
	if (image->elf)
		elf_end(image->elf);
	mem_unmap(image->bytes, image->size);
	*image = (struct debug_image){0};
}
