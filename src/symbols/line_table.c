/* line_table.c - the head of a line table: its parameters, and what its file numbers mean */
#include "symbols/line_table.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/leb128.h"
#include "base/mem.h"
#include "base/text.h"
#include "symbols/debug_sections.h"
#include "symbols/strings.h"

#define FORMATS_MAX 255 /* their number is a byte */

struct reader {
	const struct debug_sections *sections;
	struct bytes in;
	uint8_t offset_size;
};

void line_table_release(struct line_table *table)
{
	free(table->files);
	free(table->directories);
	*table = (struct line_table){0};
}

static bool read_offset(struct reader *reader, uint64_t *ret)
{
	uint32_t offset;

	if (reader->offset_size == 8)
		return bytes_u64(&reader->in, ret);
	if (!bytes_u32(&reader->in, &offset))
		return false;
	*ret = offset;
	return true;
}

/* Cuts the reader to this table. A length of 0xffffffff announces 64-bit offsets. */
static bool read_length(struct reader *reader)
{
	struct bytes table;
	uint32_t length32;
	uint64_t length;

	if (!bytes_u32(&reader->in, &length32))
		return false;
	length = length32;
	reader->offset_size = 4;
	if (length32 == UINT32_MAX) {
		reader->offset_size = 8;
		if (!bytes_u64(&reader->in, &length))
			return false;
	}
	if (!bytes_part(&reader->in, length, &table))
		return false;
	reader->in = table;
	return true;
}

static bool read_string(struct bytes *in, const char **ret)
{
	size_t size = bytes_string(in, ret);

	return bytes_skip(in, (uint64_t)size + 1);
}

static bool add_directory(struct line_table *table, const char *name)
{
	if (table->directories_nr == LINE_FILES_MAX)
		return false;
	GROW(table->directories, table->directories_nr + 1, table->directories_alloc);
	table->directories[table->directories_nr++] = name;
	return true;
}

static bool add_file(struct line_table *table, const char *name, uint64_t directory)
{
	if (table->files_nr == LINE_FILES_MAX)
		return false;
	GROW(table->files, table->files_nr + 1, table->files_alloc);
	table->files[table->files_nr++] = (struct line_file){name, directory, NULL};
	return true;
}

/* ---- version 2 to 4: two lists of strings, each with an empty one at its end */

static bool read_lists(struct reader *reader, struct line_table *table)
{
	struct bytes *in = &reader->in;
	const char *name;

	while (read_string(in, &name) && *name) {
		if (!add_directory(table, name))
			return false;
	}
	while (read_string(in, &name) && *name) {
		uint64_t directory;

		if (!leb128_unsigned(in, &directory) || !leb128_skip(in) || !leb128_skip(in) ||
		    !add_file(table, name, directory))
			return false;
	}
	return true;
}

/* ---- version 5: entries of the form that is described in front of them */

struct formats {
	unsigned nr;
	struct {
		uint64_t content, form;
	} formats[FORMATS_MAX];
};

struct entry {
	const char *name;
	uint64_t directory;
};

static bool read_formats(struct bytes *in, struct formats *ret)
{
	uint8_t nr;

	if (!bytes_u8(in, &nr))
		return false;
	ret->nr = nr;
	for (unsigned i = 0; i < nr; i++) {
		if (!leb128_unsigned(in, &ret->formats[i].content) ||
		    !leb128_unsigned(in, &ret->formats[i].form))
			return false;
	}
	return true;
}

static bool read_name(struct reader *reader, uint64_t form, const char **ret)
{
	const struct debug_sections *sections = reader->sections;
	uint64_t offset;

	if (form == DW_FORM_string)
		return read_string(&reader->in, ret);
	if (!read_offset(reader, &offset))
		return false;
	*ret = debug_section_string(
		form == DW_FORM_line_strp ? &sections->line_str : &sections->str, offset);
	return true;
}

static bool read_number(struct bytes *in, uint64_t form, uint64_t *ret)
{
	uint8_t size1;
	uint16_t size2;
	uint32_t size4;

	switch (form) {
	case DW_FORM_data1:
		return bytes_u8(in, &size1) && (*ret = size1, true);
	case DW_FORM_data2:
		return bytes_u16(in, &size2) && (*ret = size2, true);
	case DW_FORM_data4:
		return bytes_u32(in, &size4) && (*ret = size4, true);
	case DW_FORM_data8:
		return bytes_u64(in, ret);
	case DW_FORM_udata:
		return leb128_unsigned(in, ret);
	case DW_FORM_data16:
		return bytes_skip(in, 16);
	case DW_FORM_block:
		return leb128_unsigned(in, ret) && bytes_skip(in, *ret);
	default:
		return false;
	}
}

static bool read_entry(struct reader *reader, const struct formats *formats, struct entry *ret)
{
	*ret = (struct entry){0};
	for (unsigned i = 0; i < formats->nr; i++) {
		uint64_t content = formats->formats[i].content, form = formats->formats[i].form;
		uint64_t number = 0;
		const char *name = NULL;

		if (form == DW_FORM_string || form == DW_FORM_line_strp || form == DW_FORM_strp) {
			if (!read_name(reader, form, &name))
				return false;
		} else if (!read_number(&reader->in, form, &number)) {
			return false;
		}
		if (content == DW_LNCT_path)
			ret->name = name;
		else if (content == DW_LNCT_directory_index)
			ret->directory = number;
	}
	return true;
}

static bool read_entries(struct reader *reader, struct line_table *table, bool are_directories)
{
	struct formats formats;
	uint64_t nr;

	if (!read_formats(&reader->in, &formats) || !leb128_unsigned(&reader->in, &nr))
		return false;
	/* An entry without a format would take no bytes, and any number of them would fit. */
	if (nr && (!formats.nr || nr > LINE_FILES_MAX))
		return false;
	for (uint64_t i = 0; i < nr; i++) {
		struct entry entry;

		if (!read_entry(reader, &formats, &entry))
			return false;
		if (!(are_directories ? add_directory(table, entry.name)
				      : add_file(table, entry.name, entry.directory)))
			return false;
	}
	return true;
}

/* ---- */

static bool read_parameters(struct bytes *in, struct line_table *ret)
{
	uint8_t is_statement, line_base;

	ret->operations_max = 1;
	if (!bytes_u8(in, &ret->instruction_size) ||
	    (ret->version >= 4 && !bytes_u8(in, &ret->operations_max)) ||
	    !bytes_u8(in, &is_statement) || !bytes_u8(in, &line_base) ||
	    !bytes_u8(in, &ret->line_range) || !bytes_u8(in, &ret->opcode_base))
		return false;
	ret->line_base = (int8_t)line_base;
	if (!ret->line_range || !ret->opcode_base)
		return false;
	return bytes_copy(in, ret->opcode_lengths + 1, ret->opcode_base - 1u);
}

static bool read_head(struct reader *reader, struct line_table *ret)
{
	struct bytes *in = &reader->in;
	uint8_t address_size, selector_size;
	uint64_t size;

	if (!read_length(reader) || !bytes_u16(in, &ret->version) || ret->version < 2 ||
	    ret->version > 5)
		return false;
	if (ret->version == 5 && (!bytes_u8(in, &address_size) || !bytes_u8(in, &selector_size)))
		return false;
	if (!read_offset(reader, &size))
		return false;
	ret->code = *in;
	if (!bytes_skip(&ret->code, size))
		return false;
	in->end = ret->code.at;
	if (!read_parameters(in, ret))
		return false;
	if (ret->version < 5)
		return read_lists(reader, ret);
	return read_entries(reader, ret, true) && read_entries(reader, ret, false);
}

bool line_table_read(const struct debug_sections *sections, uint64_t offset, const char *comp_dir,
		     struct line_table *ret)
{
	struct reader reader = {
		.sections = sections,
		.in = debug_section_from(&sections->line, offset, sections->is_swapped),
	};

	*ret = (struct line_table){.comp_dir = comp_dir};
	return reader.in.at && read_head(&reader, ret);
}

/* ---- paths */

/* In front of what has been joined so far, which is relative. */
static void add_part(struct text *path, const char *part)
{
	if (!part || !*part)
		return;
	text_add(path, part);
	if (part[strlen(part) - 1] != '/')
		text_add_char(path, '/');
}

/* Before version 5 directory 0 is the unit's own and stands in no list. */
static const char *directory_of(const struct line_table *table, uint64_t number)
{
	if (table->version < 5 && !number--)
		return NULL;
	return number < table->directories_nr ? table->directories[number] : NULL;
}

const char *line_table_path(struct line_table *table, uint64_t number, struct strings *strings)
{
	CLEANUP(text_release) struct text path = TEXT_INIT;
	const char *directory;
	struct line_file *file;

	if (table->version < 5 && !number--)
		return NULL;
	if (number >= table->files_nr || !table->files[number].name)
		return NULL;
	file = &table->files[number];
	if (file->path)
		return file->path;
	directory = directory_of(table, file->directory);
	if (file->name[0] != '/') {
		if (!directory || directory[0] != '/')
			add_part(&path, table->comp_dir);
		add_part(&path, directory);
	}
	text_add(&path, file->name);
	file->path = strings_keep(strings, text_string(&path));
	return file->path;
}
