/* flamechart_tree.h - the stacks of a flame chart's samples as one tree, and where each ends */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct flamechart;
struct flamechart_lane;
struct paths;

/* A stack's frames by their names: the same names in a row are one node. */
struct flamechart_node {
	uint32_t parent;   /* of the root: itself */
	uint32_t depth;	   /* 0 is the root, which is no frame */
	uint32_t function; /* of the first path with it; FUNCTION_NONE of the root */
	uint32_t end;	   /* the node behind all that it calls */
	uint64_t samples;  /* that are in it and in what it calls */
};

/* Each node is followed by what it calls, siblings by the bytes of their names. */
struct flamechart_tree {
	struct flamechart_node *nodes; /* owned */
	uint32_t nr;
	uint32_t *of_path; /* owned: the node that a path ends in; the root's where it has no sample
			    */
	size_t alloc;
};

/* Of the samples of lanes that are kept; the chart has its moments. */
void flamechart_tree_build(struct flamechart_tree *tree, const struct flamechart *chart,
			   const struct paths *paths);
void flamechart_tree_release(struct flamechart_tree *tree);
