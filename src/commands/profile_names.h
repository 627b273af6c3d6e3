/* profile_names.h - the options that work on names: which frames, what they read, what is joined */
#pragma once

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "analysis/transform.h"
#include "base/error.h"

struct profile_options;

extern const char *const profile_tidy_words[],
	*const profile_inline_words[], *const profile_unknown_words[],
					       *const profile_group_words[],
						       *const profile_recursion_words[];

/* What is done with names and by them, in this order. Borrows from the options. */
struct profile_names {
	struct naming_options naming;
	struct path_filter filter; /* its expressions are owned */
	struct transforms transforms;
	regex_t *collapsed; /* owned, of transforms */
};

/* ret is to be released also after an error. */
ERROR_RESULT struct error *profile_names_take(const struct profile_options *options,
					      struct profile_names *ret);

/* Zeroed memory will do. */
void profile_names_release(struct profile_names *names);
