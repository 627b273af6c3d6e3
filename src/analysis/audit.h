/* audit.h - what a capture cannot say, and where it misleads: found in the capture itself */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct capture;
struct summary;

enum audit_code {
#define AUDIT(code, word, verdict, answers, avoid) AUDIT_##code,
#include "analysis/audit.def"
#undef AUDIT
	AUDIT_NR,
};

enum audit_verdict {
	AUDIT_MISLEADS, /* an answer looks right, and is not */
	AUDIT_WEAKENS,	/* answers hold, and are less exact or less complete than they look */
	AUDIT_LACKS,	/* a question cannot be answered at all */
};

struct audit_finding {
	enum audit_code code;
	double share; /* of the samples, or of what there was: 0 to 1; below 0: not known */
	char *what;   /* owned: what was found, with numbers */
};

/* In the order of audit.def within each verdict, what misleads first. Zeroed memory is empty. */
struct audit {
	struct audit_finding *list; /* owned */
	size_t nr, alloc;
};

/*
 * Looks at everything: the summary has heard all samples of the capture, whose names were looked
 * for if they are to be looked for at all (else nothing is found about them). Deterministic. A
 * sound capture gives no finding. Adds to *audit.
 */
void audit_run(const struct capture *capture, const struct summary *summary, struct audit *audit);
void audit_release(struct audit *audit);

/* Words: keys of JSON and of table audit, never renamed. */
const char *audit_word(enum audit_code code);
const char *audit_verdict_word(enum audit_verdict verdict);

/* What a finding of this code says, for people. */
enum audit_verdict audit_verdict(enum audit_code code);
const char *audit_answers(enum audit_code code); /* what it does to which answers */
const char *audit_avoid(enum audit_code code);	 /* how to record so that it is not there */
