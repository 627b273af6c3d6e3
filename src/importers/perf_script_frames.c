/* perf_script_frames.c - the frames of a perf script sample as locations */
#include "importers/perf_script_frames.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"

void perf_script_frames_release(struct perf_script_frames *frames)
{
	free(frames->list);
	free(frames->order);
	memo_release(&frames->leaf_memo);
	memo_release(&frames->caller_memo);
	memo_release(&frames->symbol_memo);
	*frames = (struct perf_script_frames){.capture = frames->capture};
}

uint32_t perf_script_frames_name(struct capture *capture, struct span span)
{
	return span.size ? names_add(&capture->names, span.at, span.size) : NAME_NONE;
}

static void push(struct perf_script_frames *frames, uint32_t location)
{
	GROW(frames->list, frames->nr + 1, frames->alloc);
	frames->list[frames->nr++] = location;
}

uint32_t perf_script_frames_callers(struct perf_script_frames *frames, bool *ret_is_deep)
{
	size_t nr = frames->nr ? frames->nr - 1 : 0;

	*ret_is_deep = nr > STACK_FRAMES_MAX;
	if (*ret_is_deep)
		nr = STACK_FRAMES_MAX;
	GROW(frames->order, nr, frames->order_alloc);
	for (size_t i = 0; i < nr; i++)
		frames->order[i] = frames->list[nr - i];
	return stacks_add(&frames->capture->stacks, frames->order, (uint32_t)nr);
}

static uint32_t module_of(struct perf_script_frames *frames, struct span span)
{
	struct capture *capture = frames->capture;

	if (!span.size)
		return MODULE_NONE;
	return modules_add(&capture->modules, &capture->names,
			   perf_script_frames_name(capture, span));
}

/* One fingerprint of symbol, module and flags. */
static struct memo_key symbol_key(struct span symbol, struct span module, uint32_t flags)
{
	struct memo_key key = memo_key(symbol.at, symbol.size);
	struct memo_key more = memo_key(module.at, module.size);

	key.high += 3 * more.high + flags;
	key.low = (key.low << 1 | key.low >> 63) ^ more.low;
	return key;
}

/*
 * A line that no memo knows is a new location, too, so it is not looked for; but most such
 * lines are another address of a symbol that is known.
 */
static uint32_t locate(struct perf_script_frames *frames, const struct perf_script_frame *frame,
		       struct span symbol, uint32_t flags)
{
	struct capture *capture = frames->capture;
	struct memo_key key = symbol_key(symbol, frame->module, flags);
	uint32_t known = memo_find(&frames->symbol_memo, key);
	struct location location = {
		.address = frame->address,
		.line = NAME_NONE,
		.flags = LOCATION_HAS_ADDRESS | flags,
	};

	if (known != MEMO_NONE)
		return locations_append(&capture->locations, known, frame->address);
	location.name = perf_script_frames_name(capture, symbol);
	location.module = module_of(frames, frame->module);
	known = locations_add(&capture->locations, &location);
	memo_add(&frames->symbol_memo, key, locations_symbol(&capture->locations, known));
	return known;
}

uint32_t perf_script_frames_locate(struct perf_script_frames *frames,
				   const struct perf_script_frame *frame)
{
	return locate(frames, frame, frame->symbol, 0);
}

/* The first "->" of a name. Few names have a '-', so that this is all the work for most. */
static const char *find_arrow(struct span name)
{
	const char *at = name.at, *end = name.at + name.size;

	while (at < end && (at = memchr(at, '-', (size_t)(end - at)))) {
		if (at + 1 < end && at[1] == '>')
			return at;
		at++;
	}
	return NULL;
}

/*
 * perf-map-agent writes a chain of inlined methods into one name, outermost first:
 * "A->B->C". Elsewhere an arrow is part of a name (operator->, Rust's fn types).
 */
static bool push_jit_chain(struct perf_script_frames *frames, const struct perf_script_frame *frame)
{
	struct span rest = frame->symbol;
	const char *arrow = find_arrow(rest);
	uint32_t module, flags = 0;
	size_t first = frames->nr;

	if (!arrow || !frame->module.size)
		return false;
	module = module_of(frames, frame->module);
	if (frames->capture->modules.list[module].origin != ORIGIN_JIT)
		return false;
	while (arrow) {
		struct span part = {rest.at, (size_t)(arrow - rest.at)};

		if (part.size)
			push(frames, locate(frames, frame, part, flags));
		flags = LOCATION_INLINED;
		rest.size -= part.size + 2;
		rest.at = arrow + 2;
		arrow = find_arrow(rest);
	}
	if (rest.size)
		push(frames, locate(frames, frame, rest, flags));
	/* frames stand leaf first */
	for (size_t i = first, j = frames->nr; i + 1 < j--; i++) {
		uint32_t swap = frames->list[i];

		frames->list[i] = frames->list[j];
		frames->list[j] = swap;
	}
	return frames->nr > first;
}

void perf_script_frames_give_module(struct perf_script_frames *frames, uint32_t module)
{
	struct locations *locations = &frames->capture->locations;
	size_t end = frames->nr - 1;

	for (size_t i = end - frames->inlined_nr; i < end; i++) {
		struct location location = *locations_get(locations, frames->list[i]);

		location.module = module;
		frames->list[i] = locations_add(locations, &location);
	}
	frames->inlined_nr = 0;
}

void perf_script_frames_add(struct perf_script_frames *frames,
			    const struct perf_script_frame *frame, struct memo *memo,
			    struct memo_key key)
{
	uint32_t value;

	frames->has_symbols |= frame->has_symbol_column;
	if (push_jit_chain(frames, frame)) {
		frames->inlined_nr = 0;
		return;
	}
	value = locate(frames, frame, frame->symbol, frame->is_inlined ? LOCATION_INLINED : 0);
	if (frame->is_inlined)
		value |= MEMO_INLINED;
	memo_add(memo, key, value);
	perf_script_frames_push(frames, value);
}

void perf_script_frames_source(struct perf_script_frames *frames, uint32_t *leaf, const char *at,
			       size_t size)
{
	static const char inlined[] = " (inlined)";
	struct locations *locations = &frames->capture->locations;
	uint32_t *frame = frames->nr ? &frames->list[frames->nr - 1] : leaf;
	CLEANUP(text_release) struct text line = TEXT_INIT;
	struct location location;
	bool is_inlined;

	if (*frame == LOCATION_NONE)
		return;
	while (size && *at == ' ') {
		at++;
		size--;
	}
	is_inlined = size > strlen(inlined) &&
		     memcmp(at + size - strlen(inlined), inlined, strlen(inlined)) == 0;
	if (is_inlined)
		size -= strlen(inlined);
	for (size_t i = 0, depth = 0; i < size; i++) {
		depth += at[i] == '[';
		if (!depth)
			text_add_char(&line, at[i]);
		depth -= at[i] == ']' && depth;
	}
	location = *locations_get(locations, *frame);
	location.line = perf_script_frames_name(frames->capture,
						(struct span){text_string(&line), line.size});
	if (is_inlined)
		location.flags |= LOCATION_INLINED;
	*frame = locations_add(locations, &location);
}
