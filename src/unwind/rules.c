/* rules.c - the call-frame information of one module is found, and asked for an address */
#include "unwind/rules.h"

#include <elf.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/unpack.h"
#include "binaries/elf_file.h"
#include "unwind/rules_parts.h"

#define BIT(reg) (UINT64_C(1) << (reg))

/* System V ABI, AMD64 supplement, 3.2.1; Procedure Call Standard for the Arm 64-bit Architecture */
static const struct rules_abi abis[] = {
	{
		.machine = EM_X86_64,
		.sp = 7,
		.pc = 16,
		.saved = {3, 6, 12, 13, 14, 15},
		.preserved = BIT(3) | BIT(6) | BIT(12) | BIT(13) | BIT(14) | BIT(15),
	},
	{
		.machine = EM_AARCH64,
		.sp = 31,
		.pc = 32,
		.saved = {29, 19, 20, 21, 22, 23},
		.preserved = BIT(30) - BIT(19),
	},
};

/* ---- the sections */

/* Without section headers: .eh_frame_hdr says where .eh_frame begins, its segment where it ends. */
static bool find_by_header(const struct elf_file *file, struct cfi_section *section,
			   const struct bytes *header, uint64_t header_vaddr)
{
	struct cfi_section self = {
		.all = *header, .vaddr = header_vaddr, .data_base = header_vaddr};
	struct bytes in = *header;
	uint8_t encoding;
	uint64_t vaddr;
	size_t left;

	if (!bytes_skip(&in, 1) || !bytes_u8(&in, &encoding) || !bytes_skip(&in, 2) ||
	    !cfi_pointer(&self, &in, encoding, &vaddr))
		return false;
	section->all.at = elf_file_at(file, vaddr, &left);
	if (!section->all.at)
		return false;
	section->all.end = section->all.at + left;
	section->vaddr = vaddr;
	return true;
}

static bool find_header(const struct elf_file *file, struct bytes *ret, uint64_t *ret_vaddr)
{
	for (uint32_t i = 0; i < file->segments_nr; i++) {
		const struct elf_segment *segment = &file->segments[i];
		const unsigned char *at;
		size_t left;

		if (segment->type != PT_GNU_EH_FRAME)
			continue;
		at = elf_file_at(file, segment->vaddr, &left);
		if (!at || segment->file_size > left)
			return false;
		*ret = (struct bytes){at, at + segment->file_size, file->is_swapped};
		*ret_vaddr = segment->vaddr;
		return true;
	}
	return false;
}

static bool find_by_name(const struct elf_file *file, const char *name, struct cfi_section *ret)
{
	const struct elf_section *section = elf_file_section(file, name);
	const unsigned char *at = section ? elf_file_section_bytes(file, section) : NULL;

	if (!at || section->flags & SHF_COMPRESSED)
		return false;
	ret->all.at = at;
	ret->all.end = at + section->size;
	ret->vaddr = section->addr;
	return true;
}

/* Offsets have 32 bits. Nothing is read of objects (ET_REL): their sections are not laid out. */
static bool is_usable(const struct elf_file *file, const struct cfi_section *section)
{
	return file->type != ET_REL && bytes_left(&section->all) > 0 &&
	       bytes_left(&section->all) <= UINT32_MAX;
}

void rules_part_begin(struct rules_part *part)
{
	size_t size = bytes_left(&part->section.all);

	part->rows = mem_zalloc(part->index.nr, sizeof(*part->rows));
	part->work = (int64_t)size * 4 + CFI_FDE_PROGRAM_MAX;
}

static void open_eh_frame(struct rules *rules, const struct elf_file *file)
{
	struct rules_part *part = &rules->parts[RULES_EH_FRAME];
	struct cfi_section *section = &part->section;
	struct bytes header;
	uint64_t vaddr = 0;
	bool has_header = find_header(file, &header, &vaddr);

	section->all.is_swapped = file->is_swapped;
	section->is_aarch64 = file->machine == EM_AARCH64;
	section->data_base = vaddr;
	if (!find_by_name(file, ".eh_frame", section) &&
	    (!has_header || !find_by_header(file, section, &header, vaddr)))
		return;
	if (!is_usable(file, section))
		return;
	if (!has_header || !cfi_index_from_header(section, header, vaddr, &part->index))
		cfi_index_from_section(section, file, &part->index);
	rules_part_begin(part);
}

/* ---- .debug_frame, as it is or packed */

static bool unpack(struct rules *rules, struct cfi_section *section, struct bytes packed,
		   uint64_t size)
{
	struct text text = TEXT_INIT;

	if (size > RULES_SECTION_MAX)
		return false;
	if (unpack_zlib(packed.at, bytes_left(&packed), (size_t)size, &text) || text.size != size) {
		text_release(&text);
		return false;
	}
	free(rules->unpacked); /* of the debug file, if that was of no use */
	rules->unpacked = text_take(&text);
	section->all.at = (unsigned char *)rules->unpacked;
	section->all.end = section->all.at + size;
	return true;
}

/* Elf64_Chdr: type, 4 bytes of nothing, size, alignment */
static bool unpack_section(struct rules *rules, const struct elf_file *file,
			   struct cfi_section *section)
{
	const struct elf_section *found = elf_file_section(file, ".debug_frame");
	const unsigned char *at = found ? elf_file_section_bytes(file, found) : NULL;
	struct bytes in;
	uint32_t type, reserved;
	uint64_t size, align;

	if (!at)
		return false;
	in = (struct bytes){at, at + found->size, file->is_swapped};
	return bytes_u32(&in, &type) && type == ELFCOMPRESS_ZLIB && bytes_u32(&in, &reserved) &&
	       bytes_u64(&in, &size) && bytes_u64(&in, &align) && unpack(rules, section, in, size);
}

/* What GNU tools did before: .zdebug_frame, "ZLIB" and the size, the highest byte first. */
static bool unpack_old_section(struct rules *rules, const struct elf_file *file,
			       struct cfi_section *section)
{
	const struct elf_section *found = elf_file_section(file, ".zdebug_frame");
	const unsigned char *at = found ? elf_file_section_bytes(file, found) : NULL;
	struct bytes in;
	uint64_t size = 0;
	uint8_t byte;

	if (!at || found->size < 12 || memcmp(at, "ZLIB", 4) != 0)
		return false;
	in = (struct bytes){at + 4, at + found->size, false};
	for (unsigned i = 0; i < 8 && bytes_u8(&in, &byte); i++)
		size = size << 8 | byte;
	return unpack(rules, section, in, size);
}

static bool open_debug_frame(struct rules *rules, const struct elf_file *file)
{
	struct rules_part *part = &rules->parts[RULES_DEBUG_FRAME];
	struct cfi_section *section = &part->section;

	section->all.is_swapped = file->is_swapped;
	section->is_aarch64 = file->machine == EM_AARCH64;
	section->is_debug_frame = true;
	if (!find_by_name(file, ".debug_frame", section) && !unpack_section(rules, file, section) &&
	    !unpack_old_section(rules, file, section))
		return false;
	section->vaddr = 0;
	if (!is_usable(file, section))
		return false;
	cfi_index_from_section(section, file, &part->index);
	part->flags = RULE_DEBUG_FRAME;
	rules_part_begin(part);
	return true;
}

/* ---- opening and closing */

static const struct rules_abi *abi_of(uint16_t machine)
{
	for (size_t i = 0; i < ARRAY_NR(abis); i++)
		if (abis[i].machine == machine)
			return &abis[i];
	return NULL;
}

static struct error *find_abi(const struct elf_file *file, const struct rules_abi **ret)
{
	const struct rules_abi *abi = abi_of(file->machine);

	if (!file->is_64)
		return error_new(ERROR_LIMIT, "its stacks cannot be unwound: it is a 32-bit file, "
					      "only 64-bit ones are supported");
	if (abi && !file->is_swapped) {
		*ret = abi;
		return NULL;
	}
	return error_new(ERROR_LIMIT,
			 "its stacks cannot be unwound: machine %u%s is neither x86-64 nor "
			 "little-endian aarch64",
			 file->machine, file->is_swapped ? " of the other byte order" : "");
}

struct rules *rules_new(uint16_t machine)
{
	struct rules *rules = mem_zalloc(1, sizeof(*rules));

	rules->abi = abi_of(machine);
	return rules;
}

struct error *rules_open(const struct elf_file *binary, const struct elf_file *debug,
			 struct rules **ret)
{
	const struct rules_abi *abi = NULL;
	struct error *err = NULL;
	struct rules *rules;

	if (binary)
		err = find_abi(binary, &abi);
	if (!err && debug)
		err = find_abi(debug, &abi);
	if (err)
		return err;
	rules = rules_new(abi ? abi->machine : EM_X86_64);
	if (binary)
		open_eh_frame(rules, binary);
	if (!debug || !open_debug_frame(rules, debug))
		if (binary)
			open_debug_frame(rules, binary);
	*ret = rules;
	return NULL;
}

static void part_release(struct rules_part *part)
{
	for (uint32_t i = 0; i < part->index.nr; i++)
		free(part->rows[i]);
	free(part->rows);
	for (unsigned i = 0; i < RULES_COMMONS_NR; i++)
		free(part->commons[i]);
	cfi_index_release(&part->index);
}

void rules_close(struct rules *rules)
{
	if (!rules)
		return;
	for (unsigned i = 0; i < RULES_PARTS_NR; i++)
		part_release(&rules->parts[i]);
	free(rules->unpacked);
	free(rules);
}

/* ---- asking */

static const struct rule *find_row(const struct rules_rows *rows, uint32_t offset)
{
	const struct rules_row *at = rows->rows;
	uint32_t nr = rows->nr;

	while (nr > 1) {
		uint32_t half = nr / 2;

		at = offset >= at[half].start ? at + half : at;
		nr -= half;
	}
	return &at->rule;
}

static const struct rule *find_in(const struct rules *rules, struct rules_part *part,
				  uint64_t vaddr)
{
	uint32_t index = cfi_index_find(&part->index, vaddr);
	const struct rules_rows *rows;
	uint64_t offset;

	if (index == CFI_INDEX_NONE)
		return NULL;
	rows = rules_rows(rules, part, index);
	offset = vaddr - part->index.starts[index];
	if (offset >= rows->size)
		return NULL;
	return find_row(rows, (uint32_t)offset);
}

const struct rule *rules_find(struct rules *rules, uint64_t vaddr)
{
	static const struct rule none = {.kind = RULE_NO_FDE, .base = RULES_NO_REGISTER};

	for (unsigned i = 0; i < RULES_PARTS_NR; i++) {
		const struct rule *rule = find_in(rules, &rules->parts[i], vaddr);

		if (rule && rule->kind != RULE_NO_FDE)
			return rule;
	}
	return &none;
}

size_t rules_compile(struct rules *rules)
{
	size_t nr = 0;

	for (unsigned i = 0; i < RULES_PARTS_NR; i++)
		for (uint32_t j = 0; j < rules->parts[i].index.nr; j++)
			nr += rules_rows(rules, &rules->parts[i], j)->nr;
	return nr;
}

size_t rules_functions(const struct rules *rules)
{
	return (size_t)rules->parts[0].index.nr + rules->parts[1].index.nr;
}

const uint8_t *rules_saved(const struct rules *rules)
{
	return rules->abi->saved;
}
