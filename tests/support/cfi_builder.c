/* cfi_builder.c - call-frame information written byte by byte, and files around it */
#include "tests/support/cfi_builder.h"

#include <dwarf.h>
#include <elf.h>

#include "base/mem.h"
#include "tests/support/elf_builder.h"

static void add_number(struct text *to, uint64_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		text_add_char(to, (char)(number >> 8 * i));
}

static void add_uleb(struct text *to, uint64_t number)
{
	do {
		text_add_char(to, (char)((number & 0x7f) | (number > 0x7f ? 0x80 : 0)));
		number >>= 7;
	} while (number);
}

static void add_sleb(struct text *to, int64_t number)
{
	while (number > 63 || number < -64) {
		text_add_char(to, (char)((number & 0x7f) | 0x80));
		number >>= 7;
	}
	text_add_char(to, (char)(number & 0x7f));
}

void cfi_builder_release(struct cfi_builder *builder)
{
	text_release(&builder->bytes);
}

static void add_format(struct text *to, uint64_t number, uint8_t format)
{
	static const uint8_t sizes[16] = {
		[0] = 8, [2] = 2, [3] = 4, [4] = 8, [10] = 2, [11] = 4, [12] = 8};

	if (format == DW_EH_PE_uleb128)
		add_uleb(to, number);
	else if (format == DW_EH_PE_sleb128)
		add_sleb(to, (int64_t)number);
	else
		add_number(to, number, sizes[format]);
}

static void add_pointer(struct cfi_builder *builder, uint64_t at, struct text *to, uint64_t address)
{
	switch (builder->encoding & 0x70) {
	case DW_EH_PE_pcrel:
		address -= builder->vaddr + at + to->size;
		break;
	case DW_EH_PE_datarel:
		address -= builder->data_base;
		break;
	}
	add_format(to, address, builder->encoding & 0x0f);
}

/* Length and what is behind it, in either width. Returns where the entry begins. */
static uint32_t add_entry(struct cfi_builder *builder, const struct text *body)
{
	uint32_t at = (uint32_t)builder->bytes.size;

	if (builder->is_wide)
		add_number(&builder->bytes, UINT32_MAX, 4);
	add_number(&builder->bytes, body->size, builder->is_wide ? 8 : 4);
	text_add_bytes(&builder->bytes, body->bytes, body->size);
	return at;
}

static unsigned length_size(const struct cfi_builder *builder)
{
	return builder->is_wide ? 12 : 4;
}

static unsigned id_size(const struct cfi_builder *builder)
{
	return builder->is_debug_frame && builder->is_wide ? 8 : 4;
}

static void add_augmentation(struct cfi_builder *builder, struct text *to, const char *letters)
{
	CLEANUP(text_release) struct text data = TEXT_INIT;

	if (*letters != 'z')
		return;
	for (letters++; *letters; letters++) {
		if (*letters == 'R')
			add_number(&data, builder->encoding, 1);
		else if (*letters == 'L')
			add_number(&data, DW_EH_PE_udata4, 1);
		else if (*letters == 'P')
			text_add_bytes(&data, "\x1b\1\2\3\4", 5); /* pcrel sdata4 */
		else if (*letters == 'Q')
			text_add_bytes(&data, "????", 4); /* of no known meaning */
	}
	add_uleb(to, data.size);
	text_add_bytes(to, text_string(&data), data.size);
}

void cfi_builder_cie(struct cfi_builder *builder, const char *letters, uint8_t encoding, uint8_t ra,
		     const uint8_t *program, size_t size)
{
	CLEANUP(text_release) struct text body = TEXT_INIT;
	uint8_t version = builder->version ? builder->version : 1;

	builder->encoding = encoding;
	builder->has_augmentation = *letters == 'z';
	add_number(&body, builder->is_debug_frame ? UINT64_MAX : 0, id_size(builder));
	add_number(&body, version, 1);
	text_add_bytes(&body, letters, strlen(letters) + 1);
	if (version == 4) {
		add_number(&body, 8, 1);
		add_number(&body, builder->segment_size, 1);
	}
	add_uleb(&body, 1);
	add_sleb(&body, -8);
	add_number(&body, ra, 1);
	add_augmentation(builder, &body, letters);
	text_add_bytes(&body, (const char *)program, size);
	builder->cie = add_entry(builder, &body);
}

void cfi_builder_usual_cie(struct cfi_builder *builder)
{
	cfi_builder_cie(builder, "zR", DW_EH_PE_pcrel | DW_EH_PE_sdata4, 16,
			BYTES(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1));
}

uint32_t cfi_builder_fde(struct cfi_builder *builder, uint64_t start, uint64_t size,
			 const uint8_t *program, size_t program_size)
{
	CLEANUP(text_release) struct text body = TEXT_INIT;
	uint64_t at = builder->bytes.size + length_size(builder);

	add_number(&body, builder->is_debug_frame ? builder->cie : at - builder->cie,
		   id_size(builder));
	add_number(&body, 0, builder->segment_size);
	add_pointer(builder, at, &body, start);
	add_format(&body, size, builder->encoding & 0x07);
	if (builder->has_augmentation)
		add_uleb(&body, 0);
	text_add_bytes(&body, (const char *)program, program_size);
	return add_entry(builder, &body);
}

/* ---- a file with it */

static void add_section(struct elf_builder *elf, const char *name, uint64_t flags, uint64_t addr,
			const struct text *bytes, uint32_t segment)
{
	struct elf_builder_section *section;

	if (!bytes)
		return;
	section = elf_builder_section(elf, name, SHT_PROGBITS, flags, addr, text_string(bytes),
				      bytes->size);
	if (!addr)
		return;
	section->offset = addr;
	elf_builder_segment(elf, (struct elf_builder_segment){PT_LOAD, PF_R, addr, addr,
							      bytes->size, bytes->size, 4096});
	if (segment)
		elf_builder_segment(elf, (struct elf_builder_segment){segment, PF_R, addr, addr,
								      bytes->size, bytes->size, 4});
}

void cfi_file_build(const struct cfi_kind *kind, struct text *ret)
{
	struct elf_builder elf = {
		.is_32 = kind->is_32,
		.is_big = kind->is_big,
		.lacks_sections = kind->lacks_sections,
		.type = kind->is_object ? ET_REL : ET_DYN,
		.machine = kind->machine ? kind->machine : EM_X86_64,
	};
	char *code = mem_zalloc(1, CFI_TEXT_SIZE);

	if (kind->code)
		memcpy(code, kind->code->bytes, kind->code->size);
	elf_builder_section(&elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, CFI_TEXT, code,
			    CFI_TEXT_SIZE)
		->offset = CFI_TEXT;
	elf_builder_segment(&elf,
			    (struct elf_builder_segment){PT_LOAD, PF_R | PF_X, CFI_TEXT, CFI_TEXT,
							 CFI_TEXT_SIZE, CFI_TEXT_SIZE, 4096});
	add_section(&elf, ".eh_frame", SHF_ALLOC, CFI_EH_FRAME, kind->eh_frame, 0);
	add_section(&elf, ".eh_frame_hdr", SHF_ALLOC, CFI_HEADER, kind->header, PT_GNU_EH_FRAME);
	add_section(&elf, kind->debug_name ? kind->debug_name : ".debug_frame", kind->debug_flags,
		    0, kind->debug_frame, 0);
	elf_builder_finish(&elf, ret);
	elf_builder_release(&elf);
	free(code);
}
