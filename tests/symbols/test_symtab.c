/* test_symtab.c - functions by address: which of several, where they end, from which table */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/symtab.h"
#include "tests/support/toolbox.h"

/* The table of a binary and a debug file; either may be NULL. */
static void build(struct symtab *symtab, const char *binary, const char *debug)
{
	Elf *b = binary ? toolbox_elf(binary) : NULL;
	Elf *d = debug ? toolbox_elf(debug) : NULL;

	symtab_build(symtab, b, d);
	/* the table outlives both */
	toolbox_close(b);
	toolbox_close(d);
}

static uint64_t address_of(const struct symtab *symtab, const char *name)
{
	uint64_t address;

	if (!symtab_address(symtab, name, &address))
		fail_msg("no symbol '%s'", name);
	return address;
}

static const char *name_at(const struct symtab *symtab, uint64_t address)
{
	const struct symtab_symbol *symbol = symtab_find(symtab, address);

	return symbol ? symbol->name : "-";
}

/* ---- hand-written tables: one function of assembly after the other, each 16 bytes aligned */

#define FUNCTION(name, size) ".type " name ",@function\n.size " name "," size "\n" name ":\n"

static void assemble(struct symtab *symtab, const char *text)
{
	toolbox_write("x.s", text, strlen(text));
	toolbox_run("gcc -c x.s -o x.o && ld -e base -o x x.o");
	build(symtab, "x", NULL);
}

static void sized_functions_end_where_they_say(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	uint64_t base;

	(void)state;
	assemble(&symtab, ".globl base\n" FUNCTION("base", "20") ".skip 64\n" FUNCTION(
				  "near", "50") ".skip 64\n" FUNCTION("last", "4") ".skip 16\n");
	base = address_of(&symtab, "base");
	assert_int_equal(symtab.nr, 3);
	assert_string_equal(name_at(&symtab, base - 1), "-");
	assert_string_equal(name_at(&symtab, base), "base");
	assert_string_equal(name_at(&symtab, base + 19), "base");
	assert_string_equal(name_at(&symtab, base + 20), "-");
	assert_string_equal(name_at(&symtab, base + 63), "-");
	assert_string_equal(name_at(&symtab, base + 64), "near");
	/* 14 bytes between two functions are alignment */
	assert_string_equal(name_at(&symtab, base + 127), "near");
	assert_string_equal(name_at(&symtab, base + 128), "last");
	assert_string_equal(name_at(&symtab, base + 132), "-");
	assert_string_equal(name_at(&symtab, UINT64_MAX), "-");
	assert_string_equal(name_at(&symtab, 0), "-");
}

static void functions_without_size_end_at_the_next(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	const struct symtab_symbol *symbol;
	uint64_t base;

	(void)state;
	assemble(&symtab, ".globl base\n.type base,@function\nbase: .skip 64\n"
			  "label: .skip 40\n.Lmine: .skip 8\n"
			  ".data\nvariable: .long 1\n.text\nend_of_all:\n");
	base = address_of(&symtab, "base");
	assert_int_equal(symtab.nr, 2);
	symbol = symtab_find(&symtab, base + 63);
	assert_string_equal(symbol->name, "base");
	assert_int_equal(symbol->flags, SYMTAB_SIZELESS);
	symbol = symtab_find(&symtab, base + 64 + 47);
	assert_string_equal(symbol->name, "label");
	assert_int_equal(symbol->flags, SYMTAB_SIZELESS | SYMTAB_LABEL);
	assert_null(symtab_find(&symtab, base + 64 + 48));
	assert_int_equal(symtab.refused.outside, 0);
}

static void functions_around_others_get_what_is_left(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	uint64_t base;

	(void)state;
	assemble(&symtab, ".globl base\n" FUNCTION("base", "100") ".skip 20\n" FUNCTION(
				  "inner", "10") ".skip 70\nlabel: .skip 70\n");
	base = address_of(&symtab, "base");
	assert_string_equal(name_at(&symtab, base + 19), "base");
	assert_string_equal(name_at(&symtab, base + 20), "inner");
	assert_string_equal(name_at(&symtab, base + 30), "base");
	/* a label within a function ends with it, whatever follows */
	assert_string_equal(name_at(&symtab, base + 99), "label");
	assert_string_equal(name_at(&symtab, base + 100), "-");
}

static void enclosing_functions_are_not_looked_for_without_end(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	uint64_t base;

	(void)state;
	text_add(&text, ".globl base\n" FUNCTION("base", "800"));
	for (unsigned i = 0; i < 20; i++)
		text_addf(&text, FUNCTION("f%u", "1") ".skip 32\n", i, i, i);
	text_add(&text, ".skip 200\n");
	assemble(&symtab, text.bytes);
	base = address_of(&symtab, "f0");
	assert_string_equal(name_at(&symtab, base + 15 * 32 + 20), "base");
	assert_string_equal(name_at(&symtab, base + 19 * 32 + 20), "-");
}

static void one_of_equals_is_shown_always_the_same(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	static const char *const order[] = {"b",    "c",     "a.part.0", "_a",
					    "weak", "local", "label",	 "none"};
	const struct symtab_symbol *first;
	uint64_t base;

	(void)state;
	text_add(&text,
		 ".globl base, b, c, _a, a.part.0, none\n.weak weak\n" FUNCTION(
			 "base", "8") ".skip 32\n" FUNCTION("none", "0") FUNCTION("local", "16")
			 FUNCTION("weak", "16") FUNCTION("a.part.0", "16") FUNCTION("_a", "16")
				 FUNCTION("c", "16") FUNCTION("b", "16"));
	text_add(&text, ".globl label\n.size label,16\nlabel: .skip 16\n");
	assemble(&symtab, text.bytes);
	base = address_of(&symtab, "b");
	assert_string_equal(name_at(&symtab, base), "b");
	assert_int_equal(symtab_aliases(&symtab, symtab_find(&symtab, base), &first), 8);
	/* a label is the last of those with a size, though it is global */
	for (size_t i = 0; i < ARRAY_NR(order); i++)
		assert_string_equal(first[i].name, order[i]);
}

static void longer_aliases_get_what_the_shown_one_lacks(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	uint64_t base;

	(void)state;
	assemble(&symtab, ".globl base\n" FUNCTION("long", "60") FUNCTION("base", "10") ".skip 64");
	base = address_of(&symtab, "base");
	assert_string_equal(name_at(&symtab, base + 9), "base");
	assert_string_equal(name_at(&symtab, base + 10), "long");
	assert_string_equal(name_at(&symtab, base + 60), "-");
}

static void versions_are_cut_off(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	static const char source[] = "int old(void) { return 1; }\n"
				     "__asm__(\".symver old,f@V1\");\n";

	(void)state;
	toolbox_write("v.c", source, sizeof(source) - 1);
	toolbox_write("v.map", "V1 { global: f; local: *; };\n", 29);
	toolbox_run("gcc -shared -fPIC v.c -Wl,--version-script=v.map -o v.so");
	build(&symtab, "v.so", NULL);
	assert_string_equal(name_at(&symtab, address_of(&symtab, "f")), "f");
}

/* As free and cfree of glibc: the old name, which comes first by its bytes, is shown by none. */
static void old_versions_are_shown_only_where_there_is_nothing_else(void **state)
{
	static const char source[] = "int g(void) { return 1; }\n"
				     "extern int old(void) __attribute__((alias(\"g\")));\n"
				     "extern int weak(void) __attribute__((weak, alias(\"g\")));\n"
				     "__asm__(\".symver old,a@V1\");\n"
				     "int gone(void) { return 2; }\n"
				     "__asm__(\".symver gone,b@V1\");\n";

	(void)state;
	toolbox_write("o.c", source, sizeof(source) - 1);
	toolbox_write("o.map", "V1 { global: a; b; weak; g; local: *; };\n", 41);
	toolbox_run(
		"gcc -shared -fPIC o.c -Wl,--version-script=o.map -o o.so && "
		"strip -o bare.so o.so && "
		/* a linker that leaves versions to .dynsym */
		"objcopy --redefine-sym a@V1=a --redefine-sym b@V1=b --only-keep-debug o.so o.debug");
	for (unsigned i = 0; i < 3; i++) {
		CLEANUP(symtab_release) struct symtab symtab = {0};
		uint64_t address;

		build(&symtab, i ? "bare.so" : "o.so", i == 2 ? "o.debug" : NULL);
		address = address_of(&symtab, "a");
		assert_string_equal(name_at(&symtab, address), "g");
		address = address_of(&symtab, "b");
		assert_int_equal(symtab_find(&symtab, address)->flags & SYMTAB_OLD, SYMTAB_OLD);
		assert_string_equal(name_at(&symtab, address), "b");
	}
}

static void what_the_linker_dropped_is_of_no_address(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	static const char text[] = ".globl base\n" FUNCTION(
		"base", "8") ".skip 16\n"
			     ".globl absolute\n.set absolute, 5\n"
			     ".type gone,@function\n.set gone, base + 0x100000\n";

	(void)state;
	assemble(&symtab, text);
	assert_int_equal(symtab.nr, 1);
	assert_int_equal(symtab.refused.outside, 1);
}

/* ---- what is built from C */

static const char program[] =
	"#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n"
	"static __attribute__((noinline)) int inner(int n) { return n * 3 + puts(\"x\"); }\n"
	"__attribute__((noinline)) int outer(int n) { return inner(n) + inner(n + 1); }\n"
	"int main(int argc, char **argv) { return outer(argc) + (int)strlen(argv[0]); }\n";

/* False, and a line says so, where the tools cannot do that. */
static bool can_make(const char *flags, const char *name)
{
	toolbox_write("p.c", program, sizeof(program) - 1);
	if (toolbox_try("gcc -O1 -fno-builtin %s p.c -o %s", flags, name))
		return true;
	printf("# gcc %s does not link: not tested\n", flags);
	return false;
}

static void make_program(const char *flags, const char *name)
{
	assert_true(can_make(flags, name));
}

/* Every function that nm lists is found, by its name, at each end of it. */
static void compare_with_nm(const char *name)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	CLEANUP(text_release) struct text list = TEXT_INIT;
	unsigned nr = 0;

	build(&symtab, name, NULL);
	toolbox_read(&list, "nm -S --defined-only %s | awk 'NF == 4 && $3 ~ /^[tTwWi]$/'", name);
	for (char *line = list.bytes, *next; line && *line; line = next + 1) {
		const struct symtab_symbol *first, *symbol;
		unsigned long long lo, size;
		char type, raw[4096];
		bool is_known = false;
		uint32_t aliases;

		next = strchr(line, '\n');
		*next = '\0';
		assert_int_equal(sscanf(line, "%llx %llx %c %4095s", &lo, &size, &type, raw), 4);
		raw[1 + strcspn(raw + 1, "@")] = '\0';
		symbol = symtab_find(&symtab, lo);
		assert_non_null(symbol);
		assert_int_equal(symbol->lo, lo);
		aliases = symtab_aliases(&symtab, symbol, &first);
		for (uint32_t i = 0; i < aliases; i++)
			is_known |= strcmp(first[i].name, raw) == 0;
		if (!is_known)
			fail_msg("%s: '%s' is not at its address", name, raw);
		assert_non_null(symtab_find(&symtab, lo + size - 1));
		nr++;
	}
	printf("# %s: %u functions\n", name, nr);
	assert_true(nr > 3);
}

static void every_linker_and_model_gives_its_functions(void **state)
{
	static const char *const linkers[] = {"bfd", "gold", "lld", "mold"};
	static const char *const models[] = {"-fPIE -pie", "-fno-pie -no-pie", "-static",
					     "-static-pie", "-Wl,-z,noseparate-code -g"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(linkers); i++) {
		char tool[16];

		snprintf(tool, sizeof(tool), i == 3 ? "%s" : "ld.%s", linkers[i]);
		if (!toolbox_has(tool))
			continue;
		for (size_t j = 0; j < ARRAY_NR(models); j++) {
			char flags[128];

			snprintf(flags, sizeof(flags), "-fuse-ld=%s %s", linkers[i], models[j]);
			if (can_make(flags, "p"))
				compare_with_nm("p");
		}
	}
}

static void same_tables(const struct symtab *a, const struct symtab *b)
{
	assert_int_equal(a->nr, b->nr);
	for (uint32_t i = 0; i < a->nr; i++) {
		assert_int_equal(a->list[i].lo, b->list[i].lo);
		assert_int_equal(a->list[i].hi, b->list[i].hi);
		assert_string_equal(a->list[i].name, b->list[i].name);
	}
}

static void a_debug_file_says_what_was_stripped(void **state)
{
	CLEANUP(symtab_release) struct symtab whole = {0}, split = {0}, debug = {0}, stripped = {0};

	(void)state;
	make_program("-g", "whole");
	toolbox_run("objcopy --only-keep-debug whole p.debug && strip -o stripped whole");
	build(&whole, "whole", NULL);
	build(&split, "stripped", "p.debug");
	same_tables(&whole, &split);
	/* its .text has no contents, and its PLT none to look at */
	build(&debug, NULL, "p.debug");
	assert_string_equal(name_at(&debug, address_of(&debug, "inner")), "inner");
	build(&stripped, "stripped", NULL);
	assert_string_equal(name_at(&stripped, address_of(&whole, "inner")), "-");
	assert_string_equal(name_at(&stripped, address_of(&stripped, "puts@plt")), "puts@plt");
}

static void a_prelinked_binary_has_its_own_addresses(void **state)
{
	CLEANUP(symtab_release) struct symtab whole = {0}, moved = {0};

	(void)state;
	make_program("-g -no-pie", "whole");
	toolbox_run("objcopy --only-keep-debug whole p.debug && strip -o stripped whole");
	toolbox_run("objcopy --change-section-address .text+0x100000 p.debug moved.debug");
	build(&whole, "whole", NULL);
	build(&moved, "stripped", "moved.debug");
	assert_int_equal(address_of(&moved, "inner"), address_of(&whole, "inner"));
	assert_int_equal(address_of(&moved, "main"), address_of(&whole, "main"));
}

static void minidebuginfo_is_read(void **state)
{
	CLEANUP(symtab_release) struct symtab whole = {0}, mini = {0}, broken = {0};
	const struct symtab_symbol *symbol;

	(void)state;
	if (!toolbox_has("xz"))
		return;
	make_program("-g", "whole");
	toolbox_run("objcopy -S --keep-symbol=inner whole mini && "
		    "objcopy --only-keep-debug mini mini.debug && xz mini.debug && "
		    "strip -o stripped whole && "
		    "objcopy --add-section .gnu_debugdata=mini.debug.xz stripped with-mini");
	build(&whole, "whole", NULL);
	build(&mini, "with-mini", NULL);
	symbol = symtab_find(&mini, address_of(&whole, "inner"));
	assert_non_null(symbol);
	assert_string_equal(symbol->name, "inner");
	assert_string_equal(symtab_source_word(symbol->source), "minidebuginfo");
	assert_false(mini.refused.mini);
	toolbox_run("head -c 200 mini.debug.xz >cut.xz && "
		    "objcopy --add-section .gnu_debugdata=cut.xz stripped broken");
	build(&broken, "broken", NULL);
	assert_true(broken.refused.mini);
	assert_true(broken.nr > 0);
}

static void objects_give_their_text_alone(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	static const char source[] = "__attribute__((section(\".init.text\"))) int first(void)\n"
				     "{ return 1; }\nint second(void) { return 2; }\n";

	(void)state;
	toolbox_write("o.c", source, sizeof(source) - 1);
	toolbox_run("gcc -O1 -c o.c -o o.o");
	build(&symtab, "o.o", NULL);
	assert_int_equal(symtab.nr, 1);
	assert_string_equal(name_at(&symtab, 0), "second");
}

static void indirect_functions_are_their_resolvers(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	const struct symtab_symbol *symbol;
	static const char source[] = "static int one(void) { return 1; }\n"
				     "static int (*choose(void))(void) { return one; }\n"
				     "int chosen(void) __attribute__((ifunc(\"choose\")));\n";

	(void)state;
	toolbox_write("i.c", source, sizeof(source) - 1);
	toolbox_run("gcc -shared -fPIC i.c -o i.so");
	build(&symtab, "i.so", NULL);
	symbol = symtab_find(&symtab, address_of(&symtab, "chosen"));
	assert_string_equal(symbol->name, "chosen");
	assert_true(symbol->flags & SYMTAB_RESOLVER);
}

static void mapping_symbols_are_no_functions(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	static const char source[] = "int f(int n) { return n + 1; }\n";

	(void)state;
	if (!toolbox_has("clang ld.lld"))
		return;
	toolbox_write("a.c", source, sizeof(source) - 1);
	toolbox_run("clang --target=aarch64-linux-gnu -O1 -fPIC -c a.c -o a.o && "
		    "ld.lld -shared a.o -o a.so && readelf -s a.so | grep -q '[$]x'");
	build(&symtab, "a.so", NULL);
	assert_int_equal(symtab.nr, 1);
	assert_string_equal(symtab.list[0].name, "f");
}

static void no_files_and_bad_files_are_empty_tables(void **state)
{
	CLEANUP(symtab_release) struct symtab none = {0}, cut = {0};
	static const unsigned sizes[] = {64, 200, 1000, 5000, 12000, 15000};
	uint64_t unused;

	(void)state;
	symtab_build(&none, NULL, NULL);
	assert_int_equal(none.nr, 0);
	assert_null(symtab_find(&none, 0));
	assert_false(symtab_address(&none, "main", &unused));
	make_program("-g", "whole");
	for (size_t i = 0; i < ARRAY_NR(sizes); i++) {
		toolbox_run("head -c %u whole >cut", sizes[i]);
		build(&cut, "cut", NULL);
		symtab_find(&cut, 0x1000);
		symtab_release(&cut);
	}
}

/* Any byte of what says where things are may be any other. */
static void damaged_files_give_some_table(void **state)
{
	CLEANUP(text_release) struct text whole = TEXT_INIT;
	const char *rounds = getenv("DAMAGE");
	unsigned nr = rounds && strcmp(rounds, "all") == 0 ? 20000 : 300;
	uint64_t chance = 3;

	(void)state;
	make_program("-g0", "whole");
	toolbox_read(&whole, "cat whole");
	assert_true(whole.size > 10000);
	for (unsigned i = 0; i < nr; i++) {
		CLEANUP(symtab_release) struct symtab symtab = {0};
		char *bytes = mem_memdup(whole.bytes, whole.size);
		Elf *elf;

		for (unsigned j = 0; j <= i % 8; j++) {
			size_t at;

			chance = chance * 6364136223846793005u + 1442695040888963407u;
			/* the headers of sections are at the end */
			at = (chance >> 33) % (i % 3 == 0 ? whole.size : 2000);
			at = i % 3 == 1 ? whole.size - 1 - at : at;
			bytes[at] = (char)(chance >> 56);
		}
		elf = elf_memory(bytes, whole.size);
		symtab_build(&symtab, elf, NULL);
		elf_end(elf);
		for (uint32_t j = 0; j < symtab.nr; j++) {
			const struct symtab_symbol *symbol =
				symtab_find(&symtab, symtab.list[j].lo);

			assert_true(!symbol || symbol->name[0]);
		}
		free(bytes);
	}
}

/* ---- a big file, against another's eyes */

static bool same_function(const struct symtab *symtab, uint64_t address, const char *name)
{
	const struct symtab_symbol *symbol = symtab_find(symtab, address), *first;
	uint32_t nr;

	/* what we take for alignment is nobody's to LLVM */
	if (strcmp(name, "??") == 0)
		return !symbol || address >= symbol->hi;
	if (!symbol)
		return false;
	/* it does not know stubs, and takes them for what is before them */
	if (symbol->source == SYMTAB_PLT)
		return true;
	nr = symtab_aliases(symtab, symbol, &first);
	for (uint32_t i = 0; i < nr; i++)
		if (strncmp(first[i].name, name, strlen(first[i].name)) == 0 &&
		    strchr("@", name[strlen(first[i].name)]))
			return true;
	return false;
}

static void random_addresses_agree(const char *file)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	CLEANUP(text_release) struct text asked = TEXT_INIT, answers = TEXT_INIT;
	CLEANUP(text_release) struct text section = TEXT_INIT;
	uint64_t addresses[20000], chance = 1;
	unsigned long long lo, size;
	unsigned differ = 0;
	char *line;

	build(&symtab, file, NULL);
	toolbox_read(&section, "readelf -SW %s | sed -n 's/.* \\.text *PROGBITS//p'", file);
	assert_int_equal(sscanf(section.bytes, "%llx %*s %llx", &lo, &size), 2);
	for (size_t i = 0; i < ARRAY_NR(addresses); i++) {
		chance = chance * 6364136223846793005u + 1442695040888963407u;
		addresses[i] = lo + (chance >> 16) % size;
		text_addf(&asked, "0x%llx\n", (unsigned long long)addresses[i]);
	}
	toolbox_write("asked", asked.bytes, asked.size);
	toolbox_read(
		&answers,
		"llvm-symbolizer --no-demangle --no-inlines -e %s <asked | awk '!(NR %% 3 - 1)'",
		file);
	line = answers.bytes;
	for (size_t i = 0; i < ARRAY_NR(addresses); i++) {
		char *end = line ? strchr(line, '\n') : NULL;

		assert_non_null(end);
		*end = '\0';
		if (!same_function(&symtab, addresses[i], line) && differ++ < 5)
			printf("# %s: 0x%llx is %s, to LLVM %s\n", file,
			       (unsigned long long)addresses[i], name_at(&symtab, addresses[i]),
			       line);
		line = end + 1;
	}
	printf("# %s: %u symbols, %u of %zu addresses differ\n", file, symtab.nr, differ,
	       ARRAY_NR(addresses));
	assert_true(differ * 1000 <= ARRAY_NR(addresses));
}

static void random_addresses_agree_with_llvm(void **state)
{
	static const char cxx[] = "#include <iostream>\n#include <regex>\n"
				  "int main(int n, char **v) { std::cout << std::regex_match(v[0], "
				  "std::regex(v[n - 1])); }\n";
	static const char rust[] = "fn main() { println!(\"{:?}\", std::env::args()); }\n";

	(void)state;
	if (!toolbox_has("llvm-symbolizer"))
		return;
	/* without lines and inlines both look into the same table */
	toolbox_run("objcopy -g /proc/%ld/exe self", (long)getpid());
	random_addresses_agree("self");
	toolbox_write("c.cc", cxx, sizeof(cxx) - 1);
	if (toolbox_has("g++")) {
		toolbox_run("g++ -O1 -static c.cc -o static");
		random_addresses_agree("static");
		toolbox_run("cp \"$(g++ -print-file-name=libstdc++.so.6)\" cxx.so");
		random_addresses_agree("cxx.so");
	}
	toolbox_write("r.rs", rust, sizeof(rust) - 1);
	if (toolbox_has("rustc")) {
		toolbox_run("rustc r.rs -o with-lines && objcopy -g with-lines rust");
		random_addresses_agree("rust");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sized_functions_end_where_they_say),
		cmocka_unit_test(functions_without_size_end_at_the_next),
		cmocka_unit_test(functions_around_others_get_what_is_left),
		cmocka_unit_test(enclosing_functions_are_not_looked_for_without_end),
		cmocka_unit_test(one_of_equals_is_shown_always_the_same),
		cmocka_unit_test(longer_aliases_get_what_the_shown_one_lacks),
		cmocka_unit_test(versions_are_cut_off),
		cmocka_unit_test(old_versions_are_shown_only_where_there_is_nothing_else),
		cmocka_unit_test(what_the_linker_dropped_is_of_no_address),
		cmocka_unit_test(every_linker_and_model_gives_its_functions),
		cmocka_unit_test(a_debug_file_says_what_was_stripped),
		cmocka_unit_test(a_prelinked_binary_has_its_own_addresses),
		cmocka_unit_test(minidebuginfo_is_read),
		cmocka_unit_test(objects_give_their_text_alone),
		cmocka_unit_test(indirect_functions_are_their_resolvers),
		cmocka_unit_test(mapping_symbols_are_no_functions),
		cmocka_unit_test(no_files_and_bad_files_are_empty_tables),
		cmocka_unit_test(damaged_files_give_some_table),
		cmocka_unit_test(random_addresses_agree_with_llvm),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
