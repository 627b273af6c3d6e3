/* generate.c - the benchmark's inputs: perf script text and folded stacks, the same bytes for a
 * seed */

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

#define MB	    UINT64_C(1000000)
#define SIZE_MAX_MB UINT64_C(100000)
#define FEW_CHAINS  2000
#define CPUS	    8

/* ---- writing */

struct out {
	char *at;
	uint64_t written_bytes;
	char buffer[1 << 18];
};

static void out_flush(struct out *out)
{
	size_t len = (size_t)(out->at - out->buffer);

	if (fwrite(out->buffer, 1, len, stdout) != len) {
		perror("generate: cannot write");
		exit(2);
	}
	out->written_bytes += len;
	out->at = out->buffer;
}

/* Makes room for @len bytes, at most the buffer's size. */
static void out_reserve(struct out *out, size_t len)
{
	if ((size_t)(out->buffer + sizeof(out->buffer) - out->at) < len)
		out_flush(out);
}

static void out_text(struct out *out, const char *text, size_t len)
{
	out_reserve(out, len);
	memcpy(out->at, text, len);
	out->at += len;
}

static struct out *out_new(void)
{
	struct out *out = allocate(1, sizeof(*out));

	out->at = out->buffer;
	return out;
}

static void out_free(struct out *out)
{
	out_flush(out);
	free(out);
}

static uint64_t out_bytes(const struct out *out)
{
	return out->written_bytes + (uint64_t)(out->at - out->buffer);
}

/* ---- perf script text */

struct totals {
	uint64_t samples, period, stacks;
};

struct script {
	struct chance chance;
	struct out *out;
	struct totals totals;
	uint64_t time_us;
	uint32_t period;
};

static void script_head(struct script *script, const struct thread *thread)
{
	struct out *out = script->out;

	script->time_us += 20 + chance_below(&script->chance, 220);
	/* the kernel adapts the period to the asked-for frequency */
	script->period += chance_below(&script->chance, 20001) - 10000;
	if (script->period < 200000 || script->period > 9000000)
		script->period = 3100000;
	script->totals.samples++;
	script->totals.period += script->period;
	out_reserve(out, 256);
	out->at += snprintf(out->at, 256,
			    "%s %5" PRIu32 "/%-5" PRIu32 " [%03" PRIu32 "] %5" PRIu64 ".%06" PRIu64
			    ": %10" PRIu32 " cycles: \n",
			    thread->comm, thread->pid, thread->tid,
			    chance_below(&script->chance, CPUS), script->time_us / 1000000,
			    script->time_us % 1000000, script->period);
}

/* Half of the hits are on a few instructions, as on those that wait; the others anywhere. */
static void script_leaf(struct script *script, const struct function *function)
{
	uint32_t offset = chance_below(&script->chance, function->size_bytes);

	if (chance_percent(&script->chance, 50))
		offset = (function->size_bytes / 7 * chance_below(&script->chance, 6)) | 1;
	out_reserve(script->out, FRAME_MAX_LEN);
	script->out->at = frame_put(script->out->at, function, offset);
}

static void script_sample(struct script *script, const struct world *world,
			  const struct chain *chain)
{
	uint32_t i;

	script_head(script, &threads[chain->thread]);
	script_leaf(script, &world->functions[chain->leaf]);
	for (i = chain->nr; i-- > 0;) {
		const struct site *site = &world->sites[chain->sites[i]];

		out_text(script->out, site->line, site->line_len);
	}
	out_text(script->out, "\n", 1);
}

static struct chain *chains_draw(struct chance *chance, const struct world *world, uint32_t nr)
{
	struct chain *chains = allocate(nr, sizeof(*chains));
	struct set seen = set_new(nr);
	uint32_t i;

	for (i = 0; i < nr; i++) {
		do
			chain_draw(chance, world, i % THREADS, &chains[i]);
		while (!set_add(&seen, chain_hash(&chains[i])));
	}
	free(seen.slots);
	return chains;
}

/* Few chains: the n-th is drawn with a chance of 1/n, and always in its own thread. */
static void script_few(struct script *script, const struct world *world, uint64_t size_bytes)
{
	static uint16_t lot[1 << 18];
	struct chain *chains = chains_draw(&script->chance, world, FEW_CHAINS);
	uint64_t sum = 0, so_far = 0;
	uint32_t i, at = 0;

	for (i = 0; i < FEW_CHAINS; i++)
		sum += (UINT64_C(1) << 32) / (i + 1);
	for (i = 0; i < FEW_CHAINS; i++) {
		so_far += (UINT64_C(1) << 32) / (i + 1);
		for (; at < so_far * COUNT(lot) / sum; at++)
			lot[at] = (uint16_t)i;
	}
	while (out_bytes(script->out) < size_bytes) {
		script_sample(script, world, &chains[ANY(&script->chance, lot)]);
	}
	script->totals.stacks = FEW_CHAINS;
	free(chains);
}

/* Each sample has a chain that no sample has had. */
static void script_unique(struct script *script, const struct world *world, uint64_t size_bytes)
{
	struct set seen = set_new(size_bytes / 500); /* a sample is some 2 KB */
	struct chain chain;

	while (out_bytes(script->out) < size_bytes) {
		do
			chain_draw(&script->chance, world, chance_below(&script->chance, THREADS),
				   &chain);
		while (!set_add(&seen, chain_hash(&chain)));
		script_sample(script, world, &chain);
	}
	script->totals.stacks = script->totals.samples;
	free(seen.slots);
}

static struct totals script_write(struct chance *chance, const struct world *world,
				  uint64_t size_bytes, bool is_unique)
{
	struct script script = {
		.chance = *chance, .out = out_new(), .time_us = 5210034871, .period = 3100000};

	if (is_unique)
		script_unique(&script, world, size_bytes);
	else
		script_few(&script, world, size_bytes);
	out_free(script.out);
	return script.totals;
}

/* ---- folded stacks */

struct folded_line {
	const char *text; /* ends at a newline */
	uint32_t stack_len;
	uint32_t len;
};

struct folded {
	struct chance chance;
	struct chain *chains;
	struct folded_line *lines;
	struct set seen;
	char *text;
	uint64_t text_len;
	uint64_t count;
	uint32_t nr, alloc;
};

static int folded_compare(const void *a, const void *b)
{
	const struct folded_line *left = a, *right = b;
	uint32_t shorter = left->stack_len < right->stack_len ? left->stack_len : right->stack_len;
	int order = memcmp(left->text, right->text, shorter);

	if (order)
		return order;
	return (left->stack_len > right->stack_len) - (left->stack_len < right->stack_len);
}

static void folded_grow(struct folded *folded)
{
	if (folded->nr < folded->alloc)
		return;
	folded->alloc = folded->alloc ? folded->alloc * 2 : 1024;
	folded->chains = realloc(folded->chains, folded->alloc * sizeof(*folded->chains));
	folded->lines = realloc(folded->lines, folded->alloc * sizeof(*folded->lines));
	if (!folded->chains || !folded->lines) {
		fputs("generate: out of memory\n", stderr);
		exit(2);
	}
}

/*
 * A new chain leaves an old one near its end and goes its own way from there. So the tree has
 * few branches near the root, many near the leaves, and a few nodes for a stack, as the trees of
 * real captures have.
 */
static void folded_chain(struct folded *folded, const struct world *world, struct chain *ret)
{
	struct chance *chance = &folded->chance;
	const struct chain *old;
	uint32_t depth = 8 + chance_below(chance, 10) + chance_below(chance, 10);
	uint32_t kept;

	if (folded->nr < 200) {
		chain_draw(chance, world, chance_below(chance, THREADS), ret);
		return;
	}
	old = &folded->chains[chance_below(chance, folded->nr)];
	kept = (old->nr + 1) / 2 + chance_below(chance, old->nr / 2);
	if (chance_percent(chance, 90) && old->nr > 8)
		kept = old->nr - 1 - chance_below(chance, 5);
	ret->thread = old->thread;
	ret->nr = kept;
	memcpy(ret->sites, old->sites, kept * sizeof(*ret->sites));
	ret->leaf = chain_function(old, kept);
	if (depth > kept)
		chain_walk(chance, world, ret, depth - kept);
}

/* Writes "comm;frame;...;frame count\n" behind the text so far; is false when it was there before.
 */
static bool folded_line(struct folded *folded, const struct world *world, const struct chain *chain)
{
	struct folded_line *line = &folded->lines[folded->nr];
	char *start = folded->text + folded->text_len;
	char *at = text_put(start, threads[chain->thread].comm);
	uint64_t count = 1;
	uint32_t i;

	for (i = 0; i <= chain->nr; i++) {
		uint32_t function = chain_function(chain, i);

		*at++ = ';';
		at = text_put(at, world->functions[function].folded);
	}
	line->text = start;
	line->stack_len = (uint32_t)(at - start);
	if (!set_add(&folded->seen, hash_bytes(start, line->stack_len)))
		return false;
	if (chance_percent(&folded->chance, 30))
		count += chance_below(&folded->chance, 1u << chance_below(&folded->chance, 12));
	at += snprintf(at, 32, " %" PRIu64 "\n", count);
	line->len = (uint32_t)(at - start);
	folded->text_len += line->len;
	folded->count += count;
	folded->nr++;
	return true;
}

static void folded_print(const struct folded *folded)
{
	struct out *out = out_new();
	uint32_t i;

	for (i = 0; i < folded->nr; i++)
		out_text(out, folded->lines[i].text, folded->lines[i].len);
	out_free(out);
}

static struct totals folded_write(struct chance *chance, const struct world *world,
				  uint64_t size_bytes)
{
	struct folded folded = {.chance = *chance, .seen = set_new(size_bytes / 100)};

	folded.text = allocate(size_bytes + CHAIN_MAX * NAME_MAX_LEN, 1);
	while (folded.text_len < size_bytes) {
		folded_grow(&folded);
		do
			folded_chain(&folded, world, &folded.chains[folded.nr]);
		while (!folded_line(&folded, world, &folded.chains[folded.nr]));
	}
	qsort(folded.lines, folded.nr, sizeof(*folded.lines), folded_compare);
	folded_print(&folded);
	free(folded.text);
	free(folded.lines);
	free(folded.chains);
	free(folded.seen.slots);
	return (struct totals){
		.samples = folded.count, .period = folded.count, .stacks = folded.nr};
}

/* ---- the same stacks again and again */

#define REPEATED 1000

static struct totals repeat_write(uint64_t samples)
{
	struct out *out = out_new();
	char line[64];

	for (uint64_t i = 0; i < samples; i++) {
		unsigned stack = (unsigned)(i % REPEATED);
		int size = snprintf(line, sizeof(line), "app;run;stage_%u;step_%u 1\n", stack / 50,
				    stack);

		out_text(out, line, (size_t)size);
	}
	out_free(out);
	return (struct totals){
		.samples = samples,
		.period = samples,
		.stacks = samples < REPEATED ? samples : REPEATED,
	};
}

/* ---- the command line */

static int usage(void)
{
	fputs("usage: generate [--seed <n>] script-few|script-unique|folded <size in MB>\n"
	      "       generate repeat <thousands of samples>\n",
	      stderr);
	return 2;
}

static bool number_parse(const char *text, uint64_t *ret)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	*ret = strtoull(text, &end, 10);
	return !*end;
}

int main(int argc, char **argv)
{
	struct chance chance = {.state = 1};
	struct totals totals;
	struct world world;
	uint64_t size_mb;

	if (argc == 5 && !strcmp(argv[1], "--seed") && number_parse(argv[2], &chance.state)) {
		argv += 2;
		argc -= 2;
	}
	if (argc != 3 || !number_parse(argv[2], &size_mb) || !size_mb || size_mb > SIZE_MAX_MB)
		return usage();
	world = world_make(&chance);
	if (!strcmp(argv[1], "script-few"))
		totals = script_write(&chance, &world, size_mb * MB, false);
	else if (!strcmp(argv[1], "script-unique"))
		totals = script_write(&chance, &world, size_mb * MB, true);
	else if (!strcmp(argv[1], "repeat"))
		totals = repeat_write(size_mb * 1000);
	else if (!strcmp(argv[1], "folded"))
		totals = folded_write(&chance, &world, size_mb * MB);
	else
		return usage();
	world_release(&world);
	if (fflush(stdout)) {
		perror("generate: cannot write");
		return 2;
	}
	fprintf(stderr, "samples=%" PRIu64 " period=%" PRIu64 " stacks=%" PRIu64 "\n",
		totals.samples, totals.period, totals.stacks);
	return 0;
}
