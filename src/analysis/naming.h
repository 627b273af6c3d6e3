/* naming.h - what a location is called: its function, once per distinct location */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "model/modules.h"

struct capture;
struct tally_root;

/* What an unnamed frame reads. */
enum naming_unknown {
	NAMING_UNKNOWN_MODULE,	/* "[libc.so.6]" */
	NAMING_UNKNOWN_ADDRESS, /* "libc.so.6+0x1234" */
};

enum naming_tidy {
	NAMING_TIDY_NO,
	NAMING_TIDY_NAMES,  /* as the peers do: see tidy_add() */
	NAMING_TIDY_HASHES, /* and Rust's hashes cut */
};

enum naming_flags {
	NAMING_SOURCE_LINES = 1 << 0,	  /* ":file:line" behind the name */
	NAMING_MASK = 1 << 1,		  /* see tidy_add_masked() */
	NAMING_NO_INLINED = 1 << 2,	  /* frames that were inlined are left out */
	NAMING_ANNOTATE_KERNEL = 1 << 3,  /* "_[k]" behind the name */
	NAMING_ANNOTATE_JIT = 1 << 4,	  /* "_[j]" */
	NAMING_ANNOTATE_INLINED = 1 << 5, /* "_[i]" */
};

struct naming_options {
	enum naming_unknown unknown;
	enum naming_tidy tidy;
	unsigned flags; /* enum naming_flags */
};

enum function_kind {
	FUNCTION_CODE,
	FUNCTION_ROOT,	 /* not code: the command, process, thread or CPU of the sample */
	FUNCTION_MODULE, /* stands for all functions of its module */
};

/* One per name and module. */
struct function {
	uint32_t name;	 /* name id in the capture's names */
	uint32_t module; /* MODULE_NONE */
	enum function_kind kind;
	enum origin origin; /* of the module */
	bool is_unnamed;    /* the capture had no symbol; its name is a stand-in */
};

#define FUNCTION_NONE UINT32_MAX

struct naming {
	struct capture *capture; /* borrowed; derived names are added to it */
	struct naming_options options;
	struct function *list;
	uint32_t nr;
	size_t list_alloc;
	struct map map;
	uint32_t *of_location; /* function ids; FUNCTION_NONE: the frame is left out */
	uint32_t no_stack;     /* see naming_no_stack(), FUNCTION_NONE: not yet */
	bool has_chains; /* some location has several frames, or none that is shown: see below */
};

/*
 * Orders two functions that read the same: by their modules' paths, none first. What decides
 * ties must not depend on ids, which differ between a capture and a profile made of it.
 */
int naming_compare_modules(const struct naming *naming, uint32_t a, uint32_t b);

/*
 * Names all locations of the capture, also those that no sample has. A location with frames
 * (capture->frames) is what they are: with one frame of_location has its function, with more
 * that of the innermost.
 */
void naming_init(struct naming *naming, struct capture *capture,
		 const struct naming_options *options);
void naming_release(struct naming *naming);

/* The function that stands for a sample's root, FUNCTION_NONE where it has none. */
uint32_t naming_root(struct naming *naming, const struct tally_root *root);

/* What stands in place of an empty stack: "[no stack]". */
uint32_t naming_no_stack(struct naming *naming);

/*
 * What stands for all functions of a function's module: its base name, "[no module]" where
 * there is none. A function that stands in place of an empty stack stands for itself.
 */
uint32_t naming_module(struct naming *naming, uint32_t function);

/*
 * What stands for some functions that call each other, the first of them, the last and how many
 * they are: "main … read (3 frames)". One alone is itself. It is of the module, and of the
 * origin, that all of them are of; of one whose name is not shown to be right, where one is.
 */
uint32_t naming_chain(struct naming *naming, const uint32_t *functions, uint32_t nr);

/*
 * Takes the functions of another capture in, with their names and modules: for each of its ids the
 * one that it has here, an array of from->nr that the caller frees. The same name in the same
 * module of the same build is the same function.
 */
uint32_t *naming_adopt(struct naming *naming, const struct naming *from);
