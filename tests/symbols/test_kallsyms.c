/* test_kallsyms.c - kernel functions by address, from a list of a machine's kernel */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/kallsyms.h"
#include "tests/support/packing.h"
#include "tests/support/toolbox.h"

static const char plain[] = "0000000000000000 A fixed_percpu_data\n"
			    "ffffffff81000000 T srso_alias_untrain_ret\n"
			    "ffffffff81000000 T _stext\n"
			    "ffffffff81000000 T _text\n"
			    "ffffffff81000040 t __pfx_do_it\n"
			    "ffffffff81000050 t do_it\n"
			    "ffffffff81000050 T __do_it\n"
			    "ffffffff81000050 W weak_do_it\n"
			    "ffffffff81000100 D data\n"
			    "ffffffff81000200 t last.part.0\n"
			    "ffffffff81000900 T _etext\n"
			    "ffffffff82000000 t late_init\n"
			    "ffffffffc0000000 t ext4_init\t[ext4]\n"
			    "ffffffffc0000100 t ext4_last\t[ext4]\n"
			    "ffffffffc0010000 t xfs_init\t[xfs]\n"
			    "ffffffffc0010800 t bpf_prog_6deef7357e7b4530\t[bpf]\n";

static char *try_read(struct kallsyms *kallsyms, const void *at, size_t size)
{
	CLEANUP(text_release) struct text path = TEXT_INIT;
	struct error *err;
	char *failure;

	toolbox_write("kallsyms", at, size);
	text_addf(&path, "%s/kallsyms", toolbox_folder());
	err = kallsyms_read(kallsyms, path.bytes);
	failure = err ? mem_strdup(error_text(err)) : NULL;
	error_free(err);
	return failure;
}

static void read_all(struct kallsyms *kallsyms, const char *text)
{
	assert_null(try_read(kallsyms, text, strlen(text)));
}

static const char *name_at(const struct kallsyms *kallsyms, uint64_t address)
{
	const struct kallsyms_symbol *symbol = kallsyms_find(kallsyms, address);

	return symbol ? kallsyms_name(kallsyms, symbol) : "-";
}

static void functions_end_where_the_next_begins(void **state)
{
	CLEANUP(kallsyms_release) struct kallsyms kallsyms = {0};

	(void)state;
	read_all(&kallsyms, plain);
	assert_int_equal(kallsyms.lines_bad, 0);
	assert_string_equal(name_at(&kallsyms, 0), "-");
	assert_string_equal(name_at(&kallsyms, 0xffffffff80ffffff), "-");
	assert_string_equal(name_at(&kallsyms, 0xffffffff81000000), "srso_alias_untrain_ret");
	assert_string_equal(name_at(&kallsyms, 0xffffffff8100003f), "srso_alias_untrain_ret");
	assert_string_equal(name_at(&kallsyms, 0xffffffff81000040), "__pfx_do_it");
	assert_string_equal(name_at(&kallsyms, 0xffffffff81000050), "__do_it");
	assert_string_equal(name_at(&kallsyms, 0xffffffff810001ff), "__do_it");
	assert_string_equal(name_at(&kallsyms, 0xffffffff810008ff), "last.part.0");
	assert_string_equal(name_at(&kallsyms, 0xffffffff81000900), "-");
	/* nobody says how long what is behind the text is */
	assert_string_equal(name_at(&kallsyms, 0xffffffff82000fff), "late_init");
	assert_string_equal(name_at(&kallsyms, 0xffffffff82001000), "-");
}

static void modules_do_not_reach_into_others(void **state)
{
	CLEANUP(kallsyms_release) struct kallsyms kallsyms = {0};
	const struct kallsyms_symbol *symbol;

	(void)state;
	read_all(&kallsyms, plain);
	symbol = kallsyms_find(&kallsyms, 0xffffffffc0000010);
	assert_string_equal(kallsyms_module(&kallsyms, symbol), "ext4");
	assert_null(kallsyms_module(&kallsyms, kallsyms_find(&kallsyms, 0xffffffff81000050)));
	assert_string_equal(name_at(&kallsyms, 0xffffffffc00010ff), "ext4_last");
	assert_string_equal(name_at(&kallsyms, 0xffffffffc0001100), "-");
	assert_string_equal(name_at(&kallsyms, 0xffffffffc00107ff), "xfs_init");
	/* the mapping says where the module ends */
	kallsyms_cut(&kallsyms, 0xffffffffc0000200);
	assert_string_equal(name_at(&kallsyms, 0xffffffffc00001ff), "ext4_last");
	assert_string_equal(name_at(&kallsyms, 0xffffffffc0000200), "-");
	kallsyms_cut(&kallsyms, 0);
	kallsyms_cut(&kallsyms, UINT64_MAX);
}

static void a_list_is_moved_to_where_the_kernel_was(void **state)
{
	CLEANUP(kallsyms_release) struct kallsyms kallsyms = {0};
	uint64_t slide = 7;

	(void)state;
	read_all(&kallsyms, plain);
	assert_true(kallsyms_slide(&kallsyms, "_text", 0xffffffff81000000, &slide));
	assert_int_equal(slide, 0);
	assert_true(kallsyms_slide(&kallsyms, "_stext", 0xffffffff9c000000, &slide));
	assert_int_equal(slide, 0x1b000000);
	slide = 7;
	/* hidden, and unknown */
	assert_false(kallsyms_slide(&kallsyms, "_text", 0, &slide));
	assert_false(kallsyms_slide(&kallsyms, "_sdata", 5, &slide));
	assert_int_equal(slide, 7);
}

static void expect_failure(const char *text, const char *words)
{
	struct kallsyms kallsyms;
	char *failure = try_read(&kallsyms, text, strlen(text));

	assert_non_null(failure);
	assert_non_null(strstr(failure, words));
	assert_null(kallsyms.list);
	free(failure);
}

static void restricted_and_foreign_files_are_refused(void **state)
{
	struct kallsyms kallsyms;
	struct error *err = kallsyms_read(&kallsyms, "/nowhere/kallsyms");

	(void)state;
	assert_non_null(err);
	error_free(err);
	expect_failure("0000000000000000 T _text\n0000000000000000 t do_it\n", "kptr_restrict");
	expect_failure("", "is no kallsyms");
	expect_failure("ffffffff81000000 D data\n", "is no kallsyms");
	expect_failure("int main(void)\n", "is no kallsyms");
}

static void odd_lines_are_counted(void **state)
{
	CLEANUP(kallsyms_release) struct kallsyms kallsyms = {0};
	static const char text[] = "ffffffff81000000 T good\n"
				   "ffffffff81000010 T na\0me\n"
				   "\n"
				   "ffffffff81000010\n"
				   "ffffffff81000010 T\n"
				   "ffffffff81000010 T \n"
				   "ffffffff81000010 TT name\n"
				   "fffffffff81000010 T long\n"
				   "xyz T name\n"
				   "ffffffff81000010 T name\t\n"
				   "ffffffff81000010 T name\t[]\n"
				   "ffffffff81000010 T name\text4\n"
				   "ffffffff81000020 T good_too";

	(void)state;
	assert_null(try_read(&kallsyms, text, sizeof(text) - 1));
	assert_int_equal(kallsyms.nr, 2);
	assert_int_equal(kallsyms.lines_bad, 11);
	assert_string_equal(name_at(&kallsyms, 0xffffffff81000020), "good_too");
}

static void packed_lists_are_read(void **state)
{
	CLEANUP(text_release) struct text gzip = TEXT_INIT, zstd = TEXT_INIT, xz = TEXT_INIT;
	const struct text *packed[] = {&gzip, &zstd, &xz};

	(void)state;
	packing_gzip(&gzip, plain, strlen(plain));
	packing_zstd(&zstd, plain, strlen(plain));
	packing_xz(&xz, plain, strlen(plain));
	for (size_t i = 0; i < ARRAY_NR(packed); i++) {
		CLEANUP(kallsyms_release) struct kallsyms kallsyms = {0};
		char *failure;

		assert_null(try_read(&kallsyms, packed[i]->bytes, packed[i]->size));
		assert_int_equal(kallsyms.nr, 9);
		kallsyms_release(&kallsyms);
		failure = try_read(&kallsyms, packed[i]->bytes, packed[i]->size - 20);
		assert_non_null(failure);
		free(failure);
	}
}

/* ---- what perf said of the same addresses, in the corpus */

/* Is it another name of the same address? */
static bool is_alias(const char *list, uint64_t lo, const char *name)
{
	CLEANUP(text_release) struct text line = TEXT_INIT;
	char after = '\0';
	const char *at;

	for (const char *const *type = (const char *const[]){"T", "t", "W", "w", NULL}; *type;
	     type++) {
		text_clear(&line);
		text_addf(&line, "%016llx %s %s", (unsigned long long)lo, *type, name);
		at = strstr(list, line.bytes);
		after = at ? at[line.size] : 'x';
		if (after == '\n' || after == '\t')
			return true;
	}
	return false;
}

static void perf_gave_the_same_names(void **state)
{
	CLEANUP(kallsyms_release) struct kallsyms kallsyms = {0};
	CLEANUP(text_release) struct text list = TEXT_INIT, lines = TEXT_INIT;
	const char *path = toolbox_corpus("perfdata/own/kallsyms.zst");
	unsigned nr = 0, alike = 0;

	(void)state;
	if (!path || !toolbox_has("zstd"))
		return;
	assert_null(kallsyms_read(&kallsyms, path));
	toolbox_run("zstd -qdc '%s' >list", path);
	toolbox_read(&list, "cat list");
	path = toolbox_corpus("perfdata/own/expected");
	/* address and name of each different kernel frame */
	toolbox_read(&lines,
		     "for f in '%s'/*.script.zst; do zstd -qdc \"$f\"; done | "
		     "sed -n 's/^[[:blank:]]*\\(ffffffff[0-9a-f]*\\) \\([^ ]*\\) "
		     "(\\[kernel.kallsyms\\])$/\\1 \\2/p' | sort -u",
		     path);
	for (char *at = lines.bytes, *end; at && *at; at = end + 1, nr++) {
		const char *name;
		uint64_t address = strtoull(at, &at, 16);
		const struct kallsyms_symbol *symbol = kallsyms_find(&kallsyms, address);

		end = strchr(at, '\n');
		*end = '\0';
		name = symbol ? kallsyms_name(&kallsyms, symbol) : "-";
		if (strcmp(name, at + 1) == 0)
			continue;
		alike++;
		if (!symbol || !is_alias(list.bytes, symbol->lo, at + 1))
			fail_msg("0x%llx is '%s', to perf '%s'", (unsigned long long)address, name,
				 at + 1);
	}
	printf("# %u addresses, %u of them with another name of the same function\n", nr, alike);
	assert_true(nr > 500);
}

/* ---- a part of the list */

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % below;
}

/* The kernel's functions rise, those of modules only in each; some share an address. */
static void add_functions(struct text *list, uint64_t *seed, unsigned nr, const char *module)
{
	static const char types[] = "tTWwd";
	uint64_t at = module ? 0xffffffffc0000000 + draw(seed, 1 << 14) : 0xffffffff81000000;

	for (unsigned i = 0; i < nr; i++) {
		at += draw(seed, 3) ? draw(seed, 400) : 0;
		text_addf(list, "%016llx %c %sf%u", (unsigned long long)at,
			  types[draw(seed, sizeof(types) - 1)], draw(seed, 5) ? "" : "__pfx_",
			  draw(seed, 1000));
		text_addf(list, module ? "\t[%s]\n" : "\n", module);
	}
	if (!module)
		text_addf(list, "%016llx T _etext\n", (unsigned long long)at - draw(seed, 2000));
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void check_part(const struct text *list, uint64_t *seed, size_t nr)
{
	CLEANUP(kallsyms_release) struct kallsyms all = {0}, part = {0};
	CLEANUP(text_release) struct text path = TEXT_INIT;
	uint64_t wanted[64];

	read_all(&all, text_string(list));
	for (size_t i = 0; i < nr; i++)
		wanted[i] = (draw(seed, 2) ? 0xffffffff81000000 : 0xffffffffc0000000) +
			    draw(seed, 1 << 15);
	for (size_t i = nr / 2; i < nr; i++) /* where functions begin, and right before */
		wanted[i] = all.los[draw(seed, (uint32_t)all.nr)] - draw(seed, 2);
	qsort(wanted, nr, sizeof(*wanted), compare);
	text_addf(&path, "%s/kallsyms", toolbox_folder());
	assert_null(kallsyms_read_for(&part, path.bytes, wanted, nr));
	assert_true(part.nr <= all.nr);
	assert_int_equal(part.etext, all.etext);
	assert_int_equal(part.lines_bad, all.lines_bad);
	for (size_t i = 0; i < nr; i++) {
		const struct kallsyms_symbol *x = kallsyms_find(&all, wanted[i]);
		const struct kallsyms_symbol *y = kallsyms_find(&part, wanted[i]);

		assert_int_equal(!x, !y);
		if (!x)
			continue;
		assert_string_equal(kallsyms_name(&all, x), kallsyms_name(&part, y));
		assert_true(x->lo == y->lo && x->hi == y->hi);
		assert_int_equal(!kallsyms_module(&all, x), !kallsyms_module(&part, y));
		if (kallsyms_module(&all, x))
			assert_string_equal(kallsyms_module(&all, x), kallsyms_module(&part, y));
	}
}

static void a_part_of_the_list_says_the_same_of_what_it_is_for(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		CLEANUP(text_release) struct text list = TEXT_INIT;

		text_add(&list, "no line\nffffffff80fffff0 T _stext\n");
		add_functions(&list, &seed, 1 + draw(&seed, 200), NULL);
		for (unsigned j = draw(&seed, 4); j; j--)
			add_functions(&list, &seed, 1 + draw(&seed, 30), j % 2 ? "ext4" : "xfs");
		check_part(&list, &seed, draw(&seed, 64));
	}
}

static void most_of_a_list_is_not_kept(void **state)
{
	CLEANUP(kallsyms_release) struct kallsyms kallsyms = {0};
	CLEANUP(text_release) struct text list = TEXT_INIT, path = TEXT_INIT;

	(void)state;
	for (unsigned i = 0; i < 10000; i++)
		text_addf(&list, "%016llx t f%u\n", 0xffffffff81000000 + 16ULL * i, i);
	toolbox_write("kallsyms", list.bytes, list.size);
	text_addf(&path, "%s/kallsyms", toolbox_folder());
	assert_null(kallsyms_read_for(&kallsyms, path.bytes,
				      (uint64_t[]){0xffffffff81000018, 0xffffffff81005000}, 2));
	assert_in_range(kallsyms.nr, 2, 10);
	assert_string_equal(name_at(&kallsyms, 0xffffffff81000018), "f1");
	assert_string_equal(name_at(&kallsyms, 0xffffffff81005000), "f1280");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_end_where_the_next_begins),
		cmocka_unit_test(modules_do_not_reach_into_others),
		cmocka_unit_test(a_list_is_moved_to_where_the_kernel_was),
		cmocka_unit_test(restricted_and_foreign_files_are_refused),
		cmocka_unit_test(odd_lines_are_counted),
		cmocka_unit_test(packed_lists_are_read),
		cmocka_unit_test(a_part_of_the_list_says_the_same_of_what_it_is_for),
		cmocka_unit_test(most_of_a_list_is_not_kept),
		cmocka_unit_test(perf_gave_the_same_names),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
