/* reading.c - a text read, tallied and named: what analysis begins with */
#include "tests/support/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "tests/support/input.h"

void reading_init(struct reading *reading, const struct importer *importer, const char *text,
		  const struct tally_options *tally, const struct naming_options *naming,
		  const struct path_filter *filter)
{
	static const struct tally_options no_tally_options;
	static const struct naming_options no_naming_options;
	static const struct path_filter no_filter;
	struct reader *reader = input_open_string(text);
	struct error *err;

	*reading = (struct reading){0};
	tally_init(&reading->tally, &reading->capture, tally ? tally : &no_tally_options);
	err = importer->read(reader, &reading->capture, &reading->tally.sink);
	reader_close(reader);
	if (err) {
		fprintf(stderr, "%s\n", error_text(err));
		exit(99);
	}
	naming_init(&reading->naming, &reading->capture, naming ? naming : &no_naming_options);
	paths_build(&reading->paths, &reading->tally, &reading->naming, 0,
		    filter ? filter : &no_filter);
}

void reading_release(struct reading *reading)
{
	paths_release(&reading->paths);
	naming_release(&reading->naming);
	tally_release(&reading->tally);
	capture_release(&reading->capture);
}

static void add_stack(const struct reading *reading, uint32_t path, struct text *text)
{
	const struct paths *paths = &reading->paths;
	uint32_t nr = paths_depth(paths, path);

	text_clear(text);
	for (uint32_t i = 0; i < nr; i++) {
		const struct function *function =
			&reading->naming.list[paths_function(paths, path, i)];

		text_addf(text, "%s%s", i ? ";" : "",
			  names_get(&reading->capture.names, function->name)->bytes);
	}
}

static void add_weights(struct text *text, weight count, weight period)
{
	text_add_char(text, ' ');
	weight_add(text, count);
	text_add_char(text, ' ');
	weight_add(text, period);
	text_add_char(text, '\n');
}

/* Paths of the same names stand next to each other. */
void reading_show(const struct reading *reading, struct text *text)
{
	CLEANUP(text_release) struct text stack = TEXT_INIT, next = TEXT_INIT;
	const struct paths *paths = &reading->paths;
	uint32_t *sorted = paths_sorted(paths);

	for (uint32_t i = 0; i < paths->nr;) {
		weight count = 0, period = 0;

		add_stack(reading, sorted[i], &stack);
		text_add(text, text_string(&stack));
		do {
			count += paths_weight(paths, sorted[i], true);
			period += paths_weight(paths, sorted[i], false);
			if (++i < paths->nr)
				add_stack(reading, sorted[i], &next);
		} while (i < paths->nr && strcmp(text_string(&stack), text_string(&next)) == 0);
		add_weights(text, count, period);
	}
	free(sorted);
}
