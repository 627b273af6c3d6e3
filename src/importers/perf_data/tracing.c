/* tracing.c - tracepoints: their formats out of the file, their fields out of a sample */
#include "importers/perf_data/tracing.h"

#include <event-parse.h>
#include <inttypes.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/fields.h"

/* tools/perf/util/trace-event-info.c writes this before all else. */
#define MAGIC	   "\027\010\104tracing"
#define MAGIC_SIZE 10

/* More systems or formats no kernel has. */
#define SYSTEMS_MAX 4096
#define FORMATS_MAX 65536

/* Elements of an array field that are kept. */
#define ELEMENTS_MAX 64

struct perf_tracing {
	struct tep_handle *tep;
	bool is_swapped;
};

static bool skip_string(struct bytes *bytes, const char **ret)
{
	size_t size = bytes_string(bytes, ret);

	return bytes_skip(bytes, size + 1); /* its NUL must be there */
}

/* "header_page" and "header_event": a name, a length, text that perf's samples do not need */
static bool skip_named_block(struct bytes *bytes, const char *name)
{
	const char *found;
	uint64_t size;

	return skip_string(bytes, &found) && strcmp(found, name) == 0 && bytes_u64(bytes, &size) &&
	       bytes_skip(bytes, size);
}

static bool take_format(struct perf_tracing *tracing, struct bytes *bytes, const char *system)
{
	struct bytes format;
	uint64_t size;

	if (!bytes_u64(bytes, &size) || !bytes_part(bytes, size, &format))
		return false;
	/* one that cannot be parsed leaves the others as they are */
	tep_parse_event(tracing->tep, (const char *)format.at, (unsigned long)size, system);
	return true;
}

static bool take_formats(struct perf_tracing *tracing, struct bytes *bytes, const char *system)
{
	uint32_t nr;

	if (!bytes_u32(bytes, &nr) || nr > FORMATS_MAX)
		return false;
	for (uint32_t i = 0; i < nr; i++)
		if (!take_format(tracing, bytes, system))
			return false;
	return true;
}

static bool take_systems(struct perf_tracing *tracing, struct bytes *bytes)
{
	uint32_t nr;

	if (!bytes_u32(bytes, &nr) || nr > SYSTEMS_MAX)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		const char *system;

		if (!skip_string(bytes, &system) || !take_formats(tracing, bytes, system))
			return false;
	}
	return true;
}

/*
 *  magic | version NUL | u8 big-endian | u8 size of long | u32 page size | header_page |
 *  header_event | formats of ftrace | systems with their formats | ...
 */
static bool read_all(struct perf_tracing *tracing, struct bytes bytes)
{
	const char *version;
	uint8_t is_big, long_size;
	uint32_t page_size;
	bool is_here_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	if (bytes_left(&bytes) < MAGIC_SIZE || memcmp(bytes.at, MAGIC, MAGIC_SIZE) != 0)
		return false;
	bytes_skip(&bytes, MAGIC_SIZE);
	if (!skip_string(&bytes, &version) || !bytes_u8(&bytes, &is_big) ||
	    !bytes_u8(&bytes, &long_size))
		return false;
	bytes.is_swapped = tracing->is_swapped = !!is_big != is_here_big;
	if (!bytes_u32(&bytes, &page_size) || (long_size != 4 && long_size != 8))
		return false;
	tep_set_file_bigendian(tracing->tep, is_big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tracing->tep, is_here_big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tracing->tep, long_size);
	return skip_named_block(&bytes, "header_page") &&
	       skip_named_block(&bytes, "header_event") &&
	       take_formats(tracing, &bytes, "ftrace") && take_systems(tracing, &bytes);
}

struct perf_tracing *perf_tracing_new(struct bytes tracing_data, bool *ret_good)
{
	struct perf_tracing *tracing = mem_zalloc(1, sizeof(*tracing));

	tep_set_loglevel(TEP_LOG_NONE);
	tracing->tep = tep_alloc();
	*ret_good = tracing->tep && read_all(tracing, tracing_data);
	if (!tracing->tep || !tep_get_first_event(tracing->tep)) {
		perf_tracing_free(tracing);
		return NULL;
	}
	return tracing;
}

void perf_tracing_free(struct perf_tracing *tracing)
{
	if (!tracing)
		return;
	tep_free(tracing->tep);
	free(tracing);
}

static struct tep_event *find(const struct perf_tracing *tracing, uint64_t id)
{
	return id <= INT32_MAX ? tep_find_event(tracing->tep, (int)id) : NULL;
}

bool perf_tracing_add_name(const struct perf_tracing *tracing, uint64_t id, struct text *text)
{
	const struct tep_event *event = find(tracing, id);

	if (!event)
		return false;
	text_addf(text, "%s:%s", event->system, event->name);
	return true;
}

/* ---- fields */

static uint64_t number_at(struct bytes bytes, size_t size, bool is_signed)
{
	uint64_t number = 0;
	uint32_t number32 = 0;
	uint16_t number16 = 0;
	uint8_t number8 = 0;

	switch (size) {
	case 1:
		bytes_u8(&bytes, &number8);
		return is_signed ? (uint64_t)(int8_t)number8 : number8;
	case 2:
		bytes_u16(&bytes, &number16);
		return is_signed ? (uint64_t)(int16_t)number16 : number16;
	case 4:
		bytes_u32(&bytes, &number32);
		return is_signed ? (uint64_t)(int32_t)number32 : number32;
	default:
		bytes_u64(&bytes, &number);
		return number;
	}
}

/*
 * Where the bytes of a field are. A dynamic one holds a word: its lower half is where they
 * begin, from the record's begin or (relative) from the end of the word, the upper their size.
 */
static bool place_of(const struct tep_format_field *field, struct bytes raw, struct bytes *ret)
{
	struct bytes at = raw, word;
	uint32_t place;

	if (field->offset < 0 || field->size < 0 || !bytes_skip(&at, (uint64_t)field->offset))
		return false;
	if (!(field->flags & (TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_RELATIVE)))
		return bytes_part(&at, (uint64_t)field->size, ret);
	word = at;
	if (!bytes_u32(&word, &place))
		return false;
	if (!(field->flags & TEP_FIELD_IS_RELATIVE))
		word = raw;
	return bytes_skip(&word, place & 0xffff) && bytes_part(&word, place >> 16, ret);
}

static void add_numbers(struct fields *fields, const struct tep_format_field *field,
			struct bytes bytes)
{
	CLEANUP(text_release) struct text list = TEXT_INIT;
	size_t size = field->elementsize, nr;
	bool is_signed = field->flags & TEP_FIELD_IS_SIGNED;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		size = 1;
	nr = bytes_left(&bytes) / size;
	for (size_t i = 0; i < nr && i < ELEMENTS_MAX; i++) {
		uint64_t number = number_at(bytes, size, is_signed);

		text_add(&list, i ? "," : "");
		if (is_signed)
			text_addf(&list, "%" PRId64, (int64_t)number);
		else
			text_addf(&list, "%" PRIu64, number);
		bytes_skip(&bytes, size);
	}
	fields_add_text(fields, field->name, text_string(&list), list.size, FIELD_NUMBERS);
}

static void add_field(struct fields *fields, const struct tep_format_field *field, struct bytes raw)
{
	bool is_signed = field->flags & TEP_FIELD_IS_SIGNED;
	struct bytes bytes;
	const char *s;

	if (!place_of(field, raw, &bytes))
		return;
	if (field->flags & TEP_FIELD_IS_STRING) {
		size_t size = bytes_string(&bytes, &s);

		fields_add_text(fields, field->name, s, size, FIELD_TEXT);
	} else if (field->flags & TEP_FIELD_IS_ARRAY) {
		add_numbers(fields, field, bytes);
	} else {
		fields_add_number(fields, field->name,
				  number_at(bytes, bytes_left(&bytes), is_signed), is_signed);
	}
}

bool perf_tracing_fields(const struct perf_tracing *tracing, struct bytes raw,
			 struct fields *fields)
{
	struct bytes at;
	const struct tep_event *event;
	uint16_t type;

	raw.is_swapped = tracing->is_swapped;
	at = raw;
	if (!bytes_u16(&at, &type)) /* common_type, the tracepoint's id */
		return false;
	event = find(tracing, type);
	if (!event)
		return false;
	for (const struct tep_format_field *field = event->format.fields; field;
	     field = field->next)
		add_field(fields, field, raw);
	return true;
}
