/* calltree_sort.h - the paths of a call tree in the order of its nodes */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct calltree_paths;

/*
 * All paths through a node follow each other, those that end in it first. Those called the same
 * stand as they came.
 */
struct calltree_order {
	bool is_by_name;  /* siblings stand by the bytes of their names, else in another order */
	uint32_t *paths;  /* owned: their numbers */
	uint32_t *shared; /* owned: so many names of it the one before it begins with, too */
	uint32_t *own;	  /* owned: and so many functions, not more than names; of places
			     alone, else NULL */
};

/* Its arrays are the caller's. by_name: no other order will do, though it may be the faster one. */
void calltree_order_init(struct calltree_order *order, const struct calltree_paths *paths,
			 bool by_name);
