/* openmetrics.h - OpenMetrics, and the text that Prometheus scrapes */
#pragma once

extern const struct importer importer_openmetrics;
