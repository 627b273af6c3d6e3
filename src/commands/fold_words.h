/* fold_words.h - names as folded stacks have them */
#pragma once

struct name;
struct text;

/* ';' separates frames, so one in a name is written ':'. A line feed cannot be kept. */
void fold_add_name(struct text *line, const struct name *name);
