/* fold_words.c - stacks as folded lines have them */
#include "commands/fold_words.h"

#include "base/mem.h"
#include "model/names.h"

static void add_name(struct text *line, const struct name *name)
{
	size_t begin = line->size;

	text_add_bytes(line, name->bytes, name->size);
	for (size_t i = begin; i < line->size; i++) {
		if (line->bytes[i] == ';')
			line->bytes[i] = ':';
		else if (line->bytes[i] == '\n' || line->bytes[i] == '\r')
			line->bytes[i] = ' ';
	}
}

void fold_line_cut(struct fold_line *line, uint32_t nr)
{
	line->text.size = nr ? line->ends[nr] : 0;
}

void fold_line_put(struct fold_line *line, uint32_t at, const struct name *name)
{
	fold_line_cut(line, at);
	if (at)
		text_add_char(&line->text, ';');
	add_name(&line->text, name);
	GROW(line->ends, (size_t)at + 2, line->ends_alloc);
	line->ends[at + 1] = line->text.size;
}

void fold_line_release(struct fold_line *line)
{
	text_release(&line->text);
	free(line->ends);
}
