/* modules.h - the files and other places that code ran from */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct names;

#define MODULE_NONE UINT32_MAX

/* Where code comes from, as far as the evidence says. */
enum origin {
	ORIGIN_UNKNOWN,
	ORIGIN_APP,	/* the program itself */
	ORIGIN_LIBRARY, /* a shared object */
	ORIGIN_KERNEL,	/* kernel and its modules, of a guest too */
	ORIGIN_JIT,	/* generated at run time */
	ORIGIN_NR,
};

/* Which file names come from, and how far it is shown to be the one that ran. */
enum module_status {
	MODULE_UNNAMED,	     /* nobody has looked for one */
	MODULE_EXACT,	     /* each file used has the build ID that the capture recorded */
	MODULE_CONSISTENT,   /* no ID in the capture; the return addresses are behind calls */
	MODULE_UNVERIFIED,   /* no ID, and too few return addresses to tell */
	MODULE_CONTRADICTED, /* no or a late ID, and the return addresses are not behind calls */
	MODULE_MISMATCH,     /* there are files of that name, none with the ID; none is used */
	MODULE_MISSING,	     /* no file */
	MODULE_UNSUPPORTED,  /* the file is the one, but its debug information cannot be read */
	MODULE_FORCED,	     /* --accept-mismatch: the user said so */
	MODULE_STATUS_NR,
};

/* Who said which build ID a module has. */
enum id_source {
	ID_NONE_RECORDED,
	ID_MMAP2,    /* the kernel, when it was mapped */
	ID_HEADER,   /* perf, when the recording ended: the file may be another by then */
	ID_INJECTED, /* an event put in later, by perf inject or in a pipe */
};

struct module {
	uint32_t path;	   /* name id, as recorded */
	uint32_t basename; /* name id: without folders and " (deleted)", without brackets */
	uint32_t build_id; /* name id of its hex form, NAME_NONE where it was not recorded */
	uint32_t next;	   /* module of the same path with another build ID, MODULE_NONE */
	enum origin origin;
	enum id_source id_source;
	enum module_status status;
	bool is_mapped;
	uint64_t map_offset; /* in the file, the lowest of its mappings of code; or MODULE_NO_OFFSET
			      */
	uint32_t reference;  /* name id: of the kernel, the symbol that map_offset is the address of
			      */
	uint32_t file;	     /* name id of the file that names come from, NAME_NONE */
	uint32_t debug_file; /* the same of its debug file */
	uint32_t file_sha256, debug_sha256; /* name ids of their SHA-256 in hex, NAME_NONE */
	uint32_t detail;		    /* name id: why the status is what it is, NAME_NONE */
};

/* Nothing was mapped; of the kernel also: mappings say different things. */
#define MODULE_NO_OFFSET UINT64_MAX

/* A file that was found for a module and turned down. */
struct module_candidate {
	uint32_t module;       /* id */
	uint32_t path, reason; /* name ids */
};

/* A file that unwinding by it spoke against, for all modules without a build ID. */
struct module_refuted {
	uint32_t path;	  /* name id: the file's own */
	size_t ok, total; /* places that it led to: behind a call, all */
};

/* One module per recorded path and build ID. The list is short and looked up once per distinct
 * frame line. */
struct modules {
	struct module *list;
	uint32_t nr;
	size_t list_alloc;
	uint32_t *of_path; /* name id -> module id, the first of that path */
	size_t of_path_nr, of_path_alloc;
	struct module_candidate *candidates;
	size_t candidates_nr, candidates_alloc;
	struct module_refuted *refuted;
	size_t refuted_nr, refuted_alloc;
};

void modules_release(struct modules *modules);

/* The module of this path (a name id of `names`), whatever its build ID. */
uint32_t modules_add(struct modules *modules, struct names *names, uint32_t path);

/*
 * The module of this path and build ID (a name id). One whose build ID is not known yet gets
 * it. NAME_NONE: as modules_add().
 */
uint32_t modules_add_build(struct modules *modules, struct names *names, uint32_t path,
			   uint32_t build_id);

void modules_add_candidate(struct modules *modules, const struct module_candidate *candidate);

void modules_add_refuted(struct modules *modules, const struct module_refuted *refuted);

/*
 * A mapping of the module's code was seen, from this offset in its file on; of the kernel this is
 * where its reference was.
 */
void module_add_map(struct module *module, uint64_t offset);

/* "exact", "consistent", ..., "not looked for" */
const char *module_status_word(enum module_status status);

/* "none", "mmap2", "header", "injected" */
const char *module_id_source_word(enum id_source source);

/* A word for people: "application", "library", "kernel", "jit", "unknown". */
const char *origin_word(enum origin origin);
