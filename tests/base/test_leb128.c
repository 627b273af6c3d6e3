/* test_leb128.c - numbers of varying size, as DWARF writes them */
#include "tests/test.h"

#include <stdbool.h>

#include "base/leb128.h"
#include "base/mem.h"

static struct bytes bytes_of(const void *at, size_t size)
{
	return (struct bytes){at, (const unsigned char *)at + size, false};
}

#define BYTES(...) \
	bytes_of((const unsigned char[]){__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__}))

static void numbers_of_the_standards_figures_are_read(void **state)
{
	struct bytes in = BYTES(0x02, 0x7f, 0x80, 0x01, 0xb9, 0x64, 0x7e, 0x81, 0x7f, 0xff, 0x00);
	uint64_t value;
	int64_t number;

	(void)state;
	assert_true(leb128_unsigned(&in, &value) && value == 2);
	assert_true(leb128_unsigned(&in, &value) && value == 127);
	assert_true(leb128_unsigned(&in, &value) && value == 128);
	assert_true(leb128_unsigned(&in, &value) && value == 12857);
	assert_true(leb128_signed(&in, &number) && number == -2);
	assert_true(leb128_signed(&in, &number) && number == -127);
	assert_true(leb128_signed(&in, &number) && number == 127);
	assert_int_equal(bytes_left(&in), 0);
}

static void the_largest_numbers_are_read(void **state)
{
	struct bytes in = BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
	struct bytes negative = BYTES(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f);
	uint64_t value;
	int64_t number;

	(void)state;
	assert_true(leb128_unsigned(&in, &value));
	assert_true(value == UINT64_MAX);
	assert_true(leb128_signed(&negative, &number));
	assert_true(number == INT64_MIN);
}

static void a_number_that_has_no_end_is_refused(void **state)
{
	unsigned char endless[64];
	struct bytes cut = BYTES(0x80, 0x80), in = bytes_of(endless, sizeof(endless));
	uint64_t value;
	int64_t number;

	(void)state;
	memset(endless, 0x80, sizeof(endless));
	assert_false(leb128_unsigned(&cut, &value));
	assert_false(leb128_unsigned(&in, &value));
	in = bytes_of(endless, sizeof(endless));
	assert_false(leb128_signed(&in, &number));
	in = bytes_of(endless, sizeof(endless));
	assert_false(leb128_skip(&in));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_the_standards_figures_are_read),
		cmocka_unit_test(the_largest_numbers_are_read),
		cmocka_unit_test(a_number_that_has_no_end_is_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
