/* paper.h - text on its way into a file: a buffer, and what XML makes of characters */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "renderers/label.h"
#include "renderers/number.h"

#define PAPER_SIZE	  65536
#define PAPER_NUMBERS_LOG 8

/* A number that was written, and its text; size 0: none. */
struct paper_number {
	uint64_t bits; /* of the double */
	size_t size;
	char text[NUMBER_SIZE];
};

/*
 * What is to be written, a whole buffer at a time. The first error (errno) stays. Zeroed but for
 * the file at first.
 */
struct paper {
	FILE *file;
	int error;
	size_t used;
	struct paper_number numbers[1 << PAPER_NUMBERS_LOG]; /* the last of each hash */
	char bytes[PAPER_SIZE];
};

void paper_flush(struct paper *paper);

/* What does not fit any more. */
void paper_put_over(struct paper *paper, const char *bytes, size_t size);

/* In place: of what is put most is a few bytes, and known to the compiler. */
__attribute__((always_inline)) static inline void paper_put(struct paper *paper, const char *bytes,
							    size_t size)
{
	if (size > PAPER_SIZE - paper->used) {
		paper_put_over(paper, bytes, size);
		return;
	}
	memcpy(paper->bytes + paper->used, bytes, size);
	paper->used += size;
}

__attribute__((always_inline)) static inline void paper_put_string(struct paper *paper,
								   const char *string)
{
	paper_put(paper, string, strlen(string));
}

/* A place in pixels. */
void paper_put_number(struct paper *paper, double px);

/* The text, then a place in pixels. */
__attribute__((always_inline)) static inline void paper_put_px(struct paper *paper,
							       const char *before, double px)
{
	paper_put_string(paper, before);
	paper_put_number(paper, px);
}

/* A short line of a style, at most 255 bytes. */
__attribute__((format(printf, 2, 3))) void paper_put_rule(struct paper *paper, const char *format,
							  ...);

/* Text of names: escaped, and made well-formed where it is not. */
void paper_put_text(struct paper *paper, const char *text, size_t size);

/* What a script reads: text within an element of that class. */
void paper_begin_data(struct paper *paper, const char *name);
void paper_end_data(struct paper *paper);

void paper_put_label(struct paper *paper, const struct label *label);
