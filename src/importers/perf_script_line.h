/* perf_script_line.h - the grammar of one line of perf script text */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of the line, borrowed from it. NULL where the line has no such field. */
struct span {
	const char *at;
	size_t size;
};

enum header_kind {
	HEADER_SAMPLE,
	HEADER_RECORD, /* PERF_RECORD_...: no sample */
};

/*
 * What stands before a call chain:
 *
 *   comm pid/tid [cpu] 12.345678: 10101010 cycles:u: rest
 *
 * Each field may be missing, as `perf script -F` and old versions of perf leave them out;
 * at least a time, or a thread and an event, must be there.
 */
struct perf_script_header {
	enum header_kind kind;
	struct span comm;
	int32_t pid, tid; /* TASK_ID_NONE where missing; a single number is the tid */
	int32_t cpu;	  /* CPU_NONE where missing */
	bool has_time, has_period;
	uint64_t time_ns, period;
	struct span event; /* without the colon at its end */
	struct span rest;  /* behind it: payload, or ip, symbol and module; or the record */
};

bool perf_script_header(const char *at, size_t size, struct perf_script_header *ret);

/*
 * A frame:
 *
 *   ffffffff81a00010 worker_thread+0x10 ([kernel.kallsyms])
 *
 * Symbol, offset and module may be missing. Blanks before it are skipped.
 */
struct perf_script_frame {
	uint64_t address;
	struct span symbol; /* without its +0x offset; NULL for none and for "[unknown]" */
	struct span module; /* NULL for none and for "[unknown]" */
	bool has_symbol_column, is_inlined;
};

bool perf_script_frame(const char *at, size_t size, struct perf_script_frame *ret);

/* The same where it stands behind a header, perhaps with a data address before it. */
bool perf_script_inline_frame(const char *at, size_t size, struct perf_script_frame *ret);

/* Is the event a tracepoint, whose rest of the line is payload and never a frame? */
bool perf_script_is_tracepoint(struct span event);

/* A message of perf, addr2line or a shell, as it gets in with `2>&1`. */
bool perf_script_is_message(const char *at, size_t size);
