/* test_kernel.c - how far a kernel was moved, and the names of modules */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/kernel.h"
#include "symbols/symtab.h"
#include "tests/support/toolbox.h"

static void the_mapping_says_its_reference(void **state)
{
	(void)state;
	assert_string_equal(kernel_reference("[kernel.kallsyms]_text"), "_text");
	assert_string_equal(kernel_reference("[kernel.kallsyms]_stext"), "_stext");
	assert_string_equal(kernel_reference("[guest.kernel.kallsyms]_text"), "_text");
	assert_string_equal(kernel_reference("[guest.kernel.kallsyms.7]_text"), "_text");
	assert_null(kernel_reference("[kernel.kallsyms]"));
	assert_null(kernel_reference("[kernel.kallsyms"));
	assert_null(kernel_reference("[vdso]"));
	assert_null(kernel_reference("/usr/bin/x]_text"));
	assert_null(kernel_reference(""));
}

static void a_slide_is_between_vmlinux_and_the_capture(void **state)
{
	CLEANUP(symtab_release) struct symtab symtab = {0};
	static const char text[] = ".globl _text\n_text: .skip 16\n"
				   ".type do_it,@function\n.size do_it,16\ndo_it: .skip 16\n";
	uint64_t slide = 7;
	Elf *elf;

	(void)state;
	toolbox_write("vmlinux.s", text, sizeof(text) - 1);
	toolbox_run("gcc -c vmlinux.s -o vmlinux.o && "
		    "ld -e _text -Ttext=0xffffffff81000000 -o vmlinux vmlinux.o");
	elf = toolbox_elf("vmlinux");
	symtab_build(&symtab, elf, NULL);
	toolbox_close(elf);
	assert_true(kernel_slide(&symtab, "_text", 0xffffffff9d000000, &slide));
	assert_int_equal(slide, 0x1c000000);
	assert_string_equal(symtab_find(&symtab, 0xffffffff9d000010 - slide)->name, "do_it");
	assert_true(kernel_slide(&symtab, "_text", 0xffffffff80000000, &slide));
	assert_int_equal(slide, UINT64_MAX - 0xffffff);
	slide = 7;
	assert_false(kernel_slide(&symtab, "_text", 0, &slide));
	assert_false(kernel_slide(&symtab, "_stext", 0xffffffff9d000000, &slide));
	assert_int_equal(slide, 7);
}

static void expect(const char *path, const char *name)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	assert_int_equal(kernel_module_name(path, &text), name != NULL);
	assert_string_equal(text_string(&text), name ? name : "");
}

static void modules_have_one_name(void **state)
{
	(void)state;
	expect("/lib/modules/6.1.0-13/kernel/fs/nls/nls-utf8.ko.xz", "nls_utf8");
	expect("/lib/modules/6.1.0-13/kernel/fs/ext4/ext4.ko", "ext4");
	expect("/lib/modules/6.1.0-13/kernel/fs/ext4/ext4.ko.zst", "ext4");
	expect("/usr/lib/debug/lib/modules/6.1/ext4.ko.debug", "ext4");
	expect("nls-utf8.ko.gz", "nls_utf8");
	expect("[nls_utf8]", "nls_utf8");
	expect("[nls-utf8]", "nls_utf8");
	expect("[bpf]", "bpf");
	expect("[kernel.kallsyms]", NULL);
	expect("[kernel.kallsyms]_text", NULL);
	expect("[vdso]", NULL);
	expect("[stack:12]", NULL);
	expect("[]", NULL);
	expect("[", NULL);
	expect(".ko", NULL);
	expect("/usr/bin/python3", NULL);
	expect("", NULL);
}

static void padding_is_no_function(void **state)
{
	(void)state;
	assert_true(kernel_is_padding("__pfx_do_it"));
	assert_true(kernel_is_padding("__cfi_do_it"));
	assert_false(kernel_is_padding("do_it"));
	assert_false(kernel_is_padding("pfx_do_it"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_mapping_says_its_reference),
		cmocka_unit_test(a_slide_is_between_vmlinux_and_the_capture),
		cmocka_unit_test(modules_have_one_name),
		cmocka_unit_test(padding_is_no_function),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
