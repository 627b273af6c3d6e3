/* elf_file_tables.c - the header of an ELF file and its two tables */
#include <elf.h>
#include <endian.h>
#include <inttypes.h>

#include "base/mem.h"
#include "binaries/elf_file_parts.h"

/* System V gABI, chapter 4: sizes of Elf32_Phdr and Elf64_Phdr, of Elf32_Shdr and Elf64_Shdr */
#define SEGMENT_SIZE_32 32u
#define SEGMENT_SIZE_64 56u
#define SECTION_SIZE_32 40u
#define SECTION_SIZE_64 64u

struct header {
	uint64_t segments, sections; /* where the tables begin, 0 for none */
	uint16_t segment_size, segments_nr, section_size, sections_nr, names;
};

/* An address, offset or size: 4 or 8 bytes by class. */
static bool word(const struct elf_file *file, struct bytes *in, uint64_t *ret)
{
	uint32_t small;

	if (file->is_64)
		return bytes_u64(in, ret);
	if (!bytes_u32(in, &small))
		return false;
	*ret = small;
	return true;
}

/* ---- header: 16 bytes of identity, then Elf32_Ehdr or Elf64_Ehdr */

static struct error *read_class(struct elf_file *file)
{
	const unsigned char *at = file->map;
	unsigned ours = BYTE_ORDER == LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;

	if (file->size < EI_NIDENT || memcmp(at, ELFMAG, SELFMAG) != 0)
		return error_new(ERROR_INPUT, "not an ELF file");
	if (at[EI_CLASS] != ELFCLASS32 && at[EI_CLASS] != ELFCLASS64)
		return error_new(ERROR_INPUT, "ELF class %u is neither 1 nor 2", at[EI_CLASS]);
	if (at[EI_DATA] != ELFDATA2LSB && at[EI_DATA] != ELFDATA2MSB)
		return error_new(ERROR_INPUT, "ELF byte order %u is neither 1 nor 2", at[EI_DATA]);
	file->is_64 = at[EI_CLASS] == ELFCLASS64;
	file->is_swapped = at[EI_DATA] != ours;
	return NULL;
}

static bool read_header(struct elf_file *file, struct header *ret)
{
	struct bytes in = {file->map + EI_NIDENT, file->map + file->size, file->is_swapped};
	uint64_t entry;
	uint32_t version, flags;
	uint16_t size;

	return bytes_u16(&in, &file->type) && bytes_u16(&in, &file->machine) &&
	       bytes_u32(&in, &version) && word(file, &in, &entry) &&
	       word(file, &in, &ret->segments) && word(file, &in, &ret->sections) &&
	       bytes_u32(&in, &flags) && bytes_u16(&in, &size) &&
	       bytes_u16(&in, &ret->segment_size) && bytes_u16(&in, &ret->segments_nr) &&
	       bytes_u16(&in, &ret->section_size) && bytes_u16(&in, &ret->sections_nr) &&
	       bytes_u16(&in, &ret->names);
}

/* ---- sections */

static bool read_section(const struct elf_file *file, struct bytes in, struct elf_section *ret,
			 uint32_t *ret_name)
{
	return bytes_u32(&in, ret_name) && bytes_u32(&in, &ret->type) &&
	       word(file, &in, &ret->flags) && word(file, &in, &ret->addr) &&
	       word(file, &in, &ret->offset) && word(file, &in, &ret->size) &&
	       bytes_u32(&in, &ret->link) && bytes_u32(&in, &ret->info) &&
	       word(file, &in, &ret->align) && word(file, &in, &ret->entry_size);
}

/* Numbers that do not fit into the header stand in the first section. */
static bool read_first(const struct elf_file *file, const struct header *header,
		       struct elf_section *ret)
{
	struct bytes part;
	uint32_t name;

	return header->sections &&
	       elf_file_part(file, header->sections, header->section_size, &part) &&
	       read_section(file, part, ret, &name);
}

static const char *name_at(const struct bytes *names, uint32_t offset)
{
	struct bytes rest = *names;
	size_t most;

	if (!bytes_skip(&rest, offset))
		return "";
	most = bytes_left(&rest);
	if (most > ELF_FILE_NAME_MAX)
		most = ELF_FILE_NAME_MAX;
	return memchr(rest.at, '\0', most) ? (const char *)rest.at : "";
}

static void read_names(struct elf_file *file, uint32_t *offsets, uint32_t names_section)
{
	struct bytes names = {file->map, file->map, false};

	if (names_section < file->sections_nr) {
		const struct elf_section *section = &file->sections[names_section];

		if (section->type != SHT_NOBITS)
			elf_file_part(file, section->offset, section->size, &names);
	}
	for (uint32_t i = 0; i < file->sections_nr; i++)
		file->sections[i].name = name_at(&names, offsets[i]);
}

static void read_section_table(struct elf_file *file, struct bytes table, uint16_t entry_size,
			       uint32_t names_section)
{
	uint32_t *offsets = mem_zalloc(file->sections_nr, sizeof(*offsets));

	file->sections = mem_zalloc(file->sections_nr, sizeof(*file->sections));
	for (uint32_t i = 0; i < file->sections_nr; i++) {
		struct bytes entry = {0};

		bytes_part(&table, entry_size, &entry);
		read_section(file, entry, &file->sections[i], &offsets[i]);
	}
	read_names(file, offsets, names_section);
	free(offsets);
}

static struct error *read_sections(struct elf_file *file, const struct header *header)
{
	struct elf_section first = {0};
	uint64_t nr = header->sections_nr;
	struct bytes table;

	if (!header->sections)
		return NULL;
	if (header->section_size < (file->is_64 ? SECTION_SIZE_64 : SECTION_SIZE_32))
		return error_new(ERROR_INPUT, "section headers of %u bytes are too short",
				 header->section_size);
	if (!read_first(file, header, &first))
		return error_new(ERROR_INPUT, "cut: the section headers are beyond its end");
	if (!nr)
		nr = first.size;
	if (nr > ELF_FILE_SECTIONS_MAX)
		return error_new(ERROR_LIMIT, "%" PRIu64 " sections are more than the limit, %u",
				 nr, ELF_FILE_SECTIONS_MAX);
	if (!elf_file_part(file, header->sections, nr * header->section_size, &table))
		return error_new(ERROR_INPUT, "cut: the section headers end beyond its end");
	file->sections_nr = (uint32_t)nr;
	read_section_table(file, table, header->section_size,
			   header->names == SHN_XINDEX ? first.link : header->names);
	return NULL;
}

/* ---- segments */

/* The fields of Elf32_Phdr stand in another order than those of Elf64_Phdr. */
static bool read_segment(const struct elf_file *file, struct bytes in, struct elf_segment *ret)
{
	uint64_t physical;

	return bytes_u32(&in, &ret->type) && (!file->is_64 || bytes_u32(&in, &ret->flags)) &&
	       word(file, &in, &ret->offset) && word(file, &in, &ret->vaddr) &&
	       word(file, &in, &physical) && word(file, &in, &ret->file_size) &&
	       word(file, &in, &ret->mem_size) && (file->is_64 || bytes_u32(&in, &ret->flags)) &&
	       word(file, &in, &ret->align);
}

static void read_segment_table(struct elf_file *file, struct bytes table, uint16_t entry_size)
{
	file->segments = mem_zalloc(file->segments_nr, sizeof(*file->segments));
	for (uint32_t i = 0; i < file->segments_nr; i++) {
		struct bytes entry = {0};

		bytes_part(&table, entry_size, &entry);
		read_segment(file, entry, &file->segments[i]);
	}
}

static struct error *read_segments(struct elf_file *file, const struct header *header)
{
	struct elf_section first = {0};
	uint32_t nr = header->segments_nr;
	struct bytes table;

	if (nr == PN_XNUM && read_first(file, header, &first))
		nr = first.info;
	if (!header->segments || !nr)
		return NULL;
	if (header->segment_size < (file->is_64 ? SEGMENT_SIZE_64 : SEGMENT_SIZE_32))
		return error_new(ERROR_INPUT, "program headers of %u bytes are too short",
				 header->segment_size);
	if (nr > ELF_FILE_SEGMENTS_MAX)
		return error_new(ERROR_LIMIT, "%u program headers are more than the limit, %u", nr,
				 ELF_FILE_SEGMENTS_MAX);
	if (!elf_file_part(file, header->segments, (uint64_t)nr * header->segment_size, &table))
		return error_new(ERROR_INPUT, "cut: the program headers end beyond its end");
	file->segments_nr = nr;
	read_segment_table(file, table, header->segment_size);
	return NULL;
}

struct error *elf_file_read_tables(struct elf_file *file)
{
	struct header header = {0};
	struct error *err = read_class(file);

	if (!err && !read_header(file, &header))
		err = error_new(ERROR_INPUT, "cut: it ends in its ELF header");
	if (!err)
		err = read_segments(file, &header);
	if (!err)
		err = read_sections(file, &header);
	return err;
}
