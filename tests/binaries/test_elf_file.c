/* test_elf_file.c - ELF files of both classes and byte orders, good, odd and hostile */
#include "tests/test.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "binaries/elf_file.h"
#include "tests/support/elf_builder.h"
#include "tests/support/folder.h"

#define ID_20 "00112233445566778899aabbccddeeff01234567"
#define CODE  (SHF_ALLOC | SHF_EXECINSTR)

/* The file lives in `bytes`. */
static void read_text(const struct text *bytes, struct elf_file *ret)
{
	struct error *err = elf_file_read(bytes->bytes, bytes->size, ret);

	if (err)
		fail_msg("%s", error_text(err));
}

static void finish(struct elf_builder *builder, struct text *bytes, struct elf_file *ret)
{
	elf_builder_finish(builder, bytes);
	read_text(bytes, ret);
	elf_builder_release(builder);
}

static void done(struct elf_file *file, struct text *bytes)
{
	elf_file_close(file);
	text_release(bytes);
}

static void refuses(const void *at, size_t size, const char *words)
{
	struct elf_file file;
	struct error *err = elf_file_read(at, size, &file);

	assert_non_null(err);
	assert_string_equal(error_text(err), words);
	error_free(err);
}

/* ---- tables */

static void add_usual(struct elf_builder *builder)
{
	elf_builder_build_id(builder, ID_20);
	elf_builder_section(builder, ".text", SHT_PROGBITS, CODE, 0x1000, "code", 4);
	elf_builder_segment(builder,
			    (struct elf_builder_segment){PT_LOAD, PF_X, 0, 0, 0x100, 0x200, 4096});
}

static void check_usual(const struct elf_file *file, bool is_32)
{
	const struct elf_section *text = elf_file_section(file, ".text");

	assert_int_equal(file->type, ET_DYN);
	assert_int_equal(file->machine, EM_PPC);
	assert_int_equal(file->is_64, !is_32);
	assert_int_equal(file->segments_nr, 1);
	assert_int_equal(file->segments[0].type, PT_LOAD);
	assert_int_equal(file->segments[0].flags, PF_X);
	assert_true(file->segments[0].file_size == 0x100 && file->segments[0].mem_size == 0x200);
	assert_true(file->segments[0].align == 4096);
	assert_int_equal(file->sections_nr, 4);
	assert_non_null(text);
	assert_true(text->addr == 0x1000 && text->size == 4 && text->flags == CODE);
	assert_memory_equal(elf_file_section_bytes(file, text), "code", 4);
	assert_string_equal(file->build_id, ID_20);
	assert_string_equal(file->debuglink, "");
	assert_string_equal(file->altlink, "");
}

static void both_classes_and_byte_orders_are_read(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		struct elf_builder builder = {.type = ET_DYN, .machine = EM_PPC};
		struct text bytes = TEXT_INIT;
		struct elf_file file;

		builder.is_32 = i & 1;
		builder.is_big = i & 2;
		builder.has_many_sections = i & 4;
		add_usual(&builder);
		finish(&builder, &bytes, &file);
		check_usual(&file, i & 1);
		done(&file, &bytes);
	}
}

/* ---- build IDs */

static void ids_of_8_16_and_20_bytes_are_read(void **state)
{
	static const char *const ids[] = {"0011223344556677", "00112233445566778899aabbccddeeff",
					  ID_20, "00000000000000000000000000000000000000aa"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(ids); i++) {
		struct program_kind kind = {.build_id = ids[i]};
		struct text bytes = TEXT_INIT;
		struct elf_file file;

		program_build(&kind, &bytes);
		read_text(&bytes, &file);
		assert_string_equal(file.build_id, ids[i]);
		done(&file, &bytes);
	}
}

static void add_notes(struct elf_builder *builder, unsigned pad)
{
	struct text notes = TEXT_INIT;

	elf_builder_note(builder, &notes, "Xen", 3, "not this", 8, pad);
	elf_builder_note(builder, &notes, "GNU", 1, "nor this", 5, pad);
	elf_builder_note(builder, &notes, "GNU", NT_GNU_BUILD_ID, "", 0, pad);
	elf_builder_note(builder, &notes, "GNU", NT_GNU_BUILD_ID, "\x11\x22", 2, pad);
	elf_builder_note(builder, &notes, "GNU", NT_GNU_BUILD_ID, "\x33\x44", 2, pad);
	elf_builder_section(builder, ".notes", SHT_NOTE, SHF_ALLOC, 0, notes.bytes, notes.size)
		->align = pad;
	text_release(&notes);
}

static void the_first_gnu_build_id_of_many_notes_is_it(void **state)
{
	(void)state;
	for (unsigned pad = 4; pad <= 8; pad += 4) {
		struct elf_builder builder = {0};
		struct text bytes = TEXT_INIT;
		struct elf_file file;

		add_notes(&builder, pad);
		finish(&builder, &bytes, &file);
		assert_string_equal(file.build_id, "1122");
		done(&file, &bytes);
	}
}

static void without_sections_the_note_segment_has_it(void **state)
{
	struct elf_builder builder = {.lacks_sections = true};
	struct text bytes = TEXT_INIT;
	struct elf_file file;

	(void)state;
	elf_builder_build_id(&builder, ID_20);
	builder.sections[0].offset = 0x200;
	elf_builder_segment(&builder,
			    (struct elf_builder_segment){PT_NOTE, PF_R, 0x200, 0, 36, 36, 4});
	finish(&builder, &bytes, &file);
	assert_int_equal(file.sections_nr, 0);
	assert_string_equal(file.build_id, ID_20);
	done(&file, &bytes);
}

/* The segments of a debug file point to where the note was in the binary. */
static void sections_come_before_segments(void **state)
{
	struct elf_builder builder = {0};
	struct text bytes = TEXT_INIT, other = TEXT_INIT;
	struct elf_file file;

	(void)state;
	elf_builder_note(&builder, &other, "GNU", NT_GNU_BUILD_ID, "\xff\xff", 2, 4);
	elf_builder_section(&builder, ".junk", SHT_PROGBITS, 0, 0, other.bytes, other.size)
		->offset = 0x200;
	elf_builder_build_id(&builder, ID_20);
	elf_builder_segment(&builder, (struct elf_builder_segment){PT_NOTE, PF_R, 0x200, 0,
								   other.size, other.size, 4});
	finish(&builder, &bytes, &file);
	assert_string_equal(file.build_id, ID_20);
	done(&file, &bytes);
	text_release(&other);
}

/* ---- links */

static void debug_links_are_read_at_any_length_of_the_name(void **state)
{
	static const char *const names[] = {"a", "ab", "abc", "abcd", "libfoo.so.debug"};

	(void)state;
	for (unsigned i = 0; i < 2 * ARRAY_NR(names); i++) {
		struct elf_builder builder = {.is_big = i % 2};
		struct text bytes = TEXT_INIT;
		struct elf_file file;

		elf_builder_debuglink(&builder, names[i / 2], 0x12345678);
		elf_builder_altlink(&builder, "../dwz/x.debug", ID_20);
		finish(&builder, &bytes, &file);
		assert_string_equal(file.debuglink, names[i / 2]);
		assert_int_equal(file.debuglink_crc, 0x12345678);
		assert_string_equal(file.altlink, "../dwz/x.debug");
		assert_string_equal(file.altlink_id, ID_20);
		done(&file, &bytes);
	}
}

static void links_without_an_end_are_none(void **state)
{
	struct elf_builder builder = {0};
	struct text bytes = TEXT_INIT;
	struct elf_file file;

	(void)state;
	elf_builder_section(&builder, ".gnu_debuglink", SHT_PROGBITS, 0, 0, "name\0\0\0\0\1\2", 10);
	elf_builder_section(&builder, ".gnu_debugaltlink", SHT_PROGBITS, 0, 0, "name", 4);
	finish(&builder, &bytes, &file);
	assert_string_equal(file.debuglink, "");
	assert_string_equal(file.altlink, "");
	done(&file, &bytes);
}

/* ---- what kind of file */

static void kinds_of_files_are_told_apart(void **state)
{
	static const struct program_kind kinds[] = {
		{.build_id = NULL},
		{.has_dwarf = true},
		{.has_symtab = true},
		{.is_debug_only = true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(kinds); i++) {
		struct text bytes = TEXT_INIT;
		struct elf_file file;

		program_build(&kinds[i], &bytes);
		read_text(&bytes, &file);
		assert_int_equal(elf_file_is_debug_only(&file), kinds[i].is_debug_only);
		assert_int_equal(elf_file_has_dwarf(&file),
				 kinds[i].has_dwarf || kinds[i].is_debug_only);
		assert_int_equal(elf_file_has_symtab(&file), kinds[i].has_symtab);
		done(&file, &bytes);
	}
}

static void two_halves_of_a_link_have_one_layout(void **state)
{
	static const struct program_kind kinds[] = {{.is_debug_only = true},
						    {.is_debug_only = true, .extra_size = 16}};
	static const char *const differences[] = {NULL, ".text has 640 and 656 bytes"};
	struct text bytes = TEXT_INIT;
	struct elf_file binary;

	(void)state;
	program_build(&(struct program_kind){.has_symtab = true}, &bytes);
	read_text(&bytes, &binary);
	for (size_t i = 0; i < ARRAY_NR(kinds); i++) {
		struct text debug_bytes = TEXT_INIT;
		struct elf_file debug;
		char *difference;

		program_build(&kinds[i], &debug_bytes);
		read_text(&debug_bytes, &debug);
		difference = elf_file_layout_difference(&binary, &debug);
		if (differences[i])
			assert_string_equal(difference, differences[i]);
		else
			assert_null(difference);
		free(difference);
		done(&debug, &debug_bytes);
	}
	done(&binary, &bytes);
}

/* ---- hostile files */

static void what_is_no_elf_file_is_refused(void **state)
{
	(void)state;
	refuses("", 0, "not an ELF file");
	refuses("\177ELF", 4, "not an ELF file");
	refuses("#!/bin/sh\n: and so on\n", 22, "not an ELF file");
	refuses("\177ELF\3\1\1\0\0\0\0\0\0\0\0\0", 16, "ELF class 3 is neither 1 nor 2");
	refuses("\177ELF\2\3\1\0\0\0\0\0\0\0\0\0", 16, "ELF byte order 3 is neither 1 nor 2");
	refuses("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16, "cut: it ends in its ELF header");
}

static void a_cut_file_is_refused(void **state)
{
	struct text bytes = TEXT_INIT;

	(void)state;
	program_build(&(struct program_kind){.build_id = ID_20}, &bytes);
	refuses(bytes.bytes, bytes.size - 1, "cut: the section headers end beyond its end");
	refuses(bytes.bytes, bytes.size - 64 * 5, "cut: the section headers are beyond its end");
	refuses(bytes.bytes, 100, "cut: the program headers end beyond its end");
	text_release(&bytes);
}

static void huge_counts_are_refused(void **state)
{
	struct text bytes = TEXT_INIT;
	size_t sections;

	(void)state;
	program_build(&(struct program_kind){.build_id = ID_20}, &bytes);
	memcpy(&sections, bytes.bytes + 40, sizeof(sections));
	memset(bytes.bytes + 56, 0xfe, 2);
	refuses(bytes.bytes, bytes.size, "65278 program headers are more than the limit, 512");
	memset(bytes.bytes + 56, 0, 2);
	memset(bytes.bytes + 60, 0, 2);
	memset(bytes.bytes + sections + 32, 0xff, 8);
	refuses(bytes.bytes, bytes.size,
		"18446744073709551615 sections are more than the limit, 1048576");
	text_release(&bytes);
}

static void packed_files_and_others_are_said_to_be_so(void **state)
{
	char *folder = folder_new();
	char *xz = folder_path(folder, "m.ko.xz"), *fifo = folder_path(folder, "fifo");
	struct elf_file file;
	struct error *err;

	(void)state;
	folder_put(folder, "m.ko.xz",
		   "\xfd"
		   "7zXZ\0\0\4",
		   8);
	err = elf_file_open(xz, &file);
	assert_string_equal(error_text(err), "packed with xz, which is not supported here yet");
	error_free(err);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	err = elf_file_open(fifo, &file);
	assert_string_equal(error_text(err), "not a regular file");
	error_free(err);
	err = elf_file_open(folder, &file);
	assert_string_equal(error_text(err), "not a regular file");
	error_free(err);
	free(xz);
	free(fifo);
	folder_remove(folder);
}

/* ---- any damage: nothing but an end is expected */

/* Everything that is asked of a file. */
static void ask_all(const struct elf_file *file)
{
	struct text bytes = TEXT_INIT;
	struct elf_file other;
	uint64_t vaddr = 0;
	size_t left;

	program_build(&(struct program_kind){.is_debug_only = true}, &bytes);
	read_text(&bytes, &other);
	free(elf_file_layout_difference(file, &other));
	for (uint64_t offset = 0; offset < 0x3000; offset += 0x1f1) {
		elf_file_address(file, offset, 0x1000, &vaddr);
		elf_file_at(file, vaddr, &left);
		elf_file_is_text(file, vaddr);
	}
	elf_file_has_dwarf(file);
	elf_file_has_symtab(file);
	done(&other, &bytes);
}

/* A copy of its own size, so that the sanitizer sees what is read beyond it. */
static void read_any(const char *at, size_t size)
{
	char *copy = mem_memdup(at, size);
	struct elf_file file;
	struct error *err = elf_file_read(copy, size, &file);

	if (!err) {
		ask_all(&file);
		elf_file_close(&file);
	}
	error_free(err);
	free(copy);
}

static void build_rich(struct text *ret, bool is_32, bool is_big)
{
	struct elf_builder builder = {.is_32 = is_32, .is_big = is_big, .machine = EM_X86_64};

	add_notes(&builder, 8);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, CODE, 0x1000, "code", 4);
	elf_builder_debuglink(&builder, "debug", 1);
	elf_builder_altlink(&builder, "alt", ID_20);
	elf_builder_debug_info(&builder);
	elf_builder_symtab(&builder);
	elf_builder_segment(&builder,
			    (struct elf_builder_segment){PT_LOAD, PF_X, 0, 0, 512, 512, 1});
	elf_builder_segment(&builder, (struct elf_builder_segment){PT_NOTE, 0, 0, 0, 512, 512, 8});
	elf_builder_finish(&builder, ret);
	elf_builder_release(&builder);
}

static void no_cut_and_no_changed_byte_harms(void **state)
{
	static const char values[] = {'\0', '\1', '\x7f', '\x80', '\xff', '\xfe'};

	(void)state;
	for (unsigned kind = 0; kind < 4; kind++) {
		struct text bytes = TEXT_INIT;

		build_rich(&bytes, kind & 1, kind & 2);
		for (size_t size = 0; size <= bytes.size; size++)
			read_any(bytes.bytes, size);
		for (size_t at = 0; at < bytes.size; at++) {
			char old = bytes.bytes[at];

			for (size_t i = 0; i < ARRAY_NR(values); i++) {
				bytes.bytes[at] = values[i];
				read_any(bytes.bytes, bytes.size);
			}
			bytes.bytes[at] = old;
		}
		text_release(&bytes);
	}
}

static void no_random_damage_harms(void **state)
{
	uint64_t chance = 88172645463325252u;

	(void)state;
	for (unsigned round = 0; round < 4000; round++) {
		struct text bytes = TEXT_INIT;

		build_rich(&bytes, round & 1, round & 2);
		for (unsigned i = 0; i < 1 + round % 8; i++) {
			chance ^= chance << 13;
			chance ^= chance >> 7;
			chance ^= chance << 17;
			bytes.bytes[(chance >> 8) % bytes.size] = (char)chance;
		}
		read_any(bytes.bytes, bytes.size);
		text_release(&bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_classes_and_byte_orders_are_read),
		cmocka_unit_test(ids_of_8_16_and_20_bytes_are_read),
		cmocka_unit_test(the_first_gnu_build_id_of_many_notes_is_it),
		cmocka_unit_test(without_sections_the_note_segment_has_it),
		cmocka_unit_test(sections_come_before_segments),
		cmocka_unit_test(debug_links_are_read_at_any_length_of_the_name),
		cmocka_unit_test(links_without_an_end_are_none),
		cmocka_unit_test(kinds_of_files_are_told_apart),
		cmocka_unit_test(two_halves_of_a_link_have_one_layout),
		cmocka_unit_test(what_is_no_elf_file_is_refused),
		cmocka_unit_test(a_cut_file_is_refused),
		cmocka_unit_test(huge_counts_are_refused),
		cmocka_unit_test(packed_files_and_others_are_said_to_be_so),
		cmocka_unit_test(no_cut_and_no_changed_byte_harms),
		cmocka_unit_test(no_random_damage_harms),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
