/* ksymbols.c - KSYMBOL and BPF_EVENT: the names that the file has for code made in the kernel */
#include "importers/perf_data/ksymbols.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_data/state.h"

/* The time in a record's trailer; 0 for what was there before the recording. */
static uint64_t time_of(const struct perf_data *data, const struct perf_record *record)
{
	struct perf_sample trailer = {0};

	if (data->events.nr)
		perf_trailer_read(
			record->bytes,
			&data->events.list[perf_events_of_other(&data->events, &record->bytes)],
			&trailer);
	return trailer.time <= INT64_MAX ? trailer.time : 0;
}

static void register_one(struct perf_data *data, const struct ksymbol *ksymbol)
{
	struct capture *capture = data->capture;
	const struct name *name = names_get(&capture->names, ksymbol->name);
	CLEANUP(text_release) struct text module = TEXT_INIT;

	text_add_char(&module, '[');
	text_add_bytes(&module, name->bytes, name->size);
	text_add_char(&module, ']');
	if (!ksymbols_add(&capture->ksymbols, ksymbol)) {
		data->chains.refused++;
		return;
	}
	perf_chains_name(&data->chains, ksymbol->begin, ksymbol->size, text_string(&module),
			 module.size, ksymbol->name);
}

/* { u64 address, u32 size, u16 kind, u16 flags, name }; flag 1: it goes. Address 0 is hidden. */
static void take_ksymbol(struct perf_data *data, const struct perf_record *record,
			 struct bytes body)
{
	struct capture *capture = data->capture;
	struct ksymbol ksymbol = {.from_ns = time_of(data, record)}, *known;
	uint16_t kind, flags;
	const char *name;
	size_t size;

	if (!bytes_u64(&body, &ksymbol.begin) || !bytes_u32(&body, &ksymbol.size) ||
	    !bytes_u16(&body, &kind) || !bytes_u16(&body, &flags) || !ksymbol.begin)
		return;
	size = bytes_string(&body, &name);
	if (!size)
		return;
	ksymbol.name = names_add(&capture->names, name, size);
	ksymbol.kind = kind == 1 ? KSYMBOL_BPF : kind == 2 ? KSYMBOL_OUT_OF_LINE : KSYMBOL_UNKNOWN;
	if (!(flags & 1)) {
		register_one(data, &ksymbol);
		return;
	}
	known = ksymbols_find(&capture->ksymbols, ksymbol.begin);
	if (!known || known->to_ns)
		return;
	known->to_ns = ksymbol.from_ns;
	perf_chains_unname(&data->chains, known->begin, known->size);
}

/*
 * { u16 type, u16 flags, u32 id, u8 tag[8] }; type 1 is a load. The names of a program's parts
 * begin with "bpf_prog_TAG"; those that came last are this one's.
 */
static void take_bpf_event(struct perf_data *data, struct bytes body)
{
	struct capture *capture = data->capture;
	char prefix[9 + 16 + 1] = "bpf_prog_";
	uint16_t type, flags;
	uint32_t id;
	struct bytes tag;

	if (!bytes_u16(&body, &type) || !bytes_u16(&body, &flags) || !bytes_u32(&body, &id) ||
	    !bytes_part(&body, 8, &tag) || type != 1)
		return;
	for (unsigned i = 0; i < 8; i++)
		snprintf(prefix + 9 + 2 * i, 3, "%02x", tag.at[i]);
	for (uint32_t i = capture->ksymbols.nr; i--;) {
		struct ksymbol *ksymbol = &capture->ksymbols.list[i];
		const struct name *name = names_get(&capture->names, ksymbol->name);

		if (ksymbol->program || name->size < 25 || memcmp(name->bytes, prefix, 25) != 0)
			break;
		ksymbol->program = id;
	}
}

void perf_ksymbols_take(struct perf_data *data, const struct perf_record *record, struct bytes body)
{
	if (record->type == PERF_RECORD_KSYMBOL)
		take_ksymbol(data, record, body);
	else
		take_bpf_event(data, body);
}
