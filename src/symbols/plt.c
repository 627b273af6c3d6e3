/* plt.c - stubs of the procedure linkage table, and which function each jumps to */
#include "symbols/plt.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Slots and stubs of one file; the largest programs have tens of thousands. */
#define SLOTS_MAX (4u << 20)

/* A GOT slot and what the dynamic linker puts into it. */
struct slot {
	uint64_t address;
	uint64_t resolver; /* IRELATIVE's addend; 0: the symbol counts */
	size_t name;	   /* offset in plt->names */
};

struct slots {
	struct slot *list; /* owned; sorted */
	size_t nr, alloc;
};

static int by_address(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static const struct slot *slot_at(const struct slots *slots, uint64_t address)
{
	struct slot key = {.address = address};

	return slots->nr ? bsearch(&key, slots->list, slots->nr, sizeof(key), by_address) : NULL;
}

static bool is_function_slot(int machine, uint64_t type)
{
	if (machine == EM_X86_64)
		return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
	return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
}

static bool is_resolver_slot(int machine, uint64_t type)
{
	return type == (machine == EM_X86_64 ? R_X86_64_IRELATIVE : R_AARCH64_IRELATIVE);
}

/* Adds "name@plt"; PLT_UNNAMED where the symbol has none. */
static size_t stub_name(struct plt *plt, Elf *elf, Elf_Data *symbols, size_t strings,
			uint64_t index)
{
	size_t at = plt->names.size;
	const char *name;
	GElf_Sym sym;

	if (index == 0 || index > INT32_MAX || !symbols || !gelf_getsym(symbols, (int)index, &sym))
		return PLT_UNNAMED;
	name = elf_strptr(elf, strings, sym.st_name);
	if (!name || !*name)
		return PLT_UNNAMED;
	text_add_bytes(&plt->names, name, strcspn(name, "@"));
	text_add(&plt->names, "@plt");
	text_add_char(&plt->names, '\0');
	return at;
}

static void read_relocations(struct plt *plt, struct slots *slots, Elf *elf, int machine,
			     Elf_Scn *scn, const GElf_Shdr *header)
{
	Elf_Scn *symbols_scn = elf_getscn(elf, header->sh_link);
	Elf_Data *symbols = symbols_scn ? elf_getdata(symbols_scn, NULL) : NULL;
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t entry = gelf_fsize(elf, ELF_T_RELA, 1, EV_CURRENT);
	GElf_Shdr symbols_header = {0};

	if (!data || !data->d_buf || entry == 0)
		return;
	if (symbols_scn)
		gelf_getshdr(symbols_scn, &symbols_header);
	for (size_t i = 0; i < data->d_size / entry && slots->nr < SLOTS_MAX; i++) {
		struct slot slot = {0};
		GElf_Rela rela;

		if (!gelf_getrela(data, (int)i, &rela))
			continue;
		slot.address = rela.r_offset;
		slot.name = PLT_UNNAMED;
		if (is_resolver_slot(machine, GELF_R_TYPE(rela.r_info)))
			slot.resolver = (uint64_t)rela.r_addend;
		else if (is_function_slot(machine, GELF_R_TYPE(rela.r_info)))
			slot.name = stub_name(plt, elf, symbols, symbols_header.sh_link,
					      GELF_R_SYM(rela.r_info));
		else
			continue;
		GROW(slots->list, slots->nr + 1, slots->alloc);
		slots->list[slots->nr++] = slot;
	}
}

/* .rela.plt and .rela.dyn: all relocations that a dynamic linker, or a static start, does. */
static void read_slots(struct plt *plt, struct slots *slots, Elf *elf, int machine)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_type == SHT_RELA &&
		    (header.sh_flags & SHF_ALLOC))
			read_relocations(plt, slots, elf, machine, scn, &header);
	if (slots->nr)
		qsort(slots->list, slots->nr, sizeof(*slots->list), by_address);
}

/* ---- code: *ret_slot is where the stub at `code` takes its target from, the result its end */

static uint32_t word_at(const unsigned char *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

/*
 * [endbr64] [mov index, %r11d] [bnd] jmp *disp(%rip). Returns the size, 0 where it is none.
 *
 *   f3 0f 1e fa   endbr64
 *   41 bb imm32   mov imm32, %r11d (mold)
 *   f2            bnd
 *   ff 25 disp32  jmp *disp(%rip)
 */
static size_t x86_64_jump(const unsigned char *code, size_t size, uint64_t address,
			  uint64_t *ret_slot)
{
	static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
	size_t at = 0;

	if (size >= sizeof(endbr) && memcmp(code, endbr, sizeof(endbr)) == 0)
		at = sizeof(endbr);
	if (size - at > 6 && code[at] == 0x41 && code[at + 1] == 0xbb)
		at += 6;
	if (size - at > 1 && code[at] == 0xf2)
		at++;
	if (size - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	*ret_slot = address + at + 6 + (uint64_t)(int64_t)(int32_t)word_at(code + at + 2);
	return at + 6;
}

/*
 * [bti c] adrp x16, page; ldr x17, [x16, #low]; add x16, x16, #low; br x17
 *
 *   d503245f      bti c
 *   1 ll 10000 h{19} 10000     adrp x16: page = (h:ll) << 12, signed
 *   f94 l{12} 10000 10001      ldr x17, [x16, #l * 8]
 */
static size_t aarch64_jump(const unsigned char *code, size_t size, uint64_t address,
			   uint64_t *ret_slot)
{
	size_t at = size >= 4 && word_at(code) == 0xd503245f ? 4 : 0;
	uint32_t adrp, load;
	int64_t page;

	if (size - at < 16)
		return 0;
	adrp = word_at(code + at);
	load = word_at(code + at + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
		return 0;
	page = (int64_t)(int32_t)((adrp >> 5 & 0x7ffff) << 13 | (adrp >> 29 & 3) << 11) >> 11;
	*ret_slot = ((address + at) & ~0xfffull) + (uint64_t)page * 4096 + (load >> 10 & 0xfff) * 8;
	return at + 16;
}

static void add_stub(struct plt *plt, const struct slot *slot, uint64_t address, size_t size)
{
	if (slot->name == PLT_UNNAMED && slot->resolver == 0)
		return;
	GROW(plt->list, plt->nr + 1, plt->alloc);
	plt->list[plt->nr++] = (struct plt_stub){
		.lo = address,
		.size = (uint32_t)size,
		.name = slot->name,
		.resolver = slot->resolver,
	};
}

/* How a machine's stubs are found: how they are aligned, and how long at most. */
struct stub_code {
	size_t step, max;
	size_t (*jump)(const unsigned char *code, size_t size, uint64_t address,
		       uint64_t *ret_slot);
};

static const struct stub_code x86_64 = {8, 16, x86_64_jump};
static const struct stub_code aarch64 = {4, 24, aarch64_jump};

/* Where the next jump is, or as far as a stub may go: what is behind a jump is of its stub. */
static size_t stub_end(const struct stub_code *how, const unsigned char *code, size_t at,
		       size_t jump_size, size_t size)
{
	size_t end = size - at < how->max ? size : at + how->max;
	size_t next = at + (jump_size + how->step - 1) / how->step * how->step;
	uint64_t unused;

	for (; next < end; next += how->step)
		if (how->jump(code + next, size - next, 0, &unused))
			return next;
	return end;
}

/* What is no stub, such as the header, is passed over. */
static void read_stubs(struct plt *plt, const struct slots *slots, const struct stub_code *how,
		       uint64_t lo, const Elf_Data *data)
{
	const unsigned char *code = data->d_buf;
	size_t at = 0, size = data->d_size;

	while (at < size) {
		uint64_t target;
		size_t jump_size = how->jump(code + at, size - at, lo + at, &target);
		size_t end = at + how->step;

		if (jump_size) {
			const struct slot *slot = slot_at(slots, target);

			end = stub_end(how, code, at, jump_size, size);
			if (slot)
				add_stub(plt, slot, lo + at, end - at);
		}
		at = end;
	}
}

static bool is_plt(const char *name)
{
	static const char *const names[] = {".plt", ".plt.sec", ".plt.got", ".iplt"};

	for (size_t i = 0; name && i < ARRAY_NR(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

void plt_build(struct plt *ret, Elf *binary)
{
	struct slots slots = {0};
	Elf_Scn *scn = NULL;
	GElf_Ehdr header;
	size_t names;

	*ret = (struct plt){0};
	if (!gelf_getehdr(binary, &header) || elf_getshdrstrndx(binary, &names) != 0)
		return;
	if (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64)
		return;
	read_slots(ret, &slots, binary, header.e_machine);
	while ((scn = elf_nextscn(binary, scn))) {
		GElf_Shdr shdr;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS ||
		    !(shdr.sh_flags & SHF_EXECINSTR) ||
		    !is_plt(elf_strptr(binary, names, shdr.sh_name)))
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_buf)
			read_stubs(ret, &slots, header.e_machine == EM_X86_64 ? &x86_64 : &aarch64,
				   shdr.sh_addr, data);
	}
	free(slots.list);
}

void plt_release(struct plt *plt)
{
	free(plt->list);
	text_release(&plt->names);
	*plt = (struct plt){0};
}
