/* test_flame_rows.c - rows of a tree as text, and read again */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "renderers/flame_rows.h"

static unsigned digit_of(char c)
{
	const char *at = strchr(ROWS_DIGITS, c);

	assert_non_null(at);
	assert_int_not_equal(c, '\0');
	return (unsigned)(at - ROWS_DIGITS);
}

/* The next number of a text, as the header describes it. */
static uint64_t next_number(const char **at)
{
	unsigned digit = digit_of(*(*at)++);
	uint64_t high;

	if (digit < ROWS_ENDS)
		return digit;
	high = digit - ROWS_ENDS;
	while ((digit = digit_of(*(*at)++)) >= ROWS_ENDS)
		high = (high + 1) * ROWS_MORE + digit - ROWS_ENDS;
	return ROWS_ENDS + high * ROWS_ENDS + digit;
}

/* The next piece of a shape: its levels, its rows, and whether the last has a weight. */
struct piece {
	uint64_t levels, nr;
	bool has_weight;
};

static struct piece next_piece(const char **at)
{
	uint64_t code = next_number(at);
	struct piece piece = {code / 8, code / 2 % 4 + 1, code % 2};

	if (piece.nr == 4)
		piece.nr += next_number(at);
	return piece;
}

static void numbers_of_all_sizes_are_read_again(void **state)
{
	struct flame_rows rows = {0};
	uint64_t numbers[400], same_size = 60, least = 60;
	size_t nr = 0;
	const char *at;

	(void)state;
	for (uint64_t small = 1; small < 200; small++)
		numbers[nr++] = small;
	for (unsigned bit = 8; bit < 64; bit++)
		for (int by = -1; by <= 1; by++)
			numbers[nr++] = ((uint64_t)1 << bit) + (uint64_t)by;
	numbers[nr++] = UINT64_MAX;
	/* the least of each number of characters, and the most of the one before */
	for (int size = 2; size <= 12; size++, same_size *= 30, least += same_size) {
		numbers[nr++] = least - 1;
		numbers[nr++] = least;
	}
	for (size_t i = 0; i < nr; i++)
		assert_true(flame_rows_add(
			&rows, &(struct flame_row){.depth = i > 0, .self = numbers[i]}));
	at = rows.self.bytes;
	for (size_t i = 0; i < nr; i++)
		assert_true(next_number(&at) == numbers[i]);
	assert_ptr_equal(at, rows.self.bytes + rows.self.size);
	flame_rows_release(&rows);
}

static void of_two_sides_a_row_has_both_weights_or_none(void **state)
{
	struct flame_rows rows = {.has_after = true};
	const struct flame_row list[] = {
		{.depth = 0},
		{.depth = 1, .self = 7},
		{.depth = 2, .after = 70},
		{.depth = 1, .self = 3, .after = 4},
	};
	const char *shape, *self, *after;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_true(flame_rows_add(&rows, &list[i]));
	shape = rows.shape.bytes;
	self = rows.self.bytes;
	after = rows.after.bytes;
	for (size_t i = 0, row = 0; i < 3; i++) {
		struct piece piece = next_piece(&shape);

		row += piece.nr;
		assert_int_equal(row, i + 2);
		assert_true(piece.has_weight);
		assert_int_equal(next_number(&self), list[i + 1].self);
		assert_int_equal(next_number(&after), list[i + 1].after);
	}
	assert_ptr_equal(self, rows.self.bytes + rows.self.size);
	assert_ptr_equal(after, rows.after.bytes + rows.after.size);
	flame_rows_release(&rows);
}

static void a_small_number_is_one_character(void **state)
{
	struct flame_rows rows = {0};

	(void)state;
	flame_rows_add(&rows, &(struct flame_row){.self = ROWS_ENDS - 1});
	assert_int_equal(rows.self.size, 1);
	flame_rows_add(&rows, &(struct flame_row){.depth = 1, .self = ROWS_ENDS});
	assert_int_equal(rows.self.size, 3);
	flame_rows_release(&rows);
}

/* Nothing that XML or a script would have to escape, and no two the same. */
static void characters_stand_for_themselves_in_a_picture(void **state)
{
	(void)state;
	assert_int_equal(strlen(ROWS_DIGITS), ROWS_ENDS + ROWS_MORE);
	for (const char *at = ROWS_DIGITS; *at; at++) {
		assert_null(strchr("<>&\"", *at));
		assert_true(*at > ' ' && *at < 0x7f);
		assert_null(strchr(at + 1, *at));
	}
}

static void shapes_lead_back_to_depths(void **state)
{
	static const uint32_t depths[] = {0, 1, 2, 3, 3, 2, 1, 2, 3, 4, 5, 6, 1, 2};
	static const uint32_t selfs[] = {0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1};
	const size_t nr = sizeof(depths) / sizeof(*depths);
	struct flame_rows rows = {0};
	size_t row = 0;
	uint32_t depth = 0;
	const char *at;

	(void)state;
	for (size_t i = 0; i < nr; i++)
		flame_rows_add(&rows, &(struct flame_row){.depth = depths[i], .self = selfs[i]});
	for (at = rows.shape.bytes; row < nr;) {
		struct piece piece = next_piece(&at);

		depth = row ? depth + 1 - (uint32_t)piece.levels : 0;
		for (size_t last = row + piece.nr; row < last; row++, depth++) {
			assert_int_equal(depth, depths[row]);
			assert_int_equal(row + 1 == last && piece.has_weight, selfs[row]);
		}
		depth--;
	}
	assert_ptr_equal(at, rows.shape.bytes + rows.shape.size);
	flame_rows_release(&rows);
}

/* Pieces of all sizes around those that take another number. */
static void a_piece_is_as_long_as_its_rows(void **state)
{
	(void)state;
	for (uint32_t size = 1; size < 70; size++) {
		struct flame_rows rows = {0};
		struct piece piece;
		const char *at;

		for (uint32_t depth = 0; depth < size; depth++)
			flame_rows_add(&rows, &(struct flame_row){.depth = depth,
								  .self = depth + 1 == size});
		flame_rows_add(&rows, &(struct flame_row){.depth = 1, .self = 1});
		at = rows.shape.bytes;
		piece = next_piece(&at);
		assert_int_equal(piece.nr, size);
		assert_int_equal(at - rows.shape.bytes, size < 4 ? 1 : size < 64 ? 2 : 3);
		flame_rows_release(&rows);
	}
}

static void expect_text(const struct rows_text *text, const struct rows_text *expected)
{
	assert_int_equal(text->size, expected->size);
	assert_memory_equal(text->bytes, expected->bytes, text->size);
}

static void a_chain_is_the_rows_that_it_is_made_of(void **state)
{
	static const uint32_t functions[] = {5, 0, 7, 5};
	const struct flame_row first = {.depth = 1, .self = 2, .samples = 1};
	struct flame_row last = {.self = 700, .samples = 3, .lacking = 80};
	struct flame_rows rows = {.has_samples = true}, chained = {.has_samples = true};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct flame_rows *to = i ? &chained : &rows;

		flame_rows_add(to, &(struct flame_row){.depth = 0});
		flame_rows_add(to, &first);
	}
	for (uint32_t i = 0; i < 4; i++) {
		struct flame_row row = i < 3 ? (struct flame_row){0} : last;

		row.depth = 2 + i;
		row.function = functions[i];
		assert_true(flame_rows_add(&rows, &row));
	}
	assert_true(flame_rows_add_chain(&chained, 2, functions, 4, &last));
	for (int i = 0; i < 2; i++) /* what stands behind them says the same, too */
		flame_rows_add(i ? &chained : &rows, &(struct flame_row){.depth = 3, .lacking = 1});
	expect_text(&chained.shape, &rows.shape);
	expect_text(&chained.self, &rows.self);
	expect_text(&chained.samples, &rows.samples);
	expect_text(&chained.lacking, &rows.lacking);
	assert_int_equal(chained.functions_nr, rows.functions_nr);
	assert_memory_equal(chained.functions, rows.functions, rows.nr * sizeof(*rows.functions));
	flame_rows_release(&rows);
	flame_rows_release(&chained);
}

/* A function of a row as two characters say it. */
static uint64_t function_of(const struct rows_functions *functions, size_t row, const char **rare)
{
	const char *pair = functions->text.bytes + 2 * row;
	uint64_t high = digit_of(pair[0]);

	return (high + (high == ROWS_PLACES - 1 ? next_number(rare) : 0)) * ROWS_PLACES +
	       digit_of(pair[1]);
}

static void frequent_functions_have_small_numbers(void **state)
{
	static const uint32_t functions[] = {2, 0, 1, 1, 2, 1};
	static const uint32_t expected[] = {2, 3, 1, 1, 2, 1, 0};
	struct flame_rows rows = {0};
	struct rows_functions found;

	(void)state;
	for (size_t i = 0; i < 6; i++)
		flame_rows_add(&rows,
			       &(struct flame_row){.depth = i > 0, .function = functions[i]});
	flame_rows_add(&rows, &(struct flame_row){.depth = 1, .more = 9});
	assert_true(flame_rows_functions(&rows, &found));
	assert_int_equal(rows.functions_nr, 3);
	assert_int_equal(found.order[0], 1);
	assert_int_equal(found.order[1], 2);
	assert_int_equal(found.order[2], 0);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(function_of(&found, i, NULL), expected[i]);
	assert_int_equal(found.text.size, 14);
	assert_int_equal(found.rare.size, 0);
	rows_functions_release(&found);
	flame_rows_release(&rows);
}

static void rare_functions_take_more_than_two_characters(void **state)
{
	enum {
		NR = 9000
	};
	struct flame_rows rows = {0};
	struct rows_functions found;
	const char *rare;

	(void)state;
	for (uint32_t i = 0; i < NR; i++)
		flame_rows_add(&rows, &(struct flame_row){.depth = i > 0, .function = i});
	assert_true(flame_rows_functions(&rows, &found));
	rare = found.rare.bytes;
	for (uint32_t i = 0; i < NR; i++) {
		assert_int_equal(found.order[i], i);
		assert_int_equal(function_of(&found, i, &rare), i + 1);
	}
	assert_ptr_equal(rare, found.rare.bytes + found.rare.size);
	assert_int_equal(found.rare.size, NR + 1 - (ROWS_PLACES - 1) * ROWS_PLACES);
	rows_functions_release(&found);
	flame_rows_release(&rows);
}

static void samples_are_kept_where_they_do_not_follow_from_weights(void **state)
{
	struct flame_rows rows = {.has_samples = true};
	const char *at;

	(void)state;
	flame_rows_add(&rows, &(struct flame_row){.self = 1000, .samples = 3});
	flame_rows_add(&rows, &(struct flame_row){.depth = 1, .samples = 7});
	flame_rows_add(&rows, &(struct flame_row){.depth = 2, .self = 5, .samples = 0});
	at = rows.samples.bytes;
	assert_int_equal(next_number(&at), 3);
	assert_int_equal(next_number(&at), 0);
	assert_ptr_equal(at, rows.samples.bytes + rows.samples.size);
	flame_rows_release(&rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_all_sizes_are_read_again),
		cmocka_unit_test(of_two_sides_a_row_has_both_weights_or_none),
		cmocka_unit_test(a_small_number_is_one_character),
		cmocka_unit_test(characters_stand_for_themselves_in_a_picture),
		cmocka_unit_test(shapes_lead_back_to_depths),
		cmocka_unit_test(a_chain_is_the_rows_that_it_is_made_of),
		cmocka_unit_test(a_piece_is_as_long_as_its_rows),
		cmocka_unit_test(frequent_functions_have_small_numbers),
		cmocka_unit_test(rare_functions_take_more_than_two_characters),
		cmocka_unit_test(samples_are_kept_where_they_do_not_follow_from_weights),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
