/* test_error.c - errors carry a kind, a place, the system's words and a hint */
#include "tests/test.h"

#include <errno.h>

#include "base/error.h"

static void new_error_has_its_kind_and_message(void **state)
{
	struct error *err = error_new(ERROR_LIMIT, "a line of %d bytes", 7);

	(void)state;
	assert_int_equal(error_kind(err), ERROR_LIMIT);
	assert_string_equal(error_text(err), "a line of 7 bytes");
	assert_null(error_hint_text(err));
	error_free(err);
}

static void system_error_ends_in_the_words_of_errno(void **state)
{
	struct error *err;

	(void)state;
	errno = ENOENT;
	err = error_os("cannot open '%s'", "perf.data");
	assert_int_equal(error_kind(err), ERROR_OS);
	assert_string_equal(error_text(err), "cannot open 'perf.data': No such file or directory");
	error_free(err);
}

static void places_are_put_in_front_from_the_inside_out(void **state)
{
	struct error *err = error_new(ERROR_INPUT, "size is 12");

	(void)state;
	err = error_within(err, "event %d", 7);
	err = error_within(err, "run.perf");
	assert_string_equal(error_text(err), "run.perf: event 7: size is 12");
	assert_int_equal(error_kind(err), ERROR_INPUT);
	error_free(err);
}

static void later_hint_replaces_the_earlier(void **state)
{
	struct error *err = error_new(ERROR_USAGE, "no");

	(void)state;
	err = error_hint(err, "try %s", "this");
	assert_string_equal(error_hint_text(err), "try this");
	err = error_hint(err, "try that");
	assert_string_equal(error_hint_text(err), "try that");
	error_free(err);
}

static void control_characters_of_data_do_not_reach_the_terminal(void **state)
{
	struct error *err = error_new(ERROR_INPUT, "odd: '%s'", "\033[31mred\n\177");

	(void)state;
	err = error_within(err, "a\rb");
	err = error_hint(err, "\001");
	assert_string_equal(error_text(err), "a?b: odd: '?[31mred?"
					     "?'");
	assert_string_equal(error_hint_text(err), "?");
	error_free(err);
}

static void bytes_of_utf8_stay_in_a_message(void **state)
{
	struct error *err = error_new(ERROR_INPUT, "'%s'", "größe");

	(void)state;
	assert_string_equal(error_text(err), "'größe'");
	error_free(err);
}

static void freeing_no_error_is_allowed(void **state)
{
	(void)state;
	error_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_error_has_its_kind_and_message),
		cmocka_unit_test(system_error_ends_in_the_words_of_errno),
		cmocka_unit_test(places_are_put_in_front_from_the_inside_out),
		cmocka_unit_test(later_hint_replaces_the_earlier),
		cmocka_unit_test(control_characters_of_data_do_not_reach_the_terminal),
		cmocka_unit_test(bytes_of_utf8_stay_in_a_message),
		cmocka_unit_test(freeing_no_error_is_allowed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
