/* chains.h - frames that have one child and no weight of their own, joined to it */
#pragma once

#include <stdbool.h>

struct paths;

/*
 * Joins each chain of the tree that the paths make, from the root or from the leaf, to one
 * frame, "first … last (4 frames)". The paths become sorted by name.
 */
void chains_join(struct paths *paths, bool is_from_leaf);
