/* test_growth.c - the function whose CPU time per item grew most */
#include "tests/test.h"

#include <math.h>

#include "analysis/growth.h"
#include "analysis/naming.h"
#include "analysis/utilisation.h"
#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/perf_script.h"
#include "model/capture.h"
#include "tests/support/input.h"

#define S UINT64_C(1000000000)

struct grown {
	struct capture capture;
	struct utilisation utilisation;
	struct naming naming;
};

static void grown_release(struct grown *grown)
{
	naming_release(&grown->naming);
	utilisation_release(&grown->utilisation);
	capture_release(&grown->capture);
}

static void add(struct text *text, int second, int nr, const char *frames)
{
	for (int i = 0; i < nr; i++)
		text_addf(text, "w 7/8 [000] %d.%03d500: 1000000 cpu-clock: \n%s\n", second, i,
			  frames);
}

static void grow(struct grown *grown, const struct text *text)
{
	struct reader *reader = input_open_string(text_string(text));
	static const struct naming_options plain;

	grown->capture = (struct capture){0};
	utilisation_init(&grown->utilisation, &grown->capture);
	assert_null(importer_perf_script.read(reader, &grown->capture, &grown->utilisation.sink));
	reader_close(reader);
	assert_true(utilisation_finish(&grown->utilisation));
	naming_init(&grown->naming, &grown->capture, &plain);
}

static struct growth find(const struct grown *grown, double items)
{
	return growth_find(&grown->utilisation, &grown->naming, (struct span){10 * S, 11 * S},
			   items, (struct span){11 * S, 12 * S}, items);
}

static const char *name_of(const struct grown *grown, struct growth growth)
{
	return growth.function == FUNCTION_NONE
		       ? "none"
		       : names_display(&grown->capture.names,
				       grown->naming.list[growth.function].name);
}

#define SERVE "\t10 mix (/x)\n\t20 serve (/x)\n\t30 main (/x)\n"
#define AGAIN "\t10 mix (/x)\n\t40 again (/x)\n\t20 serve (/x)\n\t30 main (/x)\n"

static void function_that_is_new_comes_before_its_callers_and_what_it_calls(void **state)
{
	CLEANUP(grown_release) struct grown grown;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct growth growth;

	(void)state;
	add(&text, 10, 100, SERVE);
	add(&text, 11, 100, SERVE);
	add(&text, 11, 300, AGAIN);
	grow(&grown, &text);
	growth = find(&grown, 100);
	assert_string_equal(name_of(&grown, growth), "again");
	assert_true(growth.before == 0);
	assert_true(fabs(growth.during - 3e6) < 1);
}

static void more_of_the_same_is_all_of_it(void **state)
{
	CLEANUP(grown_release) struct grown grown;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct growth growth;

	(void)state;
	add(&text, 10, 100, SERVE);
	add(&text, 11, 400, SERVE);
	grow(&grown, &text);
	growth = find(&grown, 100);
	assert_true(growth.function != FUNCTION_NONE);
	assert_true(fabs(growth.before - 1e6) < 1 && fabs(growth.during - 4e6) < 1);
}

static void recursion_is_counted_once_and_what_has_no_name_is_passed_over(void **state)
{
	CLEANUP(grown_release) struct grown grown;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct growth growth;

	(void)state;
	add(&text, 10, 100, SERVE);
	add(&text, 11, 300,
	    "\t10 [unknown] (/y)\n\t40 again (/x)\n\t40 again (/x)\n\t30 main (/x)\n");
	grow(&grown, &text);
	growth = find(&grown, 100);
	assert_string_equal(name_of(&grown, growth), "again");
	assert_true(fabs(growth.during - 3e6) < 1);
}

static void without_growth_or_items_there_is_none(void **state)
{
	CLEANUP(grown_release) struct grown grown;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	add(&text, 10, 100, SERVE);
	add(&text, 11, 50, AGAIN);
	grow(&grown, &text);
	assert_string_equal(name_of(&grown, find(&grown, 100)), "none");
	assert_string_equal(name_of(&grown, find(&grown, 0)), "none");
	assert_string_equal(name_of(&grown, find(&grown, NAN)), "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(function_that_is_new_comes_before_its_callers_and_what_it_calls),
		cmocka_unit_test(more_of_the_same_is_all_of_it),
		cmocka_unit_test(recursion_is_counted_once_and_what_has_no_name_is_passed_over),
		cmocka_unit_test(without_growth_or_items_there_is_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
