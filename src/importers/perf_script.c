/* perf_script.c - the text that `perf script` prints, read sample by sample */
#include "importers/perf_script.h"

#include <string.h>

#include "base/mem.h"
#include "base/memo.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/perf_script_block.h"
#include "importers/perf_script_clock.h"
#include "importers/perf_script_frames.h"
#include "importers/perf_script_line.h"
#include "importers/perf_script_sniff.h"
#include "model/capture.h"
#include "model/sink.h"

/* The kernel's TASK_COMM_LEN less its NUL. */
#define COMM_SIZE_MAX 15

/* A hex number alone behind a header is an ip only if it has at least so many digits. */
#define BARE_ADDRESS_LEAST 0x100000u

enum state {
	OUTSIDE,   /* between samples */
	IN_SAMPLE, /* behind a header */
	IN_ORPHAN, /* in a stack that has no header although the file has headers */
	IN_RECORD, /* behind a PERF_RECORD line, some of which go on with tabs */
};

/* Room in the reader's buffer that most samples need. */
#define SAMPLE_SIZE ((size_t)32 << 10)

struct perf_script {
	struct reader *reader;
	struct capture *capture;
	struct sink *sink;
	uint64_t line_nr;
	const char *line; /* the current one */
	enum state state;
	struct sample sample; /* being built */
	uint32_t callers;     /* known already as a stack, STACK_NONE: they are in frames */
	uint32_t header_leaf; /* what stood behind the header, if no frames follow */
	struct perf_script_frames frames;
	bool has_headers; /* a header with ids or time was seen in the file */
	bool has_samples;
	struct text pending; /* a line that is a header if frames follow at once */
	uint64_t pending_offset;
	struct perf_script_block block;
};

static void note_at(struct perf_script *script, enum note_code code, uint64_t line, uint64_t byte)
{
	notes_add(&script->capture->notes, code, 1, line, byte);
}

static void note(struct perf_script *script, enum note_code code)
{
	note_at(script, code, script->line_nr, reader_offset(script->reader, script->line));
}

static void drop_pending(struct perf_script *script)
{
	if (!script->pending.size)
		return;
	note_at(script, NOTE_UNRECOGNISED_LINE, script->line_nr - 1, script->pending_offset);
	text_clear(&script->pending);
}

/* ---- samples */

static uint32_t callers_of(struct perf_script *script)
{
	bool is_deep;
	uint32_t callers = perf_script_frames_callers(&script->frames, &is_deep);

	if (is_deep)
		note(script, NOTE_DEEP_STACK);
	return callers;
}

/* The sample that is being built is complete. */
static struct error *flush(struct perf_script *script)
{
	if (script->state != IN_SAMPLE) {
		script->state = OUTSIDE;
		return NULL;
	}
	script->state = OUTSIDE;
	script->has_samples = true;
	script->sample.callers =
		script->callers != STACK_NONE ? script->callers : callers_of(script);
	script->sample.leaf = script->frames.nr ? script->frames.list[0] : script->header_leaf;
	perf_script_frames_clear(&script->frames);
	return sink_sample(script->sink, &script->sample);
}

static void begin(struct perf_script *script)
{
	script->state = IN_SAMPLE;
	perf_script_frames_clear(&script->frames);
	script->header_leaf = LOCATION_NONE;
	script->callers = STACK_NONE;
	script->sample = (struct sample){
		.task = TASK_NONE,
		.cpu = CPU_NONE,
		.count = WEIGHT_ONE,
		.period = WEIGHT_ONE,
	};
}

static uint32_t event_of(struct perf_script *script, struct span span)
{
	struct capture *capture = script->capture;

	/* nearly always that of the sample before */
	for (uint32_t i = 0; i < capture->events.nr && span.size; i++) {
		uint32_t name = capture->events.list[i].name;

		if (name != NAME_NONE && capture->names.list[name].size == span.size &&
		    memcmp(capture->names.list[name].bytes, span.at, span.size) == 0)
			return i;
	}
	return events_add(&capture->events, &capture->names,
			  perf_script_frames_name(script->capture, span));
}

/* ---- headers */

static void take_header(struct perf_script *script, const struct perf_script_header *header)
{
	struct capture *capture = script->capture;
	struct sample *sample = &script->sample;
	struct task task = {header->pid, header->tid,
			    perf_script_frames_name(script->capture, header->comm)};
	struct perf_script_frame frame;

	begin(script);
	sample->task = tasks_add(&capture->tasks, &task);
	sample->cpu = header->cpu;
	sample->event = event_of(script, header->event);
	if (header->has_time) {
		sample->time_ns = header->time_ns;
		sample->flags |= SAMPLE_HAS_TIME;
	}
	if (header->has_period) {
		sample->period = weight_of(header->period);
		capture->events.list[sample->event].has_periods = true;
	}
	if (!header->rest.size || perf_script_is_tracepoint(header->event) ||
	    !perf_script_inline_frame(header->rest.at, header->rest.size, &frame))
		return;
	if (!frame.has_symbol_column && !frame.module.at && frame.address < BARE_ADDRESS_LEAST)
		return;
	script->header_leaf = perf_script_frames_locate(&script->frames, &frame);
}

static struct error *take_record(struct perf_script *script,
				 const struct perf_script_header *header)
{
	static const char lost[] = "PERF_RECORD_LOST lost ";
	static const char lost_samples[] = "PERF_RECORD_LOST_SAMPLES lost ";
	struct capture *capture = script->capture;
	struct span rest = header->rest;
	struct error *err = flush(script);
	struct loss loss = {.event = EVENT_NONE,
			    .second = losses_second(header->has_time ? header->time_ns : 0)};

	capture->records++;
	if (rest.size > strlen(lost) && memcmp(rest.at, lost, strlen(lost)) == 0 &&
	    units_parse_u64(rest.at + strlen(lost), rest.size - strlen(lost), &loss.count)) {
		capture->lost += loss.count;
		loss.kind = LOSS_EVENTS;
		losses_add(&capture->losses, &loss);
	}
	if (rest.size > strlen(lost_samples) &&
	    memcmp(rest.at, lost_samples, strlen(lost_samples)) == 0 &&
	    units_parse_u64(rest.at + strlen(lost_samples), rest.size - strlen(lost_samples),
			    &loss.count)) {
		capture->lost_samples += loss.count;
		loss.kind = LOSS_SAMPLES;
		losses_add(&capture->losses, &loss);
	}
	script->state = IN_RECORD;
	return err;
}

/* "# hostname : relay-1". Behind the first sample a comment is a comment. */
static void take_comment(struct perf_script *script, const char *at, size_t size)
{
	const char *end = at + size, *colon = memchr(at, ':', size);
	const char *name, *value;

	if (script->has_samples || script->state == IN_SAMPLE || !colon)
		return;
	for (name = at; name < colon && (*name == '#' || *name == ' ');)
		name++;
	for (value = colon + 1; value < end && *value == ' ';)
		value++;
	while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	while (colon > name && colon[-1] == ' ')
		colon--;
	if (colon > name)
		facts_add(&script->capture->facts, name, (size_t)(colon - name), value,
			  (size_t)(end - value));
}

/*
 * With `perf script -F comm,ip,sym` or -F event,ip,sym a header is a bare comm or event; only
 * the frames behind it tell. Where the file has full headers such a line is none.
 */
static bool begin_from_pending(struct perf_script *script)
{
	const char *at = text_string(&script->pending);
	size_t size = script->pending.size;

	if (!size || script->has_headers)
		return false;
	while (size && at[size - 1] == ' ')
		size--;
	if (at[size - 1] == ':') {
		begin(script);
		script->sample.event = event_of(script, (struct span){at, size - 1});
	} else if (size <= COMM_SIZE_MAX) {
		struct task task = {TASK_ID_NONE, TASK_ID_NONE, NAME_NONE};

		task.comm = perf_script_frames_name(script->capture, (struct span){at, size});
		begin(script);
		script->sample.task = tasks_add(&script->capture->tasks, &task);
		script->sample.event = event_of(script, (struct span){NULL, 0});
	} else {
		return false;
	}
	text_clear(&script->pending);
	return true;
}

/* A frame stands where no sample was begun. */
static void begin_without_header(struct perf_script *script)
{
	if (script->state == IN_ORPHAN || begin_from_pending(script))
		return;
	drop_pending(script);
	if (script->has_headers) {
		note(script, NOTE_ORPHAN_STACK);
		script->state = IN_ORPHAN;
		return;
	}
	begin(script);
	script->sample.event = event_of(script, (struct span){NULL, 0});
}

/* ---- lines */

static void frame_line(struct perf_script *script, const char *at, size_t size)
{
	struct memo *memo =
		script->frames.nr ? &script->frames.caller_memo : &script->frames.leaf_memo;
	struct memo_key key = memo_key(at, size);
	uint32_t known = memo_find(memo, key);
	struct perf_script_frame frame;

	if (script->state == IN_SAMPLE && known != MEMO_NONE) {
		perf_script_frames_push(&script->frames, known);
		return;
	}
	if (!perf_script_frame(at, size, &frame)) {
		if (script->state != IN_RECORD)
			note(script, NOTE_UNRECOGNISED_LINE);
		return;
	}
	if (script->state != IN_SAMPLE)
		begin_without_header(script);
	if (script->state == IN_SAMPLE)
		perf_script_frames_add(&script->frames, &frame, memo, key);
}

/* Looks the lines up in passes, so that the memory of all is on its way before the first. */
static void push_lines(struct perf_script *script)
{
	struct perf_script_block *block = &script->block;

	for (size_t i = 0; i < block->nr; i++) {
		struct perf_script_block_line *line = &block->lines[i];

		line->size -= line->at[line->size - 1] == '\r';
		line->key = memo_key(line->at, line->size);
		memo_prefetch(&script->frames.caller_memo, line->key);
	}
	for (size_t i = 0; i < block->nr; i++) {
		struct perf_script_block_line *line = &block->lines[i];
		uint32_t known = memo_find(&script->frames.caller_memo, line->key);
		struct perf_script_frame frame;

		script->line = line->at;
		script->line_nr++;
		if (known != MEMO_NONE)
			perf_script_frames_push(&script->frames, known);
		else if (perf_script_frame(line->at, line->size, &frame))
			perf_script_frames_add(&script->frames, &frame, &script->frames.caller_memo,
					       line->key);
		else
			note(script, NOTE_UNRECOGNISED_LINE);
	}
}

/* Stacks in which something was odd; their lines must not be known as a block. */
static uint64_t odd_stacks(const struct perf_script *script)
{
	const struct note *list = script->capture->notes.list;

	return list[NOTE_UNRECOGNISED_LINE].count + list[NOTE_DEEP_STACK].count;
}

/*
 * Behind the leaf's line: takes all caller lines of the sample at once. Call chains repeat,
 * so their bytes as a whole are looked up first, then line by line. The leaf is kept apart
 * because its address is another one in most samples.
 */
static void take_block(struct perf_script *script)
{
	struct perf_script_block *block = &script->block;
	struct reader *reader = script->reader;
	const char *begin = reader->buf + reader->begin, *end;
	uint64_t odd;
	bool is_tried;
	struct memo_key key = {0};

	if (script->frames.nr != 1 || script->frames.inlined_nr ||
	    !perf_script_block_find(block, reader))
		return;
	end = block->lines[block->nr - 1].at + block->lines[block->nr - 1].size + 1;
	is_tried = perf_script_block_is_tried(block);
	if (is_tried) {
		key = memo_key(begin, (size_t)(end - begin));
		script->callers = memo_find(&block->memo, key);
	}
	if (script->callers != STACK_NONE) {
		block->hits++;
		script->line_nr += block->nr;
	} else {
		odd = odd_stacks(script);
		push_lines(script);
		script->callers = callers_of(script);
		if (is_tried && odd_stacks(script) == odd)
			memo_add(&block->memo, key, script->callers);
	}
	reader->begin = (size_t)(end - reader->buf);
}

/*
 * Without a call graph and without ids or time (-F ip,sym; -F comm,ip,sym) each line is a
 * sample: "%16s " for the comm, " %16lx" for the ip, symbol, module.
 */
static bool take_one_line_sample(struct perf_script *script, const char *at, size_t size)
{
	enum {
		COMM_WIDTH = 16,
		IP_END = 34,
		IP_ALONE_END = 17
	};
	struct task task = {TASK_ID_NONE, TASK_ID_NONE, NAME_NONE};
	struct perf_script_frame frame;
	const char *comm = at;
	size_t skip = 0;

	if (script->has_headers || size < IP_ALONE_END || at[0] != ' ')
		return false;
	if (size >= IP_END && (size == IP_END || at[IP_END] == ' ') && at[IP_END - 1] != ' ')
		skip = COMM_WIDTH + 1;
	if (!perf_script_frame(at + skip, size - skip, &frame))
		return false;
	while (comm < at + skip && *comm == ' ')
		comm++;
	for (const char *end = at + skip; end > comm; end--) {
		if (end[-1] == ' ')
			continue;
		task.comm = perf_script_frames_name(script->capture,
						    (struct span){comm, (size_t)(end - comm)});
		break;
	}
	begin(script);
	script->sample.event = event_of(script, (struct span){NULL, 0});
	script->sample.task = tasks_add(&script->capture->tasks, &task);
	script->header_leaf = perf_script_frames_locate(&script->frames, &frame);
	return true;
}

static void set_pending(struct perf_script *script, const char *at, size_t size)
{
	drop_pending(script);
	text_add_bytes(&script->pending, at, size);
	script->pending_offset = reader_offset(script->reader, at);
}

/* A line that is no header, no frame with a tab and no comment. */
static struct error *odd_line(struct perf_script *script, const char *at, size_t size)
{
	struct perf_script_frame frame;

	if (script->state == IN_SAMPLE && perf_script_frame(at, size, &frame) &&
	    (frame.has_symbol_column || frame.module.at || !script->frames.has_symbols)) {
		frame_line(script, at, size);
		return NULL;
	}
	if (script->state == IN_SAMPLE && at[0] == ' ') {
		if (size > 2 && at[1] == ' ' && at[2] != ' ') {
			perf_script_frames_source(&script->frames, &script->header_leaf, at, size);
			return NULL;
		}
		/* registers, branches, instruction length: the last line of its sample */
		return script->frames.nr ? flush(script) : NULL;
	}
	if (perf_script_is_message(at, size)) {
		note(script, NOTE_MESSAGE);
		return NULL;
	}
	if (script->state == IN_SAMPLE) {
		note(script, NOTE_UNRECOGNISED_LINE);
		return NULL;
	}
	if (take_one_line_sample(script, at, size))
		return flush(script);
	set_pending(script, at, size);
	return NULL;
}

/* In a sample a line that begins as a frame and has no time is one, whatever its name holds. */
static bool is_frame_without_tab(struct perf_script *script, const char *at, size_t size,
				 const struct perf_script_header *header)
{
	struct perf_script_frame frame;

	return script->state == IN_SAMPLE && !header->has_time && at[size - 1] == ')' &&
	       perf_script_frame(at, size, &frame) && frame.module.at;
}

static struct error *plain_line(struct perf_script *script, const char *at, size_t size)
{
	struct perf_script_header header;
	struct error *err;

	if (!perf_script_header(at, size, &header) ||
	    is_frame_without_tab(script, at, size, &header))
		return odd_line(script, at, size);
	drop_pending(script);
	script->has_headers = true;
	if (header.kind == HEADER_RECORD)
		return take_record(script, &header);
	err = flush(script);
	if (!err)
		take_header(script, &header);
	return err;
}

static bool is_only_blanks(const char *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (at[i] != ' ' && at[i] != '\t')
			return false;
	return true;
}

static struct error *take_line(struct perf_script *script, const char *at, size_t size)
{
	struct perf_script_header header;

	if (size && at[size - 1] == '\r')
		size--;
	if (size && at[0] == '\t') {
		frame_line(script, at, size);
		if (script->state == IN_SAMPLE)
			take_block(script);
		return NULL;
	}
	if (is_only_blanks(at, size)) {
		drop_pending(script);
		return flush(script);
	}
	/* "# hostname : x" is a comment, "#1 4711 1.000000: ..." a thread called #1 */
	if (at[0] == '#' && (size < 2 || at[1] == ' ' || !perf_script_header(at, size, &header))) {
		take_comment(script, at, size);
		return NULL;
	}
	return plain_line(script, at, size);
}

static struct error *read_lines(struct perf_script *script)
{
	for (;;) {
		struct error *err;
		size_t size;
		char *at;

		/* so that a sample's lines lie in the buffer together */
		if (script->state != IN_SAMPLE)
			err = reader_have(script->reader, SAMPLE_SIZE);
		else
			err = NULL;
		if (!err)
			err = reader_line(script->reader, &at, &size);
		if (err)
			return err;
		if (!at)
			break;
		script->line = at;
		script->line_nr++;
		err = take_line(script, at, size);
		if (err)
			return err;
	}
	script->line = script->reader->buf;
	drop_pending(script);
	return flush(script);
}

static struct error *read_perf_script(struct reader *reader, struct capture *capture,
				      struct sink *sink)
{
	struct perf_script script = {
		.reader = reader,
		.capture = capture,
		.sink = sink,
		.frames = {.capture = capture},
	};
	struct error *err = read_lines(&script);

	perf_script_clock_tell(capture);
	perf_script_frames_release(&script.frames);
	text_release(&script.pending);
	perf_script_block_release(&script.block);
	return err;
}

const struct importer importer_perf_script = {
	.name = "perf-script",
	.summary = "the text that 'perf script' prints",
	.default_by = TALLY_BY_COMM,
	.sniff = perf_script_sniff,
	.read = read_perf_script,
};
