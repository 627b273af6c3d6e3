/* event_names.c - what events are called: by the file, or after what they count */
#include "importers/perf_data/event_names.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_data/offcpu.h"
#include "importers/perf_data/state.h"
#include "importers/perf_data/tracing.h"

/* simpleperf (whose callers are calls already) has unwound dumps itself, or has not. */
static enum walked_by walked_by_of(const struct perf_data *data, const struct perf_attr *attr)
{
	if (!data->chains.caller_flags)
		return WALKED_UNKNOWN;
	if (perf_attr_has(attr, PERF_BIT_REGS_USER) && perf_attr_has(attr, PERF_BIT_STACK_USER))
		return WALKED_DUMPS;
	if (perf_attr_is_call_stack(attr))
		return WALKED_BRANCHES;
	if (!perf_attr_has(attr, PERF_BIT_CALLCHAIN) ||
	    perf_attr_flag(attr, PERF_ATTR_EXCLUDE_CALLCHAIN_USER))
		return WALKED_UNKNOWN;
	return WALKED_FRAME_POINTERS;
}

static void add(struct perf_data *data, struct perf_attr *attr)
{
	struct capture *capture = data->capture;
	CLEANUP(text_release) struct text name = TEXT_INIT;

	if (attr->name)
		text_add(&name, attr->name);
	else if (!data->tracing || attr->type != PERF_TYPE_TRACEPOINT ||
		 !perf_tracing_add_name(data->tracing, attr->config, &name))
		perf_attr_add_name(attr, &name);
	attr->event = events_add(&capture->events, &capture->names,
				 names_add(&capture->names, text_string(&name), name.size));
	events_set_walked_by(&capture->events, attr->event, walked_by_of(data, attr));
	/* "cpu-clock" may be called anything; what it counts stays */
	if ((attr->type == PERF_TYPE_SOFTWARE && attr->config <= 1) || perf_offcpu_is(attr))
		capture->events.list[attr->event].unit = UNIT_NS;
}

void perf_event_names_add(struct perf_data *data, struct perf_attr *attr)
{
	if (attr->event == EVENT_NONE)
		add(data, attr);
}

void perf_event_names_all(struct perf_data *data)
{
	for (uint32_t i = 0; i < data->events.nr; i++)
		perf_event_names_add(data, &data->events.list[i]);
}

void perf_event_names_by_config(struct perf_data *data, struct bytes bytes)
{
	struct bytes name;
	uint64_t config;

	while (bytes_u64(&bytes, &config) && bytes_part(&bytes, 64, &name)) {
		const char *s;
		size_t size = bytes_string(&name, &s);

		for (uint32_t i = 0; i < data->events.nr; i++)
			if (data->events.list[i].config == config)
				perf_events_name(&data->events, i, s, size);
	}
}

static void name_by_type(struct perf_data *data, uint64_t type, uint64_t config, const char *name,
			 size_t size)
{
	for (uint32_t i = 0; i < data->events.nr; i++)
		if (data->events.list[i].type == type && data->events.list[i].config == config)
			perf_events_name(&data->events, i, name, size);
}

/*
 * simpleperf: lines "name,type,config". Hardware and software events keep the names that perf
 * gives them (cycles, where simpleperf says cpu-cycles), so that captures of both compare.
 */
static void name_by_lines(struct perf_data *data, const char *at, size_t size)
{
	/* more lines than there can be events are none of simpleperf's */
	for (unsigned lines = 0; size && lines < PERF_ATTRS_MAX; lines++) {
		const char *end = memchr(at, '\n', size);
		size_t line_size = end ? (size_t)(end - at) : size;
		char line[256], name[200];
		uint64_t type, config;

		if (line_size < sizeof(line)) {
			memcpy(line, at, line_size);
			line[line_size] = '\0';
			if (sscanf(line, "%199[^,],%" SCNu64 ",%" SCNu64, name, &type, &config) ==
				    3 &&
			    type >= PERF_TYPE_TRACEPOINT)
				name_by_type(data, type, config, name, strlen(name));
		}
		line_size += !!end;
		at += line_size;
		size -= line_size;
	}
}

/* key NUL value NUL ... */
void perf_event_names_by_meta_info(struct perf_data *data, struct bytes bytes)
{
	static const char wanted[] = "event_type_info";
	const char *key, *value;

	while (bytes_left(&bytes)) {
		size_t key_size = bytes_string(&bytes, &key), value_size;

		if (!bytes_skip(&bytes, key_size + 1))
			return;
		value_size = bytes_string(&bytes, &value);
		if (key_size == strlen(wanted) && memcmp(key, wanted, key_size) == 0) {
			name_by_lines(data, value, value_size);
			data->is_named = true;
			return;
		}
		if (!bytes_skip(&bytes, value_size + 1))
			return;
	}
}
