/* test_kernel_log.c - kernel log lines of each form give their time, others are refused with a
 * reason */
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "importers/kernel_log.h"

#define STAMP UINT64_C(24056630211000)
#define WALL  UINT64_C(1796007538021123456)

static void assert_line(const char *line, bool has_wall, uint64_t until_ns)
{
	struct kernel_line read;
	struct error *err = kernel_log_line(line, strlen(line), &read);

	assert_null(err);
	assert_int_equal(read.time_ns, STAMP);
	assert_int_equal(read.has_wall, has_wall);
	if (has_wall) {
		assert_int_equal(read.wall_ns, WALL);
		assert_int_equal(read.until_ns, until_ns);
	}
}

static void assert_refused(const char *line, const char *text)
{
	struct kernel_line read;
	struct error *err = kernel_log_line(line, strlen(line), &read);

	assert_non_null(err);
	assert_non_null(strstr(error_text(err), text));
	error_free(err);
}

static void time_is_read_in_all_forms(void **state)
{
	static const char *const lines[] = {
		"[24056.630211] 1796007538.021123456",
		"[24056.630211] tephra anchor 1796007538.021123456\n",
		"[24056.630211] box kernel: tephra anchor 1796007538.021123456",
		"[24056.630211][ T1234] 1796007538.021123456",
		"[24056.630211] [    C1] 1796007538.021123456",
		"[24056.630211 <    0.000012>] 1796007538.021123456",
		"kern  :notice: [24056.630211] 1796007538.021123456",
		"<5>[24056.630211] 1796007538.021123456",
		"Nov 30 11:33:07 box kernel: [24056.630211] 1796007538.021123456\r\n",
		"4,1042,24056630211,-;1796007538.021123456",
		"12,1042,24056630211,-,caller=T12;tephra anchor 1796007538.021123456",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(lines); i++)
		assert_line(lines[i], true, WALL + 1 + KERNEL_LOG_DELAY_NS);
}

static void line_without_wall_time_has_its_own_time(void **state)
{
	(void)state;
	assert_line("[24056.630211] usb 1-1: new high-speed USB device number 2", false, 0);
	assert_line("[24056.630211] systemd[1]: Detected virtualization kvm.", false, 0);
	assert_line("[24056.630211]", false, 0);
	/* a number is wall time where it is nothing else */
	assert_line("[24056.630211] 1796007538.021123456 packets", false, 0);
	assert_line("[24056.630211] tephra anchor 24056.63", false, 0);
	assert_line("4,1042,24056630211,-;audit: type=1400 audit(1796007538.021:57): x", false, 0);
}

static void latest_time_is_taken_where_it_stands_there(void **state)
{
	struct kernel_line read;
	static const char line[] =
		"[24056.630211] tephra anchor 1796007538.021123456 until 1796007538.022";

	(void)state;
	assert_null(kernel_log_line(line, strlen(line), &read));
	assert_true(read.has_wall && read.has_until);
	assert_int_equal(read.wall_ns, WALL);
	assert_int_equal(read.until_ns, UINT64_C(1796007538023000000));
}

static void line_without_a_latest_time_may_have_been_held_up(void **state)
{
	struct kernel_line line = {.time_ns = 5000,
				   .wall_ns = WALL,
				   .until_ns = WALL + KERNEL_LOG_DELAY_NS,
				   .has_wall = true};
	struct clock_tie held, bracketed;

	(void)state;
	assert_true(kernel_log_tie(&line, &held));
	line.has_until = true;
	assert_true(kernel_log_tie(&line, &bracketed));
	assert_int_equal(held.offset_ns, bracketed.offset_ns);
	assert_int_equal(held.error_ns, bracketed.error_ns + KERNEL_LOG_HELD_NS);
}

static void what_has_no_kernel_time_is_refused_with_a_reason(void **state)
{
	(void)state;
	assert_refused("[Mon Nov 30 11:33:07 2026] 1796007538.021123456", "dmesg -T");
	assert_refused("[Nov30 11:33] 1796007538.021123456", "computed wall time");
	assert_refused("2026-11-30T11:33:07,123456+00:00 1796007538.021123456", "dmesg -T");
	assert_refused("Nov 30 11:33:07 box kernel: 1796007538.02", "no time of the kernel");
	assert_refused("1796007538.021123456", "no time of the kernel");
	assert_refused("", "no time of the kernel");
	assert_refused("[24056.63] 1796007538.02", "no time of the kernel");
	assert_refused("[24056.630211 1796007538.02", "no time of the kernel");
	assert_refused("[99999999999999999999.630211] x", "no time of the kernel");
	assert_refused("4,1042,18446744073709551615,-;x", "no time of the kernel");
	assert_refused("[24056.630211] box sshd[1234]: 1796007538.02", "'sshd[1234]'");
}

static void wall_time_needs_its_digits(void **state)
{
	uint64_t ns, resolution_ns;

	(void)state;
	assert_true(kernel_log_wall("1796007538", 10, &ns, &resolution_ns));
	assert_int_equal(ns, UINT64_C(1796007538000000000));
	assert_int_equal(resolution_ns, UINT64_C(1000000000));
	assert_true(kernel_log_wall("1796007538.021", 14, &ns, &resolution_ns));
	assert_int_equal(resolution_ns, 1000000);
	assert_false(kernel_log_wall("1796007538021", 13, &ns, &resolution_ns));
	assert_false(kernel_log_wall("17960075380210000000", 20, &ns, &resolution_ns));
	assert_false(kernel_log_wall("24056.630211", 12, &ns, &resolution_ns));
	assert_false(kernel_log_wall("1796007538.02x", 14, &ns, &resolution_ns));
	assert_false(kernel_log_wall("1796007538.0.2", 14, &ns, &resolution_ns));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_read_in_all_forms),
		cmocka_unit_test(line_without_wall_time_has_its_own_time),
		cmocka_unit_test(latest_time_is_taken_where_it_stands_there),
		cmocka_unit_test(line_without_a_latest_time_may_have_been_held_up),
		cmocka_unit_test(what_has_no_kernel_time_is_refused_with_a_reason),
		cmocka_unit_test(wall_time_needs_its_digits),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
