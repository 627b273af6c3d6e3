/* picture_path.h - where a picture goes that was given no name: beside its input */
#pragma once

#include <stdbool.h>

struct text;

/* Adds the name of the picture of an operand ("-": standard input). */
void picture_path_add(struct text *path, const char *operand);

/* Was the file written by tephra, so that it may be written anew without asking? */
bool picture_path_is_ours(const char *path);
