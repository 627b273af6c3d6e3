/* metric_names.h - what metrics of Prometheus are, by their names and labels */
#pragma once

#include "model/series.h"

struct names;

/*
 * Fills in kind, unit and role of a series whose name and labels are there. Those of well-known
 * exporters (node_exporter, cAdvisor, process_*) are known, others are guessed from their names.
 * A kind that was declared is kept: has_kind.
 */
void metric_names_describe(struct names *names, struct series *series, bool has_kind);
