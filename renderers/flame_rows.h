/* flame_rows.h - a whole call tree as compact text, for a picture that is walked in */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One node, in the order of the tree: each behind its parent, its subtree behind it. Weights are
 * multiples of a step that the chart names, so that they are whole numbers and mostly small.
 */
struct flame_row {
	uint32_t depth;	   /* 0 is the root, the first row; never more than one below the last */
	uint32_t function; /* index into the chart's functions; not of "more" */
	uint32_t more;	   /* 0, or: stands for so many children of its parent that are left out */
	uint64_t self;	   /* weight of what ends in it; of "more" all of it */
	uint64_t after;	   /* of two sides: the same on the other one, in steps of its own */
	uint64_t samples; /* the same as a number of samples, or 0 where they follow from weights */
	uint64_t lacking; /* of self: of stacks that may lack a caller */
};

/*
 * Numbers as text, most of them one character: 60 of the 90 characters below end a number, the
 * other 30 are digits before its end. Number n below 60 is ROWS_DIGITS[n]. Else its last
 * character is ROWS_DIGITS[(n - 60) % 60], and what stands before it says (n - 60) / 60 to the
 * base of 30 without a zero wasted: a digit 0 there means that one more has begun.
 */
#define ROWS_DIGITS                                                                                 \
	"!#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|" \
	"}~"
#define ROWS_ENDS 60
#define ROWS_MORE 30

struct rows_text {
	char *bytes;
	size_t size, alloc;
};

/* Adds a number, for columns beside a tree's own. False: short of memory. The bytes are the
 * caller's. */
bool rows_text_add(struct rows_text *text, uint64_t number);

struct flame_rows {
	struct rows_text shape;	  /* per piece: see flame_rows.c */
	struct rows_text self;	  /* of rows with a self weight, on either side */
	struct rows_text after;	  /* of the same, where has_after */
	struct rows_text samples; /* of the same, where has_samples */
	struct rows_text more;	  /* per "more": how many it stands for */
	struct rows_text lacking; /* per row that has some: rows since the last one, and how much */
	uint32_t *functions;	  /* per row, one more than its function; 0: "more" */
	size_t nr, functions_alloc;
	uint32_t functions_nr; /* one more than the largest function */
	uint32_t depth;	       /* of the last row */
	size_t lacking_row;    /* the last one that has some */
	struct rows_piece {    /* the last one */
		size_t at;     /* where its text begins */
		uint32_t levels, nr;
		bool has_weight;
	} piece;
	bool has_samples, has_after, is_short_of_memory;
};

/* A zeroed one is empty. Release accepts it. */
void flame_rows_release(struct flame_rows *rows);

/* So many rows are to come, about: what grows is copied, and this spares some of it. */
void flame_rows_expect(struct flame_rows *rows, size_t nr);

/* False: short of memory, now or before; nothing more is kept then. */
bool flame_rows_add(struct flame_rows *rows, const struct flame_row *row);

/*
 * The same for some rows, one at least, each below the one before: the depth of the first, their
 * functions, and the weights of the last of them; the others have none.
 */
bool flame_rows_add_chain(struct flame_rows *rows, uint32_t depth, const uint32_t *functions,
			  uint32_t nr, const struct flame_row *last);

/* So many bytes of text there are, without the functions' column. */
static inline size_t flame_rows_size(const struct flame_rows *rows)
{
	return rows->shape.size + rows->self.size + rows->after.size + rows->samples.size +
	       rows->more.size + rows->lacking.size;
}

/*
 * The functions' column: functions are numbered anew, those with most rows first, ties as they
 * were, 0 is "more". Two characters a row, so that they are read with one look into a table: the
 * first is a number's quotient by 90, the second what remains. A quotient that is 89 or more stands
 * as 89, and what it is above that as a number in `rare`.
 */
#define ROWS_PLACES (ROWS_ENDS + ROWS_MORE)

struct rows_functions {
	struct rows_text text, rare;
	uint32_t *order; /* the functions in the order of their numbers, from 1: functions_nr of
			    them */
};

/* Release frees what it fills in. False: short of memory, nothing is filled in. */
bool flame_rows_functions(const struct flame_rows *rows, struct rows_functions *ret);
void rows_functions_release(struct rows_functions *functions);
