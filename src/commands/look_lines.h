/* look_lines.h - lines of a screen of 80 columns */
#pragma once

#include <stdio.h>

#define LOOK_COLUMNS 80
#define LOOK_LINES   30
#define LOOK_HEAD    9 /* columns of the word in front of each line */

/* A line, cut to the width of the screen. Words are clean UTF-8. */
void look_line(FILE *out, const char *head, const char *words);

/* In as many lines as it takes, at most `most`; broken at blanks. How many it was. */
int look_wrapped(FILE *out, const char *head, const char *words, int most);
