/* test_demangle.c - names as they are shown, and what was taken off them */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/demangle.h"
#include "tests/support/toolbox.h"

static void expect(const char *raw, const char *shown, unsigned kinds)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	assert_int_equal(demangle_display(raw, &text), kinds);
	assert_string_equal(text_string(&text), shown);
}

static void languages_are_shown_as_they_are_written(void **state)
{
	(void)state;
	expect("main", "main", 0);
	expect("_ZN2ns1fEi", "ns::f", 0);
	expect("_ZNK1a1bIiEcvbEv", "a::b<int>::operator bool", 0);
	expect("_Z1fIiEvT_", "f<int>", 0);
	expect("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad", 0);
	expect("_RNvC6_123foo3bar", "123foo::bar", 0);
	expect("_RNvCs1234_7mycrate3foo", "mycrate::foo", 0);
	expect("_Dmain", "D main", 0);
	expect("_D3std5stdio7writelnFZv", "std.stdio.writeln()", 0);
	expect("_Dump", "_Dump", 0);
	expect("_Zest", "_Zest", 0);
	expect("_Rust", "_Rust", 0);
	expect("main.main", "main.main", 0);
	expect("camlStdlib__List__map_123", "camlStdlib__List__map_123", 0);
	expect("$s4main3fooyyF", "$s4main3fooyyF", 0);
	expect("", "", 0);
}

static void versions_and_dots_are_not_shown(void **state)
{
	(void)state;
	expect("memcpy@@GLIBC_2.14", "memcpy", 0);
	expect("memcpy@GLIBC_2.2.5", "memcpy", 0);
	expect("_ZN2ns1fEi@V1", "ns::f", 0);
	expect("puts@plt", "puts@plt", 0);
	expect("_ZN2ns1fEi@plt", "ns::f@plt", 0);
	expect("._ZN2ns1fEi", "ns::f", 0);
	expect("@odd", "@odd", 0);
	expect(".hidden", ".hidden", 0);
	expect(".", ".", 0);
}

static void clones_are_what_they_were_made_of(void **state)
{
	(void)state;
	expect("f.isra.0", "f", DEMANGLE_ISRA);
	expect("f.constprop.12", "f", DEMANGLE_CONSTPROP);
	expect("vms_clear_ptes.part.0", "vms_clear_ptes", DEMANGLE_PART);
	expect("main.cold", "main", DEMANGLE_COLD);
	expect("main.cold.7", "main", DEMANGLE_COLD);
	expect("f.lto_priv.0", "f", DEMANGLE_LTO);
	expect("f.llvm.12345678901234567890", "f", DEMANGLE_LLVM);
	expect("f.localalias", "f", DEMANGLE_LOCALALIAS);
	expect("f.warm", "f", DEMANGLE_WARM);
	expect("_ZN2ns1fEi.isra.0.part.1.cold", "ns::f",
	       DEMANGLE_ISRA | DEMANGLE_PART | DEMANGLE_COLD);
	expect("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE.llvm.77",
	       "core::fmt::Formatter::pad", DEMANGLE_LLVM);
	/* names that only look so */
	expect("f.part", "f.part", 0);
	expect("f.123", "f.123", 0);
	expect("f.cold.x", "f.cold.x", 0);
	expect(".cold", ".cold", 0);
	expect("f.colder", "f.colder", 0);
	expect("f.isra.", "f.isra.", 0);
}

static void bases_tell_whether_two_are_one_function(void **state)
{
	unsigned kinds;

	(void)state;
	assert_int_equal(demangle_base("f.part.0.cold", &kinds), 1);
	assert_int_equal(kinds, DEMANGLE_PART | DEMANGLE_COLD);
	assert_int_equal(demangle_base("f.cold@V1", &kinds), 1);
	assert_int_equal(demangle_base("f@plt", NULL), 5);
	assert_int_equal(demangle_base("", &kinds), 0);
	assert_int_equal(kinds, 0);
}

static void names_of_templates_are_long(void **state)
{
	CLEANUP(text_release) struct text raw = TEXT_INIT, shown = TEXT_INIT;

	(void)state;
	/* f<a, a, a ...>: 3000 bytes, nothing nested */
	text_add(&raw, "_Z1fI");
	for (unsigned i = 0; i < 300; i++)
		text_addf(&raw, "8type_%03u", i);
	text_add(&raw, "Evv");
	demangle_display(raw.bytes, &shown);
	assert_memory_equal(shown.bytes, "f<type_000, type_001, ", 22);
	assert_int_equal(shown.bytes[shown.size - 1], '>');
}

/* Doubles itself with each back reference. */
static void make_bomb(struct text *raw, unsigned levels, const char *begin)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t last;

	text_addf(raw, "%s", begin);
	last = raw->size - 2;
	text_add(raw, "i");
	for (unsigned i = 0; i < levels; i++) {
		size_t here = raw->size - 2;
		char reference[8];

		if (last == 0 || last - 1 < 62)
			snprintf(reference, sizeof(reference), "B%c_", digits[last - 1]);
		else
			snprintf(reference, sizeof(reference), "B%c%c_",
				 digits[(last - 1) / 62 - 1], digits[(last - 1) % 62]);
		text_addf(raw, "T%s%sE", reference, reference);
		last = here;
	}
	text_add(raw, "E");
}

static void what_is_too_long_is_cut_and_told_apart(void **state)
{
	CLEANUP(text_release) struct text raw = TEXT_INIT, a = TEXT_INIT, b = TEXT_INIT;

	(void)state;
	for (unsigned i = 0; i < 3000; i++)
		text_add(&raw, "\xc3\xa4");
	text_add(&raw, "a");
	demangle_display(raw.bytes, &a);
	raw.bytes[raw.size - 1] = 'b';
	demangle_display(raw.bytes, &b);
	assert_true(a.size <= DEMANGLE_SHOWN_MAX && b.size == a.size);
	assert_string_not_equal(a.bytes, b.bytes);
	assert_int_equal((unsigned char)a.bytes[a.size - 21], 0xa4);
	assert_non_null(strstr(a.bytes, "...#"));
	text_clear(&a);
	text_clear(&b);
	text_clear(&raw);
	make_bomb(&raw, 60, "_RINvC1a1f");
	demangle_display(raw.bytes, &a);
	assert_memory_equal(a.bytes, "a::f::<", 7);
	assert_true(a.size <= DEMANGLE_SHOWN_MAX);
	assert_non_null(strstr(a.bytes, "...#"));
}

static void repeat(struct text *text, const char *piece, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		text_add(text, piece);
}

static void hostile_names_are_shown_somehow(void **state)
{
	static const char *const begins[] = {"_Z1f",	"_ZN",	   "_R",	  "_RINv",
					     "_D1a1fF", "_Z1fIXL", "_ZN4core17h", "_GLOBAL__I_"};
	static const char *const pieces[] = {"P",  "PF", "1aI", "S_", "Q",   "H",    "1a",
					     "B_", "T",	 "n",	"X",  "clf", ".cold"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(begins); i++)
		for (size_t j = 0; j < ARRAY_NR(pieces); j++)
			for (unsigned nr = 10; nr < 20000; nr *= 3) {
				CLEANUP(text_release)
				struct text raw = TEXT_INIT, shown = TEXT_INIT;

				text_add(&raw, begins[i]);
				repeat(&raw, pieces[j], nr);
				demangle_display(raw.bytes, &shown);
				assert_true(shown.size > 0);
				assert_true(shown.size <= DEMANGLE_SHOWN_MAX + 4);
			}
}

static void random_bytes_are_shown_somehow(void **state)
{
	static const char alphabet[] = "_ZNKRVSTEILXJDQBCMHFPOabcdefghijz0123456789.@$v";
	uint64_t chance = 7;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		CLEANUP(text_release) struct text raw = TEXT_INIT, shown = TEXT_INIT;

		text_add(&raw, i % 3 == 0 ? "_Z" : i % 3 == 1 ? "_R" : "_D");
		for (unsigned j = 0; j < 60; j++) {
			chance = chance * 6364136223846793005u + 1442695040888963407u;
			text_add_char(&raw, alphabet[(chance >> 33) % (sizeof(alphabet) - 1)]);
		}
		demangle_display(raw.bytes, &shown);
		assert_true(shown.size > 0 || raw.bytes[0] == '.');
	}
}

/* All functions of a library of C++, against c++filt. */
static void a_library_is_shown_as_cxxfilt_does(void **state)
{
	CLEANUP(text_release) struct text raws = TEXT_INIT, lines = TEXT_INIT;
	unsigned nr = 0;
	char *raw, *line;

	(void)state;
	if (!toolbox_has("g++ c++filt nm") ||
	    !toolbox_try("nm -D --defined-only \"$(g++ -print-file-name=libstdc++.so.6)\" | "
			 "sed 's/.* //; s/@.*//' | grep -v '[.]' | sort -u >raw"))
		return;
	toolbox_read(&raws, "cat raw");
	toolbox_read(&lines, "c++filt -p -i --no-recurse-limit <raw");
	for (raw = raws.bytes, line = lines.bytes; *raw; nr++) {
		char *raw_end = strchr(raw, '\n'), *line_end = strchr(line, '\n');

		*raw_end = '\0';
		*line_end = '\0';
		expect(raw, line, 0);
		raw = raw_end + 1;
		line = line_end + 1;
	}
	printf("# %u names\n", nr);
	assert_true(nr > 1000);
}

static void rust_is_shown_without_hashes(void **state)
{
	static const char source[] =
		"pub mod deep { pub trait T { fn go(&self) -> u32; }\n"
		"impl T for u32 { #[inline(never)] fn go(&self) -> u32 { *self } } }\n"
		"use deep::T;\nfn main() { std::process::exit(7u32.go() as i32) }\n";
	static const char *const styles[] = {"", "-C symbol-mangling-version=v0"};

	(void)state;
	if (!toolbox_has("rustc nm"))
		return;
	toolbox_write("r.rs", source, sizeof(source) - 1);
	for (size_t i = 0; i < ARRAY_NR(styles); i++) {
		CLEANUP(text_release) struct text raw = TEXT_INIT;
		CLEANUP(text_release) struct text shown = TEXT_INIT;

		if (!toolbox_try("rustc -C opt-level=0 %s r.rs -o r", styles[i])) {
			printf("# rustc %s does not build: not tested\n", styles[i]);
			continue;
		}
		toolbox_read(&raw,
			     "nm r | sed -n 's/.* //; /deep.*go/p' | head -n 1 | tr -d '\\n'");
		demangle_display(text_string(&raw), &shown);
		assert_string_equal(text_string(&shown), "<u32 as r::deep::T>::go");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(languages_are_shown_as_they_are_written),
		cmocka_unit_test(versions_and_dots_are_not_shown),
		cmocka_unit_test(clones_are_what_they_were_made_of),
		cmocka_unit_test(bases_tell_whether_two_are_one_function),
		cmocka_unit_test(names_of_templates_are_long),
		cmocka_unit_test(what_is_too_long_is_cut_and_told_apart),
		cmocka_unit_test(hostile_names_are_shown_somehow),
		cmocka_unit_test(random_bytes_are_shown_somehow),
		cmocka_unit_test(a_library_is_shown_as_cxxfilt_does),
		cmocka_unit_test(rust_is_shown_without_hashes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
