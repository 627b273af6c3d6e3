/* test_csv.c - tables of counters: what columns are, and what is refused */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/csv.h"
#include "importers/importer.h"
#include "model/counter_options.h"
#include "tests/support/points.h"

/* What it says of series, then of points. */
static void hear(const char *csv, const struct counter_options *options, struct text *ret)
{
	struct capture capture = {.counter_options = options};
	struct points points;
	char *err = points_hear(&points, &importer_csv, csv, strlen(csv), &capture);

	if (err) {
		text_add(ret, err);
	} else {
		text_addf(ret, "clock %s\n", source_clock_word(capture.clock));
		points_show_series(&capture, ret);
		text_add(ret, text_string(&points.text));
	}
	free(err);
	points_release(&points);
	capture_release(&capture);
}

static void says(const char *csv, const char *expected)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	hear(csv, NULL, &text);
	assert_string_equal(text_string(&text), expected);
}

static void says_with(const char *map, const char *csv, const char *expected)
{
	const struct counter_options options = {.maps = &map, .maps_nr = 1};
	CLEANUP(text_release) struct text text = TEXT_INIT;

	hear(csv, &options, &text);
	assert_string_equal(text_string(&text), expected);
}

static void columns_are_known_by_their_names(void **state)
{
	(void)state;
	says("mono_ns,depth,completed_total\n1000000000,5,10\n2000000000,6,30\n",
	     "clock monotonic\n"
	     "depth queue.depth gauge - name 2/0/0\n"
	     "completed_total queue.completed cumulative - name 2/0/0\n"
	     "depth 1.000000000 5\ncompleted_total 1.000000000 10\n"
	     "depth 2.000000000 6\ncompleted_total 2.000000000 30\n");
	/* in another order, with other words and separators, and a column more */
	says("# a comment\n\nqueueLength;time_s;processed;shoe_size\n5;1.5;10;44\n",
	     "clock unknown\n"
	     "queueLength queue.depth gauge - name 1/0/0\n"
	     "processed queue.completed cumulative - name 1/0/0\n"
	     "shoe_size - gauge - none 1/0/0\n"
	     "queueLength 1.500000000 5\nprocessed 1.500000000 10\nshoe_size 1.500000000 44\n");
}

static void times_are_known_by_name_and_size(void **state)
{
	(void)state;
	says("timestamp,depth\n1796007426107,5\n",
	     "clock realtime\ndepth queue.depth gauge - name 1/0/0\n"
	     "depth 1796007426.107000000 5\n");
	says("time\tdepth\r\n2026-11-30T02:57:07.5Z\t5\r\n",
	     "clock realtime\ndepth queue.depth gauge - name 1/0/0\n"
	     "depth 1796007427.500000000 5\n");
	says("when,depth\n2026-11-30 03:57:07+01:00,5\n",
	     "clock realtime\ndepth queue.depth gauge - name 1/0/0\n"
	     "depth 1796007427.000000000 5\n");
	says("when,depth\n2026-11-30 02:57:07,5\n",
	     "clock local\ndepth queue.depth gauge - name 1/0/0\n"
	     "depth 1796007427.000000000 5\n");
}

static void two_clocks_are_a_pair_in_each_row(void **state)
{
	(void)state;
	says("real_ns,depth,mono_ns\n1796007289575973664,0,2414996266867\n",
	     "clock monotonic\n"
	     "real_ns clock.realtime gauge ns name 1/0/0\n"
	     "depth queue.depth gauge - name 1/0/0\n"
	     "real_ns 2414.996266867 1796007289575973664\n"
	     "depth 2414.996266867 0\n");
}

static void queues_are_told_apart(void **state)
{
	(void)state;
	says("mono_ns,ingest_depth,ingest_done,classify_depth\n1,2,3,4\n",
	     "clock monotonic\n"
	     "ingest_depth{queue=\"ingest\"} queue.depth gauge - name 1/0/0\n"
	     "ingest_done{queue=\"ingest\"} queue.completed cumulative - name 1/0/0\n"
	     "classify_depth{queue=\"classify\"} queue.depth gauge - name 1/0/0\n"
	     "ingest_depth{queue=\"ingest\"} 0.000000001 2\n"
	     "ingest_done{queue=\"ingest\"} 0.000000001 3\n"
	     "classify_depth{queue=\"classify\"} 0.000000001 4\n");
	says("mono_ns,queue,depth\n1,a,5\n1,b,6\n2,b,7\n",
	     "clock monotonic\n"
	     "depth{queue=\"a\"} queue.depth gauge - name 1/0/0\n"
	     "depth{queue=\"b\"} queue.depth gauge - name 2/0/0\n"
	     "depth{queue=\"a\"} 0.000000001 5\ndepth{queue=\"b\"} 0.000000001 6\n"
	     "depth{queue=\"b\"} 0.000000002 7\n");
	says("mono_ns,depth{queue=\"a\",host=\"x\"},depth{queue=\"b\"}\n1,5,6\n",
	     "clock monotonic\n"
	     "depth{queue=\"a\",host=\"x\"} queue.depth gauge - name 1/0/0\n"
	     "depth{queue=\"b\"} queue.depth gauge - name 1/0/0\n"
	     "depth{queue=\"a\",host=\"x\"} 0.000000001 5\ndepth{queue=\"b\"} 0.000000001 6\n");
}

static void a_role_is_given_once(void **state)
{
	(void)state;
	says("mono_ns,rejected_total,rejected_full_total\n1,2,3\n",
	     "clock monotonic\n"
	     "rejected_total queue.rejected cumulative - name 1/0/0\n"
	     "rejected_full_total - cumulative - none 1/0/0\n"
	     "rejected_total 0.000000001 2\nrejected_full_total 0.000000001 3\n");
}

static void five_answers_are_not_the_same(void **state)
{
	(void)state;
	says("mono_ns,depth\n1,0\n2,\n3,NaN\n4,<not counted>\n5,<not supported>\n6,+Inf\n",
	     "clock monotonic\ndepth queue.depth gauge - name 1/5/0\n"
	     "depth 0.000000001 0\ndepth 0.000000002 gap\ndepth 0.000000003 nan\n"
	     "depth 0.000000004 not_counted\ndepth 0.000000005 not_supported\n"
	     "depth 0.000000006 nan\n");
}

static void a_counter_that_falls_began_anew(void **state)
{
	(void)state;
	says("mono_ns,done_total\n1,10\n2,20\n3,5\n4,9\n",
	     "clock monotonic\ndone_total queue.completed cumulative - name 4/0/1\n"
	     "done_total 0.000000001 10\ndone_total 0.000000002 20\n"
	     "done_total 0.000000003 5 reset\ndone_total 0.000000004 9\n");
}

static void what_is_said_of_columns_holds(void **state)
{
	(void)state;
	says_with("x=queue.depth,items,gauge", "mono_ns,x\n1,2\n",
		  "clock monotonic\nx queue.depth gauge items user 1/0/0\nx 0.000000001 2\n");
	says_with("when=time,ms,boottime", "when,depth\n1500,2\n",
		  "clock boottime\ndepth queue.depth gauge - name 1/0/0\n"
		  "depth 1.500000000 2\n");
	says_with("done=,,delta", "mono_ns,done\n1,2\n5,3\n",
		  "clock monotonic\ndone queue.completed delta - name 2/0/0\n"
		  "done 0.000000001 2\ndone 0.000000005 3 over 0.000000004\n");
	says_with("depth=ignore", "mono_ns,depth,done\n1,2,3\n",
		  "clock monotonic\ndone queue.completed cumulative - name 1/0/0\n"
		  "done 0.000000001 3\n");
	says_with("shard=none", "mono_ns,shard\n1,2\n",
		  "clock monotonic\nshard - gauge - none 1/0/0\nshard 0.000000001 2\n");
}

static void wrong_words_about_columns_are_refused(void **state)
{
	static const char csv[] = "mono_ns,depth\n1,2\n";

	(void)state;
	says_with("depth", csv, "--map takes <column>=<role>,<unit>,<kind>, not 'depth'");
	says_with("depth=a,b,c,d", csv, "--map depth=a,b,c,d: there are more than three parts");
	says_with("deep=queue.depth", csv,
		  "<stdin>: line 1: there is no column 'deep' (there is: mono_ns, depth)");
	says_with("depth=,,count", csv,
		  "--map depth=,,count: a kind is gauge, cumulative, delta or rate, not 'count'");
	says_with("mono_ns=time,h", csv,
		  "--map mono_ns=time,h: a time is in s, ms, us or ns, not 'h'");
}

static void each_damage_has_its_words(void **state)
{
	(void)state;
	says("mono_ns,depth\n2000000000,1\n1000000000,2\n",
	     "<stdin>: line 3: the time goes backwards: 1.000000000 comes after 2.000000000");
	says("mono_ns,depth\n2000000000,1\n\n2000000000,2\n",
	     "<stdin>: line 4: the time 2.000000000 is there twice: the values before have it too");
	says("mono_ns,depth,age_ns\n1,2,3\n2,3\n3,4,5\n",
	     "<stdin>: line 3: 2 fields, the header has 3 columns");
	says("mono_ns,depth,age_ns\n1,2,3\n2,3",
	     "<stdin>: line 3: 2 fields, the header has 3 columns; it is the last line: the file is "
	     "cut");
	says("mono_ns,depth\n1,2\n2,many\n",
	     "<stdin>: line 3: column 'depth' is 'many', expected a number");
	says("mono_ns;depth\n1;2\n2;3,5\n",
	     "<stdin>: line 3: column 'depth' is '3,5', expected a number (decimals need a point: "
	     "LC_ALL=C makes most programs write one)");
	says("mono_ns,depth\n1,2\nnow,3\n",
	     "<stdin>: line 3: column 'mono_ns' is 'now', expected a time");
	says("depth,size\n1,2\n",
	     "<stdin>: line 1: no column is a time; there is: depth, size (--map "
	     "depth=time,s,realtime says that one is)");
	says("mono_ns,depth\n", "'<stdin>' holds a header and no line of values");
	says("mono_ns,\n1,2\n", "<stdin>: line 1: column 2 of 2 has no name");
}

static void what_is_damaged_may_be_left_out(void **state)
{
	const struct counter_options options = {.keeps_going = true};
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	hear("mono_ns,depth\n2,1\n1,2\n2,9\n3,x\n4\n5,6\n", &options, &text);
	assert_string_equal(text_string(&text), "clock monotonic\n"
						"depth queue.depth gauge - name 2/1/0\n"
						"depth 0.000000002 1\ndepth 0.000000003 nan\n"
						"depth 0.000000005 6\n");
}

static void tables_are_known_by_their_head(void **state)
{
	static const char *const tables[] = {"mono_ns,depth\n1,2\n", "epoch,value\n1.5,nan\n",
					     "time;depth\n", "a,b\n1,2\n", "# x\n\nts\td\n1\t2\n"};
	static const char *const others[] = {"main;run;read 12\n",
					     "main;time;read 12\n",
					     "a,b\nc,d\n",
					     "1,2\n3,4\n",
					     "hello\n",
					     "",
					     "a b c\n1 2 3\n"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(tables); i++)
		if (!importer_csv.sniff(tables[i], strlen(tables[i])))
			fail_msg("%s is not known", tables[i]);
	for (size_t i = 0; i < ARRAY_NR(others); i++)
		if (importer_csv.sniff(others[i], strlen(others[i])))
			fail_msg("%s is taken for a table", others[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_known_by_their_names),
		cmocka_unit_test(times_are_known_by_name_and_size),
		cmocka_unit_test(two_clocks_are_a_pair_in_each_row),
		cmocka_unit_test(queues_are_told_apart),
		cmocka_unit_test(a_role_is_given_once),
		cmocka_unit_test(five_answers_are_not_the_same),
		cmocka_unit_test(a_counter_that_falls_began_anew),
		cmocka_unit_test(what_is_said_of_columns_holds),
		cmocka_unit_test(wrong_words_about_columns_are_refused),
		cmocka_unit_test(each_damage_has_its_words),
		cmocka_unit_test(what_is_damaged_may_be_left_out),
		cmocka_unit_test(tables_are_known_by_their_head),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
