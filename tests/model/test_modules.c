/* test_modules.c - where code comes from, by what its module is called */
#include "tests/test.h"

#include "base/mem.h"
#include "model/modules.h"
#include "model/names.h"

static const struct {
	const char *path, *base, *origin;
} cases[] = {
	{"/opt/relay/relay", "relay", "application"},
	{"relay", "relay", "application"},
	{"/opt/my app (1)/re lay", "re lay", "application"},
	{"/opt/relay/relay (deleted)", "relay", "application"},
	{"/opt/java", "java", "application"},
	{"/opt/stuff.social/agent", "agent", "application"},
	{"/usr/lib/libc.so.6", "libc.so.6", "library"},
	{"/usr/lib/libfoo-1.2.so", "libfoo-1.2.so", "library"},
	{"/usr/lib/libfoo.so (deleted)", "libfoo.so", "library"},
	{"/usr/lib/ld-linux-x86-64.so.2", "ld-linux-x86-64.so.2", "library"},
	{"/lib/ld-2.31.so", "ld-2.31.so", "library"},
	{"/opt/plug.so.social", "plug.so.social", "library"},
	{"/opt/not.sofa", "not.sofa", "application"},
	{"[vdso]", "vdso", "library"},
	{"[vsyscall]", "vsyscall", "library"},
	{"[kernel.kallsyms]", "kernel.kallsyms", "kernel"},
	{"[guest.kernel.kallsyms.17006]", "guest.kernel.kallsyms.17006", "kernel"},
	{"[nf_conntrack]", "nf_conntrack", "kernel"},
	{"/boot/vmlinux-6.1.0", "vmlinux-6.1.0", "kernel"},
	{"/usr/lib/debug/vmlinux", "vmlinux", "kernel"},
	{"/proc/kcore", "kcore", "kernel"},
	{"/lib/modules/6.1/kernel/fs/ext4/ext4.ko", "ext4.ko", "kernel"},
	{"/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz", "ext4.ko.xz", "kernel"},
	{"bpf_prog_6deef7357e7b4530", "bpf_prog_6deef7357e7b4530", "kernel"},
	{"/tmp/perf-4711.map", "perf-4711.map", "jit"},
	{"/run/user/1/perf-1.map", "perf-1.map", "jit"},
	{"/tmp/jit/jitted-4711-3.so", "jitted-4711-3.so", "jit"},
	{"/opt/perf-viewer", "perf-viewer", "application"},
	{"[JIT] tid 4711", "[JIT] tid 4711", "jit"},
	{"[heap]", "heap", "unknown"},
	{"[stack]", "stack", "unknown"},
	{"[stack:4711]", "stack:4711", "unknown"},
	{"[anon]", "anon", "unknown"},
	{"//anon", "anon", "unknown"},
};

static void module_is_known_by_its_path(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	CLEANUP(modules_release) struct modules modules = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++) {
		uint32_t id =
			modules_add(&modules, &names, names_add_string(&names, cases[i].path));
		const struct module *module = &modules.list[id];

		assert_string_equal(names_get(&names, module->path)->bytes, cases[i].path);
		if (strcmp(names_get(&names, module->basename)->bytes, cases[i].base) != 0)
			fail_msg("'%s' has the base name '%s'", cases[i].path,
				 names_get(&names, module->basename)->bytes);
		if (strcmp(origin_word(module->origin), cases[i].origin) != 0)
			fail_msg("'%s' is %s, expected %s", cases[i].path,
				 origin_word(module->origin), cases[i].origin);
	}
}

static void same_path_is_one_module(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	CLEANUP(modules_release) struct modules modules = {0};
	uint32_t a, b;

	(void)state;
	a = names_add_string(&names, "/usr/lib/libc.so.6");
	b = names_add_string(&names, "/opt/other/libc.so.6");
	assert_int_equal(modules_add(&modules, &names, a), 0);
	assert_int_equal(modules_add(&modules, &names, b), 1);
	assert_int_equal(modules_add(&modules, &names, a), 0);
	assert_int_equal(modules.nr, 2);
}

static void lowest_mapping_of_code_counts(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	CLEANUP(modules_release) struct modules modules = {0};
	struct module *module;

	(void)state;
	modules_add(&modules, &names, names_add_string(&names, "/usr/lib/libfoo.so"));
	module = &modules.list[0];
	assert_true(module->map_offset == MODULE_NO_OFFSET);
	module_add_map(module, 0x3000);
	module_add_map(module, 0x1000);
	module_add_map(module, 0x2000);
	assert_int_equal(module->map_offset, 0x1000);
}

static void a_kernel_that_lay_at_two_places_lay_nowhere(void **state)
{
	CLEANUP(names_release) struct names names = {0};
	CLEANUP(modules_release) struct modules modules = {0};
	struct module *module;

	(void)state;
	modules_add(&modules, &names, names_add_string(&names, "[kernel.kallsyms]"));
	module = &modules.list[0];
	module_add_map(module, 0xffffffff81000000);
	module_add_map(module, 0xffffffff81000000);
	assert_true(module->map_offset == 0xffffffff81000000);
	module_add_map(module, 0xffffffff82000000);
	assert_true(module->map_offset == MODULE_NO_OFFSET);
	module_add_map(module, 0xffffffff81000000);
	assert_true(module->map_offset == MODULE_NO_OFFSET);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(module_is_known_by_its_path),
		cmocka_unit_test(same_path_is_one_module),
		cmocka_unit_test(lowest_mapping_of_code_counts),
		cmocka_unit_test(a_kernel_that_lay_at_two_places_lay_nowhere),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
