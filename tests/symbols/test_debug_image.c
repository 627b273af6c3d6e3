/* test_debug_image.c - packed debug sections unpacked in memory, or left to libdw */
#include "tests/test.h"

#include "symbols/debug_image.h"

#include <elf.h>
#include <gelf.h>
#include <libdeflate.h>

#include "base/mem.h"
#include "tests/support/elf_builder.h"

#define SIZE 5000

static void fill(char bytes[static SIZE])
{
	for (unsigned i = 0; i < SIZE; i++)
		bytes[i] = (char)(i % 251 + i / 1000);
}

static void put_word(const struct elf_builder *builder, struct text *to, uint64_t number)
{
	if (!builder->is_32 && builder->is_big)
		elf_builder_u32(builder, to, (uint32_t)(number >> 32));
	elf_builder_u32(builder, to, (uint32_t)number);
	if (!builder->is_32 && !builder->is_big)
		elf_builder_u32(builder, to, (uint32_t)(number >> 32));
}

/* Elf32_Chdr or Elf64_Chdr, then the stream. */
static void add_packed(struct elf_builder *builder, const char *name, uint32_t kind,
		       uint64_t claimed, size_t cut)
{
	struct libdeflate_compressor *packer = libdeflate_alloc_compressor(6);
	CLEANUP(text_release) struct text section = TEXT_INIT;
	char bytes[SIZE], packed[SIZE];
	size_t size;

	fill(bytes);
	size = libdeflate_zlib_compress(packer, bytes, SIZE, packed, sizeof(packed));
	libdeflate_free_compressor(packer);
	assert_true(size > cut);
	elf_builder_u32(builder, &section, kind);
	if (!builder->is_32)
		elf_builder_u32(builder, &section, 0);
	put_word(builder, &section, claimed);
	put_word(builder, &section, 1);
	text_add_bytes(&section, packed, size - cut);
	elf_builder_section(builder, name, SHT_PROGBITS, SHF_COMPRESSED, 0, section.bytes,
			    section.size);
}

static Elf *open_built(const struct elf_builder *builder, struct text *file)
{
	Elf *elf;

	elf_builder_finish(builder, file);
	elf_version(EV_CURRENT);
	elf = elf_memory(file->bytes, file->size);
	assert_non_null(elf);
	return elf;
}

static bool is_made(const struct elf_builder *builder)
{
	CLEANUP(text_release) struct text file = TEXT_INIT;
	Elf *elf = open_built(builder, &file);
	struct debug_image image;
	bool is_made = debug_image_make(elf, &image);

	debug_image_release(&image);
	elf_end(elf);
	return is_made;
}

/* The section of this name in the image, its header too. */
static Elf_Data *find(Elf *elf, const char *name, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;
	size_t names;

	assert_int_equal(elf_getshdrstrndx(elf, &names), 0);
	while ((scn = elf_nextscn(elf, scn))) {
		assert_non_null(gelf_getshdr(scn, ret));
		if (strcmp(elf_strptr(elf, names, ret->sh_name), name) == 0)
			return elf_getdata(scn, NULL);
	}
	fail_msg("no section %s", name);
	return NULL;
}

static void expect_image(Elf *elf)
{
	char bytes[SIZE];
	GElf_Shdr header;
	Elf_Data *data = find(elf, ".debug_info", &header);

	fill(bytes);
	assert_int_equal(header.sh_flags, 0);
	assert_int_equal(data->d_size, SIZE);
	assert_memory_equal(data->d_buf, bytes, SIZE);
	data = find(elf, ".debug_str", &header);
	assert_int_equal(data->d_size, 4);
	assert_memory_equal(data->d_buf, "abc", 4);
	find(elf, ".text", &header);
	assert_int_equal(header.sh_type, SHT_NOBITS);
	assert_int_equal(header.sh_flags, SHF_ALLOC | SHF_EXECINSTR);
	assert_int_equal(header.sh_addr, 0x1000);
	assert_int_equal(header.sh_size, 16);
}

static void build(struct elf_builder *builder)
{
	elf_builder_section(builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
			    "0123456789abcdef", 16);
	elf_builder_section(builder, ".debug_str", SHT_PROGBITS, 0, 0, "abc", 4);
}

static void sections_are_unpacked_in_each_class_and_order(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		CLEANUP(elf_builder_release)
		struct elf_builder builder = {
			.is_32 = kind & 1, .is_big = kind >> 1, .type = ET_DYN};
		CLEANUP(text_release) struct text file = TEXT_INIT;
		struct debug_image image;
		Elf *elf;

		build(&builder);
		add_packed(&builder, ".debug_info", ELFCOMPRESS_ZLIB, SIZE, 0);
		elf = open_built(&builder, &file);
		assert_true(debug_image_make(elf, &image));
		elf_end(elf);
		expect_image(image.elf);
		debug_image_release(&image);
	}
}

static void what_is_not_packed_stays_as_it_is(void **state)
{
	CLEANUP(elf_builder_release) struct elf_builder builder = {.type = ET_DYN};

	(void)state;
	build(&builder);
	assert_false(is_made(&builder));
}

/* Cut, longer or shorter than it says, more than can be, packed in another way. */
static void damage_is_left_to_libdw(void **state)
{
	const struct {
		uint32_t kind;
		uint64_t claimed;
		size_t cut;
	} cases[] = {
		{ELFCOMPRESS_ZLIB, SIZE, 10},	   {ELFCOMPRESS_ZLIB, SIZE + 1, 0},
		{ELFCOMPRESS_ZLIB, SIZE - 1, 0},   {ELFCOMPRESS_ZLIB, UINT32_MAX, 0},
		{ELFCOMPRESS_ZLIB, UINT64_MAX, 0}, {2 /* zstd */, SIZE, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		CLEANUP(elf_builder_release) struct elf_builder builder = {.type = ET_DYN};

		build(&builder);
		add_packed(&builder, ".debug_info", cases[i].kind, cases[i].claimed, cases[i].cut);
		assert_false(is_made(&builder));
	}
}

static void files_with_others_beside_them_are_left_alone(void **state)
{
	static const char *const names[] = {".gnu_debugaltlink", ".debug_addr", ".debug_info.dwo",
					    ".zdebug_line"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(names); i++) {
		CLEANUP(elf_builder_release) struct elf_builder builder = {.type = ET_DYN};

		build(&builder);
		add_packed(&builder, ".debug_info", ELFCOMPRESS_ZLIB, SIZE, 0);
		assert_true(is_made(&builder));
		elf_builder_section(&builder, names[i], SHT_PROGBITS, 0, 0, "abc", 4);
		assert_false(is_made(&builder));
	}
}

static void relocatable_files_are_left_alone(void **state)
{
	CLEANUP(elf_builder_release) struct elf_builder builder = {.type = ET_REL};

	(void)state;
	build(&builder);
	add_packed(&builder, ".debug_info", ELFCOMPRESS_ZLIB, SIZE, 0);
	assert_false(is_made(&builder));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_are_unpacked_in_each_class_and_order),
		cmocka_unit_test(what_is_not_packed_stays_as_it_is),
		cmocka_unit_test(damage_is_left_to_libdw),
		cmocka_unit_test(files_with_others_beside_them_are_left_alone),
		cmocka_unit_test(relocatable_files_are_left_alone),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
