/* elf_file_identity.c - the build ID of an ELF file, and the files it names */
#include <elf.h>
#include <stdio.h>

#include "binaries/elf_file_parts.h"

static void hex(const unsigned char *at, size_t size, char ret[static ELF_FILE_ID_HEX_SIZE])
{
	for (size_t i = 0; i < size; i++)
		snprintf(ret + 2 * i, 3, "%02x", at[i]);
}

/* ---- notes: u32 name size, u32 size, u32 type, name, bytes, each padded to 4 or 8 bytes */

struct notes {
	struct bytes in;
	const unsigned char *begin;
	uint64_t pad;
};

struct note {
	struct bytes name, bytes;
	uint32_t type;
};

static void skip_padding(struct notes *notes)
{
	uint64_t at = (uint64_t)(notes->in.at - notes->begin);

	/* the last one need not be padded */
	if (!bytes_skip(&notes->in, (notes->pad - at % notes->pad) % notes->pad))
		notes->in.at = notes->in.end;
}

static bool next_note(struct notes *notes, struct note *ret)
{
	uint32_t name_size, size;

	if (!bytes_u32(&notes->in, &name_size) || !bytes_u32(&notes->in, &size) ||
	    !bytes_u32(&notes->in, &ret->type) || !bytes_part(&notes->in, name_size, &ret->name))
		return false;
	skip_padding(notes);
	if (!bytes_part(&notes->in, size, &ret->bytes))
		return false;
	skip_padding(notes);
	return true;
}

static bool is_build_id(const struct note *note)
{
	size_t size = bytes_left(&note->bytes);

	return note->type == NT_GNU_BUILD_ID && bytes_left(&note->name) == sizeof(ELF_NOTE_GNU) &&
	       memcmp(note->name.at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0 && size &&
	       size <= ELF_FILE_ID_MAX;
}

/* *left is how many notes of this file may still be looked at. */
static bool find_id(struct elf_file *file, uint64_t offset, uint64_t size, uint64_t align,
		    uint32_t *left)
{
	struct notes notes = {.pad = align == 8 ? 8 : 4};
	struct note note;

	if (!elf_file_part(file, offset, size, &notes.in))
		return false;
	notes.begin = notes.in.at;
	while (*left && next_note(&notes, &note)) {
		--*left;
		if (is_build_id(&note)) {
			hex(note.bytes.at, bytes_left(&note.bytes), file->build_id);
			return true;
		}
	}
	return false;
}

/* Sections first: the program headers of a debug file point elsewhere. */
static void read_build_id(struct elf_file *file)
{
	uint32_t left = ELF_FILE_NOTES_MAX;

	for (uint32_t i = 0; i < file->sections_nr; i++) {
		const struct elf_section *section = &file->sections[i];

		if (section->type == SHT_NOTE &&
		    find_id(file, section->offset, section->size, section->align, &left))
			return;
	}
	if (elf_file_is_debug_only(file))
		return;
	for (uint32_t i = 0; i < file->segments_nr; i++) {
		const struct elf_segment *segment = &file->segments[i];

		if (segment->type == PT_NOTE &&
		    find_id(file, segment->offset, segment->file_size, segment->align, &left))
			return;
	}
}

/* ---- links: a path, a NUL, and what the file is known by */

/* The path at the beginning of a section, NULL for none; *ret is what follows. */
static const char *read_link(const struct elf_file *file, const char *section_name,
			     struct bytes *ret)
{
	const struct elf_section *section = elf_file_section(file, section_name);
	const char *path;
	size_t size;

	if (!section || section->type == SHT_NOBITS ||
	    !elf_file_part(file, section->offset, section->size, ret))
		return NULL;
	size = bytes_string(ret, &path);
	if (!size || size >= ELF_FILE_NAME_MAX || !bytes_skip(ret, (uint64_t)size + 1))
		return NULL;
	return path;
}

/* The CRC stands at a multiple of 4 from the beginning of the section. */
static void read_debuglink(struct elf_file *file)
{
	struct bytes rest;
	const char *path = read_link(file, ".gnu_debuglink", &rest);
	size_t size;

	if (!path)
		return;
	size = strlen(path) + 1;
	if (bytes_skip(&rest, (4 - size % 4) % 4) && bytes_u32(&rest, &file->debuglink_crc))
		file->debuglink = path;
}

static void read_altlink(struct elf_file *file)
{
	struct bytes rest;
	const char *path = read_link(file, ".gnu_debugaltlink", &rest);

	if (!path || !bytes_left(&rest) || bytes_left(&rest) > ELF_FILE_ID_MAX)
		return;
	file->altlink = path;
	hex(rest.at, bytes_left(&rest), file->altlink_id);
}

void elf_file_read_identity(struct elf_file *file)
{
	read_build_id(file);
	read_debuglink(file);
	read_altlink(file);
}
