/* diff_facts.c - what differs between the sides of a comparison, and whether that matters */
#include <math.h>

#include "analysis/recording.h"
#include "analysis/trust.h"
#include "base/mem.h"
#include "commands/diff_report.h"

/* What is beyond makes numbers doubtful: shares of samples lost, and without a name. */
#define LOST_MOST      0.01
#define UNNAMED_MOST   0.20
#define UNNAMED_CHANGE 0.05

/* Modules of other builds that a line names. */
#define LISTED_MAX 3

struct diff_fact *diff_facts_new(struct diff_report *report, const char *what, const char *before,
				 const char *after)
{
	struct diff_fact *fact;

	GROW(report->facts, report->facts_nr + 1, report->facts_alloc);
	fact = &report->facts[report->facts_nr++];
	*fact = (struct diff_fact){
		.what = mem_strdup(what),
		.before = mem_strdup(before),
		.after = mem_strdup(after),
		.differs = strcmp(before, after) != 0,
	};
	return fact;
}

/* The first run of a side stands for it; that the others are like it is their recorder's word. */
static const struct diff_run *run_of(const struct diff_report *report, bool is_after)
{
	return &report->sides->runs[is_after ? report->sides->before_nr : 0];
}

static const char *recorded(const struct diff_run *run, const char *name)
{
	const char *value = facts_find(&run->profile.capture.facts, name);

	return value ? value : "not recorded";
}

static void add_recorded(struct diff_report *report, const char *what, const char *name,
			 const char *doubt)
{
	const char *before = recorded(run_of(report, false), name);
	const char *after = recorded(run_of(report, true), name);
	struct diff_fact *fact;

	if (!facts_find(&run_of(report, false)->profile.capture.facts, name) &&
	    !facts_find(&run_of(report, true)->profile.capture.facts, name))
		return;
	fact = diff_facts_new(report, what, before, after);
	if (fact->differs && doubt)
		fact->doubt = mem_strdup(doubt);
}

static void add_captures(struct diff_report *report)
{
	CLEANUP(text_release) struct text before = TEXT_INIT, after = TEXT_INIT;
	const struct diff_sides *sides = report->sides;

	text_addf(&before, "%zu", sides->before_nr);
	text_addf(&after, "%zu", sides->nr - sides->before_nr);
	diff_facts_new(report, "captures", text_string(&before), text_string(&after));
}

static void add_seconds(const struct diff_report *report, bool is_after, struct text *text)
{
	double seconds = diff_sides_seconds(report->sides, is_after);

	if (seconds > 0)
		units_add_time(text, (weight)(seconds * 1e9) * WEIGHT_ONE);
	else
		text_add(text, "not known");
}

static void add_duration(struct diff_report *report)
{
	CLEANUP(text_release) struct text before = TEXT_INIT, after = TEXT_INIT;

	add_seconds(report, false, &before);
	add_seconds(report, true, &after);
	diff_facts_new(report, "wall time", text_string(&before), text_string(&after));
}

/* What a sample stands for: the other side of its frequency. */
static void add_per_sample(const struct diff_report *report, bool is_after, struct text *text)
{
	const struct diff_run *run = run_of(report, is_after);
	const struct paths *paths = &run->profile.paths;
	double mean = weight_number(paths->period) / fmax(weight_number(paths->count), 1e-9);

	if (!paths->count) {
		text_add(text, "no sample");
		return;
	}
	profile_add_weight(report->sides->named, text, (weight)(mean * 1e9));
}

static void add_frequency(struct diff_report *report)
{
	CLEANUP(text_release) struct text before = TEXT_INIT, after = TEXT_INIT;

	if (report->sides->counts_samples)
		return;
	add_per_sample(report, false, &before);
	add_per_sample(report, true, &after);
	diff_facts_new(report, "a sample stands for", text_string(&before), text_string(&after));
}

/* How callers were found, as far as the recording tells; NULL: it does not. */
static const char *stacks_of(const struct diff_run *run)
{
	const struct profile *profile = &run->profile;
	CLEANUP(recording_release) struct recording recording;
	const struct recording_event *event;

	recording_read(&profile->capture, &recording);
	event = &recording.events[profile->event];
	if (profile->event >= recording.events_nr || !event->is_known)
		return NULL;
	return event->dump_bytes ? "from dumps" : "by the recorder";
}

/* Frame pointers miss callers that dumps have: those then seem new, with all that they call. */
static void add_stacks(struct diff_report *report)
{
	const char *before = stacks_of(run_of(report, false));
	const char *after = stacks_of(run_of(report, true));
	struct diff_fact *fact;

	if (!before || !after || strcmp(before, after) == 0)
		return;
	fact = diff_facts_new(report, "stacks", before, after);
	fact->doubt = mem_strdup("callers that one side lacks seem to be new or removed");
}

static double lost_share(const struct diff_report *report, bool is_after)
{
	double lost = 0, seen = 0;

	for (size_t i = 0; i < report->sides->nr; i++) {
		const struct diff_run *run = &report->sides->runs[i];
		const struct capture *capture = &run->profile.capture;

		if (run->is_after != is_after)
			continue;
		lost += (double)(capture->lost > capture->lost_samples ? capture->lost
								       : capture->lost_samples);
		for (uint32_t j = 0; j < capture->events.nr; j++)
			seen += weight_number(capture->events.list[j].samples);
	}
	return lost > 0 ? lost / (lost + seen) : 0;
}

static void add_losses(struct diff_report *report)
{
	CLEANUP(text_release) struct text before = TEXT_INIT, after = TEXT_INIT;
	double lost[2] = {lost_share(report, false), lost_share(report, true)};
	struct diff_fact *fact;

	units_add_percent(&before, lost[0], 1);
	units_add_percent(&after, lost[1], 1);
	fact = diff_facts_new(report, "samples lost", text_string(&before), text_string(&after));
	if (lost[0] > LOST_MOST || lost[1] > LOST_MOST)
		fact->doubt = mem_strdup("what was lost may be of other code than what was kept");
}

static double unnamed_share(const struct diff_report *report, bool is_after)
{
	weight named = 0, all = 0;

	for (size_t i = 0; i < report->sides->nr; i++) {
		const struct diff_run *run = &report->sides->runs[i];
		struct trust trust;

		if (run->is_after != is_after || !run->profile.paths.nr)
			continue;
		trust_count(&trust, &run->profile.paths, report->sides->counts_samples);
		named += trust.named;
		all += trust.all;
	}
	return all ? 1 - weight_share(named, all) : 0;
}

static void add_unnamed(struct diff_report *report)
{
	CLEANUP(text_release) struct text before = TEXT_INIT, after = TEXT_INIT;
	double share[2] = {unnamed_share(report, false), unnamed_share(report, true)};
	struct diff_fact *fact;

	units_add_percent(&before, share[0], 1);
	units_add_percent(&after, share[1], 1);
	fact = diff_facts_new(report, "leaves without a name", text_string(&before),
			      text_string(&after));
	if (fabs(share[0] - share[1]) > UNNAMED_CHANGE)
		fact->doubt = mem_strdup("what has no name on one side may look new or removed");
	else if (fmax(share[0], share[1]) > UNNAMED_MOST)
		fact->doubt = mem_strdup("much has no name, and is compared by its module alone");
}

/* The build of a module of this path and another build ID than that one, NULL if there is none. */
static const struct module *other_build(const struct capture *capture, const char *path,
					const char *build_id)
{
	const struct module *found = NULL;

	for (uint32_t i = 0; i < capture->modules.nr; i++) {
		const struct module *module = &capture->modules.list[i];

		if (module->build_id == NAME_NONE ||
		    strcmp(names_get(&capture->names, module->path)->bytes, path) != 0)
			continue;
		if (strcmp(names_get(&capture->names, module->build_id)->bytes, build_id) == 0)
			return NULL;
		found = module;
	}
	return found;
}

static void add_builds(struct diff_report *report)
{
	CLEANUP(text_release) struct text names = TEXT_INIT;
	const struct capture *before = &run_of(report, false)->profile.capture;
	const struct capture *after = &run_of(report, true)->profile.capture;
	size_t nr = 0, known = 0;

	for (uint32_t i = 0; i < before->modules.nr; i++) {
		const struct module *module = &before->modules.list[i];

		if (module->build_id == NAME_NONE)
			continue;
		known++;
		if (!other_build(after, names_get(&before->names, module->path)->bytes,
				 names_get(&before->names, module->build_id)->bytes))
			continue;
		if (nr++ < LISTED_MAX)
			text_addf(&names, "%s%s", nr > 1 ? ", " : "",
				  names_display(&before->names, module->basename));
	}
	if (nr > LISTED_MAX)
		text_addf(&names, " and %zu more", nr - LISTED_MAX);
	if (nr)
		diff_facts_new(report, "other builds of", text_string(&names), "another build ID");
	else if (known)
		diff_facts_new(report, "builds", "the same where recorded",
			       "the same where recorded");
}

void diff_facts_find(struct diff_report *report)
{
	const struct diff_run *before = run_of(report, false), *after = run_of(report, true);

	add_captures(report);
	if (before->profile.capture.format && after->profile.capture.format)
		diff_facts_new(report, "format", before->profile.capture.format,
			       after->profile.capture.format);
	add_recorded(report, "host", "hostname", NULL);
	add_recorded(report, "CPU", "cpudesc", "other CPUs do the same work in another time");
	add_recorded(report, "CPUs online", "nrcpus online", NULL);
	add_recorded(report, "architecture", "arch", "other code runs there");
	add_recorded(report, "kernel", "os release", NULL);
	add_recorded(report, "perf", "perf version", NULL);
	add_duration(report);
	add_frequency(report);
	add_stacks(report);
	add_losses(report);
	add_unnamed(report);
	add_builds(report);
}

void diff_facts_add(const struct diff_fact *fact, struct text *text)
{
	if (fact->differs)
		text_addf(text, "%s: %s before, %s after", fact->what, fact->before, fact->after);
	else
		text_addf(text, "%s: %s on both sides", fact->what, fact->before);
}
