/* notes.c - what is odd in an input but not fatal, counted by kind */
#include "model/notes.h"

void notes_add(struct notes *notes, enum note_code code, uint64_t count, uint64_t line,
	       uint64_t byte)
{
	struct note *note = &notes->list[code];

	if (!note->count) {
		note->first_line = line;
		note->first_byte = byte;
	}
	if (__builtin_add_overflow(note->count, count, &note->count))
		note->count = UINT64_MAX;
}

const char *notes_word(enum note_code code)
{
	static const char *const words[NOTE_NR] = {
#define NOTE(code, word, one, many) word,
#include "model/notes.def"
#undef NOTE
	};

	return words[code];
}

const char *notes_text(enum note_code code, uint64_t count)
{
	static const char *const texts[NOTE_NR][2] = {
#define NOTE(code, word, one, many) {many, one},
#include "model/notes.def"
#undef NOTE
	};

	return texts[code][count == 1];
}
