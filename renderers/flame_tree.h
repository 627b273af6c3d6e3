/* flame_tree.h - what the frames of a chart are to each other */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "renderers/flame.h"

/* Arrays of chart->frames_nr; indices are those of chart->frames, 0 means none. */
struct flame_tree {
	uint32_t *child, *sibling; /* the first child; the next sibling */
	double *self;		   /* weight that is in no child */
	uint32_t depth;		   /* of the deepest frame */
};

/* Release accepts a zeroed tree and one whose init failed. False: short of memory. */
bool flame_tree_init(struct flame_tree *tree, const struct flame_chart *chart);
void flame_tree_release(struct flame_tree *tree);

/* The frame that is read after `at`: its first child, else what stands beside; 0 at the end. */
uint32_t flame_tree_next(const struct flame_tree *tree, const struct flame_chart *chart,
			 uint32_t at);

/* A frame's weight as a share of the root's. */
double flame_share(const struct flame_chart *chart, const struct flame_frame *frame);
