/* feed_counters.c - what fuzz targets of counter files do with their bytes */
#include "tests/fuzz/feed_counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "model/capture.h"
#include "model/counter_options.h"
#include "model/select.h"
#include "store/point_block.h"
#include "tests/support/input.h"

struct hearing {
	struct sink sink;
	struct capture *capture;
	uint64_t *lasts; /* owned; per series, the end of its last point + 1 */
	size_t nr, alloc;
	struct text block;
};

static void must(bool is_true, const char *what)
{
	if (is_true)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static struct error *on_sample(struct sink *sink, const struct sample *sample)
{
	(void)sink;
	(void)sample;
	must(false, "a counter file has a sample");
	return NULL;
}

/* As the store writes and reads it. */
static void keep(struct hearing *hearing, const struct point *point)
{
	struct point read;
	const char *at;

	text_clear(&hearing->block);
	point_block_add(&hearing->block, point);
	point_block_end(&hearing->block);
	at = text_string(&hearing->block);
	must(point_block_begin(&at) &&
		     point_block_next(&at, point->end_ns, &read) == POINT_BLOCK_POINT,
	     "a point cannot be read again");
	must(read.begin_ns == point->begin_ns && read.state == point->state,
	     "a point is another one when it is read again");
	must(!point_has_value(point) || (read.value.digits == point->value.digits &&
					 read.value.scale == point->value.scale),
	     "a value is another one when it is read again");
}

static struct error *on_point(struct sink *sink, uint32_t series, const struct point *point)
{
	struct hearing *hearing = (struct hearing *)sink;

	must(series < hearing->capture->series.nr, "a point is of no series");
	GROW(hearing->lasts, (size_t)series + 1, hearing->alloc);
	while (hearing->nr <= series)
		hearing->lasts[hearing->nr++] = 0;
	must(point->begin_ns <= point->end_ns && point->end_ns <= INT64_MAX,
	     "a point ends before it begins");
	must(point->end_ns + 1 > hearing->lasts[series], "points are not in the order of time");
	hearing->lasts[series] = point->end_ns + 1;
	keep(hearing, point);
	return NULL;
}

static void hear(const struct importer *importer, const uint8_t *at, size_t size, bool keeps_going)
{
	const struct counter_options options = {.keeps_going = keeps_going};
	const struct selection everything = {.all_events = true};
	struct capture capture = {.counter_options = &options};
	struct hearing hearing = {
		.sink = {.sample = on_sample, .point = on_point},
		.capture = &capture,
	};
	struct reader *reader;
	struct select select;
	char *why = input_try_open(at, size, &reader);

	if (why) {
		free(why);
		return;
	}
	importer->sniff((const char *)at, size);
	select_init(&select, &capture, &everything, &hearing.sink);
	error_free(importer->read(reader, &capture, &select.sink));
	select_release(&select);
	reader_close(reader);
	capture_release(&capture);
	free(hearing.lasts);
	text_release(&hearing.block);
}

int feed_counters(const struct importer *importer, const uint8_t *at, size_t size)
{
	hear(importer, at, size, false);
	hear(importer, at, size, true);
	return 0;
}
