/* audit_size.c - findings of how much there is: too few samples, counters that took turns */
#include "analysis/audit_parts.h"

#include <inttypes.h>
#include <math.h>

#include "base/mem.h"

/* The function that a finding speaks of. */
#define SHARE 0.1

/* Standard deviations of a 95 % interval, and of a change that is seen 4 times of 5. */
#define Z_INTERVAL 1.960
#define Z_SEEN	   2.802

/*
 * What n independent samples can tell of a function of 10 %, and of its change between two such
 * captures. Neighbouring samples are no such samples, so both are the least that it can be.
 */
static void find_few(const struct audit_input *input, uint32_t event, struct audit *audit)
{
	double nr = weight_number(summary_event(input->summary, event).samples);
	double half = Z_INTERVAL * sqrt(SHARE * (1 - SHARE) / fmax(nr, 1));
	struct text what = TEXT_INIT;

	if (!audit_is_recording(input) || !audit_is_sampled(input, event) || nr < 1 ||
	    nr >= AUDIT_SAMPLES_LEAST)
		return;
	weight_add_grouped(&what, summary_event(input->summary, event).samples);
	text_addf(&what, " sample%s of %s: ", nr == 1 ? "" : "s", audit_event(input, event));
	if (nr < AUDIT_SAMPLES_FEWEST)
		text_add(&what, "too few for any share");
	else
		text_addf(&what,
			  "10 %% is %.1f to %.1f %% at best, a change shows from %.1f points on",
			  100 * (SHARE - half), 100 * (SHARE + half),
			  100 * Z_SEEN * sqrt(2 * SHARE * (1 - SHARE) / nr));
	audit_add(audit, AUDIT_FEW_SAMPLES, -1, &what);
}

static void find_multiplexed(const struct audit_input *input, struct audit *audit)
{
	const struct summary_points *points = &input->summary->points;
	struct text what = TEXT_INIT;

	if (!points->shared)
		return;
	weight_add_grouped(&what, weight_of(points->shared));
	text_addf(&what, " of %" PRIu64 " values of counters were counted a part of their time, ",
		  points->nr);
	units_add_percent(&what, points->running_least, 1);
	text_add(&what, " of it at least");
	audit_add(audit, AUDIT_MULTIPLEXED, weight_share(points->shared, points->nr), &what);
}

void audit_size(const struct audit_input *input, struct audit *audit)
{
	for (uint32_t i = 0; i < input->capture->events.nr; i++)
		find_few(input, i, audit);
	find_multiplexed(input, audit);
}
