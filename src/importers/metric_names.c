/* metric_names.c - what metrics of Prometheus are, by their names and labels */
#include "importers/metric_names.h"

#include <string.h>

#include "base/mem.h"
#include "importers/counter_names.h"
#include "model/names.h"

/* label NULL: whatever labels it has. */
static const struct {
	const char *name, *label, *value;
	enum series_role role;
} known[] = {
	{"node_cpu_seconds_total", "mode", "steal", ROLE_CPU_STEAL},
	{"node_cpu_seconds_total", "mode", "idle", ROLE_CPU_IDLE},
	{"node_cpu_seconds_total", "mode", "iowait", ROLE_CPU_IOWAIT},
	{"node_cpu_seconds_total", NULL, NULL, ROLE_NONE},
	{"node_pressure_cpu_waiting_seconds_total", NULL, NULL, ROLE_PRESSURE_CPU},
	{"node_pressure_io_waiting_seconds_total", NULL, NULL, ROLE_PRESSURE_IO},
	{"node_pressure_memory_waiting_seconds_total", NULL, NULL, ROLE_PRESSURE_MEMORY},
	{"node_pressure_io_stalled_seconds_total", NULL, NULL, ROLE_NONE},
	{"node_pressure_memory_stalled_seconds_total", NULL, NULL, ROLE_NONE},
	{"node_procs_running", NULL, NULL, ROLE_CPU_RUNNABLE},
	{"node_procs_blocked", NULL, NULL, ROLE_IO_BLOCKED},
	{"node_schedstat_waiting_seconds_total", NULL, NULL, ROLE_CPU_WAIT},
	{"process_cpu_seconds_total", NULL, NULL, ROLE_CPU_PROCESS},
	{"process_resident_memory_bytes", NULL, NULL, ROLE_RSS},
	{"process_open_fds", NULL, NULL, ROLE_DESCRIPTORS},
	{"process_threads", NULL, NULL, ROLE_TASKS},
	{"go_threads", NULL, NULL, ROLE_TASKS},
	{"container_cpu_usage_seconds_total", NULL, NULL, ROLE_CPU_PROCESS},
	{"container_cpu_cfs_throttled_seconds_total", NULL, NULL, ROLE_CPU_THROTTLED},
	{"container_pressure_cpu_waiting_seconds_total", NULL, NULL, ROLE_PRESSURE_CPU},
	{"container_pressure_io_waiting_seconds_total", NULL, NULL, ROLE_PRESSURE_IO},
	{"container_pressure_memory_waiting_seconds_total", NULL, NULL, ROLE_PRESSURE_MEMORY},
	{"container_memory_working_set_bytes", NULL, NULL, ROLE_NONE},
	{"container_memory_rss", NULL, NULL, ROLE_RSS_ANON},
	{"container_memory_mapped_file", NULL, NULL, ROLE_RSS_FILE},
	{"container_file_descriptors", NULL, NULL, ROLE_DESCRIPTORS},
	{"container_threads", NULL, NULL, ROLE_TASKS},
};

static bool has_label(const struct names *names, const struct series *series, const char *key,
		      const char *value)
{
	uint32_t found = series_label(series, names, key);

	return found != NAME_NONE && strcmp(names_display(names, found), value) == 0;
}

static bool find_known(const struct names *names, struct series *series)
{
	const char *name = names_display(names, series->name);

	for (size_t i = 0; i < ARRAY_NR(known); i++) {
		if (strcmp(known[i].name, name) != 0 ||
		    (known[i].label && !has_label(names, series, known[i].label, known[i].value)))
			continue;
		series->role = known[i].role;
		series->role_source =
			series->role == ROLE_NONE ? ROLE_SOURCE_NONE : ROLE_SOURCE_FORMAT;
		return true;
	}
	return false;
}

static bool ends_in(const struct name *name, const char *ending)
{
	size_t size = strlen(ending);

	return name->size > size && memcmp(name->bytes + name->size - size, ending, size) == 0;
}

void metric_names_describe(struct names *names, struct series *series, bool has_kind)
{
	const struct name *name = names_get(names, series->name);
	struct counter_guess guess = counter_names_guess(name->bytes, name->size);
	bool is_total = ends_in(name, "_total") || ends_in(name, "_bucket") ||
			ends_in(name, "_sum") || ends_in(name, "_count");

	series->unit = guess.unit ? names_add_string(names, guess.unit) : NAME_NONE;
	if (!has_kind)
		series->kind = is_total ? SERIES_CUMULATIVE : SERIES_GAUGE;
	if (find_known(names, series))
		return;
	/* buckets and counts of a histogram are no times, whatever it is called after */
	if (ends_in(name, "_bucket") || ends_in(name, "_count") || ends_in(name, "_created"))
		return;
	series->role = guess.role;
	series->role_source = guess.role == ROLE_NONE ? ROLE_SOURCE_NONE : ROLE_SOURCE_NAME;
}
