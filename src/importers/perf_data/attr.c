/* attr.c - perf_event_attr as a file has it: of any size, in either byte order */
#include "importers/perf_data/attr.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/events.h"

/*
 * The flags are a C bit-field: a big-endian writer begins at the other end of each byte, not
 * of the word.
 */
static uint64_t read_flags(const unsigned char *at, bool is_swapped)
{
	const bool is_big = is_swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	uint64_t flags = 0;

	for (int i = 0; i < 8; i++) {
		unsigned char byte = at[i], turned = 0;

		for (int bit = 0; bit < 8; bit++)
			turned |= (unsigned char)((byte >> bit & 1) << (7 - bit));
		flags |= (uint64_t)(is_big ? turned : byte) << (8 * i);
	}
	return flags;
}

static uint16_t u16_at(const struct bytes *bytes, size_t offset)
{
	struct bytes at = *bytes;
	uint16_t number = 0;

	if (bytes_skip(&at, offset))
		bytes_u16(&at, &number);
	return number;
}

static uint32_t u32_at(const struct bytes *bytes, size_t offset)
{
	struct bytes at = *bytes;
	uint32_t number = 0;

	if (bytes_skip(&at, offset))
		bytes_u32(&at, &number);
	return number;
}

static uint64_t u64_at(const struct bytes *bytes, size_t offset)
{
	struct bytes at = *bytes;
	uint64_t number = 0;

	if (bytes_skip(&at, offset))
		bytes_u64(&at, &number);
	return number;
}

/* Offsets as in linux/perf_event.h, struct perf_event_attr. */
bool perf_attr_read(struct bytes bytes, struct perf_attr *ret)
{
	if (bytes_left(&bytes) < PERF_ATTR_SIZE_LEAST)
		return false;
	*ret = (struct perf_attr){
		.event = EVENT_NONE,
		.type = u32_at(&bytes, 0),
		.size = u32_at(&bytes, 4),
		.config = u64_at(&bytes, 8),
		.sample_period = u64_at(&bytes, 16),
		.sample_type = u64_at(&bytes, 24),
		.read_format = u64_at(&bytes, 32),
		.flags = read_flags(bytes.at + 40, bytes.is_swapped),
		.bp_type = u32_at(&bytes, 52),
		.bp_addr = u64_at(&bytes, 56),
		.branch_sample_type = u64_at(&bytes, 72),
		.sample_regs_user = u64_at(&bytes, 80),
		.sample_stack_user = u32_at(&bytes, 88),
		.clockid = u32_at(&bytes, 92),
		.sample_regs_intr = u64_at(&bytes, 96),
		.sample_max_stack = u16_at(&bytes, 108),
	};
	return true;
}

/* Fields in the order that they are written in: linux/perf_event.h, PERF_RECORD_SAMPLE. */
struct perf_fields perf_attr_fields(const struct perf_attr *attr)
{
	struct perf_fields fields = {.least = 8};
	uint8_t skipped;
	const struct {
		enum perf_sample_bit bit;
		uint8_t *ret;
	} words[] = {
		{PERF_BIT_IDENTIFIER, &skipped},   {PERF_BIT_IP, &fields.ip},
		{PERF_BIT_TID, &fields.tid},	   {PERF_BIT_TIME, &fields.time},
		{PERF_BIT_ADDR, &skipped},	   {PERF_BIT_ID, &skipped},
		{PERF_BIT_STREAM_ID, &skipped},	   {PERF_BIT_CPU, &fields.cpu},
		{PERF_BIT_PERIOD, &fields.period}, {PERF_BIT_CALLCHAIN, &fields.chain},
	};
	uint64_t known = 0;

	for (size_t i = 0; i < ARRAY_NR(words); i++) {
		known |= UINT64_C(1) << words[i].bit;
		if (!perf_attr_has(attr, words[i].bit))
			continue;
		*words[i].ret = fields.least;
		fields.least += 8;
	}
	fields.is_plain = !(attr->sample_type & ~known);
	return fields;
}

unsigned perf_attr_trailer_size(const struct perf_attr *attr)
{
	const uint64_t bits = 1 << PERF_BIT_TID | 1 << PERF_BIT_TIME | 1 << PERF_BIT_ID |
			      1 << PERF_BIT_STREAM_ID | 1 << PERF_BIT_CPU |
			      1 << PERF_BIT_IDENTIFIER;

	if (!perf_attr_flag(attr, PERF_ATTR_SAMPLE_ID_ALL))
		return 0;
	return 8 * (unsigned)__builtin_popcountll(attr->sample_type & bits);
}

static void add_from(struct text *text, const char *const *words, size_t nr, uint64_t config,
		     const char *otherwise)
{
	if (config < nr)
		text_add(text, words[config]);
	else
		text_addf(text, "%s:0x%" PRIx64, otherwise, config);
}

/* cache | operation << 8 | result << 16 */
static void add_cache(struct text *text, uint64_t config)
{
	static const char *const caches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB",
					     "iTLB",	  "branch",    "node"};
	static const char *const operations[] = {"load", "store", "prefetch"};
	uint64_t cache = config & 0xff, operation = config >> 8 & 0xff;
	uint64_t result = config >> 16 & 0xff;

	if (cache >= ARRAY_NR(caches) || operation >= ARRAY_NR(operations) || result > 1) {
		text_addf(text, "cache:0x%" PRIx64, config);
		return;
	}
	text_addf(text, "%s-%s%s", caches[cache], operations[operation],
		  result	   ? "-misses"
		  : operation == 2 ? "es"
				   : "s");
}

void perf_attr_add_name(const struct perf_attr *attr, struct text *text)
{
	static const char *const hardware[] = {"cycles",
					       "instructions",
					       "cache-references",
					       "cache-misses",
					       "branches",
					       "branch-misses",
					       "bus-cycles",
					       "stalled-cycles-frontend",
					       "stalled-cycles-backend",
					       "ref-cycles"};
	static const char *const software[] = {
		"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
		"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
		"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches"};

	switch (attr->type) {
	case PERF_TYPE_HARDWARE: /* the upper half is the PMU of hybrid machines */
		add_from(text, hardware, ARRAY_NR(hardware), attr->config & 0xffffffff, "hardware");
		break;
	case PERF_TYPE_SOFTWARE:
		add_from(text, software, ARRAY_NR(software), attr->config, "software");
		break;
	case PERF_TYPE_TRACEPOINT:
		text_addf(text, "tp#%" PRIu64, attr->config);
		break;
	case PERF_TYPE_HW_CACHE:
		add_cache(text, attr->config & 0xffffffff);
		break;
	case PERF_TYPE_RAW:
		text_addf(text, "r%" PRIx64, attr->config);
		break;
	case PERF_TYPE_BREAKPOINT:
		text_addf(text, "mem:0x%" PRIx64 ":%s%s%s", attr->bp_addr,
			  attr->bp_type & 1 ? "r" : "", attr->bp_type & 2 ? "w" : "",
			  attr->bp_type & 4 ? "x" : "");
		break;
	default:
		text_addf(text, "pmu%" PRIu32 ":0x%" PRIx64, attr->type, attr->config);
	}
}
