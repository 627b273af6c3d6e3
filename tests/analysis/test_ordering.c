/* test_ordering.c - all that is dated of simulated incidents, in order */
#include "tests/test.h"

#include "analysis/ordering.h"
#include "analysis/track.h"
#include "base/mem.h"
#include "tests/analysis/queue_model.h"

struct ordered {
	struct evidence_set set;
	struct ordering ordering;
};

static void ordered_release(struct ordered *ordered)
{
	ordering_release(&ordered->ordering);
	evidence_set_release(&ordered->set);
}

static void order_model(const struct queue_model *model, struct ordered *ret)
{
	queue_model_run(model, &ret->set);
	evidence_set_finish(&ret->set);
	ordering_make(&ret->set.evidence, NULL, 0, 1, &ret->ordering);
}

static const struct milestone *find(const struct ordered *ordered, const char *role,
				    enum milestone_what what)
{
	for (size_t i = 0; i < ordered->ordering.nr; i++) {
		const struct milestone *milestone = &ordered->ordering.milestones[i];

		if (milestone->what == what && strcmp(milestone->role, role) == 0)
			return milestone;
	}
	return NULL;
}

static struct queue_model cpu_fault(void)
{
	struct queue_model model = queue_model_usual();

	model.faulty.cpu = 0.003;
	model.capacity = 300;
	return model;
}

static void saturation_precedes_what_a_full_queue_turns_away(void **state)
{
	CLEANUP(ordered_release) struct ordered ordered;
	struct queue_model model = cpu_fault();
	const struct milestone *saturated, *rejected, *depth, *cpu;

	(void)state;
	order_model(&model, &ordered);
	saturated = find(&ordered, "cpu.process", MILESTONE_SATURATION);
	rejected = find(&ordered, "queue.rejected", MILESTONE_FIRST_REJECTION);
	depth = find(&ordered, "queue.depth", MILESTONE_ONSET);
	cpu = find(&ordered, "cpu.process", MILESTONE_ONSET);
	assert_non_null(saturated);
	assert_non_null(rejected);
	assert_int_equal(milestone_relate(saturated, rejected), MILESTONE_PRECEDES);
	assert_int_equal(milestone_relate(depth, cpu), MILESTONE_NOT_SEPARABLE);
	assert_int_equal(milestone_relate(cpu, depth), MILESTONE_NOT_SEPARABLE);
	assert_non_null(find(&ordered, "queue.completed", MILESTONE_BELOW_ADMISSION));
}

static void milestones_stand_in_the_order_of_time(void **state)
{
	CLEANUP(ordered_release) struct ordered ordered;
	struct queue_model model = cpu_fault();

	(void)state;
	order_model(&model, &ordered);
	assert_true(ordered.ordering.nr > 5);
	for (size_t i = 1; i < ordered.ordering.nr; i++)
		assert_true(ordered.ordering.milestones[i - 1].until_ns <=
			    ordered.ordering.milestones[i].until_ns);
}

/* The depth that is read at the ticks never comes near the capacity that the counter proves. */
static void rejection_proves_that_the_queue_was_full(void **state)
{
	CLEANUP(ordered_release) struct ordered ordered;
	struct queue_model model = cpu_fault();
	const struct milestone *full, *rejected;
	struct track *depth;

	(void)state;
	queue_model_run(&model, &ordered.set);
	depth = &ordered.set.tracks[EVIDENCE_DEPTH];
	for (size_t i = 0; i < depth->nr; i++)
		depth->values[i] = depth->values[i] > 200 ? 200 : depth->values[i];
	evidence_set_finish(&ordered.set);
	ordering_make(&ordered.set.evidence, NULL, 0, 1, &ordered.ordering);
	full = find(&ordered, "queue.depth", MILESTONE_AT_CAPACITY);
	rejected = find(&ordered, "queue.rejected", MILESTONE_FIRST_REJECTION);
	assert_non_null(full);
	assert_int_equal(full->after_ns, rejected->after_ns);
	assert_int_equal(full->until_ns, rejected->until_ns);
}

static void what_was_so_from_the_beginning_is_no_event(void **state)
{
	CLEANUP(ordered_release) struct ordered ordered;
	struct queue_model model = queue_model_usual();

	(void)state;
	model.usual.cpu = model.faulty.cpu = 0.003;
	model.capacity = 50;
	order_model(&model, &ordered);
	assert_null(find(&ordered, "cpu.process", MILESTONE_SATURATION));
}

static void quiet_queue_has_no_milestone(void **state)
{
	CLEANUP(ordered_release) struct ordered ordered;
	struct queue_model model = queue_model_usual();

	(void)state;
	order_model(&model, &ordered);
	assert_int_equal(ordered.ordering.nr, 0);
}

static void more_tracks_are_dated_too(void **state)
{
	CLEANUP(ordered_release) struct ordered ordered;
	CLEANUP(track_release) struct track track;
	const struct track *more[] = {&track};
	struct queue_model model = queue_model_usual();

	(void)state;
	queue_model_run(&model, &ordered.set);
	evidence_set_finish(&ordered.set);
	track_init(&track, "frame:again", TRACK_RATE);
	for (uint64_t i = 0; i < 100; i++)
		track_add(&track, i * 100, (i + 1) * 100, i < 60 ? 0 : 0.5);
	ordering_make(&ordered.set.evidence, more, 1, 1, &ordered.ordering);
	assert_int_equal(ordered.ordering.nr, 1);
	assert_non_null(find(&ordered, "frame:again", MILESTONE_ONSET));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(saturation_precedes_what_a_full_queue_turns_away),
		cmocka_unit_test(milestones_stand_in_the_order_of_time),
		cmocka_unit_test(rejection_proves_that_the_queue_was_full),
		cmocka_unit_test(what_was_so_from_the_beginning_is_no_event),
		cmocka_unit_test(quiet_queue_has_no_milestone),
		cmocka_unit_test(more_tracks_are_dated_too),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
