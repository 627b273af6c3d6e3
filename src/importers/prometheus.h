/* prometheus.h - answers of Prometheus' HTTP API: query and query_range */
#pragma once

extern const struct importer importer_prometheus;
