/* test_linkers.c - programs of every linker that is there, compared with what the kernel mapped */
#include "tests/test.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "base/text.h"
#include "binaries/callsites.h"
#include "binaries/elf_file.h"
#include "tests/support/folder.h"

#define SITES 40

/*
 * Says where its marker is (by the address that it has), how that was mapped, and where it was
 * called from.
 */
static const char source[] =
	"#include <stdio.h>\n"
	"#include <inttypes.h>\n"
	"static uint64_t sites[64]; static int nr;\n"
	"__attribute__((noinline)) void marker(int x)\n"
	"{ sites[nr++ & 63] = (uint64_t)__builtin_return_address(0) + 0 * x; }\n"
	"#ifdef MOVED\n"
	"__attribute__((used, noinline)) int before(int x) { return x * 3 + (x ? 1 : 7); }\n"
	"#endif\n"
	"#define FOUR marker(1); marker(2); marker(3); marker(4);\n"
	"__attribute__((noinline)) void all(void)\n"
	"{ FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR }\n"
	"int main(void)\n"
	"{\n"
	"	char line[4096]; uint64_t begin, end, offset, at = (uint64_t)&marker;\n"
	"	FILE *maps = fopen(\"/proc/self/maps\", \"r\");\n"
	"	all();\n"
	"	while (fgets(line, sizeof(line), maps))\n"
	"		if (sscanf(line, \"%\" SCNx64 \"-%\" SCNx64 \" %*s %\" SCNx64, &begin, &end, &offset) == 3\n"
	"		    && at >= begin && at < end) break;\n"
	"	printf(\"%\" PRIx64 \" %\" PRIx64 \" %\" PRIx64 \"\\n\", at, begin, offset);\n"
	"	for (int i = 0; i < nr; i++) printf(\"%\" PRIx64 \"\\n\", sites[i]);\n"
	"	return 0;\n"
	"}\n";

static char *folder;

/* Runs a command in the folder; its output, owned, or NULL if it failed. */
static char *__attribute__((format(printf, 1, 2))) run(const char *format, ...)
{
	struct text command = TEXT_INIT, out = TEXT_INIT;
	char block[4096];
	va_list args;
	char *formatted;
	FILE *pipe;
	size_t got;
	int size, status;

	va_start(args, format);
	size = vasprintf(&formatted, format, args);
	va_end(args);
	assert_true(size >= 0);
	text_addf(&command, "cd '%s' && { %s; } 2>/dev/null", folder, formatted);
	free(formatted);
	pipe = popen(command.bytes, "re");
	assert_non_null(pipe);
	while ((got = fread(block, 1, sizeof(block), pipe)) > 0)
		text_add_bytes(&out, block, got);
	status = pclose(pipe);
	text_release(&command);
	if (status == 0)
		return text_take(&out);
	text_release(&out);
	return NULL;
}

static bool can(const char *command)
{
	char *out = run("%s", command);

	free(out);
	return out;
}

static void open_file(const char *name, struct elf_file *ret)
{
	char *path = folder_path(folder, name);
	struct error *err = elf_file_open(path, ret);

	if (err)
		fail_msg("%s: %s", name, error_text(err));
	free(path);
}

/* ---- what a program said of itself */

struct said {
	uint64_t marker, begin, offset; /* offset: of the mapping in the file */
	uint64_t sites[SITES];
	uint64_t marker_vaddr; /* as nm says */
};

static uint64_t marker_of(const char *name)
{
	char *out = run("nm %s | grep -i ' t marker$'", name);
	uint64_t vaddr;

	assert_non_null(out);
	vaddr = strtoull(out, NULL, 16);
	free(out);
	return vaddr;
}

static void listen(const char *name, struct said *ret)
{
	char *out = run("./%s", name), *at = out;

	assert_non_null(out);
	ret->marker = strtoull(at, &at, 16);
	ret->begin = strtoull(at, &at, 16);
	ret->offset = strtoull(at, &at, 16);
	for (unsigned i = 0; i < SITES; i++)
		ret->sites[i] = strtoull(at, &at, 16);
	free(out);
	ret->marker_vaddr = marker_of(name);
}

static uint64_t in_file(const struct said *said, uint64_t address)
{
	return address - said->begin + said->offset;
}

static void check_address(const char *name, const struct said *said, uint64_t map_offset)
{
	uint64_t vaddr = 0, offset = in_file(said, said->marker);
	struct elf_file file;

	open_file(name, &file);
	if (!elf_file_address(&file, offset, map_offset, &vaddr) || vaddr != said->marker_vaddr)
		fail_msg("%s: offset 0x%" PRIx64 " is 0x%" PRIx64 ", not 0x%" PRIx64, name, offset,
			 vaddr, said->marker_vaddr);
	assert_true(elf_file_is_text(&file, vaddr));
	elf_file_close(&file);
}

static void count_sites(const char *name, const struct said *said, size_t *ok, size_t *total)
{
	uint64_t vaddrs[SITES] = {0};
	struct elf_file file;

	open_file(name, &file);
	for (unsigned i = 0; i < SITES; i++)
		if (elf_file_address(&file, in_file(said, said->sites[i]) - 1, said->offset,
				     &vaddrs[i]))
			vaddrs[i]++;
	callsites_count(&file, vaddrs, SITES, ok, total);
	elf_file_close(&file);
}

/* ---- one program */

static void check_pair(const char *binary_name, const char *debug_name)
{
	struct elf_file binary, debug;
	char *difference;

	open_file(binary_name, &binary);
	open_file(debug_name, &debug);
	assert_false(elf_file_is_debug_only(&binary));
	assert_true(elf_file_is_debug_only(&debug));
	assert_true(elf_file_has_dwarf(&debug));
	assert_string_equal(binary.build_id, debug.build_id);
	assert_int_equal(strlen(binary.build_id), 40);
	difference = elf_file_layout_difference(&binary, &debug);
	if (difference)
		fail_msg("%s, %s: %s", binary_name, debug_name, difference);
	elf_file_close(&binary);
	elf_file_close(&debug);
}

static void check_program(const char *options)
{
	char *out = run("gcc -O1 -g -Wl,--build-id=sha1 %s -o prog prog.c", options);
	size_t ok, total;
	struct said said;

	if (!out) {
		print_message("# gcc %s: not here, not tried\n", options);
		return;
	}
	free(out);
	listen("prog", &said);
	check_address("prog", &said, said.offset);
	check_address("prog", &said, ELF_FILE_OFFSET_UNKNOWN);
	count_sites("prog", &said, &ok, &total);
	if (total && (ok != SITES || total != SITES))
		fail_msg("gcc %s: %zu of %zu call sites", options, ok, total);
	free(run("objcopy --only-keep-debug prog prog.debug && strip -o stripped prog"));
	check_pair("stripped", "prog.debug");
	check_address("stripped", &said, said.offset);
	check_address("prog.debug", &said, said.offset);
	if (!can("eu-strip -f eu.debug -o eu.stripped prog"))
		return;
	check_pair("eu.stripped", "eu.debug");
	check_address("eu.stripped", &said, said.offset);
	check_address("eu.debug", &said, said.offset);
}

static void addresses_of_every_linker_are_the_kernels(void **state)
{
	static const char *const options[] = {
		"",
		"-no-pie",
		"-static-pie",
		"-static",
		"-Wl,-z,noseparate-code",
		"-Wl,-z,separate-code -no-pie",
		"-Wl,-z,max-page-size=0x200000",
		"-fuse-ld=gold",
		"-fuse-ld=gold -no-pie",
		"-fuse-ld=lld",
		"-fuse-ld=lld -no-pie",
		"-fuse-ld=lld -Wl,-z,separate-loadable-segments",
		"-fuse-ld=lld -Wl,-z,max-page-size=0x200000",
		"-fuse-ld=mold",
		"-fuse-ld=mold -no-pie",
	};

	(void)state;
	if (!can("gcc --version && objcopy --version")) {
		print_message("# no gcc and no binutils: not tried\n");
		return;
	}
	for (size_t i = 0; i < ARRAY_NR(options); i++)
		check_program(options[i]);
}

/* The same source, with a function more in front. */
static void another_build_fails_the_call_site_test(void **state)
{
	struct said said;
	size_t ok, total;

	(void)state;
	if (!can("gcc -O1 -g -o prog prog.c && gcc -O1 -g -DMOVED -o moved prog.c")) {
		print_message("# no gcc: not tried\n");
		return;
	}
	listen("prog", &said);
	count_sites("moved", &said, &ok, &total);
	if (!total)
		return;
	assert_int_equal(total, SITES);
	assert_true(ok * 100 < total * CALLSITES_PERCENT);
}

static void frame_pointers_are_seen(void **state)
{
	static const char *const options[] = {"-fomit-frame-pointer", "-fno-omit-frame-pointer"};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		char *out = run("gcc -O2 %s -o prog prog.c", options[i]);
		struct elf_file file;

		if (!out) {
			print_message("# no gcc: not tried\n");
			return;
		}
		free(out);
		open_file("prog", &file);
		if (file.machine == EM_X86_64)
			assert_int_equal(callsites_keeps_frame_pointers(&file), i);
		elf_file_close(&file);
	}
}

/* What dwz takes out of two files is named in both, and has an ID of its own. */
static void dwz_files_are_named(void **state)
{
	struct elf_file one, common;

	(void)state;
	if (!can("gcc -O1 -g -o one prog.c && gcc -O0 -g -DMOVED -o two prog.c && "
		 "dwz -m common.dwz -M common.dwz one two")) {
		print_message("# no dwz: not tried\n");
		return;
	}
	open_file("one", &one);
	open_file("common.dwz", &common);
	assert_string_equal(one.altlink, "common.dwz");
	assert_string_equal(one.altlink_id, common.build_id);
	assert_true(elf_file_has_dwarf(&common));
	elf_file_close(&one);
	elf_file_close(&common);
}

static int set_up(void **state)
{
	(void)state;
	folder = folder_new();
	folder_put(folder, "prog.c", source, sizeof(source) - 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	folder_remove(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_every_linker_are_the_kernels),
		cmocka_unit_test(another_build_fails_the_call_site_test),
		cmocka_unit_test(frame_pointers_are_seen),
		cmocka_unit_test(dwz_files_are_named),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
