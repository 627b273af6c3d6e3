/* flame_summary.h - a flamegraph in a few sentences, for those who do not see it */
#pragma once

struct figure;
struct flame_chart;
struct flame_tree;

/* What the picture is and the five largest names by self weight; the figure keeps the text. */
const char *flame_summary(struct figure *figure, const struct flame_chart *chart,
			  const struct flame_tree *tree);
