/* profile_empty.c - nothing is left to be shown: which selection did it, and what there is */
#include "base/mem.h"
#include "base/text.h"
#include "commands/profile.h"

/* How many commands a message lists. */
#define LISTED_MAX 12

static void add_comms(const struct capture *capture, struct text *text)
{
	unsigned char *is_listed = mem_zalloc(capture->names.nr, 1);
	uint32_t listed = 0;

	for (uint32_t i = 0; i < capture->tasks.nr && listed < LISTED_MAX; i++) {
		uint32_t comm = capture->tasks.list[i].comm;

		if (comm == NAME_NONE || is_listed[comm])
			continue;
		is_listed[comm] = 1;
		text_addf(text, "%s%s", listed++ ? ", " : "", names_display(&capture->names, comm));
	}
	free(is_listed);
}

/* The selections that left samples out, with their numbers. */
static void add_left_out(const struct profile *profile, struct text *text)
{
	for (int i = 0; i < SELECT_REASON_NR; i++) {
		if (!profile->select.count.left_out[i])
			continue;
		text_addf(text, "%s%s ", text->size ? ", " : "", select_reason_word(i));
		weight_add(text, profile->select.count.left_out[i]);
	}
	for (int i = 0; i < PATH_REASON_NR; i++) {
		if (!profile->paths.left_out[i])
			continue;
		text_addf(text, "%s%s ", text->size ? ", " : "", paths_reason_word(i));
		weight_add(text, profile->paths.left_out[i]);
	}
}

static bool has_pids(const struct capture *capture)
{
	for (uint32_t i = 0; i < capture->tasks.nr; i++)
		if (capture->tasks.list[i].pid != TASK_ID_NONE)
			return true;
	return false;
}

/* Of a capture with several events all but one are left out anyhow. */
static bool is_left_out_by_event_alone(const struct profile *profile)
{
	for (int i = 0; i < SELECT_REASON_NR; i++)
		if (i != SELECT_EVENT && profile->select.count.left_out[i])
			return false;
	for (int i = 0; i < PATH_REASON_NR; i++)
		if (profile->paths.left_out[i])
			return false;
	return true;
}

/* What could have been selected instead. */
static void add_what_there_is(const struct profile *profile, struct text *text)
{
	const struct capture *capture = &profile->capture;
	const weight *left_out = profile->select.count.left_out;

	if (is_left_out_by_event_alone(profile)) {
		profile_add_events(capture, EVENT_NONE, text);
	} else if (left_out[SELECT_TIME] && !capture->has_times) {
		text_add(text, "samples without times");
	} else if (left_out[SELECT_TIME]) {
		text_add(text, "time from ");
		units_add_seconds(text, capture->start_ns);
		text_add(text, " to ");
		units_add_seconds(text, capture->end_ns);
	} else if (left_out[SELECT_PID] && !has_pids(capture)) {
		text_add(text, "thread ids alone (--tid), the text has no process ids");
	} else {
		add_comms(capture, text);
	}
}

/* Nothing is left to be shown: says which selection did it, and what there is. */
struct error *profile_empty_selection(const struct profile *profile)
{
	CLEANUP(text_release) struct text why = TEXT_INIT;
	CLEANUP(text_release) struct text there = TEXT_INIT;
	struct error *err;

	add_left_out(profile, &why);
	if (!why.size)
		return error_new(ERROR_INPUT, "'%s' holds no sample", profile->operand);
	err = error_new(ERROR_INPUT, "no sample of '%s' is selected; left out by %s",
			profile->operand, text_string(&why));
	add_what_there_is(profile, &there);
	return there.size ? error_hint(err, "there is: %s", text_string(&there)) : err;
}
