/* fold_words.c - names as folded stacks have them */
#include "commands/fold_words.h"

#include "base/text.h"
#include "model/names.h"

void fold_add_name(struct text *line, const struct name *name)
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
