/* test_tidy.c - names made shorter as the peers do */
#include "tests/test.h"

#include <string.h>

#include "analysis/tidy.h"
#include "base/mem.h"
#include "base/text.h"

struct name {
	const char *name, *tidied;
};

static void expect(const struct name *names, size_t nr,
		   void (*add)(struct text *, const char *, size_t))
{
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(text_release) struct text text = TEXT_INIT;

		add(&text, names[i].name, strlen(names[i].name));
		if (strcmp(text_string(&text), names[i].tidied) != 0)
			fail_msg("'%s' is '%s', expected '%s'", names[i].name, text_string(&text),
				 names[i].tidied);
	}
}

static void parameter_lists_are_cut(void **state)
{
	static const struct name names[] = {
		{"main", "main"},
		{"area(int, int)", "area"},
		{"shop::Table<int>::find(int const&) const", "shop::Table<int>::find"},
		{"f(std::map<int, (anonymous namespace)::T>&)", "f"},
		{"", ""},
	};

	(void)state;
	expect(names, ARRAY_NR(names), tidy_add);
}

static void parentheses_that_are_no_parameters_stay(void **state)
{
	static const struct name names[] = {
		{"(anonymous namespace)::run(int)", "(anonymous namespace)::run"},
		{"a::(anonymous namespace)::run(int)", "a::(anonymous namespace)::run"},
		{"std::function<void (int)>::operator()(int) const",
		 "std::function<void (int)>::operator()"},
		{"run(int)::{lambda(unsigned int)#1}::operator()(unsigned int)", "run"},
		{"{lambda(int)#1}::f(int)", "{lambda(int)#1}::f"},
		{"net/http.(*conn).serve", "net/http.(*conn).serve"},
		{"main.(*List[go.shape.int]).Push", "main.(*List[go.shape.int]).Push"},
		{"(unknown)", "(unknown)"},
		{"a::operator<(a const&, a const&)", "a::operator<"},
		{"a::operator<<(int)", "a::operator<<"},
		{"a::operator->() const", "a::operator->"},
		{"myoperator(int)", "myoperator"},
	};

	(void)state;
	expect(names, ARRAY_NR(names), tidy_add);
}

static void java_classes_lose_their_letter(void **state)
{
	static const struct name names[] = {
		{"Lcom/acme/Vec;::add", "com/acme/Vec;::add"},
		{"Lcom/acme/Vec::add", "com/acme/Vec::add"},
		{"Library::load", "Library::load"},
		{"L/x", "L/x"},
		{"List::add", "List::add"},
	};

	(void)state;
	expect(names, ARRAY_NR(names), tidy_add);
}

static void quotes_are_cut(void **state)
{
	static const struct name names[] = {{"LazyCompile:~\"a\" 'b'", "LazyCompile:~a b"}};

	(void)state;
	expect(names, ARRAY_NR(names), tidy_add);
}

static void rust_hash_is_known_by_its_form(void **state)
{
	static const struct {
		const char *name;
		size_t size;
	} cases[] = {
		{"core::f::h0123456789abcdef", 7},
		{"core::f::h0123456789abcde", 25},
		{"core::f::h0123456789abcdeg", 26},
		{"core::f::x0123456789abcdef", 26},
		{"::h0123456789abcdef", 19},
		{"", 0},
		{"f", 1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(cases); i++)
		if (tidy_rust_size(cases[i].name, strlen(cases[i].name)) != cases[i].size)
			fail_msg("'%s' has %zu", cases[i].name,
				 tidy_rust_size(cases[i].name, strlen(cases[i].name)));
}

static void numbers_behind_a_letter_are_masked(void **state)
{
	static const struct name names[] = {
		{"f12", "f*"},
		{"grow.constprop.0.isra.10", "grow.constprop.*.isra.*"},
		{"0x7f12ab", "0x*"},
		{"a+0x10", "a+0x*"},
		{"lambda#1", "lambda#*"},
		{"123", "123"},
		{"libc.so.6+0x1234", "libc.so.*+0x*"},
		{"0xg", "0xg"},
		{"", ""},
	};

	(void)state;
	expect(names, ARRAY_NR(names), tidy_add_masked);
}

static void idle_functions_are_known(void **state)
{
	static const char *const idle[] = {"do_idle",
					   "cpu_startup_entry",
					   "cpuidle_enter",
					   "cpuidle_enter_state",
					   "cpuidle_idle_call",
					   "default_idle",
					   "default_idle_call",
					   "arch_cpu_idle",
					   "cpu_do_idle",
					   "mwait_idle",
					   "mwait_idle_with_hints.constprop.0",
					   "intel_idle",
					   "intel_idle_irq",
					   "acpi_idle_enter",
					   "native_safe_halt",
					   "pv_native_safe_halt",
					   "poll_idle",
					   "cpu_idle_poll",
					   "psci_cpu_suspend_enter",
					   "psci_suspend",
					   "snooze_loop",
					   "__cpuidle_text_start",
					   "acpi_idle_do_entry"};
	static const char *const busy[] = {
		"do_idle2",    "schedule_idle", "main",	     "", "native_safe_halt_not",
		"psci_cpu_on", "my_mwait_idle", "__schedule"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(idle); i++)
		if (!tidy_is_idle(idle[i]))
			fail_msg("'%s'", idle[i]);
	for (size_t i = 0; i < ARRAY_NR(busy); i++)
		if (tidy_is_idle(busy[i]))
			fail_msg("'%s'", busy[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameter_lists_are_cut),
		cmocka_unit_test(parentheses_that_are_no_parameters_stay),
		cmocka_unit_test(java_classes_lose_their_letter),
		cmocka_unit_test(quotes_are_cut),
		cmocka_unit_test(rust_hash_is_known_by_its_form),
		cmocka_unit_test(numbers_behind_a_letter_are_masked),
		cmocka_unit_test(idle_functions_are_known),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
