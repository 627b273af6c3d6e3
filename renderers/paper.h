/* paper.h - text on its way into a file: a buffer, and what XML makes of characters */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "renderers/label.h"

#define PAPER_SIZE 65536

/* What is to be written, a whole buffer at a time. The first error (errno) stays. */
struct paper {
	FILE *file;
	int error;
	size_t used;
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

/* The text, then a place in pixels. */
void paper_put_px(struct paper *paper, const char *before, double px);

/* A short line of a style, at most 255 bytes. */
__attribute__((format(printf, 2, 3))) void paper_put_rule(struct paper *paper, const char *format,
							  ...);

/* Text of names: escaped, and made well-formed where it is not. */
void paper_put_text(struct paper *paper, const char *text, size_t size);

/* What a script reads: text within an element of that class. */
void paper_begin_data(struct paper *paper, const char *name);
void paper_end_data(struct paper *paper);

void paper_put_label(struct paper *paper, const struct label *label);
