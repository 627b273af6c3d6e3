/* sandwich.h - a function in the middle: who calls it, and what it calls, over all places */
#pragma once

#include <regex.h>

struct paths;

/* Functions by name, or else by expression: it may be NULL. */
struct sandwich_of {
	const char *name;
	const regex_t *regex;
};

/*
 * Cuts each path in two at its outermost frame of such a name, so that a sample counts once
 * however often the function is in it: the paths become what begins with that frame,
 * *ret_callers gets what ends with it. Both have the same weight; what has no such frame is in
 * neither, and counted in left_out[PATH_OF]. If some function has exactly the name, it alone
 * is meant. Roots that are no code are not looked at. ret_callers is released by the caller.
 */
void sandwich_cut(struct paths *paths, const struct sandwich_of *of, struct paths *ret_callers);
