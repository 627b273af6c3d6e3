/* test_flame_memo.c - what is found again is what would have been made */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "renderers/figure.h"
#include "renderers/flame.h"
#include "renderers/flame_memo.h"

#define NAMES_NR 20000

static void a_hash_is_that_of_its_name(void **state)
{
	char(*names)[16] = calloc(NAMES_NR, sizeof(*names));
	struct flame_memo memo;

	(void)state;
	assert_non_null(names);
	assert_true(flame_memo_init(&memo, 100)); /* most fall onto each other */
	for (size_t i = 0; i < NAMES_NR; i++)
		snprintf(names[i], sizeof(names[i]), "name_%zu", i);
	for (size_t i = 0; i < 3 * NAMES_NR; i++) {
		const char *name = names[i * 7919 % NAMES_NR];

		assert_int_equal(flame_memo_name_hash(&memo, name), palette_name_hash(name));
	}
	flame_memo_release(&memo);
	free(names);
}

static void a_tip_goes_on_with_what_its_frame_says(void **state)
{
	static const char *const values[] = {"1 sample", "2 samples", "3 samples"};
	static const char *const origins[] = {NULL, "kernel", "library libc.so.6"};
	static const double shares[] = {-1, 0.25, 0.5};
	static const char *const share_words[] = {"", ", 25 %", ", 50 %"};
	struct figure figure = {0};
	struct flame_memo memo;

	(void)state;
	assert_true(flame_memo_init(&memo, 1));
	for (size_t i = 0; i < 2 * 27; i++) {
		size_t value = i % 3, origin = i / 3 % 3, share = i / 9 % 3;
		struct flame_frame frame = {.value = values[value], .origin = origins[origin]};
		char expected[128];

		snprintf(expected, sizeof(expected), ", %s%s%s%s", values[value],
			 share_words[share], origin ? ", " : "", origin ? origins[origin] : "");
		assert_string_equal(flame_memo_tip_rest(&memo, &figure, &frame, shares[share]),
				    expected);
	}
	flame_memo_release(&memo);
	figure_release(&figure);
}

static void what_was_said_is_not_said_anew(void **state)
{
	const struct flame_frame frame = {.value = "1 sample", .origin = "kernel"};
	struct figure figure = {0};
	struct flame_memo memo;
	const char *first;

	(void)state;
	assert_true(flame_memo_init(&memo, 1));
	first = flame_memo_tip_rest(&memo, &figure, &frame, 0.5);
	assert_ptr_equal(flame_memo_tip_rest(&memo, &figure, &frame, 0.5), first);
	flame_memo_release(&memo);
	figure_release(&figure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hash_is_that_of_its_name),
		cmocka_unit_test(a_tip_goes_on_with_what_its_frame_says),
		cmocka_unit_test(what_was_said_is_not_said_anew),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
