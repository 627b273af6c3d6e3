/* test_perf_stat.c - what perf stat counted, as it prints it, with -x and with -j */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/perf_stat.h"
#include "model/counter_options.h"
#include "tests/support/points.h"

/* What it says of points, then notes; or the error. */
static void says_with(const struct counter_options *options, const char *input,
		      const char *expected)
{
	struct capture capture = {.counter_options = options};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct points points;
	char *err;

	if (!importer_perf_stat.sniff(input, strlen(input)))
		fail_msg("%s is not known", input);
	err = points_hear(&points, &importer_perf_stat, input, strlen(input), &capture);
	text_addf(&text, "%s: ", source_clock_word(capture.clock));
	text_add(&text, err ? err : text_string(&points.text));
	for (int i = 0; i < NOTE_NR; i++)
		if (capture.notes.list[i].count)
			text_addf(&text, "%s %d\n", notes_word(i),
				  (int)capture.notes.list[i].count);
	assert_string_equal(text_string(&text), expected);
	free(err);
	points_release(&points);
	capture_release(&capture);
}

static void says(const char *input, const char *expected)
{
	says_with(NULL, input, expected);
}

/* ---- -x */

static void totals_have_no_time(void **state)
{
	(void)state;
	says("# started on Mon Nov 30 02:24:50 2026\n\n"
	     "2847.69,msec,task-clock,2847688525,100.00,0.711,CPUs utilized\n"
	     "9596,,context-switches,2847688525,100.00,3.370,K/sec\n",
	     "none: task-clock 0.000000000 2847.69 ran 2847688525/2847688525\n"
	     "context-switches 0.000000000 9596 ran 2847688525/2847688525\n");
}

static void the_state_is_the_value_s(void **state)
{
	(void)state;
	says("<not supported>,,cycles,0,100.00,,\n<not counted>,msec,task-clock,0,100.00,,\n"
	     "0,,page-faults,5,100.00,,\n",
	     "none: cycles 0.000000000 not_supported\ntask-clock 0.000000000 not_counted\n"
	     "page-faults 0.000000000 0 ran 5/5\n");
}

static void intervals_end_at_their_time(void **state)
{
	(void)state;
	says("     0.500568586,170.39,msec,task-clock,170392906,100.00,0.341,CPUs utilized\n"
	     "     0.500568586,57,,cpu-migrations,170392906,100.00,334.521,/sec\n"
	     "     1.001333851,174.92,msec,task-clock,174916976,100.00,0.350,CPUs utilized\n"
	     "         summary,345.31,msec,task-clock,345309882,100.00,0.345,CPUs utilized\n",
	     "start: task-clock 0.500568586 170.39 over 0.500568586 ran 170392906/170392906\n"
	     "cpu-migrations 0.500568586 57 over 0.500568586 ran 170392906/170392906\n"
	     "task-clock 1.001333851 174.92 over 0.500765265 ran 174916976/174916976\n"
	     "task-clock{summary=\"all\"} 1.001333851 345.31 over 1.001333851 ran "
	     "345309882/345309882\n");
}

static void rows_may_be_of_a_part(void **state)
{
	(void)state;
	says("     0.500736847,CPU0,500.92,msec,task-clock,500920760,100.00,1.002,CPUs utilized\n"
	     "     0.500736847,CPU1,501.01,msec,task-clock,501006000,100.00,1.002,CPUs utilized\n",
	     "start: task-clock{cpu=\"0\"} 0.500736847 500.92 over 0.500736847 ran "
	     "500920760/500920760\n"
	     "task-clock{cpu=\"1\"} 0.500736847 501.01 over 0.500736847 ran 501006000/501006000\n");
	says("S0-D0-C0,1,85,,context-switches,10,100.00,84.801,/sec\n"
	     "S0,2,85,,context-switches,10,100.00,84.801,/sec\n"
	     "N1,4,7,,faults,10,100.00,,\n"
	     "my-worker 2-24360,443.29,msec,task-clock,443288121,100.00,0.442,CPUs utilized\n",
	     "none: context-switches{core=\"S0-D0-C0\"} 0.000000000 85 ran 10/10\n"
	     "context-switches{socket=\"S0\"} 0.000000000 85 ran 10/10\n"
	     "faults{node=\"N1\"} 0.000000000 7 ran 10/10\n"
	     "task-clock{thread=\"my-worker 2-24360\"} 0.000000000 443.29 ran "
	     "443288121/443288121\n");
}

static void events_may_hold_commas(void **state)
{
	(void)state;
	says("100,,cpu/event=0x3c,umask=0x0/,2000,50.00,,\n"
	     "7,,cpu/event=0x3c,umask=0x0/u,/system.slice/a,1.50%,2000,100.00,,\n"
	     "8,,cycles:u,2000,100.00\n",
	     "none: cpu/event=0x3c,umask=0x0/ 0.000000000 100 ran 2000/4000\n"
	     "cpu/event=0x3c,umask=0x0/u{cgroup=\"/system.slice/a\"} 0.000000000 7 ran 2000/2000\n"
	     "cpu/event=0x3c,umask=0x0/u{cgroup=\"/system.slice/a\",of=\"variance\"} 0.000000000 1.5\n"
	     "cycles:u 0.000000000 8 ran 2000/2000\n");
}

static void an_event_may_stand_there_twice(void **state)
{
	(void)state;
	says("5,,cycles,10,100.00,,\n6,,cycles,10,100.00,,\n7,,cycles,10,100.00,,\n",
	     "none: cycles 0.000000000 5 ran 10/10\ncycles{nth=\"2\"} 0.000000000 6 ran 10/10\n"
	     "cycles{nth=\"3\"} 0.000000000 7 ran 10/10\n");
}

static void metrics_are_passed_over(void **state)
{
	(void)state;
	says("5;;cycles;10;100.00;1.2;insn per cycle\n;;;;;0.50;stalled cycles per insn\n",
	     "none: cycles 0.000000000 5 ran 10/10\ncounter-metric 1\n");
	says("# started on Mon Nov 30 02:25:29 2026\n\n\n,,\n",
	     "unknown: '<stdin>' holds no counter of perf stat (metrics alone (--metric-only) are "
	     "computed from counters, which perf stat prints without it)counter-metric 1\n");
}

static void decimal_commas_are_refused(void **state)
{
	static const char words[] =
		"unknown: <stdin>: line 1: a comma is the decimal mark and the separator, so that "
		"nothing tells which is which (LC_ALL=C perf stat -x, ... or perf stat -x\\; ...)";

	(void)state;
	says("2847,69,msec,task-clock,2847688525,100,00,0,711,CPUs utilized\n", words);
	says("9596,,context-switches,2847688525,100,00,3,370,K/sec\n", words);
}

static void damage_has_its_line(void **state)
{
	const struct counter_options options = {.keeps_going = true};

	(void)state;
	says("5,,cycles,10,100.00,,\n6,,cyc\n",
	     "none: <stdin>: line 2: 3 fields are no row of perf stat -x: expected value, unit, "
	     "event, run time and its share");
	says("     1.000000000,5,,cycles,10,100.00,,\n     0.500000000,6,,cycles,10,100.00,,\n",
	     "start: <stdin>: line 2: the time goes backwards: an interval ends at 500000000 ns, the "
	     "one before at 1000000000 ns");
	says_with(&options, "5,,cycles,10,100.00,,\n6,,cyc\n7,,faults,10,100.00,,\n",
		  "none: cycles 0.000000000 5 ran 10/10\nfaults 0.000000000 7 ran 10/10\n"
		  "counter-fields 1\n");
}

/* ---- -j */

static void objects_are_rows(void **state)
{
	(void)state;
	says("# started on Mon Nov 30 02:25:10 2026\n\n"
	     "{\"interval\" : 0.500554422, \"cpu\" : \"0\", \"counter-value\" : \"173.506047\", "
	     "\"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : 173506047, "
	     "\"pcnt-running\" : 100.00, \"metric-value\" : 0.347012, \"metric-unit\" : \"CPUs "
	     "utilized\"}\n"
	     "{\"interval\" : 0.500554422, \"cpu\" : \"0\", \"counter-value\" : \"<not supported>\", "
	     "\"unit\" : \"\", \"event\" : \"cycles\", \"event-runtime\" : 0, \"pcnt-running\" : "
	     "100.00}\n",
	     "start: task-clock{cpu=\"0\"} 0.500554422 173.506047 over 0.500554422 ran "
	     "173506047/173506047\n"
	     "cycles{cpu=\"0\"} 0.500554422 not_supported over 0.500554422\n");
}

static void numbers_may_be_strings(void **state)
{
	(void)state;
	says("{\"counter-value\" : 5, \"event\" : \"cycles\", \"variance\" : \"7.5\", "
	     "\"event-runtime\" : \"10\", \"pcnt-running\" : \"50\", \"metric-value\" : \"none\"}\n",
	     "none: cycles 0.000000000 5 ran 10/20\ncycles{of=\"variance\"} 0.000000000 7.5\n");
}

static void a_metric_alone_is_passed_over(void **state)
{
	(void)state;
	says("{\"counter-value\" : \"5\", \"event\" : \"cycles\"}\n"
	     "{\"metric-value\" : \"1.2\", \"metric-unit\" : \"insn per cycle\"}\n",
	     "none: cycles 0.000000000 5\ncounter-metric 1\n");
}

static void json_that_is_cut_has_its_line(void **state)
{
	(void)state;
	says("{\"counter-value\" : \"5\", \"event\" : \"cycles\"}\n{\"counter-value\" : \"5\", \"eve",
	     "none: <stdin>: line 2: no JSON object: premature end of input near '\"eve', column 28");
	says("{\"counter-value\" : \"5\", \"event\" : \"cycles\"}\n"
	     "{\"core\" : \"S0-D0-C0\"\"counter-value\" : \"5\", \"event\" : \"cycles\"}\n",
	     "none: <stdin>: line 2: no JSON object: '}' expected near '\"counter-value\"', column "
	     "35");
	says("{\"counter-value\" : \"many\", \"event\" : \"cycles\"}\n",
	     "unknown: <stdin>: line 1: \"counter-value\" of 'cycles' is no number");
	says("{\"interval\" : -1, \"counter-value\" : \"5\", \"event\" : \"cycles\"}\n",
	     "unknown: <stdin>: line 1: \"interval\" is no time");
}

/* ---- text */

static void text_is_read_as_people_do(void **state)
{
	(void)state;
	says("# started on Mon Nov 30 02:24:46 2026\n\n\n"
	     " Performance counter stats for 'sleep 0.2' (3 runs):\n\n"
	     "              1.76 msec task-clock                       #    0.009 CPUs utilized         "
	     "   ( +- 11.28% )\n"
	     "                76      page-faults                      #   55.779 K/sec                 "
	     "  \n"
	     "   <not supported>      cycles                                                      \n"
	     "         1,000,000      instructions                                                \n",
	     "none: <stdin>: line 9: '1,000,000' has the marks of a locale (LC_ALL=C perf stat ... or "
	     "perf stat -x\\; ...)");
	says(" Performance counter stats for 'x':\n\n"
	     "              1.76 msec task-clock     #    0.009 CPUs utilized   ( +- 11.28% )\n"
	     "   <not supported>      cycles                                                      \n"
	     "           4000000      branches       #  1.0 G/sec   (33.91%)\n"
	     "          0.202049 +- 0.000170 seconds time elapsed  ( +-  0.08% )\n"
	     "       0.001872000 seconds user\n",
	     "none: task-clock 0.000000000 1.76\ntask-clock{of=\"variance\"} 0.000000000 11.28\n"
	     "cycles 0.000000000 not_supported\n"
	     "branches 0.000000000 4000000 ran 339100000/1000000000\n"
	     "elapsed 0.000000000 0.202049\nelapsed{of=\"variance\"} 0.000000000 0.08\n"
	     "user 0.000000000 0.001872\n");
}

static void intervals_of_text_are_known(void **state)
{
	(void)state;
	says("#           time             counts unit events\n"
	     "     0.500590147             174.20 msec task-clock      #    0.348 CPUs utilized\n"
	     "     0.500590147               1539      context-switches #    8.835 K/sec\n",
	     "start: task-clock 0.500590147 174.2 over 0.500590147\n"
	     "context-switches 0.500590147 1539 over 0.500590147\n");
}

static void others_are_not_taken(void **state)
{
	static const char *const others[] = {"",
					     "hello\n",
					     "main;run 12\n",
					     "mono_ns,depth\n1,2\n",
					     "{\"status\":\"success\"}\n",
					     "perf 100 [000] 1.000000: 1 cycles: \n",
					     "1,2,3,4,5\n"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(others); i++)
		if (importer_perf_stat.sniff(others[i], strlen(others[i])))
			fail_msg("%s is taken for perf stat", others[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_have_no_time),
		cmocka_unit_test(the_state_is_the_value_s),
		cmocka_unit_test(intervals_end_at_their_time),
		cmocka_unit_test(rows_may_be_of_a_part),
		cmocka_unit_test(events_may_hold_commas),
		cmocka_unit_test(an_event_may_stand_there_twice),
		cmocka_unit_test(metrics_are_passed_over),
		cmocka_unit_test(decimal_commas_are_refused),
		cmocka_unit_test(damage_has_its_line),
		cmocka_unit_test(objects_are_rows),
		cmocka_unit_test(numbers_may_be_strings),
		cmocka_unit_test(a_metric_alone_is_passed_over),
		cmocka_unit_test(json_that_is_cut_has_its_line),
		cmocka_unit_test(text_is_read_as_people_do),
		cmocka_unit_test(intervals_of_text_are_known),
		cmocka_unit_test(others_are_not_taken),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
