/* world.h - a made-up program: its functions, their names, and who calls whom */
#pragma once

#include <stdint.h>

#include "chance.h"

/*
 * A made-up world: modules hold functions, functions hold call sites. A call site has one return
 * address and one callee, so that its line of perf script text is known beforehand. A call chain
 * is a list of sites, outermost first, and ends in a leaf function whose address is drawn anew for
 * each sample, as an interrupted instruction is.
 */

#define CHAIN_MAX     96
#define NAME_MAX_LEN  512
#define FRAME_MAX_LEN (NAME_MAX_LEN + 128)

enum module_id {
	APP,
	STDCXX,
	ROUTE,
	LIBC,
	KERNEL,
	JIT,
	VENDOR,
	MODULES
};

struct function {
	char *name;   /* as perf script prints it */
	char *folded; /* as stackcollapse-perf.pl makes it of that */
	uint64_t address;
	uint32_t size_bytes;
	enum module_id module;
};

enum {
	SITES_SAME = 3,
	SITE_ACROSS = SITES_SAME,
	SITE_DOWN,
	SITES
}; /* of each function */

struct site {
	uint32_t callee;
	uint32_t line_len;
	char *line; /* "\t<address> <name>+0x<offset> (<module>)\n" */
};

struct chain {
	uint32_t sites[CHAIN_MAX];
	uint32_t nr;
	uint32_t leaf; /* a function */
	uint32_t thread;
};

struct thread {
	const char *comm;
	uint32_t pid, tid;
	enum {
		ROOT_MAIN,
		ROOT_THREAD,
		ROOT_KERNEL
	} root;
};

struct world {
	struct function *functions;
	struct site *sites; /* function f has sites[f * SITES ...] */
	uint32_t functions_nr;
	uint32_t first[MODULES]; /* function of each module */
};

#define THREADS 12
extern const struct thread threads[THREADS];

/* Free it with world_release(). */
struct world world_make(struct chance *chance);
void world_release(struct world *world);

/* Writes one frame line, at most FRAME_MAX_LEN bytes, and returns its end. */
char *frame_put(char *at, const struct function *function, uint32_t offset);

/* Copies @text without its end to @at and returns where the next byte goes. */
char *text_put(char *at, const char *text);

/* A new chain in @thread, from the outermost function to a leaf. */
void chain_draw(struct chance *chance, const struct world *world, uint32_t thread,
		struct chain *ret);

/* Makes @chain longer by @frames calls. */
void chain_walk(struct chance *chance, const struct world *world, struct chain *chain,
		uint32_t frames);

/* Equal for equal call sites and leaf functions. */
uint64_t chain_hash(const struct chain *chain);

/* The function that stands at @depth in @chain; the leaf's depth is chain->nr. */
static inline uint32_t chain_function(const struct chain *chain, uint32_t depth)
{
	return depth < chain->nr ? chain->sites[depth] / SITES : chain->leaf;
}
