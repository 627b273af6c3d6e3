/* reading.c - a capture read by its importer, for every command that reads one */
#include "commands/reading.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/progress.h"
#include "base/reader.h"
#include "base/text.h"
#include "commands/dumps.h"
#include "importers/importer.h"
#include "model/capture.h"
#include "model/sink.h"

static struct error *unknown_format(const char *format)
{
	CLEANUP(text_release) struct text there = TEXT_INIT;

	for (size_t i = 0; importers[i]; i++)
		text_addf(&there, "%s%s", i ? ", " : "", importers[i]->name);
	return error_new(ERROR_USAGE, "--input-format takes one of %s, not '%s'",
			 text_string(&there), format);
}

struct error *reading_choose(struct reader *reader, const char *format, const struct importer **ret)
{
	struct error *err;

	if (!format)
		return importers_sniff(reader, ret);
	*ret = importers_find(format);
	if (!*ret)
		return unknown_format(format);
	err = reader_fill(reader, 1);
	if (!err && reader->begin == reader->end)
		err = error_new(ERROR_INPUT, "'%s' is empty", reader->name);
	return err;
}

/* ---- the first samples once more, for files without a build ID */

struct trying {
	struct sink sink;
	struct reader *reader;
	const struct importer *importer;
	const struct trial *trial;
};

/* An error ends the reading. */
static struct error *until_over(struct sink *sink, const struct sample *sample)
{
	const struct trying *trying = (const struct trying *)sink;

	(void)sample;
	return trial_is_over(trying->trial) ? error_new(ERROR_LIMIT, "the trial is over") : NULL;
}

static void say_again(void *context, struct unwinder *unwinder, const struct trial *trial)
{
	struct trying *trying = context;
	struct capture capture = {.unwinder = unwinder, .format = trying->importer->name};
	struct reader *again = NULL;
	struct error *err = reader_open_again(trying->reader, &again);

	trying->sink.sample = until_over;
	trying->trial = trial;
	if (!err)
		err = trying->importer->read(again, &capture, &trying->sink);
	error_free(err);
	reader_close(again);
	capture_release(&capture);
}

struct error *reading_run(struct reader *reader, const struct importer *importer,
			  struct symbols_files *files, bool is_quiet, struct capture *capture,
			  struct sink *sink)
{
	struct trying trying = {.reader = reader, .importer = importer};
	CLEANUP(dumps_close) struct dumps dumps = {.source = {say_again, &trying}};
	struct error *err = NULL;

	if (importer->has_dumps)
		err = dumps_open(files, &dumps);
	if (err)
		return err;
	capture->format = importer->name;
	capture->unwinder = dumps.unwinder;
	reader->progress = progress_new(reader->name, !is_quiet);
	err = importer->read(reader, capture, sink);
	capture->unwinder = NULL;
	dumps_tell_refuted(&dumps.trial, capture);
	progress_free(reader->progress);
	reader->progress = NULL;
	if (!err && reader_damage(reader))
		notes_add(&capture->notes, NOTE_DAMAGED_COMPRESSION, 1, 0,
			  reader_offset(reader, reader->buf + reader->end));
	return err;
}

struct error *reading_check(const char *name, const struct capture *capture)
{
	static const enum note_code damages[] = {
		NOTE_DAMAGED_COMPRESSION,
		NOTE_UNRECOGNISED_LINE,
		NOTE_INVALID_COUNT,
		NOTE_ORPHAN_STACK,
		NOTE_KILLED,
		NOTE_MISSING_BYTES,
		NOTE_BROKEN_RECORDS,
		NOTE_LOST_BYTES,
		NOTE_BAD_BLOCK,
		NOTE_UNDELIVERED_BYTES,
		NOTE_DAMAGED_FEATURE,
		NOTE_SHORT_SAMPLE,
		NOTE_UNKNOWN_EVENT,
		NOTE_UNKNOWN_VALUE,
		NOTE_REFUSED_MAPS,
	};

	for (size_t i = 0; i < ARRAY_NR(damages); i++) {
		const struct note *note = &capture->notes.list[damages[i]];

		if (!note->count)
			continue;
		if (!note->first_line)
			return error_new(ERROR_INPUT,
					 "%s: byte 0x%" PRIx64 ": %" PRIu64 " %s (--strict)", name,
					 note->first_byte, note->count,
					 notes_text(damages[i], note->count));
		return error_new(ERROR_INPUT, "%s: line %" PRIu64 ": %" PRIu64 " %s (--strict)",
				 name, note->first_line, note->count,
				 notes_text(damages[i], note->count));
	}
	return NULL;
}

void reading_tell_notes(const char *name, const struct capture *capture)
{
	const struct notes *notes = &capture->notes;

	for (int i = 0; i < NOTE_NR; i++) {
		const struct note *note = &notes->list[i];

		if (!note->count)
			continue;
		fprintf(stderr, "%s: note: %" PRIu64 " %s", name, note->count,
			notes_text(i, note->count));
		if (note->first_line)
			fprintf(stderr, "; the first is line %" PRIu64, note->first_line);
		fputc('\n', stderr);
	}
}
