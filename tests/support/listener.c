/* listener.c - a sink that keeps every sample it hears, and shows them as lines of text */
#include "tests/support/listener.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "tests/support/input.h"

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	struct listener *listener = (struct listener *)sink;

	if (listener->fail_after && listener->nr == listener->fail_after)
		return error_new(ERROR_LIMIT, "the listener has had enough");
	GROW(listener->list, listener->nr + 1, listener->alloc);
	listener->list[listener->nr++] = *sample;
	return NULL;
}

void listener_init(struct listener *listener)
{
	*listener = (struct listener){.sink = {.sample = on_sample}};
}

void listener_release(struct listener *listener)
{
	free(listener->list);
	*listener = (struct listener){0};
}

static void add_id(struct text *text, int32_t id)
{
	if (id == TASK_ID_NONE)
		text_add_char(text, '-');
	else
		text_addf(text, "%" PRId32, id);
}

static void add_name(struct text *text, const struct capture *capture, uint32_t name)
{
	text_add(text, name == NAME_NONE ? "-" : names_get(&capture->names, name)->bytes);
}

static void add_frame(struct text *text, const struct capture *capture, uint32_t id)
{
	const struct location *location = locations_get(&capture->locations, id);
	const struct module *module =
		location->module == MODULE_NONE ? NULL : &capture->modules.list[location->module];

	if (location->name != NAME_NONE)
		add_name(text, capture, location->name);
	else
		text_addf(text, "[%s]",
			  module ? names_get(&capture->names, module->basename)->bytes : "?");
	if (module && module->origin == ORIGIN_JIT)
		text_add(text, "{jit}");
	if (location->flags & LOCATION_INLINED)
		text_add_char(text, '~');
	if (location->line != NAME_NONE)
		text_addf(text, " %s", names_get(&capture->names, location->line)->bytes);
}

static void show_frames(const struct sample *sample, const struct capture *capture,
			struct text *text)
{
	uint32_t nr = stacks_depth(&capture->stacks, sample->callers);

	for (uint32_t i = 0; i < nr; i++) {
		add_frame(text, capture, stacks_ids(&capture->stacks, sample->callers)[i]);
		text_add_char(text, ';');
	}
	if (sample->leaf == LOCATION_NONE)
		text_add_char(text, '-');
	else
		add_frame(text, capture, sample->leaf);
}

static void show(const struct sample *sample, const struct capture *capture, struct text *text)
{
	static const struct task nobody = {TASK_ID_NONE, TASK_ID_NONE, NAME_NONE};
	const struct task *task =
		sample->task == TASK_NONE ? &nobody : &capture->tasks.list[sample->task];

	add_name(text, capture, task->comm);
	text_add_char(text, '|');
	add_id(text, task->pid);
	text_add_char(text, '/');
	add_id(text, task->tid);
	text_add_char(text, '|');
	add_id(text, sample->cpu == CPU_NONE ? TASK_ID_NONE : sample->cpu);
	text_add_char(text, '|');
	if (sample->flags & SAMPLE_HAS_TIME)
		units_add_seconds(text, sample->time_ns);
	else
		text_add_char(text, '-');
	text_add_char(text, '|');
	add_name(text, capture, capture->events.list[sample->event].name);
	text_add_char(text, '|');
	weight_add(text, sample->count);
	text_add_char(text, '|');
	weight_add(text, sample->period);
	text_add_char(text, '|');
	show_frames(sample, capture, text);
	text_add_char(text, '\n');
}

void listener_show(const struct listener *listener, const struct capture *capture,
		   struct text *text)
{
	for (size_t i = 0; i < listener->nr; i++)
		show(&listener->list[i], capture, text);
}

void listener_show_notes(const struct capture *capture, struct text *text)
{
	for (int i = 0; i < NOTE_NR; i++) {
		const struct note *note = &capture->notes.list[i];

		if (note->count)
			text_addf(text, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", notes_word(i),
				  note->count, note->first_line, note->first_byte);
	}
}

void listener_hear(struct listener *listener, const struct importer *importer, const void *at,
		   size_t size, struct capture *capture)
{
	struct reader *reader = input_open(at, size);
	struct error *err = importer->read(reader, capture, &listener->sink);

	reader_close(reader);
	if (!err)
		return;
	fprintf(stderr, "reading failed: %s\n", error_text(err));
	exit(99);
}
