/* trial.h - evidence on files that no build ID shows to be the ones that ran */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

/*
 * A module without a build ID is unwound provisionally by the file that is found for it. A step
 * that call-frame information tells leads to a return address, which stands behind a call if both
 * files, that of the step and that of the address, are the ones that ran: 98 to 100 % of the
 * distinct places do, of another build 27 to 76 % (see callsites.h). So after some samples a file
 * is accepted, or refuted, and then all begins again without it.
 */
#define TRIAL_SAMPLES_MAX 2000u /* that come by such files are unwound on trial at most */
#define TRIAL_SAME_MAX	  500u	/* so many that show nothing new are enough */
#define TRIAL_FILES_MAX	  64u	/* more are not judged, and so not used */

enum trial_verdict {
	TRIAL_UNTRIED,
	TRIAL_ACCEPTED,
	TRIAL_REFUTED,
};

struct trial_file {
	char *path; /* owned */
	enum trial_verdict verdict;
	uint64_t *places; /* owned; distinct ones, of steps and of return addresses */
	struct map map;
	size_t total, ok, alloc;
};

struct trial {
	struct trial_file files[TRIAL_FILES_MAX];
	uint32_t nr;
	uint32_t samples, same; /* of the round: that came by such files, that showed nothing new */
	bool has_news;		/* of the sample at hand */
};

void trial_release(struct trial *trial);

/* Begins a round: evidence is forgotten, verdicts stay. */
void trial_begin(struct trial *trial);

/* The file of this path, added where it is new; NULL: too many. */
struct trial_file *trial_file(struct trial *trial, const char *path);

/* Evidence: was a call where it should be? Of a place that was seen already nothing changes. */
void trial_add(struct trial *trial, struct trial_file *file, uint64_t place, bool is_ok);

/* A sample ended that came by a file on trial. */
void trial_end_sample(struct trial *trial);

/* More samples would tell no more, or enough have told. */
bool trial_is_over(const struct trial *trial);

/*
 * Ends a round. True: a file was refuted, the one with the most against it, and there is to be
 * another round, since what came by it says nothing of others. False: all with evidence are
 * accepted: 95 % of 20 places or more, all of fewer.
 */
bool trial_judge(struct trial *trial);

enum trial_verdict trial_verdict(const struct trial *trial, const char *path);
