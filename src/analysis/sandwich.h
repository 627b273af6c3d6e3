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
 * however often the function is in it: *ret_callees gets what begins with that frame,
 * *ret_callers what ends with it. Both have the same weight; what has no such frame is in
 * neither, and counted in left_out[PATH_OF]. If some function has exactly the name, it alone
 * is meant. Roots that are no code are not looked at. Both are released by the caller; ret_callees
 * may be the paths themselves, which are released then.
 */
void sandwich_cut(struct paths *paths, const struct sandwich_of *of, struct paths *ret_callees,
		  struct paths *ret_callers);
