/* importers.c - the table of input formats */
#include "importers/importer.h"

#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "importers/csv.h"
#include "importers/folded.h"
#include "importers/known.h"
#include "importers/openmetrics.h"
#include "importers/perf_data/perf_data.h"
#include "importers/perf_script.h"
#include "importers/perf_stat.h"
#include "importers/pidstat.h"
#include "importers/proc_log.h"
#include "importers/prometheus.h"
#include "importers/sadf.h"
#include "importers/vmstat.h"

const struct importer *const importers[] = {
	/* clang-format off */
	&importer_perf_data,
	&importer_prometheus,
	&importer_openmetrics,
	&importer_sadf,
	&importer_vmstat,
	&importer_pidstat,
	&importer_proc_log,
	&importer_perf_stat,
	&importer_perf_script,
	&importer_csv,
	&importer_folded,
	&importer_folded_diff,
	NULL,
	/* clang-format on */
};

const struct importer *importers_find(const char *name)
{
	for (const struct importer *const *at = importers; *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;
	return NULL;
}

/* Files that people try and that are no stacks, known by their first bytes. */
static const struct {
	const char *begin;
	size_t size;
	const char *what;
	const char *hint;
} others[] = {
	{"SQLite format 3", 16, "a profile or another SQLite file, which is read from a file only",
	 NULL},
	{"\177ELF", 4, "a program or library, not a capture of one", NULL},
	{"<svg", 4, "a picture already", NULL},
	{"<?xml", 5, "an XML file, no stacks", NULL},
	{"\x89PNG", 4, "a picture, not a capture", NULL},
};

static struct error *unknown_format(const struct reader *reader)
{
	const char *at = reader->buf + reader->begin;
	size_t size = reader->end - reader->begin;
	struct error *err;

	for (size_t i = 0; i < ARRAY_NR(others); i++) {
		if (size < others[i].size || memcmp(at, others[i].begin, others[i].size) != 0)
			continue;
		err = error_new(ERROR_INPUT, "'%s' is %s", reader->name, others[i].what);
		if (!others[i].hint)
			return err;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		return error_hint(err, others[i].hint, reader->name);
#pragma GCC diagnostic pop
	}
	if (memchr(at, '\0', size))
		err = error_new(ERROR_INPUT,
				"'%s' is a binary file, expected perf script text or folded stacks",
				reader->name);
	else
		err = error_new(ERROR_INPUT,
				"%s: line 1: expected perf script text or folded stacks "
				"('main;read_all;read 12'), found neither in the first %zu bytes",
				reader->name, size);
	return error_hint(err, "force it with --input-format=perf-script or --input-format=folded");
}

struct error *importers_sniff(struct reader *reader, const struct importer **ret)
{
	struct error *err = reader_fill(reader, IMPORTER_SNIFF_SIZE);
	const char *known, *hint;

	if (err)
		return err;
	if (reader->begin == reader->end && reader_damage(reader))
		return error_new(ERROR_INPUT, "'%s': %s, nothing could be read", reader->name,
				 reader_damage(reader));
	if (reader->begin == reader->end)
		return error_hint(error_new(ERROR_INPUT, "'%s' is empty", reader->name),
				  "look at what the command that made it printed on stderr");
	known = known_not_read(reader->buf + reader->begin, reader->end - reader->begin, &hint);
	if (known)
		return error_hint(error_new(ERROR_INPUT, "'%s' is %s, which is not read",
					    reader->name, known),
				  "%s", hint);
	for (const struct importer *const *at = importers; *at; at++) {
		if ((*at)->sniff(reader->buf + reader->begin, reader->end - reader->begin)) {
			*ret = *at;
			return NULL;
		}
	}
	return unknown_format(reader);
}
