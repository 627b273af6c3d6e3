/* stored.c - captures read from text, kept in a profile of a folder of its own, and said again */
#include "tests/support/stored.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/reader.h"
#include "importers/importer.h"
#include "model/select.h"
#include "store/captures.h"
#include "store/store.h"
#include "store/write.h"
#include "tests/support/input.h"

static void stop(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(99);
}

static void must(struct error *err)
{
	if (err)
		stop("failed", error_text(err));
}

void stored_init(struct stored *stored)
{
	*stored = (struct stored){.folder = "stored-XXXXXX"};
	if (!mkdtemp(stored->folder))
		stop("mkdtemp", stored->folder);
	snprintf(stored->path, sizeof(stored->path), "%s/run.tephra", stored->folder);
}

static void close_store(struct stored *stored)
{
	store_close(stored->store);
	stored->store = NULL;
}

void stored_release(struct stored *stored)
{
	close_store(stored);
	unlink(stored->path);
	if (rmdir(stored->folder) < 0)
		stop("something was left in", stored->folder);
}

void stored_hear(const char *text, struct capture *capture, struct listener *listener)
{
	static const struct selection everything = {.all_events = true};
	struct reader *reader = input_open_string(text);
	const struct importer *importer;
	struct select select;

	*capture = (struct capture){0};
	listener_init(listener);
	must(importers_sniff(reader, &importer));
	capture->format = importer->name;
	select_init(&select, capture, &everything, &listener->sink);
	must(importer->read(reader, capture, &select.sink));
	select_release(&select);
	reader_close(reader);
}

void stored_add(struct stored *stored, const char *name, struct capture *capture,
		const struct listener *listener)
{
	const char *const facts[] = {"build=42", "load=a=b"};
	const struct store_about about = {
		.name = name, .sha256 = name, .size_bytes = 7, .facts = facts, .facts_nr = 2};
	struct store_writer *writer;
	struct store *store;

	close_store(stored);
	if (access(stored->path, F_OK) == 0)
		must(store_change(stored->path, &store));
	else
		must(store_create(stored->path, &store));
	must(store_write_begin(store, capture, &writer));
	for (size_t i = 0; i < listener->nr; i++)
		must(sink_sample(store_write_sink(writer), &listener->list[i]));
	must(store_write_end(writer, &about, NULL));
	must(store_commit(store));
	store_close(store);
}

void stored_add_text(struct stored *stored, const char *name, const char *text)
{
	struct listener listener;
	struct capture capture;

	stored_hear(text, &capture, &listener);
	stored_add(stored, name, &capture, &listener);
	listener_release(&listener);
	capture_release(&capture);
}

static struct store *open_store(struct stored *stored)
{
	if (!stored->store)
		must(store_open(stored->path, &stored->store));
	return stored->store;
}

void stored_replay(struct stored *stored, size_t nth, const struct replay_options *options,
		   struct capture *model, struct listener *listener, struct replay_count *ret)
{
	struct store_captures captures;

	*model = (struct capture){0};
	listener_init(listener);
	must(store_captures(open_store(stored), &captures));
	if (nth >= captures.nr)
		stop("there is no such capture", stored->path);
	must(store_replay(stored->store, &captures.list[nth], options, model, &listener->sink,
			  ret));
	store_captures_release(&captures);
}

char *stored_text(struct stored *stored, const char *sql)
{
	sqlite3 *db = open_store(stored)->db;
	sqlite3_stmt *row;
	char *text;

	if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
		stop(sql, sqlite3_errmsg(db));
	if (sqlite3_step(row) != SQLITE_ROW)
		stop(sql, "no row");
	text = (char *)sqlite3_column_text(row, 0);
	text = mem_strdup(text ? text : "NULL");
	sqlite3_finalize(row);
	return text;
}

int64_t stored_number(struct stored *stored, const char *sql)
{
	char *text = stored_text(stored, sql);
	int64_t number = strtoll(text, NULL, 10);

	free(text);
	return number;
}

void stored_change(struct stored *stored, const char *sql)
{
	char *why = NULL;
	sqlite3 *db;

	close_store(stored);
	if (sqlite3_open(stored->path, &db) != SQLITE_OK ||
	    sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		stop(sql, why ? why : sqlite3_errmsg(db));
	sqlite3_close(db);
}
