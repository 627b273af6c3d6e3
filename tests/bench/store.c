/* store.c - a million made-up events said to the store, and the same rows put into bare SQLite */

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "store/store.h"
#include "store/write.h"
#include "world.h"

#define SAMPLES	   1000000
#define STACKS	   50000
#define TASKS	   200
#define CPUS	   8
#define LOT	   (1 << 18)
#define HOT_SPOTS  6
#define PART_BYTES (UINT64_C(1) << 24)

static void die(const char *what, const char *why)
{
	fprintf(stderr, "store: %s: %s\n", what, why);
	exit(2);
}

static void must(struct error *err)
{
	if (err)
		die("failed", error_text(err));
}

/* ---- the clock: CPU of this process alone, what was prepared beforehand left out */

struct clocks {
	struct timespec cpu, wall;
};

static struct clocks clocks_now(void)
{
	struct clocks now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now.cpu);
	clock_gettime(CLOCK_MONOTONIC, &now.wall);
	return now;
}

static double seconds_between(struct timespec from, struct timespec to)
{
	return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
}

/* CPU and wall seconds, as tests/bench/measure reports them; no memory. */
static void tell(struct clocks begin)
{
	struct clocks end = clocks_now();

	printf("%.6f %.6f 0 0\n", seconds_between(begin.cpu, end.cpu),
	       seconds_between(begin.wall, end.wall));
}

/* ---- the events */

struct events_made {
	struct capture capture;
	struct sample *samples;
};

/* What a stack is, where it runs, and where its leaf function is. */
struct place {
	uint32_t callers, task;
	const struct function *leaf;
	uint32_t leaf_name, leaf_module;
};

/* Module of a function: a made-up path for each of the world's. */
static uint32_t module_of(struct capture *capture, const struct function *function)
{
	static const char *const paths[MODULES] = {
		[APP] = "/opt/app/bin/server",	       [STDCXX] = "/usr/lib/libstdc++.so.6",
		[ROUTE] = "/opt/app/lib/libroute.so",  [LIBC] = "/usr/lib/libc.so.6",
		[KERNEL] = "[kernel.kallsyms]",	       [JIT] = "/tmp/perf-4711.map",
		[VENDOR] = "/opt/vendor/libvendor.so",
	};
	uint32_t path = names_add_string(&capture->names, paths[function->module]);

	return modules_add(&capture->modules, &capture->names, path);
}

static uint32_t location_at(struct capture *capture, const struct function *function,
			    uint32_t offset)
{
	struct location location = {
		.address = function->address + offset,
		.name = function->module == VENDOR
				? NAME_NONE
				: names_add_string(&capture->names, function->name),
		.module = module_of(capture, function),
		.line = NAME_NONE,
		.flags = LOCATION_HAS_ADDRESS,
	};

	return locations_add(&capture->locations, &location);
}

/*
 * A task's first stack is drawn by itself; a later one leaves an old one near its end and goes
 * its own way from there, as in folded_chain() of generate.c: so the tree has few branches near
 * the root and many near the leaves, as the trees of real captures have.
 */
static void chain_of(struct chance *chance, const struct world *world, const struct chain *chains,
		     uint32_t nr, struct chain *ret)
{
	uint32_t depth = 18 + chance_below(chance, 8) + chance_below(chance, 8);
	const struct chain *old;

	if (nr < TASKS) {
		chain_draw(chance, world, nr % THREADS, ret);
		ret->thread = nr;
		return;
	}
	old = &chains[chance_below(chance, nr)];
	ret->thread = old->thread;
	ret->nr = old->nr / 2 + chance_below(chance, (old->nr + 1) / 2);
	if (chance_percent(chance, 80) && old->nr > 8)
		ret->nr = old->nr - 1 - chance_below(chance, 5);
	memcpy(ret->sites, old->sites, ret->nr * sizeof(*ret->sites));
	ret->leaf = chain_function(old, ret->nr);
	if (depth > ret->nr)
		chain_walk(chance, world, ret, depth - ret->nr);
}

static void place_make(const struct world *world, struct capture *capture,
		       const struct chain *chain, struct place *ret)
{
	uint32_t ids[CHAIN_MAX];

	for (uint32_t i = 0; i < chain->nr; i++) {
		const struct function *function = &world->functions[chain->sites[i] / SITES];
		uint32_t offset = 1 + chain->sites[i] % SITES * (function->size_bytes / SITES);

		ids[i] = location_at(capture, function, offset);
	}
	ret->callers = stacks_add(&capture->stacks, ids, chain->nr);
	ret->leaf = &world->functions[chain->leaf];
	ret->task = chain->thread;
}

static void tasks_make(struct capture *capture)
{
	for (uint32_t i = 0; i < TASKS; i++) {
		char comm[16];

		snprintf(comm, sizeof(comm), "worker-%" PRIu32, i / 8);
		tasks_add(&capture->tasks,
			  &(struct task){.pid = (int32_t)(1000 + i / 40 * 100),
					 .tid = (int32_t)(1000 + i),
					 .comm = names_add_string(&capture->names, comm)});
	}
}

/* Half of the leaves are at a few instructions, as in generate.c. */
static void sample_draw(struct chance *chance, struct capture *capture, const struct place *place,
			uint64_t time_ns, struct sample *ret)
{
	uint32_t offset = chance_below(chance, place->leaf->size_bytes);
	uint64_t period = 200000 + chance_below(chance, 6000000);

	if (chance_percent(chance, 50))
		offset = (place->leaf->size_bytes / 7 * chance_below(chance, HOT_SPOTS)) | 1;
	*ret = (struct sample){
		.time_ns = time_ns,
		.task = place->task,
		.event = 0,
		.callers = place->callers,
		.leaf = location_at(capture, place->leaf, offset),
		.cpu = (int32_t)chance_below(chance, CPUS),
		.flags = SAMPLE_HAS_TIME,
		.count = WEIGHT_ONE,
		.period = weight_of(period),
	};
}

static struct place *places_make(struct chance *chance, const struct world *world,
				 struct capture *capture)
{
	struct place *places = mem_zalloc(STACKS, sizeof(*places));
	struct chain *chains = mem_zalloc(STACKS, sizeof(*chains));
	struct set seen = set_new(STACKS);

	for (uint32_t i = 0; i < STACKS; i++) {
		do
			chain_of(chance, world, chains, i, &chains[i]);
		while (!set_add(&seen, chain_hash(&chains[i])));
		place_make(world, capture, &chains[i], &places[i]);
	}
	free(seen.slots);
	free(chains);
	return places;
}

/* The n-th stack has a chance of 1/n, as in generate.c: few stacks are most of the samples. */
static void lot_make(uint32_t *lot)
{
	uint64_t sum = 0, so_far = 0;
	uint32_t at = 0;

	for (uint32_t i = 0; i < STACKS; i++)
		sum += (UINT64_C(1) << 32) / (i + 1);
	for (uint32_t i = 0; i < STACKS; i++) {
		so_far += (UINT64_C(1) << 32) / (i + 1);
		for (; at < so_far * LOT / sum; at++)
			lot[at] = i;
	}
}

/* Each stack once, then by lot; each in one task, all of one event. */
static void events_make(struct events_made *ret)
{
	static uint32_t lot[LOT];
	struct chance chance = {.state = 1};
	struct world world = world_make(&chance);
	struct capture *capture = &ret->capture;
	struct place *places;
	uint64_t time_ns = UINT64_C(5210034871000);

	*ret = (struct events_made){0};
	capture->format = "perf-script";
	events_add(&capture->events, &capture->names, names_add_string(&capture->names, "cycles"));
	tasks_make(capture);
	lot_make(lot);
	places = places_make(&chance, &world, capture);
	ret->samples = mem_zalloc(SAMPLES, sizeof(*ret->samples));
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint32_t at = i % (SAMPLES / STACKS) ? ANY(&chance, lot) : i / (SAMPLES / STACKS);

		time_ns += 20000 + chance_below(&chance, 220000);
		sample_draw(&chance, capture, &places[at], time_ns, &ret->samples[i]);
	}
	capture->events.list[0].has_periods = true;
	capture->events.list[0].samples = weight_of(SAMPLES);
	capture->has_first_event = capture->has_times = true;
	capture->start_ns = ret->samples[0].time_ns;
	capture->end_ns = time_ns;
	free(places);
	world_release(&world);
}

static int say_events(const char *path)
{
	const struct store_about about = {
		.name = "events", .sha256 = "0000000000000000", .size_bytes = 0};
	struct store_writer *writer;
	struct events_made made;
	struct store *store;
	struct clocks begin;
	struct sink *sink;

	events_make(&made);
	unlink(path);
	begin = clocks_now();
	must(store_create(path, &store));
	must(store_write_begin(store, &made.capture, &writer));
	sink = store_write_sink(writer);
	for (uint32_t i = 0; i < SAMPLES; i++)
		must(sink_sample(sink, &made.samples[i]));
	must(store_write_end(writer, &about, NULL));
	must(store_commit(store));
	store_close(store);
	tell(begin);
	free(made.samples);
	capture_release(&made.capture);
	return 0;
}

/* ---- the bare program: rows in memory, prepared statements, one transaction */

/* A cell in memory: its text or bytes, or its number. */
struct cell {
	int type; /* SQLITE_INTEGER ... */
	int size;
	union {
		int64_t number;
		const char *bytes; /* owned by the table's parts */
	};
};

struct table {
	char *name, *insert;
	int columns;
	struct cell *cells; /* row by row */
	size_t nr, alloc;   /* of cells */
	char *part;	    /* of the texts; the earlier ones are kept until the end */
	size_t part_size, part_alloc;
};

static void check(sqlite3 *db, int status, int wanted)
{
	if (status != wanted)
		die("bare SQLite", sqlite3_errmsg(db));
}

static void keep_bytes(struct table *table, struct cell *cell, const void *bytes)
{
	size_t size = (size_t)cell->size;

	if (table->part_alloc - table->part_size < size) {
		table->part_alloc = size > PART_BYTES ? size : PART_BYTES;
		table->part = mem_alloc(table->part_alloc);
		table->part_size = 0;
	}
	if (size)
		memcpy(table->part + table->part_size, bytes, size);
	cell->bytes = table->part + table->part_size;
	table->part_size += size;
}

static void take_cell(struct table *table, sqlite3_stmt *row, int column)
{
	struct cell *cell;

	GROW(table->cells, table->nr + 1, table->alloc);
	cell = &table->cells[table->nr++];
	*cell = (struct cell){.type = sqlite3_column_type(row, column)};
	if (cell->type == SQLITE_INTEGER)
		cell->number = sqlite3_column_int64(row, column);
	if (cell->type != SQLITE_TEXT && cell->type != SQLITE_BLOB)
		return;
	cell->size = sqlite3_column_bytes(row, column);
	keep_bytes(table, cell, sqlite3_column_blob(row, column));
}

static void take_table(sqlite3 *db, const char *name, struct table *ret)
{
	CLEANUP(text_release) struct text sql = TEXT_INIT;
	sqlite3_stmt *row;

	*ret = (struct table){.name = mem_strdup(name)};
	text_addf(&sql, "SELECT * FROM %s", name);
	check(db, sqlite3_prepare_v2(db, text_string(&sql), -1, &row, NULL), SQLITE_OK);
	ret->columns = sqlite3_column_count(row);
	while (sqlite3_step(row) == SQLITE_ROW)
		for (int i = 0; i < ret->columns; i++)
			take_cell(ret, row, i);
	sqlite3_finalize(row);
	text_clear(&sql);
	text_addf(&sql, "INSERT INTO %s VALUES (?", name);
	for (int i = 1; i < ret->columns; i++)
		text_add(&sql, ", ?");
	text_add(&sql, ")");
	ret->insert = text_take(&sql);
}

static void insert_row(sqlite3 *db, sqlite3_stmt *insert, const struct cell *cells, int columns)
{
	for (int i = 0; i < columns; i++) {
		const struct cell *cell = &cells[i];

		if (cell->type == SQLITE_INTEGER)
			sqlite3_bind_int64(insert, i + 1, cell->number);
		else if (cell->type == SQLITE_TEXT)
			sqlite3_bind_text(insert, i + 1, cell->bytes, cell->size, SQLITE_STATIC);
		else if (cell->type == SQLITE_BLOB)
			sqlite3_bind_blob(insert, i + 1, cell->bytes, cell->size, SQLITE_STATIC);
		else
			sqlite3_bind_null(insert, i + 1);
	}
	check(db, sqlite3_step(insert), SQLITE_DONE);
	sqlite3_reset(insert);
}

static void insert_table(sqlite3 *db, const struct table *table)
{
	sqlite3_stmt *insert;

	check(db, sqlite3_prepare_v2(db, table->insert, -1, &insert, NULL), SQLITE_OK);
	for (size_t at = 0; at < table->nr; at += (size_t)table->columns)
		insert_row(db, insert, table->cells + at, table->columns);
	sqlite3_finalize(insert);
}

/* The CREATE statements of the profile, and its tables with all their rows. */
static struct table *take_all(const char *path, struct text *schema, size_t *ret_nr)
{
	struct table *tables = NULL;
	size_t alloc = 0;
	sqlite3_stmt *row;
	sqlite3 *db;

	*ret_nr = 0;
	check(NULL, sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	check(db,
	      sqlite3_prepare_v2(db,
				 "SELECT type, name, sql FROM sqlite_schema "
				 "WHERE sql IS NOT NULL ORDER BY rowid",
				 -1, &row, NULL),
	      SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW) {
		text_addf(schema, "%s;", (const char *)sqlite3_column_text(row, 2));
		if (strcmp((const char *)sqlite3_column_text(row, 0), "table") != 0)
			continue;
		GROW(tables, *ret_nr + 1, alloc);
		take_table(db, (const char *)sqlite3_column_text(row, 1), &tables[(*ret_nr)++]);
	}
	sqlite3_finalize(row);
	sqlite3_close(db);
	return tables;
}

static int insert_bare(const char *from, const char *path)
{
	CLEANUP(text_release) struct text schema = TEXT_INIT;
	size_t nr;
	struct table *tables = take_all(from, &schema, &nr);
	struct clocks begin;
	sqlite3 *db;

	unlink(path);
	begin = clocks_now();
	check(NULL,
	      sqlite3_open_v2(path, &db,
			      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
			      NULL),
	      SQLITE_OK);
	/* as store_create() does */
	check(db,
	      sqlite3_exec(db,
			   "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;"
			   "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536;"
			   "PRAGMA application_id = 0x54455048; BEGIN;",
			   NULL, NULL, NULL),
	      SQLITE_OK);
	check(db, sqlite3_exec(db, text_string(&schema), NULL, NULL, NULL), SQLITE_OK);
	for (size_t i = 0; i < nr; i++)
		insert_table(db, &tables[i]);
	check(db, sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	tell(begin);
	return 0; /* the rows go with the process */
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "events") == 0)
		return say_events(argv[2]);
	if (argc == 4 && strcmp(argv[1], "bare") == 0)
		return insert_bare(argv[2], argv[3]);
	fputs("usage: store events <new profile> | store bare <profile> <new file>\n", stderr);
	return 2;
}
