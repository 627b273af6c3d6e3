/* transform.h - paths made simpler by their names: modules, recursion, chains, one subtree */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

struct paths;

enum transform_recursion {
	TRANSFORM_RECURSION_KEPT,
	TRANSFORM_RECURSION_DIRECT, /* neighbours of one name are one frame */
	TRANSFORM_RECURSION_ALL,    /* from the first frame of a name to the last it is one */
};

/* What is asked for. Everything is borrowed. */
struct transforms {
	const regex_t *collapsed; /* modules by path or base name, alternatives */
	size_t collapsed_nr;
	bool are_modules; /* frames are modules: all of them are collapsed */
	enum transform_recursion recursion;
	const char *const *subtrees; /* "frame;frame" from the outermost on, alternatives */
	size_t subtrees_nr;
	bool has_chains;   /* frames with one child and no weight of their own are joined to it */
	bool is_from_leaf; /* the tree whose chains are meant grows from the leaf */
};

/* Is anything of that wanted? */
bool transform_is_any(const struct transforms *transforms);

/*
 * Rewrites the paths in this order: modules, recursion, subtrees, chains. Weights stay, but
 * for paths outside of all subtrees, which are counted in paths->left_out[PATH_SUBTREE]. The
 * frames above a subtree's last are cut. Roots that are no code are never joined to others.
 */
void transform_paths(struct paths *paths, const struct transforms *transforms);
