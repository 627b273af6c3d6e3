/* recording.h - how a capture was recorded, read out of what it says of itself */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct capture;

/* Whose samples there can be. */
enum recording_scope {
	RECORDING_SCOPE_UNKNOWN,
	RECORDING_SCOPE_SYSTEM,	 /* all that ran on its CPUs */
	RECORDING_SCOPE_PROCESS, /* some processes alone: a command that was started, -p, -t, -u */
};

/* How an event was to be recorded; not known where is_known is false. */
struct recording_event {
	bool is_known, is_tracepoint;
	bool is_frequency; /* rate is so many a second; else each so many of the event */
	bool excludes_kernel, excludes_user;
	bool inherits;	     /* threads that are begun later are recorded, too */
	uint64_t rate;	     /* 0: not known */
	uint32_t dump_bytes; /* of the stack; 0: no dump */
};

struct recording {
	enum recording_scope scope;
	struct recording_event *events; /* owned, by event id */
	uint32_t events_nr;
	bool is_packed;	       /* perf record -z */
	bool is_attached;      /* by -a, -C, -p, -t or -u: the program was not its object */
	uint64_t frequency_hz; /* of -F, as it was typed; 0: none */
	const char *program;   /* borrowed: the command that was started, in the command line; "" */
	const char *command_line; /* borrowed; "" */
};

/*
 * Reads the facts "cmdline", "event" and "compressed", which perf writes into its files and
 * `perf script --header` prints. The capture is borrowed until recording_release().
 */
void recording_read(const struct capture *capture, struct recording *ret);
void recording_release(struct recording *recording);

/* "all of the machine", "some processes", "not known" */
const char *recording_scope_text(enum recording_scope scope);
