/* test_paths.c - weights per path of functions, and what names leave out */
#include "tests/test.h"

#include "base/mem.h"
#include "base/text.h"
#include "importers/folded.h"
#include "importers/perf_script.h"
#include "tests/support/reading.h"

static const char stacks[] = "main;read;copy 1\n"
			     "main;write;copy 2\n"
			     "main;write;copy 4\n"
			     "main;write 8\n"
			     "idle 16\n";

/* A filter of at most one expression each; NULL for none. */
struct wish {
	const char *focus, *ignore, *hide, *show;
};

static void compile(const char *expression, regex_t *regex, regex_t **list, size_t *nr)
{
	if (!expression)
		return;
	assert_int_equal(regcomp(regex, expression, REG_EXTENDED | REG_NOSUB), 0);
	*list = regex;
	*nr = 1;
}

static void expect(const struct wish *wish, const char *shown, uint64_t no_focus, uint64_t ignored)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct path_filter filter = {0};
	regex_t regexes[4];

	compile(wish->focus, &regexes[0], &filter.focus, &filter.focus_nr);
	compile(wish->ignore, &regexes[1], &filter.ignore, &filter.ignore_nr);
	compile(wish->hide, &regexes[2], &filter.hide, &filter.hide_nr);
	compile(wish->show, &regexes[3], &filter.show, &filter.show_nr);
	reading_init(&reading, &importer_folded, stacks, NULL, NULL, &filter);
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), shown);
	assert_true(reading.paths.left_out[PATH_FOCUS] == weight_of(no_focus));
	assert_true(reading.paths.left_out[PATH_IGNORE] == weight_of(ignored));
	assert_true(reading.paths.count + weight_of(no_focus + ignored) == weight_of(31));
	for (int i = 0; i < 4; i++)
		if ((const char *[]){wish->focus, wish->ignore, wish->hide, wish->show}[i])
			regfree(&regexes[i]);
}

static void same_path_is_one_and_paths_are_sorted_by_bytes(void **state)
{
	(void)state;
	expect(&(struct wish){0},
	       "idle 16 16\nmain;read;copy 1 1\nmain;write 8 8\nmain;write;copy 6 6\n", 0, 0);
}

static void focus_keeps_samples_with_such_a_frame(void **state)
{
	(void)state;
	expect(&(struct wish){.focus = "^copy$"}, "main;read;copy 1 1\nmain;write;copy 6 6\n", 24,
	       0);
}

static void ignore_drops_samples_with_such_a_frame(void **state)
{
	(void)state;
	expect(&(struct wish){.ignore = "copy|idle"}, "main;write 8 8\n", 0, 23);
}

static void ignore_is_stronger_than_focus(void **state)
{
	(void)state;
	expect(&(struct wish){.focus = "write", .ignore = "copy"}, "main;write 8 8\n", 16, 7);
}

static void hidden_frames_give_their_weight_to_the_caller(void **state)
{
	(void)state;
	expect(&(struct wish){.hide = "copy|main"}, "idle 16 16\nread 1 1\nwrite 14 14\n", 0, 0);
}

static void sample_whose_frames_are_all_hidden_is_still_counted(void **state)
{
	(void)state;
	expect(&(struct wish){.hide = "idle|main|read|copy"}, "[no stack] 17 17\nwrite 14 14\n", 0,
	       0);
}

static void show_keeps_only_such_frames(void **state)
{
	(void)state;
	expect(&(struct wish){.show = "copy|idle"}, "[no stack] 8 8\ncopy 7 7\nidle 16 16\n", 0, 0);
}

static void focus_sees_hidden_frames(void **state)
{
	(void)state;
	expect(&(struct wish){.focus = "copy", .hide = "copy"}, "main;read 1 1\nmain;write 6 6\n",
	       24, 0);
}

static const char sched[] =
	"swapper 0 1.000000: 5 cycles: \n\t10 intel_idle+0x1 (k)\n\t20 do_idle\n\n"
	"swapper 0 2.000000: 5 cycles: \n\t10 net_rx+0x1 (k)\n\t20 do_idle\n\n"
	"spin 7 3.000000: 5 cycles: \n\t10 poll_idle+0x1 (x)\n\n"
	"swapper 0 4.000000: 5 cycles: \n\n";

static void idle_is_a_leaf_of_the_idle_task_in_the_idle_loop(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	static const struct path_filter filter = {.no_idle = true};
	static const struct tally_options by_comm = {.by = TALLY_BY_COMM, .keeps_idle = true};

	(void)state;
	reading_init(&reading, &importer_perf_script, sched, &by_comm, NULL, &filter);
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text),
			    "spin;poll_idle 1 5\nswapper 1 5\nswapper;do_idle;net_rx 1 5\n");
	assert_true(reading.paths.left_out[PATH_IDLE] == WEIGHT_ONE);
	assert_true(reading.paths.without_chain == WEIGHT_ONE);
}

static void sample_without_stack_and_root_is_named_so(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	reading_init(&reading, &importer_perf_script, sched, NULL, NULL, NULL);
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), "[no stack] 1 5\ndo_idle;intel_idle 1 5\n"
						"do_idle;net_rx 1 5\npoll_idle 1 5\n");
}

static void only_the_asked_for_event_is_in_the_paths(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "a 1 1.000000: 5 c: \n\t10 f\n\na 1 1.000000: 9 d: \n\t10 f\n\n", NULL, NULL,
		     NULL);
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), "f 1 5\n");
}

/* A leaf in x.so called from y.so, neither with a name. */
static const char places[] = "a 1 1.000000: 5 c: \n"
			     "\t10 [unknown] (/lib/x.so)\n"
			     "\t20 [unknown] (/lib/y.so)\n"
			     "\t30 main (/bin/a)\n\n";

/* The places at 0x10 and 0x20 turn out to be these functions, outermost first; "~" inlined. */
static void name_place(struct capture *capture, uint64_t address, const char *const *functions)
{
	uint32_t place = 0;

	while (locations_get(&capture->locations, place)->address != address)
		place++;
	for (; *functions; functions++) {
		bool is_inlined = **functions == '~';
		struct location location = {
			.name = names_add_string(&capture->names, *functions + is_inlined),
			.module = locations_get(&capture->locations, place)->module,
			.line = NAME_NONE,
			.flags = is_inlined ? LOCATION_INLINED : 0,
		};

		frames_add(
			&capture->frames, place,
			&(struct frame){.function = locations_add(&capture->locations, &location)});
	}
}

static void expect_places(const char *const *leaf, const char *const *caller, unsigned flags,
			  const struct wish *wish, const char *shown)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct path_filter filter = {0};
	regex_t hide, focus;

	compile(wish->hide, &hide, &filter.hide, &filter.hide_nr);
	compile(wish->focus, &focus, &filter.focus, &filter.focus_nr);
	reading_init(&reading, &importer_perf_script, places, NULL, NULL, NULL);
	paths_release(&reading.paths);
	naming_release(&reading.naming);
	/* frames are added by the id of their location, which count from the leaf here */
	name_place(&reading.capture, 0x10, leaf);
	name_place(&reading.capture, 0x20, caller);
	naming_init(&reading.naming, &reading.capture, &(struct naming_options){.flags = flags});
	paths_build(&reading.paths, &reading.tally, &reading.naming, reading.capture.first_event,
		    &filter);
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), shown);
	if (wish->hide)
		regfree(&hide);
	if (wish->focus)
		regfree(&focus);
}

static const char *const no_function[] = {NULL}, *const copy[] = {"copy", NULL},
			 *const inlined[] = {"outer", "~middle", "~inner", NULL};

static void a_place_is_what_its_frames_are(void **state)
{
	(void)state;
	expect_places(copy, no_function, 0, &(struct wish){0}, "main;[y.so];copy 1 5\n");
	expect_places(copy, copy, 0, &(struct wish){0}, "main;copy;copy 1 5\n");
	expect_places(inlined, copy, 0, &(struct wish){0}, "main;copy;outer;middle;inner 1 5\n");
	expect_places(no_function, inlined, 0, &(struct wish){0},
		      "main;outer;middle;inner;[x.so] 1 5\n");
}

static void without_inlined_frames_the_outermost_is_left(void **state)
{
	(void)state;
	expect_places(inlined, inlined, NAMING_NO_INLINED, &(struct wish){0},
		      "main;outer;outer 1 5\n");
}

static void each_frame_of_a_place_is_hidden_or_looked_for_by_itself(void **state)
{
	(void)state;
	expect_places(inlined, copy, 0, &(struct wish){.hide = "^(inner|copy)$"},
		      "main;outer;middle 1 5\n");
	expect_places(inlined, copy, 0, &(struct wish){.hide = "outer|middle|inner"},
		      "main;copy 1 5\n");
	expect_places(inlined, copy, 0, &(struct wish){.focus = "^middle$", .hide = "middle"},
		      "main;copy;outer;inner 1 5\n");
}

/* Three addresses of a leaf, of which two turn out to be the same functions. */
static void leaves_of_the_same_frames_are_one_path(void **state)
{
	CLEANUP(reading_release) struct reading reading;
	CLEANUP(text_release) struct text text = TEXT_INIT;
	static const struct tally_options by_address = {.keeps_address = true};
	static const struct path_filter filter;

	(void)state;
	reading_init(&reading, &importer_perf_script,
		     "a 1 1.000000: 5 c: \n\t10 [unknown] (/x.so)\n\t30 main (/bin/a)\n\n"
		     "a 1 2.000000: 6 c: \n\t11 [unknown] (/x.so)\n\t30 main (/bin/a)\n\n"
		     "a 1 3.000000: 7 c: \n\t12 [unknown] (/x.so)\n\t30 main (/bin/a)\n\n",
		     &by_address, NULL, NULL);
	assert_int_equal(reading.tally.nr, 3);
	assert_int_equal(reading.paths.nr, 1);
	paths_release(&reading.paths);
	naming_release(&reading.naming);
	name_place(&reading.capture, 0x10, inlined);
	name_place(&reading.capture, 0x11, copy);
	name_place(&reading.capture, 0x12, inlined);
	naming_init(&reading.naming, &reading.capture, &(struct naming_options){0});
	paths_build(&reading.paths, &reading.tally, &reading.naming, 0, &filter);
	assert_int_equal(reading.paths.nr, 2);
	assert_true(reading.paths.count == weight_of(3));
	assert_true(reading.paths.period == weight_of(18));
	reading_show(&reading, &text);
	assert_string_equal(text_string(&text), "main;copy 1 6\nmain;outer;middle;inner 2 12\n");
}

static void reasons_are_the_options_that_made_them(void **state)
{
	(void)state;
	assert_string_equal(paths_reason_word(PATH_IDLE), "--no-idle");
	assert_string_equal(paths_reason_word(PATH_FOCUS), "--focus");
	assert_string_equal(paths_reason_word(PATH_IGNORE), "--ignore");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_path_is_one_and_paths_are_sorted_by_bytes),
		cmocka_unit_test(focus_keeps_samples_with_such_a_frame),
		cmocka_unit_test(ignore_drops_samples_with_such_a_frame),
		cmocka_unit_test(ignore_is_stronger_than_focus),
		cmocka_unit_test(hidden_frames_give_their_weight_to_the_caller),
		cmocka_unit_test(sample_whose_frames_are_all_hidden_is_still_counted),
		cmocka_unit_test(show_keeps_only_such_frames),
		cmocka_unit_test(focus_sees_hidden_frames),
		cmocka_unit_test(idle_is_a_leaf_of_the_idle_task_in_the_idle_loop),
		cmocka_unit_test(sample_without_stack_and_root_is_named_so),
		cmocka_unit_test(only_the_asked_for_event_is_in_the_paths),
		cmocka_unit_test(a_place_is_what_its_frames_are),
		cmocka_unit_test(without_inlined_frames_the_outermost_is_left),
		cmocka_unit_test(each_frame_of_a_place_is_hidden_or_looked_for_by_itself),
		cmocka_unit_test(leaves_of_the_same_frames_are_one_path),
		cmocka_unit_test(reasons_are_the_options_that_made_them),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
