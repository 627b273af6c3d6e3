/* jitdump.h - jit-PID.dump: each piece of code that a runtime made, and when */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "symbols/intervals.h"

/* One LOAD, or what a MOVE made of it. */
struct jitdump_code {
	uint64_t lo, hi;	  /* absolute run-time addresses */
	uint64_t from_ns;	  /* the dump's clock; see has_arch_time */
	uint64_t index;		  /* the runtime's number of this code */
	uint64_t origin;	  /* where it was loaded: line addresses are of there */
	size_t name;		  /* where it begins in jitdump.names, NUL-terminated */
	uint32_t pid, tid;	  /* as the runtime saw itself */
	uint32_t lines, lines_nr; /* in jitdump.lines, ascending */
	uint64_t unwinding;	  /* where its .eh_frame_hdr and .eh_frame are in the file, 0: no */
	uint64_t unwinding_bytes;
};

struct jitdump_line {
	uint64_t address;
	uint32_t line, order; /* of several at one address the last one counts */
	size_t file;	      /* in jitdump.names */
};

struct jitdump {
	uint32_t machine; /* ELF's number */
	uint32_t pid;
	bool has_arch_time;   /* times are of the processor's counter, not of CLOCK_MONOTONIC */
	bool is_closed;	      /* the runtime wrote its last record */
	bool is_cut;	      /* the file ends within a record: what was before it is here */
	uint64_t records_bad; /* of a size or with numbers that cannot be */
	uint64_t records_unknown;
	struct jitdump_code *list; /* owned; in the order of the file */
	size_t nr, alloc;
	struct jitdump_line *lines; /* owned */
	size_t lines_nr, lines_alloc;
	struct intervals ranges;
	struct text names;
};

/* Names and lines of larger records are not read; such records count as bad. */
#define JITDUMP_RECORD_MAX ((size_t)64 << 20)
#define JITDUMP_MAX	   (16u << 20) /* pieces of code */
#define JITDUMP_LINES_MAX  (64u << 20)
#define JITDUMP_NAMES_MAX  ((size_t)1 << 30)

struct jitdump_place {
	const struct jitdump_code *code;
	const char *name; /* borrowed, as file */
	const char *file; /* NULL: not known */
	uint32_t line;	  /* 0: not known */
};

/*
 * Reads a dump of either byte order, plain or packed, as far as it goes:
 * tools/perf/Documentation/jitdump-specification.txt of Linux. Fails where the header is
 * none. *ret is zeroed on failure.
 */
ERROR_RESULT struct error *jitdump_read(struct jitdump *ret, const char *path);
void jitdump_release(struct jitdump *jitdump);

/*
 * The code that was at the address at the time: of all that were put there, the last one
 * before it. False for none.
 */
bool jitdump_find(const struct jitdump *jitdump, uint64_t address, uint64_t time_ns,
		  struct jitdump_place *ret);

enum jitdump_found {
	JITDUMP_NOTHING,
	JITDUMP_ONE,	 /* one piece of code, or several of one name */
	JITDUMP_SEVERAL, /* of different names: the address alone does not tell */
};

/*
 * The code that was at the address at some time from from_ns to to_ns, both included. *ret is
 * filled where it has one name, with file and line where it was one piece.
 */
enum jitdump_found jitdump_find_between(const struct jitdump *jitdump, uint64_t address,
					uint64_t from_ns, uint64_t to_ns,
					struct jitdump_place *ret);
