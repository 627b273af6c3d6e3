/* lookup.h - what is at a runtime address: the module's file, the address in it, and the rule */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "unwind/files.h"
#include "unwind/rules.h"

struct capture;
struct cursor_machine;
struct space;

/* Addresses that were looked up lately, by a part of their hash: 92 to 99 % are among them. */
#define LOOKUP_CACHE 8192

enum lookup_flags {
	LOOKUP_TRAMPOLINE = 1 << 0, /* the kernel's return from a signal handler begins here */
	LOOKUP_HAS_VADDR = 1 << 1,
};

struct lookup_place {
	uint64_t address;	  /* that was looked up; of a caller its ip less 1 */
	uint64_t version;	  /* of the space's maps; 0: an empty slot */
	struct unwind_file *file; /* NULL: the address is in no mapping */
	uint64_t vaddr;		  /* with LOOKUP_HAS_VADDR: as the file writes the address */
	struct rule rule;
	uint8_t flags;	/* enum lookup_flags */
	bool is_behind; /* looked up as a caller's: of the ip less 1 */
};

/* Of one thread; the files are of all. */
struct lookup {
	struct unwind_files *files; /* borrowed */
	struct lookup_place *cache; /* owned */
};

void lookup_init(struct lookup *lookup, struct unwind_files *files);
void lookup_release(struct lookup *lookup);

/*
 * What is at an ip of this space; of a caller what is before it. Valid until the next call.
 * NULL where nothing is mapped.
 */
const struct lookup_place *lookup_find(struct lookup *lookup, const struct capture *capture,
				       struct space *space, const struct cursor_machine *machine,
				       uint64_t ip, bool is_exact);

/* Could a call have pushed this word? */
enum lookup_answer {
	LOOKUP_NO,
	LOOKUP_YES,
	LOOKUP_UNTESTED,   /* it is in generated code, which nobody has */
	LOOKUP_LACKS_FILE, /* it is in a file that is not here */
};

enum lookup_answer lookup_is_return(struct lookup *lookup, const struct capture *capture,
				    struct space *space, uint64_t ip);
