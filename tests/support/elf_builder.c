/* elf_builder.c - ELF files written byte by byte, good ones and bad ones */
#include "tests/support/elf_builder.h"

#include <elf.h>

#include "base/mem.h"

void elf_builder_release(struct elf_builder *builder)
{
	for (unsigned i = 0; i < builder->sections_nr; i++)
		text_release(&builder->sections[i].bytes);
	*builder = (struct elf_builder){0};
}

/* ---- numbers */

static void number(const struct elf_builder *builder, struct text *to, uint64_t value,
		   unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		text_add_char(to, (char)(value >> 8 * (builder->is_big ? size - 1 - i : i) & 0xff));
}

void elf_builder_u16(const struct elf_builder *builder, struct text *to, uint16_t value)
{
	number(builder, to, value, 2);
}

void elf_builder_u32(const struct elf_builder *builder, struct text *to, uint32_t value)
{
	number(builder, to, value, 4);
}

static void word(const struct elf_builder *builder, struct text *to, uint64_t value)
{
	number(builder, to, value, builder->is_32 ? 4 : 8);
}

static void pad_to(struct text *to, size_t size)
{
	while (to->size < size)
		text_add_char(to, '\0');
}

/* ---- parts */

struct elf_builder_section *elf_builder_section(struct elf_builder *builder, const char *name,
						uint32_t type, uint64_t flags, uint64_t addr,
						const void *bytes, size_t size)
{
	struct elf_builder_section *section = &builder->sections[builder->sections_nr++];

	*section = (struct elf_builder_section){
		.name = name, .type = type, .flags = flags, .addr = addr, .size = size, .align = 4};
	if (bytes)
		text_add_bytes(&section->bytes, bytes, size);
	return section;
}

void elf_builder_segment(struct elf_builder *builder, struct elf_builder_segment segment)
{
	builder->segments[builder->segments_nr++] = segment;
}

void elf_builder_note(const struct elf_builder *builder, struct text *to, const char *name,
		      uint32_t type, const void *bytes, size_t size, unsigned pad)
{
	size_t begin = to->size;

	elf_builder_u32(builder, to, (uint32_t)strlen(name) + 1);
	elf_builder_u32(builder, to, (uint32_t)size);
	elf_builder_u32(builder, to, type);
	text_add_bytes(to, name, strlen(name) + 1);
	pad_to(to, begin + (to->size - begin + pad - 1) / pad * pad);
	text_add_bytes(to, bytes, size);
	pad_to(to, begin + (to->size - begin + pad - 1) / pad * pad);
}

static void add_hex(struct text *to, const char *hex)
{
	for (; hex[0] && hex[1]; hex += 2) {
		char digits[] = {hex[0], hex[1], '\0'};

		text_add_char(to, (char)strtoul(digits, NULL, 16));
	}
}

void elf_builder_build_id(struct elf_builder *builder, const char *hex)
{
	struct text id = TEXT_INIT, note = TEXT_INIT;

	add_hex(&id, hex);
	elf_builder_note(builder, &note, "GNU", NT_GNU_BUILD_ID, id.bytes, id.size, 4);
	elf_builder_section(builder, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0x400300,
			    note.bytes, note.size);
	text_release(&id);
	text_release(&note);
}

void elf_builder_debuglink(struct elf_builder *builder, const char *name, uint32_t crc)
{
	struct text bytes = TEXT_INIT;

	text_add_bytes(&bytes, name, strlen(name) + 1);
	pad_to(&bytes, (bytes.size + 3) / 4 * 4);
	elf_builder_u32(builder, &bytes, crc);
	elf_builder_section(builder, ".gnu_debuglink", SHT_PROGBITS, 0, 0, bytes.bytes, bytes.size);
	text_release(&bytes);
}

void elf_builder_altlink(struct elf_builder *builder, const char *path, const char *hex)
{
	struct text bytes = TEXT_INIT;

	text_add_bytes(&bytes, path, strlen(path) + 1);
	add_hex(&bytes, hex);
	elf_builder_section(builder, ".gnu_debugaltlink", SHT_PROGBITS, 0, 0, bytes.bytes,
			    bytes.size);
	text_release(&bytes);
}

void elf_builder_debug_info(struct elf_builder *builder)
{
	elf_builder_section(builder, ".debug_info", SHT_PROGBITS, 0, 0, "looks like it", 14);
}

void elf_builder_symtab(struct elf_builder *builder)
{
	static const char none[24];

	elf_builder_section(builder, ".symtab", SHT_SYMTAB, 0, 0, none, sizeof(none));
}

/* ---- the file: header, segments, the bytes of sections, their names, the section headers */

static size_t header_size(const struct elf_builder *builder)
{
	return builder->is_32 ? 52 : 64;
}

static void add_header(const struct elf_builder *builder, struct text *to, uint64_t sections)
{
	unsigned sections_nr = builder->lacks_sections ? 0 : builder->sections_nr + 2;
	bool has_many = builder->has_many_sections;

	text_add_bytes(to, ELFMAG, SELFMAG);
	text_add_char(to, builder->is_32 ? ELFCLASS32 : ELFCLASS64);
	text_add_char(to, builder->is_big ? ELFDATA2MSB : ELFDATA2LSB);
	text_add_char(to, EV_CURRENT);
	pad_to(to, EI_NIDENT);
	elf_builder_u16(builder, to, builder->type);
	elf_builder_u16(builder, to, builder->machine);
	elf_builder_u32(builder, to, EV_CURRENT);
	word(builder, to, 0);
	word(builder, to, builder->segments_nr ? header_size(builder) : 0);
	word(builder, to, builder->lacks_sections ? 0 : sections);
	elf_builder_u32(builder, to, 0);
	elf_builder_u16(builder, to, (uint16_t)header_size(builder));
	elf_builder_u16(builder, to, builder->is_32 ? 32 : 56);
	elf_builder_u16(builder, to, (uint16_t)builder->segments_nr);
	elf_builder_u16(builder, to, builder->is_32 ? 40 : 64);
	elf_builder_u16(builder, to, (uint16_t)(has_many ? 0 : sections_nr));
	elf_builder_u16(builder, to,
			(uint16_t)(has_many	 ? SHN_XINDEX
				   : sections_nr ? sections_nr - 1
						 : 0));
}

static void add_segment(const struct elf_builder *builder, struct text *to,
			const struct elf_builder_segment *segment)
{
	elf_builder_u32(builder, to, segment->type);
	if (!builder->is_32)
		elf_builder_u32(builder, to, segment->flags);
	word(builder, to, segment->offset);
	word(builder, to, segment->vaddr);
	word(builder, to, segment->vaddr);
	word(builder, to, segment->file_size);
	word(builder, to, segment->mem_size);
	if (builder->is_32)
		elf_builder_u32(builder, to, segment->flags);
	word(builder, to, segment->align);
}

static void add_section(const struct elf_builder *builder, struct text *to, uint32_t name,
			const struct elf_builder_section *section, uint32_t link)
{
	elf_builder_u32(builder, to, name);
	elf_builder_u32(builder, to, section->type);
	word(builder, to, section->flags);
	word(builder, to, section->addr);
	word(builder, to, section->offset);
	word(builder, to, section->size);
	elf_builder_u32(builder, to, link);
	elf_builder_u32(builder, to, 0);
	word(builder, to, section->align);
	word(builder, to, 0);
}

static void add_section_headers(const struct elf_builder *builder, struct text *to,
				const uint64_t *offsets, size_t names, size_t names_size)
{
	unsigned nr = builder->sections_nr + 2;
	const struct elf_builder_section first = {.size = builder->has_many_sections ? nr : 0};
	uint32_t name = 1;

	add_section(builder, to, 0, &first, builder->has_many_sections ? nr - 1 : 0);
	for (unsigned i = 0; i < builder->sections_nr; i++) {
		struct elf_builder_section section = builder->sections[i];

		section.offset = offsets[i];
		add_section(builder, to, name, &section, 0);
		name += (uint32_t)strlen(section.name) + 1;
	}
	add_section(builder, to, 0,
		    &(struct elf_builder_section){
			    .type = SHT_STRTAB, .offset = names, .size = names_size},
		    0);
}

static void add_bytes(const struct elf_builder *builder, struct text *body, size_t before,
		      uint64_t *offsets)
{
	for (unsigned i = 0; i < builder->sections_nr; i++) {
		const struct elf_builder_section *section = &builder->sections[i];

		if (section->offset)
			pad_to(body, section->offset - before);
		pad_to(body, (body->size + 7) / 8 * 8);
		offsets[i] = before + body->size;
		text_add_bytes(body, text_string(&section->bytes), section->bytes.size);
	}
}

void elf_builder_finish(const struct elf_builder *builder, struct text *ret)
{
	uint64_t offsets[ELF_BUILDER_SECTIONS_MAX] = {0};
	size_t before = header_size(builder) + builder->segments_nr * (builder->is_32 ? 32u : 56u);
	struct text body = TEXT_INIT;
	size_t names;

	add_bytes(builder, &body, before, offsets);
	names = body.size;
	text_add_char(&body, '\0');
	for (unsigned i = 0; i < builder->sections_nr; i++)
		text_add_bytes(&body, builder->sections[i].name,
			       strlen(builder->sections[i].name) + 1);
	add_header(builder, ret, before + body.size);
	for (unsigned i = 0; i < builder->segments_nr; i++)
		add_segment(builder, ret, &builder->segments[i]);
	text_add_bytes(ret, body.bytes, body.size);
	if (!builder->lacks_sections)
		add_section_headers(builder, ret, offsets, before + names, body.size - names);
	text_release(&body);
}

/* ---- a usual program */

/* e8 rel32, nops, push %rbp, mov %rsp,%rbp, again and again */
static void program_code(struct text *code, const struct program_kind *kind)
{
	static const char block[] =
		"\xe8\x01\x02\x03\x04\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90\x90";

	for (unsigned i = 0; i < kind->shift; i++)
		text_add_char(code, '\x90');
	for (unsigned i = 0; i < PROGRAM_CALLS; i++) {
		text_add_bytes(code, block, 16);
		if (!kind->lacks_frame_pointers)
			memcpy(code->bytes + code->size - 4, "\x55\x48\x89\xe5", 4);
	}
	code->size = PROGRAM_SIZE;
	for (unsigned i = 0; i < kind->extra_size; i++)
		text_add_char(code, '\x90');
}

static void program_layout(struct elf_builder *builder, const struct program_kind *kind)
{
	struct text code = TEXT_INIT;
	bool has_code = !kind->is_debug_only;
	struct elf_builder_section *text;

	program_code(&code, kind);
	text = elf_builder_section(builder, ".text", has_code ? SHT_PROGBITS : SHT_NOBITS,
				   SHF_ALLOC | SHF_EXECINSTR, PROGRAM_VADDR,
				   has_code ? code.bytes : NULL, code.size);
	text->offset = has_code ? PROGRAM_OFFSET : 0;
	elf_builder_segment(
		builder, (struct elf_builder_segment){PT_LOAD, PF_R | PF_X,
						      has_code ? PROGRAM_OFFSET : 0, PROGRAM_VADDR,
						      has_code ? code.size : 0, code.size, 0x1000});
	text_release(&code);
}

void program_build(const struct program_kind *kind, struct text *ret)
{
	struct elf_builder builder = {.type = ET_DYN, .machine = EM_X86_64};

	if (kind->build_id)
		elf_builder_build_id(&builder, kind->build_id);
	program_layout(&builder, kind);
	if (kind->debuglink)
		elf_builder_debuglink(&builder, kind->debuglink, kind->debuglink_crc);
	if (kind->altlink)
		elf_builder_altlink(&builder, kind->altlink, kind->altlink_id);
	if (kind->has_dwarf || kind->is_debug_only)
		elf_builder_debug_info(&builder);
	if (kind->has_symtab)
		elf_builder_symtab(&builder);
	elf_builder_section(&builder, ".comment", SHT_PROGBITS, 0, 0, &kind->salt, 1);
	elf_builder_finish(&builder, ret);
	elf_builder_release(&builder);
}

uint64_t program_return(unsigned nr)
{
	return PROGRAM_OFFSET + 16 * nr + 5;
}
