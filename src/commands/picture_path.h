/* picture_path.h - where a picture goes that was given no name: beside its input */
#pragma once

struct text;

/* Adds the name of the picture of an operand ("-": standard input). */
void picture_path_add(struct text *path, const char *operand);

/*
 * NULL where nothing stands there, or what tephra wrote: that may be written anew without asking.
 * Else why not, to be said behind the path: "is there already and ...".
 */
const char *picture_path_refusal(const char *path);
