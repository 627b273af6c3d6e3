/* test_trial.c - what is said for and against files without a build ID, and who is judged first */
#include "tests/test.h"

#include <stdio.h>

#include "base/mem.h"
#include "unwind/trial.h"

static void add(struct trial *trial, const char *path, unsigned from, unsigned nr, bool is_ok)
{
	for (unsigned i = 0; i < nr; i++)
		trial_add(trial, trial_file(trial, path), from + i, is_ok);
}

static void expect(const char *title, unsigned ok, unsigned bad, enum trial_verdict verdict)
{
	CLEANUP(trial_release) struct trial trial = {0};

	trial_begin(&trial);
	add(&trial, "/bin/a", 0, ok, true);
	add(&trial, "/bin/a", ok, bad, false);
	if (trial_judge(&trial) != (verdict == TRIAL_REFUTED) ||
	    trial_verdict(&trial, "/bin/a") != verdict)
		fail_msg("%s: %u of %u places", title, ok, ok + bad);
}

static void many_places_may_have_some_that_are_odd(void **state)
{
	(void)state;
	expect("all good", 20, 0, TRIAL_ACCEPTED);
	expect("95 %", 95, 5, TRIAL_ACCEPTED);
	expect("less than 95 %", 94, 6, TRIAL_REFUTED);
	expect("as of another build", 76, 24, TRIAL_REFUTED);
}

static void few_places_must_all_be_good(void **state)
{
	(void)state;
	expect("one", 1, 0, TRIAL_ACCEPTED);
	expect("19", 19, 0, TRIAL_ACCEPTED);
	expect("18 of 19", 18, 1, TRIAL_REFUTED);
	expect("none of one", 0, 1, TRIAL_REFUTED);
}

static void a_file_without_evidence_has_no_verdict(void **state)
{
	CLEANUP(trial_release) struct trial trial = {0};

	(void)state;
	trial_begin(&trial);
	assert_non_null(trial_file(&trial, "/bin/a"));
	assert_false(trial_judge(&trial));
	assert_int_equal(trial_verdict(&trial, "/bin/a"), TRIAL_UNTRIED);
	assert_int_equal(trial_verdict(&trial, "/bin/b"), TRIAL_UNTRIED);
}

static void a_place_counts_once(void **state)
{
	CLEANUP(trial_release) struct trial trial = {0};
	const struct trial_file *file;

	(void)state;
	trial_begin(&trial);
	add(&trial, "/bin/a", 7, 1, true);
	add(&trial, "/bin/a", 7, 1, false);
	add(&trial, "/bin/a", 7, 2, true);
	file = trial_file(&trial, "/bin/a");
	assert_int_equal(file->total, 2);
	assert_int_equal(file->ok, 2);
}

/* What a wrong file leads to may stand in a right one, and speak against that. */
static void the_worst_is_refuted_and_the_others_are_tried_anew(void **state)
{
	CLEANUP(trial_release) struct trial trial = {0};

	(void)state;
	trial_begin(&trial);
	add(&trial, "/bin/a", 0, 20, true);
	add(&trial, "/bin/a", 20, 10, false);
	add(&trial, "/lib/b", 0, 5, true);
	add(&trial, "/lib/b", 5, 15, false);
	assert_true(trial_judge(&trial));
	assert_int_equal(trial_verdict(&trial, "/lib/b"), TRIAL_REFUTED);
	assert_int_equal(trial_verdict(&trial, "/bin/a"), TRIAL_UNTRIED);
	trial_begin(&trial);
	add(&trial, "/bin/a", 0, 20, true);
	assert_false(trial_judge(&trial));
	assert_int_equal(trial_verdict(&trial, "/bin/a"), TRIAL_ACCEPTED);
	/* what spoke against the other one is still there to be told */
	assert_int_equal(trial_file(&trial, "/lib/b")->ok, 5);
	assert_int_equal(trial_file(&trial, "/lib/b")->total, 20);
}

static void each_round_refutes_one_and_so_they_end(void **state)
{
	CLEANUP(trial_release) struct trial trial = {0};
	char path[20];
	unsigned rounds = 0;

	(void)state;
	do {
		trial_begin(&trial);
		for (int i = 0; i < 100; i++) {
			snprintf(path, sizeof(path), "/bin/%d", i);
			if (trial_file(&trial, path))
				add(&trial, path, 0, 1, false);
		}
		rounds++;
	} while (trial_judge(&trial));
	assert_int_equal(rounds, TRIAL_FILES_MAX + 1);
	assert_null(trial_file(&trial, "/bin/99"));
}

static void it_ends_when_nothing_new_comes_and_when_it_is_enough(void **state)
{
	CLEANUP(trial_release) struct trial trial = {0};

	(void)state;
	trial_begin(&trial);
	for (unsigned i = 0; i < TRIAL_SAME_MAX; i++) {
		assert_false(trial_is_over(&trial));
		trial_end_sample(&trial);
	}
	assert_true(trial_is_over(&trial));
	trial_begin(&trial);
	for (unsigned i = 0; i < TRIAL_SAMPLES_MAX; i++) {
		assert_false(trial_is_over(&trial));
		add(&trial, "/bin/a", i, 1, true);
		trial_end_sample(&trial);
	}
	assert_true(trial_is_over(&trial));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_places_may_have_some_that_are_odd),
		cmocka_unit_test(few_places_must_all_be_good),
		cmocka_unit_test(a_file_without_evidence_has_no_verdict),
		cmocka_unit_test(a_place_counts_once),
		cmocka_unit_test(the_worst_is_refuted_and_the_others_are_tried_anew),
		cmocka_unit_test(each_round_refutes_one_and_so_they_end),
		cmocka_unit_test(it_ends_when_nothing_new_comes_and_when_it_is_enough),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
