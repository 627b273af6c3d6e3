/* notes.h - what is odd in an input but not fatal, counted by kind */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum note_code {
#define NOTE(code, word, one, many) NOTE_##code,
#include "model/notes.def"
#undef NOTE
	NOTE_NR,
};

/* Where the first one was. A line counts from 1; 0 where there are no lines. */
struct note {
	uint64_t count;
	uint64_t first_line;
	uint64_t first_byte;
};

struct notes {
	struct note list[NOTE_NR];
};

void notes_add(struct notes *notes, enum note_code code, uint64_t count, uint64_t line,
	       uint64_t byte);

/* The code in words: "orphan-stack". A key of JSON and of table note: never renamed. */
const char *notes_word(enum note_code code);

/* What it means, to follow that count: "stacks have no sample line before them ...". */
const char *notes_text(enum note_code code, uint64_t count);
