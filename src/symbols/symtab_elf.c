/* symtab_elf.c - the symbol tables of one ELF file, read into a table that is not sorted yet */
#include "symbols/symtab_elf.h"

#include <gelf.h>
#include <string.h>

#include "base/mem.h"
#include "base/unpack.h"

/* More symbols are not read: a table of 3 GB. */
#define SYMBOLS_MAX (100u << 20)

/*
 * Linkers let names share their ends, never more than that. A file whose names add up to many
 * times its string table wants to take our memory.
 */
#define NAMES_FACTOR 8

struct section {
	uint64_t lo, hi;
	bool is_code;
};

/* What is needed of a file while its symbols are read. */
struct elf_file {
	Elf *elf;
	struct section *sections; /* owned; by section index */
	size_t nr;
	int machine;
	uint64_t bias;
	enum symtab_source source;
};

/* Bits of a rank: local symbols are behind old versions, those behind weak ones. */
#define RANK_BIND_SHIFT 11
#define RANK_BIND	(3u << RANK_BIND_SHIFT)
#define RANK_OLD	(2u << RANK_BIND_SHIFT)

/* Bit of a version number: the version is not the one that programs are linked with. */
#define VERSYM_HIDDEN 0x8000

struct strings {
	const char *at;
	size_t size;
	size_t budget; /* bytes that names may still have */
};

static const char *section_name(Elf *elf, Elf_Scn *scn, GElf_Shdr *ret)
{
	const char *name = NULL;
	size_t names;

	if (gelf_getshdr(scn, ret) && elf_getshdrstrndx(elf, &names) == 0)
		name = elf_strptr(elf, names, ret->sh_name);
	return name ? name : "";
}

static Elf_Scn *section_named(Elf *elf, const char *name, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		if (strcmp(section_name(elf, scn, ret), name) == 0)
			return scn;
	return NULL;
}

/*
 * The code of an object (ET_REL) is in sections that all begin at 0 and that the kernel puts
 * where it likes; what a capture says of a module is the beginning of .text.
 */
static bool is_code(Elf *elf, Elf_Scn *scn, const GElf_Shdr *header, bool is_object)
{
	const uint64_t flags = SHF_ALLOC | SHF_EXECINSTR;
	GElf_Shdr unused;

	if ((header->sh_flags & flags) != flags)
		return false;
	return !is_object || strcmp(section_name(elf, scn, &unused), ".text") == 0;
}

/* A .text without contents (NOBITS), as debug files have it, counts as well. */
static void file_init(struct elf_file *file, Elf *elf, enum symtab_source source, uint64_t bias)
{
	GElf_Ehdr header = {0};
	Elf_Scn *scn = NULL;

	*file = (struct elf_file){.elf = elf, .source = source, .bias = bias};
	if (!gelf_getehdr(elf, &header) || elf_getshdrnum(elf, &file->nr) != 0)
		file->nr = 0;
	file->machine = header.e_machine;
	file->sections = mem_zalloc(file->nr + 1, sizeof(*file->sections));
	while ((scn = elf_nextscn(elf, scn))) {
		struct section *section = &file->sections[elf_ndxscn(scn)];
		GElf_Shdr shdr;

		if (elf_ndxscn(scn) >= file->nr || !gelf_getshdr(scn, &shdr))
			continue;
		section->is_code = is_code(elf, scn, &shdr, header.e_type == ET_REL);
		section->lo = shdr.sh_addr;
		if (__builtin_add_overflow(shdr.sh_addr, shdr.sh_size, &section->hi))
			section->hi = UINT64_MAX;
	}
}

/* ARM's and RISC-V's marks of what is code and what is data, and the compilers' own labels. */
static bool is_mark(int machine, const char *name, size_t size)
{
	if (size >= 2 && name[0] == '.' && name[1] == 'L')
		return true;
	if (machine != EM_AARCH64 && machine != EM_ARM && machine != EM_RISCV)
		return false;
	if (size < 2 || name[0] != '$' || !memchr("xdat", name[1], 4))
		return false;
	return size == 2 || name[2] == '.' || (machine == EM_RISCV && name[1] == 'x');
}

static bool begins(const char *name, size_t size, const char *with)
{
	return size >= strlen(with) && memcmp(name, with, strlen(with)) == 0;
}

/* Which of several names at one address is shown: the one of the lowest rank. */
static uint16_t rank_of(const GElf_Sym *sym, const char *name, size_t size)
{
	static const unsigned binds[] = {[STB_LOCAL] = 3, [STB_GLOBAL] = 0, [STB_WEAK] = 1};
	unsigned bind = GELF_ST_BIND(sym->st_info), underscores = 0;
	bool is_last_choice = begins(name, size, "__cfi_") || begins(name, size, "__pfx_");

	while (underscores < size && underscores < 15 && name[underscores] == '_')
		underscores++;
	return (uint16_t)(is_last_choice << 15 | (sym->st_size == 0) << 14 |
			  (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE) << 13 |
			  (bind < ARRAY_NR(binds) ? binds[bind] : 0) << RANK_BIND_SHIFT |
			  underscores << 7 | (size > 1 && memchr(name + 1, '.', size - 1)) << 6);
}

void symtab_elf_set_old(struct symtab_symbol *symbol)
{
	symbol->flags |= SYMTAB_OLD;
	if ((symbol->rank & RANK_BIND) < RANK_OLD)
		symbol->rank = (uint16_t)((symbol->rank & ~RANK_BIND) | RANK_OLD);
}

/* "free@@GLIBC_2.2.5" is what programs are linked with, "cfree@GLIBC_2.2.5" an old one. */
void symtab_elf_add(struct symtab *symtab, struct symtab_symbol symbol, const char *name,
		    size_t size)
{
	const char *version = size > 1 ? memchr(name + 1, '@', size - 1) : NULL;

	if (version && symbol.source != SYMTAB_PLT) {
		if (version + 1 < name + size && version[1] != '@')
			symtab_elf_set_old(&symbol);
		size = (size_t)(version - name);
	}
	symbol.name = (const char *)(uintptr_t)symtab->names.size;
	text_add_bytes(&symtab->names, name, size);
	text_add_char(&symtab->names, '\0');
	GROW(symtab->list, (size_t)symtab->nr + 1, symtab->list_alloc);
	symtab->list[symtab->nr++] = symbol;
}

/* The section that holds the symbol, NULL where it is no function of this file. */
static const struct section *home_of(struct symtab *symtab, const struct elf_file *file,
				     const GElf_Sym *sym, uint64_t address)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);
	const struct section *section;

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return NULL;
	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= file->nr)
		return NULL;
	section = &file->sections[sym->st_shndx];
	if (!section->is_code)
		return NULL;
	if (address >= section->lo && address < section->hi)
		return section;
	/* linker scripts put labels at the end of a section: these are of no code */
	symtab->refused.outside += type != STT_NOTYPE;
	return NULL;
}

/* The name's length, 0 where it has none that can be read. */
static size_t name_size(struct symtab *symtab, struct strings *strings, uint64_t at)
{
	size_t max, size;

	if (at == 0)
		return 0;
	if (at >= strings->size) {
		symtab->refused.names++;
		return 0;
	}
	max = strings->size - at < strings->budget ? strings->size - at : strings->budget;
	size = strnlen(strings->at + at, max);
	strings->budget -= size;
	if (size < max)
		return size;
	symtab->refused.names++;
	return 0;
}

static uint8_t flags_of(const GElf_Sym *sym)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);

	return (uint8_t)((sym->st_size ? 0 : SYMTAB_SIZELESS) |
			 (type == STT_GNU_IFUNC ? SYMTAB_RESOLVER : 0) |
			 (type == STT_NOTYPE ? SYMTAB_LABEL : 0));
}

static void add_symbol(struct symtab *symtab, const struct elf_file *file, struct strings *strings,
		       const GElf_Sym *sym, bool is_old)
{
	bool is_thumb = file->machine == EM_ARM && GELF_ST_TYPE(sym->st_info) == STT_FUNC;
	uint64_t address = is_thumb ? sym->st_value & ~1ull : sym->st_value;
	const struct section *home = home_of(symtab, file, sym, address);
	const char *name = strings->at + sym->st_name;
	struct symtab_symbol symbol;
	uint64_t end;
	size_t size;

	if (!home)
		return;
	size = name_size(symtab, strings, sym->st_name);
	if (size == 0 || is_mark(file->machine, name, size))
		return;
	end = home->hi;
	if (sym->st_size && sym->st_size < end - address)
		end = address + sym->st_size;
	symbol = (struct symtab_symbol){
		.lo = address + file->bias,
		.hi = end + file->bias,
		.rank = rank_of(sym, name, size),
		.source = file->source,
		.flags = flags_of(sym),
	};
	if (is_old)
		symtab_elf_set_old(&symbol);
	symtab_elf_add(symtab, symbol, name, size);
}

/* The version numbers of .dynsym, NULL without any. */
static Elf_Data *versions_of(const struct elf_file *file)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while (file->source == SYMTAB_DYNAMIC && (scn = elf_nextscn(file->elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_type == SHT_GNU_versym)
			return elf_getdata(scn, NULL);
	return NULL;
}

static void read_section(struct symtab *symtab, const struct elf_file *file, Elf_Scn *scn,
			 const GElf_Shdr *header)
{
	Elf_Scn *names_scn = elf_getscn(file->elf, header->sh_link);
	Elf_Data *names = names_scn ? elf_getdata(names_scn, NULL) : NULL;
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t entry = gelf_fsize(file->elf, ELF_T_SYM, 1, EV_CURRENT);
	Elf_Data *versions = versions_of(file);
	struct strings strings;

	if (!names || !names->d_buf || !data || !data->d_buf || entry == 0)
		return;
	strings = (struct strings){names->d_buf, names->d_size, names->d_size};
	if (__builtin_mul_overflow(names->d_size, (size_t)NAMES_FACTOR, &strings.budget))
		strings.budget = names->d_size;
	for (size_t i = 1; i < data->d_size / entry && symtab->nr < SYMBOLS_MAX; i++) {
		GElf_Sym sym;
		GElf_Versym version = 0;

		if (versions)
			gelf_getversym(versions, (int)i, &version);
		if (gelf_getsym(data, (int)i, &sym))
			add_symbol(symtab, file, &strings, &sym, version & VERSYM_HIDDEN);
	}
}

uint32_t symtab_elf_read(struct symtab *symtab, Elf *elf, enum symtab_source source, uint64_t bias)
{
	const uint32_t type = source == SYMTAB_DYNAMIC ? SHT_DYNSYM : SHT_SYMTAB;
	const uint32_t before = symtab->nr;
	struct elf_file file;
	Elf_Scn *scn = NULL;

	file_init(&file, elf, source, bias);
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header;

		if (!gelf_getshdr(scn, &header) || header.sh_type != type)
			continue;
		read_section(symtab, &file, scn, &header);
		break;
	}
	free(file.sections);
	return symtab->nr - before;
}

void symtab_elf_read_mini(struct symtab *symtab, Elf *elf)
{
	GElf_Shdr header;
	Elf_Scn *scn = section_named(elf, ".gnu_debugdata", &header);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	CLEANUP(text_release) struct text unpacked = TEXT_INIT;
	Elf *mini;

	if (!data || !data->d_buf)
		return;
	if (unpack_bytes(data->d_buf, data->d_size, SYMTAB_MINI_MAX, &unpacked) ||
	    unpacked.size == 0) {
		symtab->refused.mini = true;
		return;
	}
	mini = elf_memory(unpacked.bytes, unpacked.size);
	if (!mini || elf_kind(mini) != ELF_K_ELF)
		symtab->refused.mini = true;
	else
		symtab_elf_read(symtab, mini, SYMTAB_MINI, 0);
	elf_end(mini);
}

uint64_t symtab_elf_bias(Elf *from, Elf *to)
{
	GElf_Shdr from_text, to_text;

	if (!section_named(from, ".text", &from_text) || !section_named(to, ".text", &to_text))
		return 0;
	return to_text.sh_addr - from_text.sh_addr;
}
