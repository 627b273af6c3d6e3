/* flame_rows.c - a whole call tree as compact text, for a picture that is walked in */
#include "renderers/flame_rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 16 /* characters of the largest number, and some: they are copied at one go */

void flame_rows_release(struct flame_rows *rows)
{
	free(rows->shape.bytes);
	free(rows->self.bytes);
	free(rows->after.bytes);
	free(rows->samples.bytes);
	free(rows->more.bytes);
	free(rows->lacking.bytes);
	free(rows->functions);
	memset(rows, 0, sizeof(*rows));
}

static bool grow(struct rows_text *text, size_t size)
{
	size_t more = text->alloc ? text->alloc * 2 : 1024;
	char *moved;

	if (more - text->size < size)
		more = text->size + size;
	moved = realloc(text->bytes, more);
	if (!moved)
		return false;
	text->bytes = moved;
	text->alloc = more;
	return true;
}

static inline bool make_room(struct rows_text *text, size_t size)
{
	return text->alloc - text->size >= size || grow(text, size);
}

/* A number's characters stand at the end of digits; returns how many they are. */
static size_t write_number(char digits[NUMBER_MAX], uint64_t number)
{
	size_t at = NUMBER_MAX;

	if (number < ROWS_ENDS) {
		digits[--at] = ROWS_DIGITS[number];
		return 1;
	}
	number -= ROWS_ENDS;
	digits[--at] = ROWS_DIGITS[number % ROWS_ENDS];
	for (number /= ROWS_ENDS;; number = number / ROWS_MORE - 1) {
		digits[--at] = ROWS_DIGITS[ROWS_ENDS + number % ROWS_MORE];
		if (number < ROWS_MORE)
			return NUMBER_MAX - at;
	}
}

static void put_large(struct rows_text *text, uint64_t number)
{
	char digits[2 * NUMBER_MAX];
	size_t size = write_number(digits, number);

	memcpy(text->bytes + text->size, digits + NUMBER_MAX - size, NUMBER_MAX);
	text->size += size;
}

/* There is room for it, NUMBER_MAX characters. */
static inline void put_in_room(struct rows_text *text, uint64_t number)
{
	if (number < ROWS_ENDS)
		text->bytes[text->size++] = ROWS_DIGITS[number];
	else
		put_large(text, number);
}

static inline bool put(struct rows_text *text, uint64_t number)
{
	if (!make_room(text, NUMBER_MAX))
		return false;
	put_in_room(text, number);
	return true;
}

static bool grow_functions(struct flame_rows *rows, size_t nr)
{
	size_t more = rows->functions_alloc ? rows->functions_alloc * 2 : 1024;
	uint32_t *moved;

	if (more - rows->nr < nr)
		more = rows->nr + nr;
	moved = reallocarray(rows->functions, more, sizeof(*moved));
	if (!moved)
		return false;
	rows->functions = moved;
	rows->functions_alloc = more;
	return true;
}

static inline bool make_functions_room(struct flame_rows *rows, size_t nr)
{
	return rows->functions_alloc - rows->nr >= nr || grow_functions(rows, nr);
}

void flame_rows_expect(struct flame_rows *rows, size_t nr)
{
	if (make_room(&rows->shape, nr) && make_room(&rows->self, 2 * nr) &&
	    (!rows->has_after || make_room(&rows->after, 2 * nr)))
		make_functions_room(rows, nr);
}

bool rows_text_add(struct rows_text *text, uint64_t number)
{
	return put(text, number);
}

/* There is room for them. */
static inline void add_functions(struct flame_rows *rows, const uint32_t *functions, uint32_t nr)
{
	uint32_t *at = rows->functions + rows->nr, most = rows->functions_nr;

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t function = functions[i] + 1;

		at[i] = function;
		most = function > most ? function : most;
	}
	rows->functions_nr = most;
	rows->nr += nr;
}

static bool has_weight(const struct flame_row *row)
{
	return row->self || row->after;
}

static bool put_weights(struct flame_rows *rows, const struct flame_row *row)
{
	if (!has_weight(row) && !row->lacking)
		return true;
	if (has_weight(row) &&
	    (!put(&rows->self, row->self) || (rows->has_after && !put(&rows->after, row->after)) ||
	     (rows->has_samples && !put(&rows->samples, row->samples))))
		return false;
	if (row->lacking) {
		if (!put(&rows->lacking, rows->nr - rows->lacking_row) ||
		    !put(&rows->lacking, row->lacking))
			return false;
		rows->lacking_row = rows->nr;
	}
	return true;
}

/*
 * A piece is rows each of which is a child of the one before; at most its last has a self weight,
 * on either of two sides. It is a number, eight times the levels that its first row is nearer to
 * the root than a child of the row before would be, twice the number of its rows but one, three at
 * most, and one where its last row has such a weight; and, where three was too few, another one:
 * how many rows more.
 */
#define PIECE_ROWS 3

static inline bool put_piece(struct flame_rows *rows)
{
	const struct rows_piece *piece = &rows->piece;
	struct rows_text *shape = &rows->shape;
	uint32_t more = piece->nr - 1;

	shape->size = piece->at;
	if (!make_room(shape, 2 * NUMBER_MAX))
		return false;
	put_in_room(shape, (uint64_t)piece->levels * 8 +
				   (more < PIECE_ROWS ? more : PIECE_ROWS) * 2 + piece->has_weight);
	if (more >= PIECE_ROWS)
		put_in_room(shape, more - PIECE_ROWS);
	return true;
}

/* Rows behind the last one, each below the one before: a piece of their own unless they go on. */
static bool put_shape(struct flame_rows *rows, uint32_t depth, uint32_t nr, bool has_weight)
{
	struct rows_piece *piece = &rows->piece;
	uint32_t levels = rows->nr ? rows->depth + 1 - depth : 0;

	if (!rows->nr || levels || piece->has_weight)
		*piece = (struct rows_piece){.at = rows->shape.size, .levels = levels};
	piece->nr += nr;
	piece->has_weight = has_weight;
	return put_piece(rows);
}

static bool add(struct flame_rows *rows, const struct flame_row *row)
{
	if (!put_shape(rows, row->depth, 1, has_weight(row)) || !make_functions_room(rows, 1))
		return false;
	if (row->more)
		rows->functions[rows->nr++] = 0;
	else
		add_functions(rows, &row->function, 1);
	rows->depth = row->depth;
	return put_weights(rows, row) && (!row->more || put(&rows->more, row->more));
}

static bool is_next(const struct flame_rows *rows, uint32_t depth)
{
	return rows->nr ? depth && depth <= rows->depth + 1 : !depth;
}

bool flame_rows_add(struct flame_rows *rows, const struct flame_row *row)
{
	assert(is_next(rows, row->depth));
	if (!rows->is_short_of_memory && !add(rows, row))
		rows->is_short_of_memory = true;
	return !rows->is_short_of_memory;
}

static bool add_chain(struct flame_rows *rows, uint32_t depth, const uint32_t *functions,
		      uint32_t nr, const struct flame_row *last)
{
	if (!put_shape(rows, depth, nr, has_weight(last)) || !make_functions_room(rows, nr))
		return false;
	add_functions(rows, functions, nr);
	rows->depth = depth + nr - 1;
	return put_weights(rows, last);
}

bool flame_rows_add_chain(struct flame_rows *rows, uint32_t depth, const uint32_t *functions,
			  uint32_t nr, const struct flame_row *last)
{
	assert(is_next(rows, depth) && nr);
	if (!rows->is_short_of_memory && !add_chain(rows, depth, functions, nr, last))
		rows->is_short_of_memory = true;
	return !rows->is_short_of_memory;
}

/* ---- functions */

struct use {
	uint32_t function, rows_nr;
};

/* A function's number in characters, and what stands in `rare` for it, one more. */
struct code {
	char digits[2];
	uint32_t rare;
};

/* By eight bits of their rows, the most first; those that have the same stay as they stand. */
static void sort_by_bits(const struct use *uses, size_t nr, unsigned shift, struct use *ret)
{
	size_t places[256] = {0}, at = 0;

	for (size_t i = 0; i < nr; i++)
		places[uses[i].rows_nr >> shift & 255]++;
	for (unsigned bits = 256; bits--;) {
		size_t bits_nr = places[bits];

		places[bits] = at;
		at += bits_nr;
	}
	for (size_t i = 0; i < nr; i++)
		ret[places[uses[i].rows_nr >> shift & 255]++] = uses[i];
}

/* They stand in the order of functions, which ties keep. `aside` has room for as many. */
static void sort_uses(struct use *uses, size_t nr, struct use *aside)
{
	uint32_t all = 0;

	for (size_t i = 0; i < nr; i++)
		all |= uses[i].rows_nr;
	for (unsigned shift = 0; shift < 32 && all >> shift; shift += 8) {
		sort_by_bits(uses, nr, shift, aside);
		memcpy(uses, aside, nr * sizeof(*uses));
	}
}

/* uses[0] is "more", which stays there; the others are sorted. */
static void count_uses(const struct flame_rows *rows, struct use *uses, struct use *aside)
{
	for (uint32_t i = 0; i <= rows->functions_nr; i++)
		uses[i] = (struct use){i, 0};
	for (size_t i = 0; i < rows->nr; i++)
		uses[rows->functions[i]].rows_nr++;
	sort_uses(uses + 1, rows->functions_nr, aside);
}

static void make_codes(const struct use *uses, size_t nr, struct code *codes)
{
	for (size_t i = 0; i < nr; i++) {
		size_t high = i / ROWS_PLACES, most = ROWS_PLACES - 1;

		codes[uses[i].function] = (struct code){
			.digits = {ROWS_DIGITS[high < most ? high : most],
				   ROWS_DIGITS[i % ROWS_PLACES]},
			.rare = high < most ? 0 : (uint32_t)(high - most) + 1,
		};
	}
}

static bool put_functions(const struct flame_rows *rows, const struct code *codes,
			  struct rows_functions *functions)
{
	char *at;

	if (!make_room(&functions->text, 2 * rows->nr))
		return false;
	at = functions->text.bytes;
	functions->text.size = 2 * rows->nr;
	for (size_t i = 0; i < rows->nr; i++, at += 2) {
		const struct code *code = &codes[rows->functions[i]];

		memcpy(at, code->digits, 2);
		if (code->rare && !put(&functions->rare, code->rare - 1))
			return false;
	}
	return true;
}

void rows_functions_release(struct rows_functions *functions)
{
	free(functions->text.bytes);
	free(functions->rare.bytes);
	free(functions->order);
	memset(functions, 0, sizeof(*functions));
}

bool flame_rows_functions(const struct flame_rows *rows, struct rows_functions *ret)
{
	size_t nr = (size_t)rows->functions_nr + 1;
	struct use *uses = calloc(nr, sizeof(*uses)), *aside = calloc(nr, sizeof(*aside));
	struct code *codes = calloc(nr, sizeof(*codes));
	bool is_done = false;

	*ret = (struct rows_functions){.order = calloc(nr, sizeof(*ret->order))};
	if (uses && aside && codes && ret->order) {
		count_uses(rows, uses, aside);
		for (uint32_t i = 1; i < nr; i++)
			ret->order[i - 1] = uses[i].function - 1;
		make_codes(uses, nr, codes);
		is_done = put_functions(rows, codes, ret);
	}
	free(uses);
	free(aside);
	free(codes);
	if (!is_done)
		rows_functions_release(ret);
	return is_done;
}
