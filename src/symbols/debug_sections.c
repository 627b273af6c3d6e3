/* debug_sections.c - the bytes of a file's debug sections, and where its code is */
#include "symbols/debug_sections.h"

#include <elf.h>
#include <endian.h>
#include <gelf.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/dwarf_names.h"

struct bytes debug_section_from(const struct debug_section *section, uint64_t offset,
				bool is_swapped)
{
	if (!section->at || offset > section->size)
		return (struct bytes){0};
	return (struct bytes){section->at + offset, section->at + section->size, is_swapped};
}

const char *debug_section_string(const struct debug_section *section, uint64_t offset)
{
	const char *string;

	if (!section->at || offset >= section->size)
		return NULL;
	string = (const char *)section->at + offset;
	return memchr(string, '\0', section->size - offset) ? string : NULL;
}

/* ".debug_line" or, compressed as GNU tools did before ELF knew how, ".zdebug_line" */
static const char *debug_name(const char *name)
{
	if (name && strncmp(name, ".debug_", 7) == 0)
		return name + 7;
	if (name && strncmp(name, ".zdebug_", 8) == 0)
		return name + 8;
	return NULL;
}

static struct debug_section *section_slot(struct debug_sections *sections, const char *name,
					  size_t size)
{
	const struct {
		const char *name;
		struct debug_section *section;
	} wanted[] = {
		{"info", &sections->info}, {"abbrev", &sections->abbrev},
		{"line", &sections->line}, {"line_str", &sections->line_str},
		{"str", &sections->str},
	};

	for (size_t i = 0; i < ARRAY_NR(wanted); i++) {
		if (strlen(wanted[i].name) == size && memcmp(wanted[i].name, name, size) == 0)
			return wanted[i].section;
	}
	return NULL;
}

/* Takes the sections whose names end in suffix: ".dwo" or nothing. */
static void sections_take(Elf *elf, const char *suffix, struct debug_sections *ret)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header_memory, *header = gelf_getshdr(scn, &header_memory);
		const char *name =
			header ? debug_name(elf_strptr(elf, names, header->sh_name)) : NULL;
		const char *end = name ? strchrnul(name, '.') : NULL;
		struct debug_section *slot;
		Elf_Data *data;

		if (!name || strcmp(end, suffix) != 0 || header->sh_type == SHT_NOBITS)
			continue;
		slot = section_slot(ret, name, (size_t)(end - name));
		data = slot && !slot->at ? elf_getdata(scn, NULL) : NULL;
		if (data && data->d_buf)
			*slot = (struct debug_section){data->d_buf, data->d_size};
	}
}

static bool is_unread(const char *name)
{
	static const char *const unread[] = {"loc",	 "loclists",	 "macro",
					     "macinfo",	 "aranges",	 "pubnames",
					     "pubtypes", "gnu_pubnames", "gnu_pubtypes"};

	for (size_t i = 0; name && i < ARRAY_NR(unread); i++)
		if (strcmp(name, unread[i]) == 0)
			return true;
	return false;
}

void debug_sections_hide(Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header;

		if (!gelf_getshdr(scn, &header) ||
		    !is_unread(debug_name(elf_strptr(elf, names, header.sh_name))))
			continue;
		header.sh_type = SHT_NOBITS;
		gelf_update_shdr(scn, &header);
	}
}

static bool is_file_swapped(Elf *elf)
{
	const char *ident = elf_getident(elf, NULL);

	return ident &&
	       ident[EI_DATA] != (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB);
}

void debug_sections_find(Dwarf *dwarf, struct debug_sections *ret)
{
	Elf *elf = dwarf_getelf(dwarf);
	struct debug_sections plain = {0}, dwo = {0};
	Dwarf_CU *cu = NULL;
	Dwarf_Die die = {0};

	sections_take(elf, "", &plain);
	sections_take(elf, ".dwo", &dwo);
	/* One file may have both (-gsplit-dwarf=single): libdw has decided which of them it reads.
	 */
	*ret = plain;
	if (dwo.info.at && dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) == 0) {
		const unsigned char *at = die.addr;

		if (at >= dwo.info.at && at < dwo.info.at + dwo.info.size)
			*ret = dwo;
	}
	ret->is_swapped = is_file_swapped(elf);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct code_range *left = a, *right = b;

	return left->low < right->low ? -1 : left->low > right->low;
}

static void merge_ranges(struct code_ranges *code)
{
	size_t nr = 0;

	qsort(code->ranges, code->ranges_nr, sizeof(*code->ranges), compare_ranges);
	for (size_t i = 0; i < code->ranges_nr; i++) {
		struct code_range *last = nr ? &code->ranges[nr - 1] : NULL;

		if (!last || code->ranges[i].low > last->high)
			code->ranges[nr++] = code->ranges[i];
		else if (code->ranges[i].high > last->high)
			last->high = code->ranges[i].high;
	}
	code->ranges_nr = nr;
}

/* In a .debug file the code itself is not there (SHT_NOBITS), its addresses are. */
void code_ranges_find(Elf *elf, struct code_ranges *ret)
{
	const uint64_t flags = SHF_ALLOC | SHF_EXECINSTR;
	Elf_Scn *scn = NULL;

	*ret = (struct code_ranges){0};
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr memory, *header = gelf_getshdr(scn, &memory);
		uint64_t end;

		if (!header || (header->sh_flags & flags) != flags || !header->sh_size ||
		    __builtin_add_overflow(header->sh_addr, header->sh_size, &end))
			continue;
		GROW(ret->ranges, ret->ranges_nr + 1, ret->ranges_alloc);
		ret->ranges[ret->ranges_nr++] = (struct code_range){header->sh_addr, end};
	}
	if (ret->ranges_nr)
		merge_ranges(ret);
}

void code_ranges_release(struct code_ranges *code)
{
	free(code->ranges);
	*code = (struct code_ranges){0};
}

bool code_ranges_has(const struct code_ranges *code, uint64_t low)
{
	size_t first = 0, nr = code->ranges_nr;

	while (nr) {
		const struct code_range *middle = &code->ranges[first + nr / 2];

		if (low >= middle->low && low < middle->high)
			return true;
		if (low < middle->low) {
			nr /= 2;
		} else {
			first += nr / 2 + 1;
			nr -= nr / 2 + 1;
		}
	}
	return false;
}

void debug_sections_check(Elf *elf, struct dwarf_facts *facts)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header_memory, *header = gelf_getshdr(scn, &header_memory);
		GElf_Chdr memory, *compression;
		const char *name;

		if (!header || !(header->sh_flags & SHF_COMPRESSED))
			continue;
		name = elf_strptr(elf, names, header->sh_name);
		compression = gelf_getchdr(scn, &memory);
		if (debug_name(name) && compression && compression->ch_type != ELFCOMPRESS_ZLIB)
			dwarf_fact_add(facts, DWARF_FACT_COMPRESSION, "section %s: type %u", name,
				       (unsigned)compression->ch_type);
	}
}
