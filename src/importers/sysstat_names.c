/* sysstat_names.c - what the columns of sar, pidstat and vmstat are */
#include "importers/sysstat_names.h"

#include <string.h>

#include "base/mem.h"
#include "model/names.h"

static const struct {
	const char *name;
	enum series_role role;
	const char *unit; /* where the name does not say it */
} known[] = {
	{"%steal", ROLE_CPU_STEAL, NULL},
	{"%iowait", ROLE_CPU_IOWAIT, NULL},
	{"%idle", ROLE_CPU_IDLE, NULL},
	{"runq-sz", ROLE_CPU_RUNNABLE, NULL},
	{"blocked", ROLE_IO_BLOCKED, NULL},
	{"plist-sz", ROLE_TASKS, NULL},
	{"%scpu", ROLE_PRESSURE_CPU, NULL},
	{"%sio", ROLE_PRESSURE_IO, NULL},
	{"%smem", ROLE_PRESSURE_MEMORY, NULL},
	{"%wait", ROLE_CPU_WAIT, NULL},
	{"%CPU", ROLE_CPU_UTIL, NULL},
	{"RSS", ROLE_RSS, "KiB"},
	{"VSZ", ROLE_NONE, "KiB"},
	{"threads", ROLE_TASKS, NULL},
	{"fd-nr", ROLE_DESCRIPTORS, NULL},
	{"r", ROLE_CPU_RUNNABLE, NULL},
	{"b", ROLE_IO_BLOCKED, NULL},
	{"swpd", ROLE_NONE, "KiB"},
	{"free", ROLE_NONE, "KiB"},
	{"buff", ROLE_NONE, "KiB"},
	{"cache", ROLE_NONE, "KiB"},
};

/* vmstat's columns have no marks: rates, and shares of the interval. */
static const char *const vmstat_rates[] = {"si", "so", "bi", "bo", "in", "cs"};
static const struct {
	const char *name;
	enum series_role role;
} vmstat_shares[] = {{"us", ROLE_NONE},	      {"sy", ROLE_NONE},      {"id", ROLE_CPU_IDLE},
		     {"wa", ROLE_CPU_IOWAIT}, {"st", ROLE_CPU_STEAL}, {"gu", ROLE_NONE}};

static void set_role(struct series *series, enum series_role role, bool has_role)
{
	if (!has_role || role == ROLE_NONE)
		return;
	series->role = role;
	series->role_source = ROLE_SOURCE_FORMAT;
}

void sysstat_names_describe(struct names *names, struct series *series, bool has_role)
{
	const struct name *name = names_get(names, series->name);
	bool is_rate = name->size > 2 && memcmp(name->bytes + name->size - 2, "/s", 2) == 0;
	bool is_share = name->bytes[0] == '%';

	series->unit = NAME_NONE;
	for (size_t i = 0; i < ARRAY_NR(vmstat_rates); i++)
		is_rate |= strcmp(vmstat_rates[i], name->bytes) == 0;
	for (size_t i = 0; i < ARRAY_NR(vmstat_shares); i++) {
		if (strcmp(vmstat_shares[i].name, name->bytes) != 0)
			continue;
		is_share = true;
		set_role(series, vmstat_shares[i].role, has_role);
	}
	series->kind = is_rate || is_share ? SERIES_RATE : SERIES_GAUGE;
	if (is_share)
		series->unit = names_add_string(names, "percent");
	for (size_t i = 0; i < ARRAY_NR(known); i++) {
		if (strcmp(known[i].name, name->bytes) != 0)
			continue;
		set_role(series, known[i].role, has_role);
		if (known[i].unit)
			series->unit = names_add_string(names, known[i].unit);
	}
}
