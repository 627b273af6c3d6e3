/* test_phases.c - phases of a CSV file, and what is refused */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include "importers/phases.h"
#include "tests/support/toolbox.h"

static struct error *read_text(const char *text, struct phases *ret)
{
	char path[256];

	toolbox_write("phases.csv", text, strlen(text));
	snprintf(path, sizeof(path), "%s/phases.csv", toolbox_folder());
	return phases_read(path, ret);
}

static void refuse(const char *text, const char *why)
{
	struct phases phases = {0};
	struct error *err = read_text(text, &phases);

	assert_non_null(err);
	assert_non_null(strstr(error_text(err), why));
	error_free(err);
	assert_int_equal(phases.nr, 0);
}

static void columns_are_found_by_name(void **state)
{
	struct phases phases = {0};

	(void)state;
	assert_null(read_text(
		"# a comment\nlabel,x,end_ns,begin_ns\r\n\"a, b\",9,20,10\r\nc,9,7,7\n", &phases));
	assert_int_equal(phases.nr, 2);
	assert_string_equal(phases.list[0].label, "a, b");
	assert_int_equal(phases.list[0].begin_ns, 10);
	assert_int_equal(phases.list[0].end_ns, 20);
	assert_int_equal(phases.list[1].begin_ns, phases.list[1].end_ns);
	phases_release(&phases);
}

static void labels_are_fit_to_be_shown(void **state)
{
	struct phases phases = {0};

	(void)state;
	assert_null(read_text("begin_ns,end_ns,label\n1,2,a\033[0m\xff\n", &phases));
	assert_null(strchr(phases.list[0].label, '\033'));
	assert_null(strchr(phases.list[0].label, '\xff'));
	phases_release(&phases);
}

static void odd_files_are_refused(void **state)
{
	(void)state;
	refuse("", "is empty");
	refuse("begin,end,label\n", "line 1: expected a column 'begin_ns'");
	refuse("begin_ns,end_ns,label\n1,2,a\n5,3,b\n", "line 3: expected two whole numbers");
	refuse("begin_ns,end_ns,label\n1,2\n", "line 2: no 'label'");
	refuse("begin_ns,end_ns,label\n-1,2,a\n", "line 2: expected two whole numbers");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_found_by_name),
		cmocka_unit_test(labels_are_fit_to_be_shown),
		cmocka_unit_test(odd_files_are_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
