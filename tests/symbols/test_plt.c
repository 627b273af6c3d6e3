/* test_plt.c - stubs of all linkers are named after what they call */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/plt.h"
#include "symbols/symtab.h"
#include "tests/support/toolbox.h"

/* The calls stand in this order, so that their targets say which stub is which. */
static const char *const called[] = {"puts", "strlen", "getpid", "qsort", "memcmp"};
static const char source[] = "int puts(), strlen(), getpid(), qsort(), memcmp(), strcmp();\n"
			     "int work(char **v) { puts(v[0]); strlen(v[0]); getpid();\n"
			     "qsort(v, 1, 8, strcmp); memcmp(v[0], v[1], 1); return 1; }\n"
			     "int main(int n, char **v) { return n > 100 ? work(v) : 0; }\n";

/* Each target of a call, one hex number a line. */
static void read_calls(struct text *calls, const char *objdump, const char *name)
{
	toolbox_read(calls,
		     "%s -d --disassemble-symbols=work %s 2>/dev/null | "
		     "sed -nE 's/^.*(call|callq|bl)[[:blank:]]+(0x)?([0-9a-f]+).*/\\3/p'",
		     objdump, name);
}

static void check_calls(const char *file, const char *stripped)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	CLEANUP(text_release) struct text calls = TEXT_INIT;
	Elf *elf = toolbox_elf(stripped);
	char *at;

	symtab_build(&symtab, elf, NULL);
	toolbox_close(elf);
	read_calls(&calls, "llvm-objdump", file);
	at = calls.bytes;
	for (size_t i = 0; i < ARRAY_NR(called); i++) {
		const struct symtab_symbol *symbol;
		uint64_t target;
		size_t size = strlen(called[i]);

		assert_non_null(at);
		target = strtoull(at, &at, 16);
		symbol = symtab_find(&symtab, target);
		if (!symbol)
			fail_msg("%s: nothing at 0x%llx, which is %s", stripped,
				 (unsigned long long)target, called[i]);
		assert_int_equal(strncmp(symbol->name, called[i], size), 0);
		assert_string_equal(symbol->name + size, "@plt");
		assert_int_equal(symbol->lo, target);
		assert_true(symbol->hi - symbol->lo >= 8 && symbol->hi - symbol->lo <= 24);
		/* the end of a stub is of it, too */
		assert_ptr_equal(symtab_find(&symtab, symbol->hi - 1), symbol);
	}
}

static void stubs_of_all_linkers_are_named(void **state)
{
	static const char *const linkers[] = {"bfd", "gold", "lld", "mold"};
	static const char *const models[] = {
		"-fPIE -pie",	 "-fno-pie -no-pie", "-Wl,-z,now",	 "-Wl,-z,lazy",
		"-Wl,-z,ibtplt", "-Wl,-z,bndplt",    "-shared -fPIC -g", "-Wl,-z,noseparate-code",
	};

	(void)state;
	if (!toolbox_has("llvm-objdump"))
		return;
	toolbox_write("w.c", source, sizeof(source) - 1);
	for (size_t i = 0; i < ARRAY_NR(linkers); i++) {
		unsigned nr = 0;

		for (size_t j = 0; j < ARRAY_NR(models); j++) {
			if (!toolbox_try("gcc -O1 -fno-builtin -w -fuse-ld=%s %s w.c -o w && "
					 "strip -o stripped w",
					 linkers[i], models[j]))
				continue;
			check_calls("w", "w");
			check_calls("w", "stripped");
			nr++;
		}
		printf("# %s: %u of %zu models linked\n", linkers[i], nr, ARRAY_NR(models));
	}
}

static void stubs_of_aarch64_are_named(void **state)
{
	static const char *const linkers[] = {"ld.lld", "ld.lld -z force-bti -z pac-plt",
					      "ld.lld -z pac-plt", "mold -m aarch64linux",
					      "aarch64-linux-gnu-ld"};

	(void)state;
	if (!toolbox_has("clang ld.lld llvm-objdump"))
		return;
	toolbox_write("w.c", source, sizeof(source) - 1);
	for (size_t i = 0; i < ARRAY_NR(linkers); i++) {
		toolbox_run("clang --target=aarch64-linux-gnu -mbranch-protection=standard -w "
			    "-O1 -fno-builtin -fPIC -fvisibility=hidden -c w.c -o w.o");
		if (!toolbox_try("%s -shared w.o -o w.so && llvm-strip -o w-stripped.so w.so",
				 linkers[i])) {
			printf("# %s does not link: not tested\n", linkers[i]);
			continue;
		}
		check_calls("w.so", "w-stripped.so");
	}
}

/* A static program calls memcpy and its like through stubs whose slots have a resolver only. */
static void stubs_of_static_programs_have_the_resolver(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	struct plt plt;
	Elf *elf;
	unsigned nr = 0;

	(void)state;
	toolbox_write("w.c", source, sizeof(source) - 1);
	toolbox_run("gcc -O1 -fno-builtin -w -static w.c -o static");
	elf = toolbox_elf("static");
	plt_build(&plt, elf);
	symtab_build(&symtab, elf, NULL);
	for (size_t i = 0; i < plt.nr; i++) {
		const struct symtab_symbol *symbol = symtab_find(&symtab, plt.list[i].lo);
		const struct symtab_symbol *resolver = symtab_find(&symtab, plt.list[i].resolver);

		assert_int_equal(plt.list[i].name, PLT_UNNAMED);
		assert_non_null(symbol);
		assert_non_null(resolver);
		assert_int_equal(symbol->source, SYMTAB_PLT);
		assert_true(resolver->flags & SYMTAB_RESOLVER);
		assert_int_equal(strlen(symbol->name), strlen(resolver->name) + 4);
		nr++;
	}
	printf("# %u stubs\n", nr);
	plt_release(&plt);
	toolbox_close(elf);
}

static void other_machines_have_none(void **state)
{
	struct plt plt;
	Elf *elf;

	(void)state;
	if (!toolbox_has("clang ld.lld"))
		return;
	toolbox_write("w.c", source, sizeof(source) - 1);
	toolbox_run("clang --target=powerpc64le-linux-gnu -w -fPIC -O1 -fno-builtin -c w.c -o w.o "
		    "&& ld.lld -shared w.o -o w.so");
	elf = toolbox_elf("w.so");
	plt_build(&plt, elf);
	assert_int_equal(plt.nr, 0);
	plt_release(&plt);
	toolbox_close(elf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stubs_of_all_linkers_are_named),
		cmocka_unit_test(stubs_of_aarch64_are_named),
		cmocka_unit_test(stubs_of_static_programs_have_the_resolver),
		cmocka_unit_test(other_machines_have_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
