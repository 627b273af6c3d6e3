/* test_metrics.c - what servers and tools write of counters: Prometheus, OpenMetrics, sysstat,
 * /proc */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/openmetrics.h"
#include "importers/pidstat.h"
#include "importers/proc_log.h"
#include "importers/prometheus.h"
#include "importers/sadf.h"
#include "importers/vmstat.h"
#include "model/counter_options.h"
#include "tests/support/points.h"

/* The clock and the points, or the error; then notes. */
static void says(const struct importer *importer, const char *input, const char *expected)
{
	struct capture capture = {0};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct points points;
	char *err = points_hear(&points, importer, input, strlen(input), &capture);

	if (!importer->sniff(input, strlen(input)))
		fail_msg("%s is not known", input);
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

/* The series alone. */
static void has_series(const struct importer *importer, const char *input, const char *expected)
{
	struct capture capture = {0};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct points points;
	char *err = points_hear(&points, importer, input, strlen(input), &capture);

	if (err)
		fail_msg("%s", err);
	points_show_series(&capture, &text);
	assert_string_equal(text_string(&text), expected);
	points_release(&points);
	capture_release(&capture);
}

#define MATRIX(result) \
	"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[" result "]}}"
#define DEPTH "{\"metric\":{\"__name__\":\"depth\",\"queue\":\"a\"},\"values\":"

/* ---- Prometheus */

static void values_are_texts_and_times_have_milliseconds(void **state)
{
	(void)state;
	says(&importer_prometheus,
	     MATRIX(DEPTH
		    "[[1796007426.107,\"5\"],[1796007426.207,\"NaN\"],[1796007426.306,\"1e3\"]]}"),
	     "realtime: depth{queue=\"a\"} 1796007426.107000000 5\n"
	     "depth{queue=\"a\"} 1796007426.207000000 nan\n"
	     "depth{queue=\"a\"} 1796007426.306000000 1e3\n");
	says(&importer_prometheus,
	     "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},"
	     "\"value\":[1796007438.021,\"0.5\"]}]}}",
	     "realtime: expression 1796007438.021000000 0.5\n");
}

static void times_of_a_query_are_noted(void **state)
{
	(void)state;
	says(&importer_prometheus, MATRIX(DEPTH "[[100,\"5\"],[101,\"6\"],[103,\"7\"]]}"),
	     "realtime: depth{queue=\"a\"} 100.000000000 5\ndepth{queue=\"a\"} 101.000000000 6\n"
	     "depth{queue=\"a\"} 103.000000000 7\ncounter-query 1\n");
	says(&importer_prometheus,
	     MATRIX(DEPTH "[[0,\"5\"],[100,\"6\"],[200,\"6\"],[300,\"6\"],[400,\"6\"]]}"),
	     "realtime: depth{queue=\"a\"} 0.000000000 5\ndepth{queue=\"a\"} 100.000000000 6\n"
	     "depth{queue=\"a\"} 200.000000000 6\ndepth{queue=\"a\"} 300.000000000 6\n"
	     "depth{queue=\"a\"} 400.000000000 6\ncounter-query 1\ncounter-stale 1\n");
}

static void exporters_are_known_by_role(void **state)
{
	(void)state;
	has_series(
		&importer_prometheus,
		MATRIX("{\"metric\":{\"__name__\":\"node_cpu_seconds_total\",\"mode\":\"steal\"},"
		       "\"values\":[[1,\"5\"]]},"
		       "{\"metric\":{\"__name__\":\"container_cpu_cfs_throttled_seconds_total\"},"
		       "\"values\":[[1,\"5\"]]},"
		       "{\"metric\":{\"__name__\":\"my_queue_depth\"},\"values\":[[1,\"5\"]]},"
		       "{\"metric\":{\"__name__\":\"service_seconds_bucket\",\"le\":\"1\"},"
		       "\"values\":[[1,\"5\"]]}"),
		"node_cpu_seconds_total{mode=\"steal\"} cpu.steal cumulative s format 1/0/0\n"
		"container_cpu_cfs_throttled_seconds_total cpu.throttled cumulative s format "
		"1/0/0\n"
		"my_queue_depth queue.depth gauge - name 1/0/0\n"
		"service_seconds_bucket{le=\"1\"} - cumulative s none 1/0/0\n");
}

static void damaged_answers_are_refused(void **state)
{
	(void)state;
	says(&importer_prometheus,
	     "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"res",
	     "realtime: <stdin>: line 1: column 54: premature end of input near '\"res'");
	says(&importer_prometheus, MATRIX(""),
	     "realtime: <stdin>: line 1: the result is empty: no series has that name and these labels "
	     "in that time (that is not zero: look at the query's start, end and labels)");
	says(&importer_prometheus,
	     "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"2\"]}}",
	     "realtime: <stdin>: line 1: the result is no matrix and no vector: ask for series, not for "
	     "a scalar or a string");
	says(&importer_prometheus, MATRIX(DEPTH "[[2,\"5\"],[1,\"6\"]]}"),
	     "realtime: <stdin>: line 1: the time goes backwards: 1.000000000 comes after 2.000000000");
	says(&importer_prometheus, MATRIX(DEPTH "[[1,5]]}"),
	     "realtime: <stdin>: line 1: value 1 of depth{queue=\"a\"} is no pair of a time and a "
	     "number in quotes");
}

/* ---- OpenMetrics */

static void metrics_have_types_labels_and_times(void **state)
{
	(void)state;
	says(&importer_openmetrics,
	     "# TYPE depth gauge\ndepth{queue=\"a\\\"b\\\\\"} 5 1796007426.107 # {id=\"1\"} 1\n"
	     "# TYPE done counter\ndone_total 7 1796007426107\n# EOF\n",
	     "realtime: depth{queue=\"a\\\"b\\\\\"} 1796007426.107000000 5\n"
	     "done_total 1796007426.107000000 7\n");
	says(&importer_openmetrics, "# HELP x y\nup 1\nerrors_total 3\n",
	     "none: up 0.000000000 1\nerrors_total 0.000000000 3\n");
	says(&importer_openmetrics, "depth{queue=\"a\"} 1\nother 2 1796007426107\n",
	     "realtime: other 1796007426.107000000 2\ncounter-untimed 1\n");
}

static void scrapes_without_times_have_no_order(void **state)
{
	(void)state;
	says(&importer_openmetrics, "# TYPE up gauge\nup 1\nup 0\n",
	     "none: <stdin>: line 3: a second scrape without times: nothing tells when it was");
	says(&importer_openmetrics, "# TYPE up gauge\nup{a=1} 1\n",
	     "none: <stdin>: line 2: expected 'name{label=\"value\"} number [time]'");
}

/* ---- sysstat */

static void sadf_values_are_of_their_interval(void **state)
{
	(void)state;
	says(&importer_sadf,
	     "# hostname;interval;timestamp;CPU;%user;%steal\n"
	     "vm;10;2026-11-30 02:57:07 UTC;-1;58.54;4.00\nvm;10;2026-11-30 02:57:07 UTC;0;1.00;2.00\n"
	     "# hostname;interval;timestamp;kbmemfree;cswch/s\n"
	     "vm;10;2026-11-30 02:57:07 UTC;1024;77.00\n"
	     "vm;-1;2026-11-30 02:57:09 UTC;LINUX-RESTART\t(2 CPU)\n",
	     "realtime: %user{cpu=\"all\"} 1796007427.000000000 58.54 over 10.000000000\n"
	     "%steal{cpu=\"all\"} 1796007427.000000000 4 over 10.000000000\n"
	     "%user{cpu=\"0\"} 1796007427.000000000 1 over 10.000000000\n"
	     "%steal{cpu=\"0\"} 1796007427.000000000 2 over 10.000000000\n"
	     "kbmemfree 1796007427.000000000 1024\n"
	     "cswch/s 1796007427.000000000 77 over 10.000000000\ncounter-restart 1\n");
	says(&importer_sadf, "# hostname;interval;timestamp;CPU;%user\nvm;1;1796007427;-1;5;6\n",
	     "unknown: <stdin>: line 2: 6 fields, the header has 5 columns; several items on a line "
	     "(-h) are not told apart");
	says(&importer_sadf, "# hostname;interval;timestamp;CPU;%user\nvm;1;1796007427;-1;5,5\n",
	     "realtime: <stdin>: line 2: column '%user' is '5,5', expected a number");
}

static void the_first_row_of_vmstat_is_no_interval(void **state)
{
	static const char head[] =
		"procs -----------memory---------- -----timestamp-----\n r  b   swpd us st UTC\n";
	CLEANUP(text_release) struct text text = TEXT_INIT;

	(void)state;
	text_addf(&text,
		  "%s 5 0 0 65 9 2026-11-30 02:57:05\n 9 0 0 58 0 2026-11-30 02:57:06\n%s"
		  " 6 1 0 67 4 2026-11-30 02:57:08\n",
		  head, head);
	says(&importer_vmstat, text_string(&text),
	     "realtime: r 1796007426.000000000 9\nb 1796007426.000000000 0\n"
	     "swpd 1796007426.000000000 0\nus 1796007426.000000000 58 over 1.000000000\n"
	     "st 1796007426.000000000 0 over 1.000000000\nr 1796007428.000000000 6\n"
	     "b 1796007428.000000000 1\nswpd 1796007428.000000000 0\n"
	     "us 1796007428.000000000 67 over 2.000000000\n"
	     "st 1796007428.000000000 4 over 2.000000000\ncounter-boot 1\n");
	says(&importer_vmstat, "procs ---\n r b swpd us st\n1 0 0 1 0\n",
	     "unknown: <stdin>: line 2: the rows have no time (vmstat -t 1 prints it)");
}

static void pidstat_rows_are_of_processes_and_threads(void **state)
{
	(void)state;
	says(&importer_pidstat,
	     "Linux 6.18 (vm) \t11/30/26 \t_x86_64_\t(2 CPU)\n\n"
	     "# Time        UID      TGID       TID    %usr   %wait   CPU  Command\n"
	     "23:59:59        0     12802         -   28.00    4.00     0  relay\n"
	     "23:59:59        0         -     12812   32.00    8.00     0  |__my worker\n\n"
	     "# Time        UID      TGID       TID    %usr   %wait   CPU  Command\n"
	     "00:00:00        0     12802         -   27.00    0.00     0  relay\n",
	     "local: %usr{pid=\"12802\",comm=\"relay\"} 1796083199.000000000 28\n"
	     "%wait{pid=\"12802\",comm=\"relay\"} 1796083199.000000000 4\n"
	     "%usr{pid=\"12802\",tid=\"12812\",comm=\"my worker\"} 1796083199.000000000 32\n"
	     "%wait{pid=\"12802\",tid=\"12812\",comm=\"my worker\"} 1796083199.000000000 8\n"
	     "%usr{pid=\"12802\",comm=\"relay\"} 1796083200.000000000 27 over 1.000000000\n"
	     "%wait{pid=\"12802\",comm=\"relay\"} 1796083200.000000000 0 over 1.000000000\n");
	says(&importer_pidstat,
	     "# Time        UID       PID   %CPU  Command\n1796007427        0     12802   5.00  relay\n",
	     "realtime: %CPU{pid=\"12802\",comm=\"relay\"} 1796007427.000000000 5\n");
	says(&importer_pidstat,
	     "# Time        UID       PID   %CPU  Command\n02:57:06        0     12802   5.00  relay\n",
	     "unknown: <stdin>: line 2: '02:57:06' is no time: expected seconds (-H), or a time of day "
	     "and a date in the first line");
}

/* ---- /proc */

static void logs_of_proc_have_a_time_before_them(void **state)
{
	(void)state;
	says(&importer_proc_log,
	     "1796007426.107\n/proc/stat:cpu  4705 150 1120 16250 520 0 17 3\n/proc/stat:btime 1\n"
	     "/proc/pressure/io:some avg10=0.50 total=1234567\n"
	     "/sys/fs/cgroup/relay/cpu.stat:usage_usec 9000\n"
	     "/sys/fs/cgroup/relay/cpu.stat:throttled_usec 81\n"
	     "1796007427.107\n/sys/fs/cgroup/relay/cpu.stat:throttled_usec 91\n",
	     "realtime: cpu{mode=\"user\",cpu=\"all\"} 1796007426.107000000 47.05\n"
	     "cpu{mode=\"nice\",cpu=\"all\"} 1796007426.107000000 1.5\n"
	     "cpu{mode=\"system\",cpu=\"all\"} 1796007426.107000000 11.2\n"
	     "cpu{mode=\"idle\",cpu=\"all\"} 1796007426.107000000 162.5\n"
	     "cpu{mode=\"iowait\",cpu=\"all\"} 1796007426.107000000 5.2\n"
	     "cpu{mode=\"irq\",cpu=\"all\"} 1796007426.107000000 0\n"
	     "cpu{mode=\"softirq\",cpu=\"all\"} 1796007426.107000000 0.17\n"
	     "cpu{mode=\"steal\",cpu=\"all\"} 1796007426.107000000 0.03\n"
	     "pressure_avg10{resource=\"io\",share=\"some\"} 1796007426.107000000 0.5\n"
	     "pressure_total{resource=\"io\",share=\"some\"} 1796007426.107000000 1234567\n"
	     "usage_usec{cgroup=\"/sys/fs/cgroup/relay\"} 1796007426.107000000 9000\n"
	     "throttled_usec{cgroup=\"/sys/fs/cgroup/relay\"} 1796007426.107000000 81\n"
	     "throttled_usec{cgroup=\"/sys/fs/cgroup/relay\"} 1796007427.107000000 91\n");
	says(&importer_proc_log, "1796007426 1234.5 procs_running 3 procs_blocked 1\n",
	     "realtime: procs_running 1796007426.000000000 3\n"
	     "procs_blocked 1796007426.000000000 1\n");
	has_series(
		&importer_proc_log,
		"1796007426\ncpu some avg10=0.1 total=7\nthrottled_usec 5\ncpu 1 2 3 4 5 6 7 8\n",
		"pressure_avg10{resource=\"cpu\",share=\"some\"} - gauge percent none 1/0/0\n"
		"pressure_total{resource=\"cpu\",share=\"some\"} pressure.cpu cumulative us format "
		"1/0/0\n"
		"throttled_usec cpu.throttled cumulative us format 1/0/0\n"
		"cpu{mode=\"user\",cpu=\"all\"} - cumulative s none 1/0/0\n"
		"cpu{mode=\"nice\",cpu=\"all\"} - cumulative s none 1/0/0\n"
		"cpu{mode=\"system\",cpu=\"all\"} - cumulative s none 1/0/0\n"
		"cpu{mode=\"idle\",cpu=\"all\"} cpu.idle cumulative s format 1/0/0\n"
		"cpu{mode=\"iowait\",cpu=\"all\"} cpu.iowait cumulative s format 1/0/0\n"
		"cpu{mode=\"irq\",cpu=\"all\"} - cumulative s none 1/0/0\n"
		"cpu{mode=\"softirq\",cpu=\"all\"} - cumulative s none 1/0/0\n"
		"cpu{mode=\"steal\",cpu=\"all\"} cpu.steal cumulative s format 1/0/0\n");
	says(&importer_proc_log, "1796007426\nctxt 5\nnonsense here\n",
	     "realtime: <stdin>: line 3: expected a line of /proc/stat, of /proc/pressure or of a "
	     "cgroup's cpu.stat");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_texts_and_times_have_milliseconds),
		cmocka_unit_test(times_of_a_query_are_noted),
		cmocka_unit_test(exporters_are_known_by_role),
		cmocka_unit_test(damaged_answers_are_refused),
		cmocka_unit_test(metrics_have_types_labels_and_times),
		cmocka_unit_test(scrapes_without_times_have_no_order),
		cmocka_unit_test(sadf_values_are_of_their_interval),
		cmocka_unit_test(the_first_row_of_vmstat_is_no_interval),
		cmocka_unit_test(pidstat_rows_are_of_processes_and_threads),
		cmocka_unit_test(logs_of_proc_have_a_time_before_them),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
