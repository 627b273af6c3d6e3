/* features.c - header features: what the recorder says of itself, in words */
#include "importers/perf_data/features.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_data/clock.h"
#include "model/facts.h"

/* No command line or list is longer. */
#define STRINGS_MAX 65536

bool perf_feature_string(struct bytes *bytes, const char **ret, size_t *ret_size)
{
	struct bytes part;
	uint32_t size;

	if (!bytes_u32(bytes, &size) || !bytes_part(bytes, size, &part))
		return false;
	*ret_size = bytes_string(&part, ret);
	return true;
}

static void add(struct facts *facts, const char *name, const struct text *value)
{
	facts_add(facts, name, strlen(name), text_string(value), value->size);
}

static bool add_string(struct facts *facts, const char *name, struct bytes bytes)
{
	const char *s;
	size_t size;

	if (!bytes_left(&bytes)) /* an empty section is legal */
		return true;
	if (!perf_feature_string(&bytes, &s, &size))
		return false;
	facts_add(facts, name, strlen(name), s, size);
	return true;
}

static bool add_cpus(struct facts *facts, struct bytes bytes)
{
	CLEANUP(text_release) struct text online = TEXT_INIT, avail = TEXT_INIT;
	uint32_t available_nr, online_nr;

	if (!bytes_u32(&bytes, &available_nr) || !bytes_u32(&bytes, &online_nr))
		return false;
	text_addf(&online, "%" PRIu32, online_nr);
	text_addf(&avail, "%" PRIu32, available_nr);
	add(facts, "nrcpus online", &online);
	add(facts, "nrcpus avail", &avail);
	return true;
}

static bool add_memory(struct facts *facts, struct bytes bytes)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;
	uint64_t kilobytes;

	if (!bytes_u64(&bytes, &kilobytes))
		return false;
	text_addf(&value, "%" PRIu64 " kB", kilobytes);
	add(facts, "total memory", &value);
	return true;
}

static bool add_command_line(struct facts *facts, struct bytes bytes)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;
	uint32_t nr;

	if (!bytes_u32(&bytes, &nr) || nr > STRINGS_MAX)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		const char *s;
		size_t size;

		if (!perf_feature_string(&bytes, &s, &size))
			return false;
		if (i)
			text_add_char(&value, ' ');
		text_add_bytes(&value, s, size);
	}
	add(facts, "cmdline", &value);
	return true;
}

static bool add_pmus(struct facts *facts, struct bytes bytes)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;
	uint32_t nr;

	if (!bytes_u32(&bytes, &nr) || nr > STRINGS_MAX)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		const char *s;
		size_t size;
		uint32_t type;

		if (!bytes_u32(&bytes, &type) || !perf_feature_string(&bytes, &s, &size))
			return false;
		text_addf(&value, "%s%.*s = %" PRIu32, i ? ", " : "", (int)size, s, type);
	}
	add(facts, "pmu mappings", &value);
	return true;
}

static bool add_groups(struct facts *facts, struct bytes bytes)
{
	uint32_t nr;

	if (!bytes_u32(&bytes, &nr) || nr > STRINGS_MAX)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		CLEANUP(text_release) struct text value = TEXT_INIT;
		const char *s;
		size_t size;
		uint32_t leader, members;

		if (!perf_feature_string(&bytes, &s, &size) || !bytes_u32(&bytes, &leader) ||
		    !bytes_u32(&bytes, &members))
			return false;
		text_addf(&value, "%.*s: %" PRIu32 " events from number %" PRIu32 " on", (int)size,
			  s, members, leader);
		add(facts, "group", &value);
	}
	return true;
}

static void add_seconds(struct text *text, uint64_t ns)
{
	text_addf(text, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

/* (0, 0) where perf did not look at the samples again when it ended. */
static bool add_sample_time(struct facts *facts, struct bytes bytes)
{
	CLEANUP(text_release) struct text begin = TEXT_INIT, end = TEXT_INIT;
	uint64_t first, last;

	if (!bytes_u64(&bytes, &first) || !bytes_u64(&bytes, &last))
		return false;
	if (!first && !last)
		return true;
	add_seconds(&begin, first);
	add_seconds(&end, last);
	add(facts, "time of first sample", &begin);
	add(facts, "time of last sample", &end);
	return true;
}

static bool add_clock(struct facts *facts, struct bytes bytes)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;
	struct perf_clock_data data;

	if (!perf_clock_data_read(bytes, &data))
		return false;
	if (!data.clock_ns)
		return true;
	text_addf(&value, "clock %" PRIu32 " at ", data.clockid);
	add_seconds(&value, data.clock_ns);
	text_add(&value, " is ");
	add_seconds(&value, data.wall_ns);
	text_add(&value, " since 1970");
	add(facts, "clock reference", &value);
	return true;
}

static bool add_compression(struct facts *facts, struct bytes bytes)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;
	uint32_t version, type, level, ratio;

	if (!bytes_u32(&bytes, &version) || !bytes_u32(&bytes, &type) ||
	    !bytes_u32(&bytes, &level) || !bytes_u32(&bytes, &ratio))
		return false;
	if (!type)
		return true;
	text_addf(&value, "%s, level %" PRIu32 ", ratio %" PRIu32, type == 1 ? "Zstd" : "unknown",
		  level, ratio);
	add(facts, "compressed", &value);
	return true;
}

/* simpleperf: key NUL value NUL ... */
static bool add_meta_info(struct facts *facts, struct bytes bytes)
{
	while (bytes_left(&bytes)) {
		const char *key, *value;
		size_t key_size = bytes_string(&bytes, &key), value_size;

		if (!bytes_skip(&bytes, key_size + 1))
			return false;
		value_size = bytes_string(&bytes, &value);
		facts_add(facts, key, key_size, value, value_size);
		if (!bytes_skip(&bytes, value_size + 1))
			return true;
	}
	return true;
}

bool perf_feature_facts(unsigned feature, struct bytes bytes, struct facts *facts)
{
	switch (feature) {
	case PERF_FEATURE_HOSTNAME:
		return add_string(facts, "hostname", bytes);
	case PERF_FEATURE_OSRELEASE:
		return add_string(facts, "os release", bytes);
	case PERF_FEATURE_VERSION:
		return add_string(facts, "perf version", bytes);
	case PERF_FEATURE_ARCH:
		return add_string(facts, "arch", bytes);
	case PERF_FEATURE_NRCPUS:
		return add_cpus(facts, bytes);
	case PERF_FEATURE_CPUDESC:
		return add_string(facts, "cpudesc", bytes);
	case PERF_FEATURE_CPUID:
		return add_string(facts, "cpuid", bytes);
	case PERF_FEATURE_TOTAL_MEM:
		return add_memory(facts, bytes);
	case PERF_FEATURE_CMDLINE:
		return add_command_line(facts, bytes);
	case PERF_FEATURE_PMU_MAPPINGS:
		return add_pmus(facts, bytes);
	case PERF_FEATURE_GROUP_DESC:
		return add_groups(facts, bytes);
	case PERF_FEATURE_SAMPLE_TIME:
		return add_sample_time(facts, bytes);
	case PERF_FEATURE_COMPRESSED:
		return add_compression(facts, bytes);
	case PERF_FEATURE_CLOCK_DATA:
		return add_clock(facts, bytes);
	case PERF_FEATURE_SIMPLEPERF_META_INFO:
		return add_meta_info(facts, bytes);
	default:
		return true;
	}
}
