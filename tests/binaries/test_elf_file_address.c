/* test_elf_file_address.c - file offsets to addresses, in layouts that linkers make and in odd ones
 */
#include "tests/test.h"

#include <elf.h>

#include "base/mem.h"
#include "binaries/elf_file.h"
#include "tests/support/elf_builder.h"

#define UNKNOWN ELF_FILE_OFFSET_UNKNOWN
#define NONE	UINT64_MAX

/* A file with these segments; their code is in sections unless it shall have none. */
struct layout {
	struct elf_builder builder;
	struct text bytes;
	struct elf_file file;
};

static void begin(struct layout *layout)
{
	*layout = (struct layout){.builder = {.type = ET_DYN, .machine = EM_X86_64}};
}

static void load(struct layout *layout, uint32_t flags, uint64_t offset, uint64_t vaddr,
		 uint64_t size, uint64_t align)
{
	elf_builder_segment(
		&layout->builder,
		(struct elf_builder_segment){PT_LOAD, flags, offset, vaddr, size, size, align});
}

static void text(struct layout *layout, uint32_t type, uint64_t addr, size_t size)
{
	struct elf_builder_section *section = elf_builder_section(
		&layout->builder, ".text", type, SHF_ALLOC | SHF_EXECINSTR, addr, NULL, 0);

	section->size = size;
}

static void end(struct layout *layout)
{
	struct error *err;

	elf_builder_finish(&layout->builder, &layout->bytes);
	err = elf_file_read(layout->bytes.bytes, layout->bytes.size, &layout->file);
	assert_null(err);
}

static void release(struct layout *layout)
{
	elf_file_close(&layout->file);
	elf_builder_release(&layout->builder);
	text_release(&layout->bytes);
}

static uint64_t address(const struct layout *layout, uint64_t offset, uint64_t map_offset)
{
	uint64_t vaddr = NONE;
	bool is_known = elf_file_address(&layout->file, offset, map_offset, &vaddr);

	assert_int_equal(is_known, vaddr != NONE);
	return vaddr;
}

#define ADDRESS(layout, offset, map_offset, wanted)                                      \
	do {                                                                             \
		uint64_t got_ = address((layout), (offset), (map_offset));               \
		if (got_ != (wanted))                                                    \
			fail_msg("offset 0x%llx: 0x%llx, not 0x%llx",                    \
				 (unsigned long long)(offset), (unsigned long long)got_, \
				 (unsigned long long)(wanted));                          \
	} while (0)

/* lld and mold: text at offset 0x97b0 is at vaddr 0xa7b0, and each segment has its own bias. */
static void each_segment_has_its_own_bias(void **state)
{
	struct layout layout;

	(void)state;
	begin(&layout);
	load(&layout, PF_R, 0, 0, 0x97a4, 0x1000);
	load(&layout, PF_R | PF_X, 0x97b0, 0xa7b0, 0x5000, 0x1000);
	load(&layout, PF_R | PF_W, 0xe7b0, 0x107b0, 0x1000, 0x1000);
	text(&layout, SHT_PROGBITS, 0xa7b0, 0x5000);
	end(&layout);
	ADDRESS(&layout, 0x97b0, 0x9000, 0xa7b0);
	ADDRESS(&layout, 0xe7af, 0x9000, 0xf7af);
	ADDRESS(&layout, 0xe7af, UNKNOWN, 0xf7af);
	ADDRESS(&layout, 0xe7b0, UNKNOWN, 0x107b0); /* data: outside of the text */
	assert_true(elf_file_is_text(&layout.file, 0xf7af));
	assert_false(elf_file_is_text(&layout.file, 0x107b0));
	ADDRESS(&layout, 0x20000, UNKNOWN, NONE);
	release(&layout);
}

static void a_fixed_program_has_its_run_time_addresses(void **state)
{
	struct layout layout;

	(void)state;
	begin(&layout);
	layout.builder.type = ET_EXEC;
	load(&layout, PF_R | PF_X, 0x1000, 0x401000, 0x800, 0x1000);
	text(&layout, SHT_PROGBITS, 0x401000, 0x800);
	end(&layout);
	ADDRESS(&layout, 0x1234, 0x1000, 0x401234);
	release(&layout);
}

static void two_executable_segments_are_told_apart(void **state)
{
	struct layout layout;

	(void)state;
	begin(&layout);
	load(&layout, PF_X, 0x1000, 0x11000, 0x1800, 0x1000);
	load(&layout, PF_X, 0x2800, 0x402800, 0x1000, 0x1000);
	text(&layout, SHT_PROGBITS, 0x11000, 0x1800);
	end(&layout);
	ADDRESS(&layout, 0x27ff, 0x1000, 0x127ff);
	ADDRESS(&layout, 0x2800, 0x1000, 0x402800);
	ADDRESS(&layout, 0x37ff, 0x2000, 0x4037ff);
	release(&layout);
}

/* One part of the file is mapped twice, with two addresses: only the mapping tells. */
static void of_several_segments_the_mapped_one_is_taken(void **state)
{
	struct layout layout;

	(void)state;
	begin(&layout);
	layout.builder.lacks_sections = true;
	load(&layout, PF_X, 0x1000, 0x11000, 0x3000, 0x1000);
	load(&layout, PF_X, 0x2000, 0x52000, 0x1000, 0x1000);
	end(&layout);
	ADDRESS(&layout, 0x2100, 0x1000, 0x12100);
	ADDRESS(&layout, 0x2100, 0x2000, 0x52100);
	ADDRESS(&layout, 0x2100, UNKNOWN, NONE);
	ADDRESS(&layout, 0x1100, UNKNOWN, 0x11100);
	release(&layout);
}

static void memory_beyond_the_file_is_no_code(void **state)
{
	struct layout layout;

	(void)state;
	begin(&layout);
	layout.builder.lacks_sections = true;
	elf_builder_segment(
		&layout.builder,
		(struct elf_builder_segment){PT_LOAD, PF_X, 0x1000, 0x1000, 0x100, 0x9000, 0x1000});
	end(&layout);
	ADDRESS(&layout, 0x10ff, 0x1000, 0x10ff);
	ADDRESS(&layout, 0x1100, 0x1000, NONE);
	release(&layout);
}

/* -z max-page-size=0x200000: the mapping still begins at a page of 4 KB. */
static void a_huge_alignment_is_no_page(void **state)
{
	struct layout layout;

	(void)state;
	begin(&layout);
	layout.builder.lacks_sections = true;
	load(&layout, PF_R, 0, 0, 0x1234, 0x200000);
	load(&layout, PF_X, 0x1240, 0x201240, 0x3000, 0x200000);
	end(&layout);
	ADDRESS(&layout, 0x1240, 0x1000, 0x201240);
	ADDRESS(&layout, 0x4000, UNKNOWN, 0x204000);
	release(&layout);
}

static void a_debug_file_alone_needs_the_mapping(void **state)
{
	struct layout layout;

	(void)state;
	begin(&layout);
	/* objcopy: neither offset nor file size is the binary's, which had 0x97b0 and 0x5000 */
	load(&layout, PF_R, 0, 0, 0x1b4, 0x1000);
	elf_builder_segment(
		&layout.builder,
		(struct elf_builder_segment){PT_LOAD, PF_R | PF_X, 0, 0xa7b0, 0, 0x5000, 0x1000});
	text(&layout, SHT_NOBITS, 0xa7b0, 0x5000);
	end(&layout);
	assert_true(elf_file_is_debug_only(&layout.file));
	ADDRESS(&layout, 0x97b0, 0x9000, 0xa7b0);
	ADDRESS(&layout, 0xc000, 0x9000, 0xd000);
	ADDRESS(&layout, 0xc000, UNKNOWN, NONE);
	ADDRESS(&layout, 0x8000, 0x9000, NONE);
	ADDRESS(&layout, 0xe7b0, 0x9000, NONE); /* behind the segment */
	assert_true(elf_file_is_text(&layout.file, 0xa7b0));
	release(&layout);
}

static void a_debug_file_of_two_executable_segments_does_not_tell(void **state)
{
	struct layout layout;

	(void)state;
	begin(&layout);
	elf_builder_segment(&layout.builder, (struct elf_builder_segment){PT_LOAD, PF_X, 0, 0x1000,
									  0, 0x1000, 0x1000});
	elf_builder_segment(&layout.builder, (struct elf_builder_segment){PT_LOAD, PF_X, 0, 0x9000,
									  0, 0x4000, 0x1000});
	text(&layout, SHT_NOBITS, 0x1000, 0x1000);
	text(&layout, SHT_NOBITS, 0x9000, 0x4000);
	end(&layout);
	ADDRESS(&layout, 0x1100, 0x1000, NONE);
	ADDRESS(&layout, 0x3100, 0x1000, NONE); /* where the second began in the binary? */
	release(&layout);
}

static void numbers_at_the_end_of_memory_do_not_wrap(void **state)
{
	struct layout layout;

	(void)state;
	begin(&layout);
	load(&layout, PF_X, UINT64_MAX - 0xfff, 0x1000, 0x2000, 0x1000);
	load(&layout, PF_X, 0x1000, UINT64_MAX - 0xff, 0x1000, 0x1000);
	text(&layout, SHT_PROGBITS, UINT64_MAX - 0xf, 0x100);
	end(&layout);
	ADDRESS(&layout, 0x800, UNKNOWN, NONE);
	assert_false(elf_file_is_text(&layout.file, UINT64_MAX));
	assert_false(elf_file_is_text(&layout.file, 0));
	release(&layout);
}

static void a_file_without_segments_has_no_addresses(void **state)
{
	struct layout layout;

	(void)state;
	begin(&layout);
	layout.builder.type = ET_REL;
	text(&layout, SHT_PROGBITS, 0, 0x100);
	end(&layout);
	ADDRESS(&layout, 0x40, 0, NONE);
	release(&layout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_segment_has_its_own_bias),
		cmocka_unit_test(a_fixed_program_has_its_run_time_addresses),
		cmocka_unit_test(two_executable_segments_are_told_apart),
		cmocka_unit_test(of_several_segments_the_mapped_one_is_taken),
		cmocka_unit_test(memory_beyond_the_file_is_no_code),
		cmocka_unit_test(a_huge_alignment_is_no_page),
		cmocka_unit_test(a_debug_file_alone_needs_the_mapping),
		cmocka_unit_test(a_debug_file_of_two_executable_segments_does_not_tell),
		cmocka_unit_test(numbers_at_the_end_of_memory_do_not_wrap),
		cmocka_unit_test(a_file_without_segments_has_no_addresses),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
