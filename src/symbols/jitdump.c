/* jitdump.c - jit-PID.dump: each piece of code that a runtime made, and when */
#include "symbols/jitdump.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/reader.h"

/*
 * All numbers are in the writer's byte order, and nothing is aligned.
 *
 *   file header   u32 magic, version, total_size, elf_mach, pad, pid; u64 timestamp, flags
 *   each record   u32 id, total_size (with these 16 bytes); u64 timestamp
 *   LOAD          u32 pid, tid; u64 vma, code_addr, code_size, code_index; name NUL; code
 *   MOVE          u32 pid, tid; u64 vma, old_addr, new_addr, code_size, code_index
 *   DEBUG_INFO    u64 code_addr, nr; nr times: u64 address, u32 line, discriminator; file NUL
 *   UNWINDING     u64 unwinding_size, eh_frame_hdr_size, mapped_size; the two sections
 *
 * DEBUG_INFO and UNWINDING come before the LOAD that they are of.
 */
#define MAGIC	    0x4a695444 /* "JiTD" */
#define VERSION_MAX 2
#define HEADER_SIZE 40
#define PREFIX_SIZE 16

#define FLAG_ARCH_TIMESTAMP 1

enum record_id {
	RECORD_LOAD,
	RECORD_MOVE,
	RECORD_DEBUG_INFO,
	RECORD_CLOSE,
	RECORD_UNWINDING_INFO,
};

/* A file name of "\xff" in DEBUG_INFO is that of the entry before. */
#define SAME_FILE "\xff"

/*
 * V8 adds the size of an ELF header to the addresses of lines, since perf inject put the code
 * of its ELF files behind one; other runtimes do not.
 */
#define ELF_HEADER_SIZE 0x40

struct record {
	uint32_t id;
	uint64_t time_ns;
	uint64_t offset; /* of its first byte in the file */
	struct bytes body;
};

/* The file while it is read. */
struct reading {
	struct jitdump *dump;
	struct reader *reader;
	bool is_swapped;
	struct map by_index;		     /* number of a code -> its latest entry in the list */
	uint64_t lines_of;		     /* the code address of the last DEBUG_INFO */
	uint32_t lines, lines_nr;	     /* its lines, which wait for their code */
	uint64_t unwinding, unwinding_bytes; /* the same of UNWINDING_INFO */
	bool is_shifted_possible, is_shifted_seen;
};

void jitdump_release(struct jitdump *jitdump)
{
	free(jitdump->list);
	free(jitdump->lines);
	intervals_release(&jitdump->ranges);
	text_release(&jitdump->names);
	*jitdump = (struct jitdump){0};
}

static bool same_index(const void *key, uint32_t id)
{
	const struct reading *reading = ((const void *const *)key)[0];
	const uint64_t *index = ((const void *const *)key)[1];

	return reading->dump->list[id].index == *index;
}

/* The slot of the code of this number. */
static struct map_slot *slot_of(struct reading *reading, uint64_t index)
{
	const void *const key[] = {reading, &index};

	map_grow(&reading->by_index);
	return map_find(&reading->by_index, map_hash(&index, sizeof(index)), same_index, key);
}

static void add_code(struct reading *reading, const struct jitdump_code *code)
{
	struct jitdump *dump = reading->dump;
	struct map_slot *slot = slot_of(reading, code->index);
	uint32_t id = (uint32_t)dump->nr;

	GROW(dump->list, dump->nr + 1, dump->alloc);
	dump->list[dump->nr++] = *code;
	intervals_add(&dump->ranges,
		      (struct interval){code->lo, code->hi, code->from_ns, UINT64_MAX, id});
	if (slot->id == MAP_NONE)
		map_fill(&reading->by_index, slot, map_hash(&code->index, sizeof(code->index)), id);
	else
		slot->id = id;
}

static size_t add_name(struct jitdump *dump, const char *name, size_t size)
{
	size_t at = dump->names.size;

	text_add_bytes(&dump->names, name, size);
	text_add_char(&dump->names, '\0');
	return at;
}

/* A NUL-terminated string; false, and nothing is taken, where there is no NUL. */
static bool take_string(struct bytes *bytes, const char **ret, size_t *ret_size)
{
	*ret_size = bytes_string(bytes, ret);
	return *ret_size < bytes_left(bytes) && bytes_skip(bytes, *ret_size + 1);
}

/* The lines that wait are of this code, if they are of its address. */
static void attach_lines(struct reading *reading, struct jitdump_code *code)
{
	const struct jitdump_line *first;

	if (reading->lines_nr == 0)
		return;
	first = &reading->dump->lines[reading->lines];
	if (reading->lines_of != code->lo) {
		reading->dump->records_bad++;
	} else {
		code->lines = reading->lines;
		code->lines_nr = reading->lines_nr;
		if (first->address - code->lo < ELF_HEADER_SIZE)
			reading->is_shifted_possible = false;
		reading->is_shifted_seen |= first->address - code->lo == ELF_HEADER_SIZE;
	}
	reading->lines_nr = 0;
}

static bool take_load(struct reading *reading, struct record *record)
{
	struct bytes *in = &record->body;
	struct jitdump_code code = {.from_ns = record->time_ns};
	uint64_t vma, size;
	const char *name;
	size_t name_size;

	if (!bytes_u32(in, &code.pid) || !bytes_u32(in, &code.tid) || !bytes_u64(in, &vma) ||
	    !bytes_u64(in, &code.lo) || !bytes_u64(in, &size) || !bytes_u64(in, &code.index) ||
	    !take_string(in, &name, &name_size))
		return false;
	if (size == 0 || __builtin_add_overflow(code.lo, size, &code.hi))
		return false;
	code.origin = code.lo;
	code.name = add_name(reading->dump, name, name_size);
	code.unwinding = reading->unwinding;
	code.unwinding_bytes = reading->unwinding_bytes;
	reading->unwinding = reading->unwinding_bytes = 0;
	attach_lines(reading, &code);
	add_code(reading, &code);
	return true;
}

/* The code is at its old place no more, also where nothing comes there. */
static void end_code(struct jitdump *dump, uint32_t id, uint64_t time_ns)
{
	size_t lo = 0, hi = dump->ranges.nr;

	/* ranges were added in the order of their ids */
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (dump->ranges.list[middle].id < id)
			lo = middle + 1;
		else
			hi = middle;
	}
	if (lo < dump->ranges.nr && dump->ranges.list[lo].id == id)
		dump->ranges.list[lo].to = time_ns;
}

static bool take_move(struct reading *reading, struct record *record)
{
	struct bytes *in = &record->body;
	struct jitdump *dump = reading->dump;
	uint64_t vma, from, to, size, index;
	struct jitdump_code code;
	struct map_slot *slot;
	uint32_t pid, tid;

	if (!bytes_u32(in, &pid) || !bytes_u32(in, &tid) || !bytes_u64(in, &vma) ||
	    !bytes_u64(in, &from) || !bytes_u64(in, &to) || !bytes_u64(in, &size) ||
	    !bytes_u64(in, &index))
		return false;
	slot = slot_of(reading, index);
	if (slot->id == MAP_NONE || dump->list[slot->id].lo != from || size == 0)
		return false;
	code = dump->list[slot->id];
	code.lo = to;
	code.from_ns = record->time_ns;
	if (__builtin_add_overflow(to, size, &code.hi))
		return false;
	end_code(dump, slot->id, record->time_ns);
	add_code(reading, &code);
	return true;
}

static bool take_line(struct reading *reading, struct bytes *in)
{
	struct jitdump *dump = reading->dump;
	struct jitdump_line line;
	uint32_t discriminator;
	const char *file;
	size_t size;

	if (!bytes_u64(in, &line.address) || !bytes_u32(in, &line.line) ||
	    !bytes_u32(in, &discriminator) || !take_string(in, &file, &size))
		return false;
	if (strcmp(file, SAME_FILE) == 0 && reading->lines_nr)
		line.file = dump->lines[dump->lines_nr - 1].file;
	else if (reading->lines_nr &&
		 strcmp(dump->names.bytes + dump->lines[dump->lines_nr - 1].file, file) == 0)
		line.file = dump->lines[dump->lines_nr - 1].file;
	else
		line.file = add_name(dump, file, size);
	line.order = reading->lines_nr;
	GROW(dump->lines, dump->lines_nr + 1, dump->lines_alloc);
	dump->lines[dump->lines_nr++] = line;
	reading->lines_nr++;
	return true;
}

static int compare_lines(const void *a, const void *b)
{
	const struct jitdump_line *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static bool take_debug_info(struct reading *reading, struct record *record)
{
	struct bytes *in = &record->body;
	struct jitdump *dump = reading->dump;
	uint64_t nr;

	if (!bytes_u64(in, &reading->lines_of) || !bytes_u64(in, &nr))
		return false;
	reading->lines = (uint32_t)dump->lines_nr;
	reading->lines_nr = 0;
	while (nr > 0 && take_line(reading, in))
		nr--;
	if (reading->lines_nr)
		qsort(dump->lines + reading->lines, reading->lines_nr, sizeof(*dump->lines),
		      compare_lines);
	return nr == 0;
}

static bool take_unwinding(struct reading *reading, struct record *record)
{
	struct bytes *in = &record->body;
	uint64_t size, header_size, mapped_size;

	if (!bytes_u64(in, &size) || !bytes_u64(in, &header_size) || !bytes_u64(in, &mapped_size) ||
	    header_size > size || size > bytes_left(in))
		return false;
	reading->unwinding = size ? record->offset + PREFIX_SIZE + 24 : 0;
	reading->unwinding_bytes = size;
	return true;
}

static void take_record(struct reading *reading, struct record *record)
{
	bool is_good = true;

	switch (record->id) {
	case RECORD_LOAD:
		is_good = take_load(reading, record);
		break;
	case RECORD_MOVE:
		is_good = take_move(reading, record);
		break;
	case RECORD_DEBUG_INFO:
		is_good = take_debug_info(reading, record);
		break;
	case RECORD_CLOSE:
		reading->dump->is_closed = true;
		break;
	case RECORD_UNWINDING_INFO:
		is_good = take_unwinding(reading, record);
		break;
	default:
		reading->dump->records_unknown++;
	}
	reading->dump->records_bad += !is_good;
}

static struct bytes bytes_of(const struct reading *reading, size_t size)
{
	const struct reader *reader = reading->reader;
	const unsigned char *at = (const unsigned char *)reader->buf + reader->begin;

	if (size > reader->end - reader->begin)
		size = reader->end - reader->begin;
	return (struct bytes){at, at + size, reading->is_swapped};
}

/* Passes over bytes that are not wanted, a part at a time. */
static struct error *skip(struct reading *reading, uint64_t size)
{
	struct reader *reader = reading->reader;

	while (size > 0) {
		struct error *err = reader_fill(reader, 1);
		size_t there = reader->end - reader->begin;

		if (err)
			return err;
		if (there == 0) {
			reading->dump->is_cut = true;
			return NULL;
		}
		there = there < size ? there : (size_t)size;
		reader->begin += there;
		size -= there;
	}
	return NULL;
}

static struct error *check_limits(const struct reading *reading)
{
	const struct jitdump *dump = reading->dump;

	if (dump->nr > JITDUMP_MAX || dump->lines_nr > JITDUMP_LINES_MAX ||
	    dump->names.size > JITDUMP_NAMES_MAX)
		return error_new(ERROR_LIMIT,
				 "'%s' has more than %u pieces of code, or as many lines",
				 reading->reader->name, JITDUMP_MAX);
	return NULL;
}

/* Reads one record. *ret_more is false at the end, or where nothing behind it can be read. */
static struct error *read_record(struct reading *reading, bool *ret_more)
{
	struct reader *reader = reading->reader;
	struct jitdump *dump = reading->dump;
	struct error *err = reader_fill(reader, PREFIX_SIZE);
	struct record record = {0};
	uint32_t size = 0;
	struct bytes in;

	if (err)
		return err;
	in = bytes_of(reading, PREFIX_SIZE);
	record.offset = reader->offset + reader->begin;
	*ret_more = bytes_u32(&in, &record.id) && bytes_u32(&in, &size) &&
		    bytes_u64(&in, &record.time_ns);
	if (!*ret_more) {
		dump->is_cut |= reader->end > reader->begin;
		return NULL;
	}
	if (size < PREFIX_SIZE || size > JITDUMP_RECORD_MAX) {
		dump->records_bad++;
		*ret_more = size > PREFIX_SIZE;
		return skip(reading, size);
	}
	err = reader_fill(reader, size);
	if (err)
		return err;
	record.body = bytes_of(reading, size);
	bytes_skip(&record.body, PREFIX_SIZE);
	dump->is_cut = bytes_left(&record.body) < size - PREFIX_SIZE;
	/* of the last one of a runtime that was killed, the name is there before the code */
	if (!dump->is_cut || record.id == RECORD_LOAD)
		take_record(reading, &record);
	*ret_more = !dump->is_cut;
	reader->begin += *ret_more ? size : 0;
	return check_limits(reading);
}

static struct error *read_header(struct reading *reading)
{
	struct reader *reader = reading->reader;
	uint32_t magic = 0, version = 0, size = 0, pad;
	uint64_t time, flags = 0;
	struct error *err = reader_fill(reader, HEADER_SIZE);
	struct bytes in;

	if (err)
		return err;
	in = bytes_of(reading, HEADER_SIZE);
	bytes_u32(&in, &magic);
	reading->is_swapped = in.is_swapped = magic == __builtin_bswap32(MAGIC);
	if ((magic != MAGIC && !in.is_swapped) || !bytes_u32(&in, &version) ||
	    !bytes_u32(&in, &size) || !bytes_u32(&in, &reading->dump->machine) ||
	    !bytes_u32(&in, &pad) || !bytes_u32(&in, &reading->dump->pid) ||
	    !bytes_u64(&in, &time) || !bytes_u64(&in, &flags))
		return error_new(
			ERROR_INPUT,
			"'%s' is no jitdump, expected the magic 0x%x and %d bytes of header",
			reader->name, MAGIC, HEADER_SIZE);
	if (version == 0 || version > VERSION_MAX || size < HEADER_SIZE)
		return error_new(
			ERROR_INPUT,
			"'%s': version %u with a header of %u bytes, expected 1 and %d or more",
			reader->name, version, size, HEADER_SIZE);
	reading->dump->has_arch_time = flags & FLAG_ARCH_TIMESTAMP;
	return skip(reading, size);
}

static struct error *read_all(struct reading *reading)
{
	struct error *err = read_header(reading);
	bool is_more = true;

	while (!err && is_more)
		err = read_record(reading, &is_more);
	if (!err && reader_damage(reading->reader))
		reading->dump->is_cut = true;
	return err;
}

static void unshift_lines(const struct reading *reading)
{
	struct jitdump *dump = reading->dump;

	if (!reading->is_shifted_possible || !reading->is_shifted_seen)
		return;
	for (size_t i = 0; i < dump->lines_nr; i++)
		dump->lines[i].address -= ELF_HEADER_SIZE;
}

struct error *jitdump_read(struct jitdump *ret, const char *path)
{
	struct reading reading = {.dump = ret, .is_shifted_possible = true};
	struct error *err;

	*ret = (struct jitdump){0};
	err = reader_open(path, &reading.reader);
	if (err)
		return err;
	err = read_all(&reading);
	reader_close(reading.reader);
	map_release(&reading.by_index);
	if (err) {
		jitdump_release(ret);
		return err;
	}
	unshift_lines(&reading);
	intervals_end_overlapped(&ret->ranges);
	intervals_seal(&ret->ranges);
	return NULL;
}

/* The last line at or before the address; the code was moved by lo - origin since. */
static void find_line(const struct jitdump *jitdump, const struct jitdump_code *code,
		      uint64_t address, struct jitdump_place *ret)
{
	const struct jitdump_line *lines = jitdump->lines + code->lines;
	uint64_t at = address - code->lo + code->origin;
	uint32_t lo = 0, hi = code->lines_nr;

	while (lo < hi) {
		uint32_t middle = lo + (hi - lo) / 2;

		if (lines[middle].address <= at)
			lo = middle + 1;
		else
			hi = middle;
	}
	if (lo == 0)
		return;
	ret->file = jitdump->names.bytes + lines[lo - 1].file;
	ret->line = lines[lo - 1].line;
}

static void fill_place(const struct jitdump *jitdump, uint32_t id, uint64_t address,
		       struct jitdump_place *ret)
{
	*ret = (struct jitdump_place){.code = &jitdump->list[id]};
	ret->name = jitdump->names.bytes + ret->code->name;
	if (ret->code->lines_nr)
		find_line(jitdump, ret->code, address, ret);
}

bool jitdump_find(const struct jitdump *jitdump, uint64_t address, uint64_t time_ns,
		  struct jitdump_place *ret)
{
	uint32_t id = intervals_find(&jitdump->ranges, address, time_ns);

	if (id == INTERVALS_NONE)
		return false;
	fill_place(jitdump, id, address, ret);
	return true;
}

/* More of them at one address are as good as different ones. */
#define PIECES_MAX 10000u

struct pieces {
	const struct jitdump *jitdump;
	uint32_t first, nr;
	bool differ;
};

static const char *name_of(const struct jitdump *jitdump, uint32_t id)
{
	return jitdump->names.bytes + jitdump->list[id].name;
}

static bool take_piece(void *context, const struct interval *interval)
{
	struct pieces *pieces = context;

	if (!pieces->nr++)
		pieces->first = interval->id;
	pieces->differ =
		pieces->nr > PIECES_MAX || strcmp(name_of(pieces->jitdump, pieces->first),
						  name_of(pieces->jitdump, interval->id)) != 0;
	return !pieces->differ;
}

enum jitdump_found jitdump_find_between(const struct jitdump *jitdump, uint64_t address,
					uint64_t from_ns, uint64_t to_ns, struct jitdump_place *ret)
{
	struct pieces pieces = {.jitdump = jitdump};

	intervals_each(&jitdump->ranges, address, from_ns, to_ns, take_piece, &pieces);
	if (!pieces.nr)
		return JITDUMP_NOTHING;
	if (pieces.differ)
		return JITDUMP_SEVERAL;
	fill_place(jitdump, pieces.first, address, ret);
	if (pieces.nr > 1) {
		ret->file = NULL;
		ret->line = 0;
	}
	return JITDUMP_ONE;
}
