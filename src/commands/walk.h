/* walk.h - the path of a call tree's node, as the tree is read from its root on */
#pragma once

#include <stddef.h>

#include "base/text.h"

/* ends[d] is the size of the path at depth d. Zeroed is the root. */
struct walk {
	struct text path; /* "main;read_all": a ';' in a name is written ':' */
	size_t *ends;	  /* owned */
	size_t ends_alloc;
};

void walk_release(struct walk *walk);

/* To a child of a node on the path that it is at; depth counts from 1. */
void walk_to(struct walk *walk, size_t depth, const char *name);
