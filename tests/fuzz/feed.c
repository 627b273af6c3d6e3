/* feed.c - what all fuzz targets do with their bytes */
#include "tests/fuzz/feed.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/calltree.h"
#include "analysis/naming.h"
#include "analysis/paths.h"
#include "analysis/transform.h"
#include "base/mem.h"
#include "base/reader.h"
#include "importers/importer.h"
#include "model/capture.h"
#include "model/tally.h"
#include "tests/support/input.h"

static void must(bool is_true, const char *what)
{
	if (is_true)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static weight tallied(const struct tally *tally, uint32_t event)
{
	weight sum = 0;

	for (uint32_t i = 0; i < tally->nr; i++)
		if (tally->list[i].key.event == event)
			sum += tally->list[i].count;
	return sum;
}

/* Every weight of the tally is in the tree of its event. */
static void analyse(struct capture *capture, const struct tally *tally)
{
	const struct naming_options options = {
		.tidy = NAMING_TIDY_HASHES,
		.flags = NAMING_SOURCE_LINES | NAMING_ANNOTATE_KERNEL | NAMING_ANNOTATE_INLINED,
	};
	struct naming naming;

	naming_init(&naming, capture, &options);
	for (uint32_t event = 0; event < capture->events.nr; event++) {
		struct paths paths;
		struct calltree tree;

		paths_build(&paths, tally, &naming, event, &(struct path_filter){0});
		calltree_build(&tree, &paths, &(struct calltree_options){.counts_samples = true});
		must(paths.count == tallied(tally, event), "the paths lose a sample");
		must(tree.total == paths.count, "the tree loses a sample");
		calltree_release(&tree);
		transform_paths(&paths, &(struct transforms){
						.recursion = TRANSFORM_RECURSION_ALL,
						.has_chains = true,
						.are_modules = event % 2,
					});
		must(paths.count == tallied(tally, event), "a transform loses a sample");
		paths_release(&paths);
	}
	naming_release(&naming);
}

int feed(const struct importer *importer, const uint8_t *at, size_t size)
{
	struct reader *reader = NULL;
	struct capture capture = {0};
	struct tally tally;
	char *failure = input_try_open(at, size, &reader);
	struct error *err;

	if (failure) {
		free(failure);
		return 0;
	}
	importer->sniff((const char *)at, size);
	tally_init(&tally, &capture, &(struct tally_options){.by = TALLY_BY_THREAD});
	err = importer->read(reader, &capture, &tally.sink);
	must(!err || error_text(err)[0], "an error says nothing");
	error_free(err);
	analyse(&capture, &tally);
	tally_release(&tally);
	capture_release(&capture);
	reader_close(reader);
	return 0;
}
