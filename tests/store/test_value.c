/* test_value.c - names and weights as SQL values, exact in both directions */
#include "tests/test.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/names.h"
#include "model/stacks.h"
#include "store/value.h"

struct row {
	sqlite3 *db;
	sqlite3_stmt *bound; /* what is bound to its one parameter comes out of its one column */
};

static int begin(void **state)
{
	struct row *row = mem_zalloc(1, sizeof(*row));

	*state = row;
	return sqlite3_open(":memory:", &row->db) != SQLITE_OK ||
	       sqlite3_prepare_v2(row->db, "SELECT ?1", -1, &row->bound, NULL) != SQLITE_OK;
}

static int end(void **state)
{
	struct row *row = *state;

	sqlite3_finalize(row->bound);
	sqlite3_close(row->db);
	free(row);
	return 0;
}

static void next(struct row *row)
{
	sqlite3_reset(row->bound);
	sqlite3_clear_bindings(row->bound);
}

static void take(struct row *row)
{
	assert_int_equal(sqlite3_step(row->bound), SQLITE_ROW);
}

static void expect_name(struct row *row, const char *bytes, size_t size, int type)
{
	struct names names = {0};
	uint32_t id, other = names_add_string(&names, "other");

	id = names_add(&names, bytes, size);
	next(row);
	value_bind_name(row->bound, 1, &names, id);
	take(row);
	assert_int_equal(sqlite3_column_type(row->bound, 0), type);
	assert_int_equal(sqlite3_column_bytes(row->bound, 0), size);
	assert_int_equal(value_name(row->bound, 0, &names), id);
	assert_int_not_equal(id, other);
	names_release(&names);
}

static void clean_names_are_text_and_others_bytes(void **state)
{
	expect_name(*state, "main", 4, SQLITE_TEXT);
	expect_name(*state, "größe", 7, SQLITE_TEXT);
	expect_name(*state, "", 0, SQLITE_TEXT);
	expect_name(*state, "caf\xe9", 4, SQLITE_BLOB);
	expect_name(*state, "a\0b", 3, SQLITE_BLOB);
	expect_name(*state, "\x1b[31m", 5, SQLITE_BLOB);
}

static void no_name_is_null(void **state)
{
	struct row *row = *state;
	struct names names = {0};

	next(row);
	value_bind_name(row->bound, 1, &names, NAME_NONE);
	take(row);
	assert_int_equal(sqlite3_column_type(row->bound, 0), SQLITE_NULL);
	assert_int_equal(value_name(row->bound, 0, &names), NAME_NONE);
	names_release(&names);
}

static void expect_weight(struct row *row, weight w, int type, const char *shown)
{
	weight got = 1;

	next(row);
	value_bind_weight(row->bound, 1, w);
	take(row);
	assert_int_equal(sqlite3_column_type(row->bound, 0), type);
	assert_true(value_weight(row->bound, 0, &got));
	assert_true(got == w);
	assert_string_equal((const char *)sqlite3_column_text(row->bound, 0), shown);
}

static void weights_keep_all_their_digits(void **state)
{
	expect_weight(*state, 0, SQLITE_INTEGER, "0");
	expect_weight(*state, WEIGHT_ONE, SQLITE_INTEGER, "1");
	expect_weight(*state, weight_of(INT64_MAX), SQLITE_INTEGER, "9223372036854775807");
	expect_weight(*state, weight_of(INT64_MAX) + WEIGHT_ONE, SQLITE_TEXT,
		      "9223372036854775808");
	expect_weight(*state, weight_of(UINT64_MAX), SQLITE_TEXT, "18446744073709551615");
	expect_weight(*state, weight_of(UINT64_MAX) * 1000, SQLITE_TEXT, "18446744073709551615000");
	expect_weight(*state, WEIGHT_ONE / 4, SQLITE_TEXT, "0.25");
	expect_weight(*state, 1, SQLITE_TEXT, "0.000000001");
	expect_weight(*state, ~(weight)0, SQLITE_TEXT, "340282366920938463463374607431.768211455");
}

static void refuse_weight(struct row *row, const char *text)
{
	weight w = 7;

	next(row);
	sqlite3_bind_text(row->bound, 1, text, -1, SQLITE_STATIC);
	take(row);
	if (value_weight(row->bound, 0, &w))
		fail_msg("'%s' was taken for a weight", text);
	assert_true(w == 7);
}

static void what_is_no_weight_is_refused(void **state)
{
	struct row *row = *state;
	weight w;

	refuse_weight(row, "");
	refuse_weight(row, "-1");
	refuse_weight(row, "1e3");
	refuse_weight(row, "much");
	refuse_weight(row, "1.");
	refuse_weight(row, "0.1234567891");
	refuse_weight(row, "340282366920938463463374607432");
	next(row);
	sqlite3_bind_int64(row->bound, 1, -1);
	take(row);
	assert_false(value_weight(row->bound, 0, &w));
	next(row);
	sqlite3_bind_double(row->bound, 1, 1.5);
	take(row);
	assert_false(value_weight(row->bound, 0, &w));
	next(row);
	take(row);
	assert_false(value_weight(row->bound, 0, &w));
}

static void counts_beyond_sqlite_are_its_largest(void **state)
{
	struct row *row = *state;

	next(row);
	value_bind_u64(row->bound, 1, UINT64_MAX);
	take(row);
	assert_true(value_u64(row->bound, 0) == INT64_MAX);
	next(row);
	sqlite3_bind_int64(row->bound, 1, -3);
	take(row);
	assert_true(value_u64(row->bound, 0) == 0);
}

/* ---- lists of ids */

struct list {
	uint32_t *ids;
	size_t alloc;
	uint32_t nr;
};

static bool read_list(struct row *row, const char *text, int64_t base, uint32_t limit,
		      struct list *ret)
{
	next(row);
	sqlite3_bind_text(row->bound, 1, text, -1, SQLITE_STATIC);
	take(row);
	return value_list(row->bound, 0, base, limit, &ret->ids, &ret->alloc, &ret->nr);
}

static void lists_come_back_as_they_were(void **state)
{
	const uint32_t ids[] = {0, 7, 4999, 7};
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct list list = {0};

	value_add_list(&text, ids, 4, 12);
	assert_string_equal(text_string(&text), "[12,19,5011,19]");
	assert_true(read_list(*state, text_string(&text), 12, 5000, &list));
	assert_int_equal(list.nr, 4);
	assert_memory_equal(list.ids, ids, sizeof(ids));
	text_clear(&text);
	value_add_list(&text, ids, 0, 12);
	assert_string_equal(text_string(&text), "[]");
	assert_true(read_list(*state, "[]", 12, 5000, &list));
	assert_int_equal(list.nr, 0);
	text_clear(&text);
	value_add_list(&text, ids, 1, INT64_MAX);
	assert_string_equal(text_string(&text), "[9223372036854775807]");
	free(list.ids);
}

/* Numbers of each length, as the last of the text and with more behind them. */
static void numbers_of_any_length_are_read(void **state)
{
	char text[64], *end;
	uint64_t expected = 0, number;

	(void)state;
	for (int nr = 1; nr <= VALUE_DIGITS_MAX; nr++) {
		expected = expected * 10 + (uint64_t)(nr * 7 % 10);
		for (int behind = 0; behind < 12; behind++) {
			const char *at = text;
			int size = snprintf(text, sizeof(text), "%" PRIu64 "%.*s", expected, behind,
					    ",:/]1234567");

			assert_true(value_take_id(&at, text + size, &number));
			assert_int_equal(at - text, nr);
			assert_true(number == expected);
		}
	}
	for (int byte = 1; byte < 256; byte++) {
		const char *at = text;

		end = stpcpy(text, "1234_678");
		text[4] = (char)byte;
		if (byte >= '0' && byte <= '9')
			continue;
		assert_true(value_take_id(&at, end, &number));
		assert_int_equal(number, 1234);
		at = text + 4;
		assert_false(value_take_id(&at, end, &number));
	}
}

static void digits_that_are_too_many_are_no_id(void **state)
{
	static const char digits[] = "1844674407370955161518446744";

	(void)state;
	for (size_t nr = 1; nr < sizeof(digits); nr++) {
		char text[64] = {0};
		const char *at = text;
		uint64_t number = 0;

		memcpy(text, digits, nr);
		memcpy(text + nr, ",123456789", 10);
		if (nr > VALUE_DIGITS_MAX) {
			assert_false(value_take_id(&at, text + nr + 10, &number));
			assert_ptr_equal(at, text);
			continue;
		}
		assert_true(value_take_id(&at, text + nr + 10, &number));
		assert_ptr_equal(at, text + nr);
		text[nr] = '\0';
		assert_true(number == strtoull(text, NULL, 10));
	}
}

static void hostile_lists_are_refused(void **state)
{
	static const char *const texts[] = {"",
					    "[",
					    "]",
					    "1",
					    "[1",
					    "[1,",
					    "[1,]",
					    "[,1]",
					    "[1]]",
					    "[1] ",
					    " [1]",
					    "[ 1]",
					    "[1 ]",
					    "[-1]",
					    "[+1]",
					    "[0x1]",
					    "[1.0]",
					    "[\"1\"]",
					    "[1;2]",
					    "{\"a\":1}",
					    "[[1]]",
					    "null",
					    "[1e0]",
					    "[4]",
					    "[0]",
					    "[4294967297]",
					    "[18446744073709551617]",
					    "[99999999999999999999999999999999999999]",
					    "[1,99999999999999999999]"};
	struct list list = {0};

	for (size_t i = 0; i < ARRAY_NR(texts); i++)
		if (read_list(*state, texts[i], 1, 3, &list))
			fail_msg("'%s' was taken for a list", texts[i]);
	assert_true(read_list(*state, "[1,2,3]", 1, 3, &list));
	free(list.ids);
}

static void lists_at_the_borders_of_numbers_are_refused(void **state)
{
	struct list list = {0};

	assert_false(read_list(*state, "[5]", INT64_MIN, UINT32_MAX, &list));
	assert_false(read_list(*state, "[5]", INT64_MAX, UINT32_MAX, &list));
	assert_false(read_list(*state, "[5]", 0, 0, &list));
	assert_false(read_list(*state, "[9223372036854775807]", 1, UINT32_MAX, &list));
	free(list.ids);
}

static void lists_longer_than_a_stack_are_refused(void **state)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	struct list list = {0};

	text_add(&text, "[1");
	for (uint32_t i = 0; i < STACK_FRAMES_MAX; i++)
		text_add(&text, ",1");
	text_add(&text, "]");
	assert_true(read_list(*state, text_string(&text), 1, 3, &list));
	assert_int_equal(list.nr, STACK_FRAMES_MAX + 1);
	text.bytes[text.size - 1] = ',';
	text_add(&text, "1]");
	assert_false(read_list(*state, text_string(&text), 1, 3, &list));
	free(list.ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clean_names_are_text_and_others_bytes),
		cmocka_unit_test(no_name_is_null),
		cmocka_unit_test(weights_keep_all_their_digits),
		cmocka_unit_test(what_is_no_weight_is_refused),
		cmocka_unit_test(counts_beyond_sqlite_are_its_largest),
		cmocka_unit_test(lists_come_back_as_they_were),
		cmocka_unit_test(numbers_of_any_length_are_read),
		cmocka_unit_test(digits_that_are_too_many_are_no_id),
		cmocka_unit_test(hostile_lists_are_refused),
		cmocka_unit_test(lists_at_the_borders_of_numbers_are_refused),
		cmocka_unit_test(lists_longer_than_a_stack_are_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, begin, end);
}
