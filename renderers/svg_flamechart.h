/* svg_flamechart.h - the samples of a flame chart as text that a script reads */
#pragma once

struct flamechart_chart;
struct paper;

/* Writes chart->walk but for its tree; renderers/assets/chart_samples.js reads it. */
void svg_put_flamechart(struct paper *paper, const struct flamechart_chart *chart);
