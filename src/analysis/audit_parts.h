/* audit_parts.h - what the finders of an audit share: one for each kind of finding */
#pragma once

#include "analysis/audit.h"
#include "analysis/recording.h"
#include "analysis/summary.h"
#include "base/text.h"
#include "model/capture.h"

/* What is less than this share of the samples is not worth a line. */
#define AUDIT_SHARE_LEAST 0.01

/* The same of missing callers and names, of which every capture has some. */
#define AUDIT_COMMON_LEAST 0.05

/* With fewer samples small functions and differences drown. */
#define AUDIT_SAMPLES_LEAST 1000

/* With fewer than these not even a large one is known. */
#define AUDIT_SAMPLES_FEWEST 50

/* A frequency that is reached to within this factor is reached. */
#define AUDIT_PACE_MOST 1.5

struct audit_input {
	const struct capture *capture;
	const struct summary *summary;
	struct recording recording;
	struct summary_chains chains;
};

/* Adds a finding; what is handed over and empty afterwards. */
void audit_add(struct audit *audit, enum audit_code code, double share, struct text *what);

/* The name of an event as it is shown. */
const char *audit_event(const struct audit_input *input, uint32_t event);

/* Was it sampled, as clocks and cycles are, and not told each time, as tracepoints are? */
bool audit_is_sampled(const struct audit_input *input, uint32_t event);

/* Does the format have what perf's own have: times, callers, events? */
bool audit_is_recording(const struct audit_input *input);

/* Has anybody looked for names? Where nobody has, it is no finding that there are none. */
bool audit_has_looked(const struct audit_input *input);

/* The finders, by file. */
void audit_recording(const struct audit_input *input, struct audit *audit);
void audit_losses(const struct audit_input *input, struct audit *audit);
void audit_names(const struct audit_input *input, struct audit *audit);
void audit_chains(const struct audit_input *input, struct audit *audit);
void audit_size(const struct audit_input *input, struct audit *audit);
