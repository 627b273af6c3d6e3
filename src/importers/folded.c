/* folded.c - folded stacks: "outermost;...;leaf COUNT", a line each */
#include "importers/folded.h"

#include <endian.h>
#include <string.h>

#include "base/mem.h"
#include "base/memo.h"
#include "base/reader.h"
#include "model/capture.h"
#include "model/sink.h"

/* A line taken apart. The stack's end and the count are borrowed from the line. */
struct line {
	const char *stack;
	size_t stack_size;
	weight count;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static size_t trim_end(const char *at, size_t size)
{
	while (size && is_blank(at[size - 1]))
		size--;
	return size;
}

enum line_kind {
	LINE_STACK,
	LINE_NOTHING,
	LINE_INVALID
};

/* Takes the last field off a line, which must be a count. */
static bool take_count(const char *at, size_t *size, weight *ret)
{
	size_t count = *size;

	while (count && !is_blank(at[count - 1]))
		count--;
	if (!weight_parse(at + count, *size - count, ret))
		return false;
	*size = trim_end(at, count);
	return true;
}

/*
 * Only the last field is the count: "pool;thread 7 3" is thread 7, three times. Of two columns it
 * is the last two.
 */
static enum line_kind parse_line(const char *at, size_t size, enum capture_column column,
				 struct line *ret)
{
	weight after;

	size = trim_end(at, size);
	if (!size || at[0] == '#')
		return LINE_NOTHING;
	if (column != COLUMN_NONE && !take_count(at, &size, &after))
		return LINE_INVALID;
	if (!take_count(at, &size, &ret->count))
		return LINE_INVALID;
	if (column == COLUMN_AFTER)
		ret->count = after;
	ret->stack = at;
	ret->stack_size = size;
	return size ? LINE_STACK : LINE_INVALID;
}

#define CALLERS_CHANGED SIZE_MAX

struct folded {
	struct reader *reader;
	struct capture *capture;
	struct sink *sink;
	uint32_t event;
	enum capture_column column;
	uint64_t line_nr;
	struct memo memo; /* frame -> location id */
	/* the stack of the line before: sorted files share long beginnings */
	char *previous;
	size_t previous_size, previous_alloc;
	uint32_t *frames; /* location ids, outermost first */
	size_t *ends;	  /* where each frame ends in previous */
	size_t frames_nr, frames_alloc, ends_alloc;
	bool is_unsorted; /* a line was smaller than the one before it */
	uint32_t callers; /* the stack of all frames but the last, callers_nr of them */
	size_t callers_nr;
	size_t kept; /* so many of the frames are those of the stack that was added last */
};

/* The marks that stackcollapse-perf.pl writes behind names: kernel, jit, inlined. */
static uint32_t module_of_mark(struct capture *capture, const char *at, size_t size,
			       uint32_t *flags)
{
	const char *path;

	if (size < 4 || memcmp(at + size - 4, "_[", 2) != 0 || at[size - 1] != ']')
		return MODULE_NONE;
	switch (at[size - 2]) {
	case 'k':
		path = "[kernel]";
		break;
	case 'j':
		path = "[JIT]";
		break;
	case 'i':
		*flags |= LOCATION_INLINED;
		return MODULE_NONE;
	default:
		return MODULE_NONE;
	}
	return modules_add(&capture->modules, &capture->names,
			   names_add_string(&capture->names, path));
}

/* "[libc.so.6]" and "[kernel.kallsyms]" stand for a frame of that module without a name. */
static uint32_t module_of_brackets(struct capture *capture, const char *at, size_t size)
{
	bool is_kernel = size > 8 && memcmp(at, "[kernel", 7) == 0;

	if (size < 3 || at[0] != '[' || at[size - 1] != ']' ||
	    (size == 9 && memcmp(at, "[unknown]", 9) == 0))
		return MODULE_NONE;
	if (!is_kernel) {
		at++;
		size -= 2;
		if (!memmem(at, size, ".so", 3))
			return MODULE_NONE;
	}
	return modules_add(&capture->modules, &capture->names,
			   names_add(&capture->names, at, size));
}

static uint32_t make_location(struct folded *folded, uint32_t name, const char *at, size_t size)
{
	struct location location = {.name = name, .line = NAME_NONE};

	location.module = module_of_mark(folded->capture, at, size, &location.flags);
	if (location.module == MODULE_NONE)
		location.module = module_of_brackets(folded->capture, at, size);
	return locations_add(&folded->capture->locations, &location);
}

static uint32_t location_of(struct folded *folded, const char *at, size_t size)
{
	struct memo_key key = memo_key(at, size);
	uint32_t location = memo_find(&folded->memo, key), name;

	if (location != MEMO_NONE)
		return location;
	name = names_add(&folded->capture->names, at, size);
	location = make_location(folded, name, at, size);
	memo_add(&folded->memo, key, location);
	return location;
}

/* Most of a line is that of the line before: so many bytes are compared at one go. */
#define COMMON_STEP 64

static size_t common_size(const char *a, const char *b, size_t size)
{
	size_t i = 0;

	while (i + COMMON_STEP <= size && memcmp(a + i, b + i, COMMON_STEP) == 0)
		i += COMMON_STEP;
	for (; i + 8 <= size; i += 8) {
		uint64_t x, y;

		memcpy(&x, a + i, 8);
		memcpy(&y, b + i, 8);
		if (x != y)
			return i + (size_t)__builtin_ctzll(le64toh(x ^ y)) / 8;
	}
	while (i < size && a[i] == b[i])
		i++;
	return i;
}

/* Keeps the frames that this stack has in common with the one before, whose text gives way. */
static size_t keep_common_frames(struct folded *folded, const struct line *line)
{
	size_t least =
		line->stack_size < folded->previous_size ? line->stack_size : folded->previous_size;
	size_t common = common_size(line->stack, folded->previous, least);
	size_t nr = folded->frames_nr;

	if (common < least)
		folded->is_unsorted |= (unsigned char)line->stack[common] <
				       (unsigned char)folded->previous[common];
	else
		folded->is_unsorted |= line->stack_size < folded->previous_size;
	/* a frame is the same if the ';' behind it is in common, too */
	while (nr && folded->ends[nr - 1] >= common)
		nr--;
	folded->frames_nr = nr;
	if (nr < folded->callers_nr)
		folded->callers_nr = CALLERS_CHANGED;
	if (nr < folded->kept)
		folded->kept = nr;
	GROW(folded->previous, line->stack_size, folded->previous_alloc);
	memcpy(folded->previous + common, line->stack + common, line->stack_size - common);
	folded->previous_size = line->stack_size;
	return nr ? folded->ends[nr - 1] + 1 : 0;
}

static void split(struct folded *folded, const struct line *line)
{
	size_t at = keep_common_frames(folded, line);

	for (;;) {
		const char *begin = line->stack + at;
		const char *end = memchr(begin, ';', line->stack_size - at);
		size_t size = end ? (size_t)(end - begin) : line->stack_size - at;
		size_t nr = folded->frames_nr;

		GROW(folded->frames, nr + 1, folded->frames_alloc);
		GROW(folded->ends, nr + 1, folded->ends_alloc);
		folded->frames[nr] = location_of(folded, begin, size);
		folded->ends[nr] = at + size;
		folded->frames_nr++;
		if (!end)
			break;
		at += size + 1;
	}
}

static void note(struct folded *folded, enum note_code code, const char *at)
{
	notes_add(&folded->capture->notes, code, 1, folded->line_nr,
		  reader_offset(folded->reader, at));
}

/*
 * While the lines are sorted no stack comes twice, and looking whether it is there already,
 * a cache miss each, is left out. (Callers may come twice; that costs their memory only.) What
 * goes on where the last one ends lies in its place: sorted files need a third of the memory.
 */
static uint32_t add_callers(struct folded *folded, const uint32_t *frames, size_t nr)
{
	struct stacks *stacks = &folded->capture->stacks;
	size_t shared = folded->kept < nr ? folded->kept : nr;

	if (folded->is_unsorted)
		return stacks_add(stacks, frames, (uint32_t)nr);
	folded->kept = nr;
	return stacks_append_next(stacks, frames, (uint32_t)nr, (uint32_t)shared);
}

static struct error *say(struct folded *folded, const struct line *line)
{
	struct sample sample = {
		.task = TASK_NONE,
		.event = folded->event,
		.cpu = CPU_NONE,
		.count = line->count,
		.period = line->count,
	};
	size_t nr, first = 0;

	split(folded, line);
	nr = folded->frames_nr - 1;
	if (nr > STACK_FRAMES_MAX) {
		note(folded, NOTE_DEEP_STACK, line->stack);
		first = nr - STACK_FRAMES_MAX;
		folded->kept = 0;
	}
	if (folded->callers_nr != nr) {
		folded->callers = add_callers(folded, folded->frames + first, nr - first);
		folded->callers_nr = nr;
		folded->kept = first ? 0 : folded->kept;
	}
	sample.callers = folded->callers;
	sample.leaf = folded->frames[nr];
	return sink_sample(folded->sink, &sample);
}

/*
 * After so many lines it is said how many more there are, if they are as long: room for them is
 * made at once, and no memory is touched twice. Not more than EXPECTED_MAX: it may be none.
 */
#define LINES_KNOWN  1024
#define EXPECTED_MAX (1 << 19)

static void expect(struct folded *folded, const char *at)
{
	const struct reader *reader = folded->reader;
	uint64_t offset = reader_offset(reader, at), nr;

	if (folded->is_unsorted || reader->unpack || offset >= reader->size_bytes)
		return;
	nr = (reader->size_bytes - offset) / (offset / LINES_KNOWN + 1);
	nr += nr / 16;
	if (nr > EXPECTED_MAX)
		nr = EXPECTED_MAX;
	stacks_expect(&folded->capture->stacks, nr);
	sink_expect(folded->sink, nr);
}

static struct error *read_lines(struct folded *folded)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";

	for (;;) {
		struct line line;
		struct error *err;
		char *at;
		size_t size;

		err = reader_line(folded->reader, &at, &size);
		if (err || !at)
			return err;
		if (++folded->line_nr == 1 && size >= 3 && memcmp(at, byte_order_mark, 3) == 0) {
			at += 3;
			size -= 3;
		}
		if (folded->line_nr == LINES_KNOWN)
			expect(folded, at);
		switch (parse_line(at, size, folded->column, &line)) {
		case LINE_NOTHING:
			continue;
		case LINE_INVALID:
			note(folded, NOTE_INVALID_COUNT, at);
			continue;
		case LINE_STACK:
			/* what one side has alone is none of the other's */
			if (line.count || folded->column == COLUMN_NONE)
				err = say(folded, &line);
		}
		if (err)
			return err;
	}
}

static struct error *read_column(struct reader *reader, struct capture *capture, struct sink *sink,
				 enum capture_column column)
{
	struct folded folded = {
		.column = column,
		.reader = reader,
		.capture = capture,
		.sink = sink,
		.callers_nr = CALLERS_CHANGED,
	};
	struct error *err;

	folded.event = events_add(&capture->events, &capture->names, NAME_NONE);
	err = read_lines(&folded);
	memo_release(&folded.memo);
	free(folded.previous);
	free(folded.frames);
	free(folded.ends);
	return err;
}

static struct error *read_folded(struct reader *reader, struct capture *capture, struct sink *sink)
{
	return read_column(reader, capture, sink, COLUMN_NONE);
}

static struct error *read_folded_diff(struct reader *reader, struct capture *capture,
				      struct sink *sink)
{
	if (capture->column == COLUMN_NONE)
		return error_hint(error_new(ERROR_USAGE, "'%s' is to have the stacks of two sides",
					    reader->name),
				  "tephra diff --input-format=folded-diff %s", reader->name);
	return read_column(reader, capture, sink, capture->column);
}

/* Two columns are never guessed at: the first may be a part of a name. */
static bool sniff_nothing(const char *at, size_t size)
{
	(void)at;
	(void)size;
	return false;
}

/* One line that is a stack and a count is enough: others are noted, not guessed at. */
static bool sniff_folded(const char *at, size_t size)
{
	const char *end = at + size;

	if (memchr(at, '\0', size))
		return false;
	while (at < end) {
		const char *line_end = memchr(at, '\n', (size_t)(end - at));
		struct line line;
		size_t line_size = (size_t)((line_end ? line_end : end) - at);

		if (parse_line(at, line_size, COLUMN_NONE, &line) == LINE_STACK)
			return true;
		if (!line_end)
			break;
		at = line_end + 1;
	}
	return false;
}

const struct importer importer_folded = {
	.name = "folded",
	.summary = "folded stacks: 'main;read_all;read 12'",
	.default_by = TALLY_BY_NONE,
	.sniff = sniff_folded,
	.read = read_folded,
};

const struct importer importer_folded_diff = {
	.name = "folded-diff",
	.summary = "folded stacks of two sides: 'main;read_all;read 12 15'",
	.default_by = TALLY_BY_NONE,
	.sniff = sniff_nothing,
	.read = read_folded_diff,
};
