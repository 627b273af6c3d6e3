/* perf_data_heard.c - what the perf.data importer says of a built file, as lines */
#include "tests/test.h"

#include "tests/support/perf_data_heard.h"

#include <inttypes.h>

#include "base/mem.h"
#include "importers/importer.h"
#include "importers/perf_data/perf_data.h"
#include "tests/support/perf_data_builder.h"

static void add_frame(const struct capture *capture, uint32_t id, struct text *text)
{
	const struct location *location = locations_get(&capture->locations, id);

	text_addf(text, " %s+%" PRIx64,
		  location->module == MODULE_NONE
			  ? "?"
			  : names_get(&capture->names, capture->modules.list[location->module].path)
				    ->bytes,
		  location->address);
	if (location->name != NAME_NONE)
		text_addf(text, "(%s)", names_get(&capture->names, location->name)->bytes);
}

static void add_line(const struct capture *capture, const struct sample *sample, struct text *text)
{
	const struct task *task =
		sample->task == TASK_NONE ? NULL : &capture->tasks.list[sample->task];

	if (sample->flags & SAMPLE_HAS_TIME)
		text_addf(text, "%" PRIu64, sample->time_ns);
	else
		text_add_char(text, '-');
	if (task)
		text_addf(text, " %s %d/%d", names_get(&capture->names, task->comm)->bytes,
			  task->pid, task->tid);
	text_addf(text, " %s ",
		  names_get(&capture->names, capture->events.list[sample->event].name)->bytes);
	weight_add(text, sample->period);
	if (sample->leaf != LOCATION_NONE)
		add_frame(capture, sample->leaf, text);
	for (uint32_t i = stacks_depth(&capture->stacks, sample->callers); i--;)
		add_frame(capture, stacks_ids(&capture->stacks, sample->callers)[i], text);
	text_add_char(text, '\n');
}

void heard_release(struct heard *heard)
{
	capture_release(&heard->capture);
	listener_release(&heard->listener);
	text_release(&heard->lines);
}

void heard_add_lines(struct heard *heard)
{
	for (size_t i = 0; i < heard->listener.nr; i++)
		add_line(&heard->capture, &heard->listener.list[i], &heard->lines);
}

void heard_file(struct heard *heard, const struct text *file)
{
	*heard = (struct heard){0};
	listener_init(&heard->listener);
	listener_hear(&heard->listener, &importer_perf_data, file->bytes, file->size,
		      &heard->capture);
	heard_add_lines(heard);
}

void heard_built(struct heard *heard, const struct builder *builder)
{
	CLEANUP(text_release) struct text file = TEXT_INIT;

	builder_finish(builder, &file);
	heard_file(heard, &file);
}

void heard_expect(const struct builder *builder, const char *expected)
{
	CLEANUP(heard_release) struct heard heard;

	heard_built(&heard, builder);
	assert_string_equal(text_string(&heard.lines), expected);
}

void heard_expect_notes(const struct builder *builder, const char *expected)
{
	CLEANUP(heard_release) struct heard heard;
	CLEANUP(text_release) struct text notes = TEXT_INIT;

	heard_built(&heard, builder);
	listener_show_notes(&heard.capture, &notes);
	assert_string_equal(text_string(&notes), expected);
}
