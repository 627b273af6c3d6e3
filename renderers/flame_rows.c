/* flame_rows.c - a whole call tree as compact text, for a picture that is walked in */
#include "renderers/flame_rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 16 /* characters of the largest number */
#define ROOM	   (2 * NUMBER_MAX)

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

static bool make_room(struct rows_text *text)
{
	size_t more = text->alloc ? text->alloc * 2 : 1024;
	char *moved;

	if (text->alloc - text->size >= ROOM)
		return true;
	moved = realloc(text->bytes, more);
	if (!moved)
		return false;
	text->bytes = moved;
	text->alloc = more;
	return true;
}

static inline bool has_room(const struct rows_text *text)
{
	return text->alloc - text->size >= ROOM;
}

/* For one row more. The texts with few numbers nearly always have it. */
static bool make_rows_room(struct flame_rows *rows)
{
	if (has_room(&rows->shape) && has_room(&rows->self) && has_room(&rows->samples) &&
	    has_room(&rows->after) && has_room(&rows->more) && has_room(&rows->lacking))
		return true;
	return make_room(&rows->shape) && make_room(&rows->self) && make_room(&rows->samples) &&
	       make_room(&rows->after) && make_room(&rows->more) && make_room(&rows->lacking);
}

static void put_long(struct rows_text *text, uint64_t number)
{
	char digits[NUMBER_MAX];
	size_t nr = 0;

	number -= ROWS_ENDS;
	digits[nr++] = ROWS_DIGITS[number % ROWS_ENDS];
	for (number /= ROWS_ENDS;; number = number / ROWS_MORE - 1) {
		digits[nr++] = ROWS_DIGITS[ROWS_ENDS + number % ROWS_MORE];
		if (number < ROWS_MORE)
			break;
	}
	while (nr)
		text->bytes[text->size++] = digits[--nr];
}

/* The text has room, see make_room(). */
static inline void put(struct rows_text *text, uint64_t number)
{
	if (number < ROWS_ENDS)
		text->bytes[text->size++] = ROWS_DIGITS[number];
	else
		put_long(text, number);
}

bool rows_text_add(struct rows_text *text, uint64_t number)
{
	if (!make_room(text))
		return false;
	put(text, number);
	return true;
}

static bool add_function(struct flame_rows *rows, const struct flame_row *row)
{
	uint32_t function = row->more ? 0 : row->function + 1;

	if (rows->nr == rows->functions_alloc) {
		size_t more = rows->functions_alloc ? rows->functions_alloc * 2 : 1024;
		uint32_t *moved = reallocarray(rows->functions, more, sizeof(*moved));

		if (!moved)
			return false;
		rows->functions = moved;
		rows->functions_alloc = more;
	}
	rows->functions[rows->nr++] = function;
	if (function > rows->functions_nr)
		rows->functions_nr = function;
	return true;
}

/*
 * A row's shape is twice the number of levels that it is nearer to the root than a child of the
 * row before it would be, and one more where it has a self weight, on either of two sides.
 */
bool flame_rows_add(struct flame_rows *rows, const struct flame_row *row)
{
	uint32_t up = rows->nr ? rows->depth + 1 - row->depth : 0;
	bool has_weight = row->self || row->after;

	assert(rows->nr ? row->depth && row->depth <= rows->depth + 1 : !row->depth);
	if (rows->is_short_of_memory || !make_rows_room(rows) || !add_function(rows, row)) {
		rows->is_short_of_memory = true;
		return false;
	}
	put(&rows->shape, (uint64_t)up * 2 + has_weight);
	if (has_weight)
		put(&rows->self, row->self);
	if (has_weight && rows->has_after)
		put(&rows->after, row->after);
	if (has_weight && rows->has_samples)
		put(&rows->samples, row->samples);
	if (row->more)
		put(&rows->more, row->more);
	if (row->lacking) {
		put(&rows->lacking, rows->nr - rows->lacking_row);
		put(&rows->lacking, row->lacking);
		rows->lacking_row = rows->nr;
	}
	rows->depth = row->depth;
	return true;
}

size_t flame_rows_size(const struct flame_rows *rows)
{
	return rows->shape.size + rows->self.size + rows->after.size + rows->samples.size +
	       rows->more.size + rows->lacking.size;
}

/* ---- functions */

struct use {
	uint32_t function, rows_nr;
};

static int compare_uses(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->rows_nr != y->rows_nr)
		return x->rows_nr > y->rows_nr ? -1 : 1;
	return x->function < y->function ? -1 : x->function > y->function;
}

static void count_uses(const struct flame_rows *rows, struct use *uses)
{
	for (uint32_t i = 0; i < rows->functions_nr; i++)
		uses[i] = (struct use){i, 0};
	for (size_t i = 0; i < rows->nr; i++)
		if (rows->functions[i])
			uses[rows->functions[i] - 1].rows_nr++;
	qsort(uses, rows->functions_nr, sizeof(*uses), compare_uses);
}

static bool put_functions(const struct flame_rows *rows, const uint32_t *place,
			  struct rows_text *text)
{
	for (size_t i = 0; i < rows->nr; i++) {
		if (!make_room(text))
			return false;
		put(text, rows->functions[i] ? place[rows->functions[i] - 1] + 1 : 0);
	}
	return true;
}

bool flame_rows_functions(const struct flame_rows *rows, struct rows_text *ret,
			  uint32_t **ret_order)
{
	size_t nr = rows->functions_nr;
	struct use *uses = calloc(nr + 1, sizeof(*uses));
	uint32_t *order = calloc(nr + 1, sizeof(*order)), *place = calloc(nr + 1, sizeof(*place));
	struct rows_text text = {0};
	bool is_done = uses && order && place;

	if (is_done) {
		count_uses(rows, uses);
		for (uint32_t i = 0; i < nr; i++) {
			order[i] = uses[i].function;
			place[uses[i].function] = i;
		}
		is_done = put_functions(rows, place, &text);
	}
	free(uses);
	free(place);
	if (is_done) {
		*ret = text;
		*ret_order = order;
	} else {
		free(text.bytes);
		free(order);
	}
	return is_done;
}
