/* profile_words.c - words and numbers for what is shown of a profile */
#include <inttypes.h>
#include <string.h>

#include "analysis/trust.h"
#include "base/mem.h"
#include "base/text.h"
#include "commands/loss_rows.h"
#include "commands/profile.h"

const char *profile_event_name(const struct profile *profile)
{
	return events_display(&profile->capture.events, &profile->capture.names, profile->event);
}

const char *profile_unit(const struct profile *profile)
{
	if (profile->counts_samples)
		return "samples";
	switch (profile->capture.events.list[profile->event].unit) {
	case UNIT_SAMPLES:
		return "samples";
	case UNIT_NS:
		return "ns";
	case UNIT_EVENTS:
		break;
	}
	return profile_event_name(profile);
}

void profile_add_weight(const struct profile *profile, struct text *text, weight w)
{
	const char *unit = profile_unit(profile);

	if (strcmp(unit, "ns") == 0) {
		units_add_time(text, w);
		return;
	}
	weight_add_grouped(text, w);
	text_add_char(text, ' ');
	text_add(text, w == WEIGHT_ONE && strcmp(unit, "samples") == 0 ? "sample" : unit);
}

void profile_add_facts(const struct profile *profile, struct text *text)
{
	const struct capture *capture = &profile->capture;
	const struct paths *paths = &profile->paths;
	struct trust trust;
	weight read = 0;

	for (uint32_t i = 0; i < capture->events.nr; i++)
		read += capture->events.list[i].samples;
	weight_add_grouped(text, paths->count);
	if (read != paths->count) {
		text_add(text, " of ");
		weight_add_grouped(text, read);
	}
	text_add(text, read == WEIGHT_ONE ? " sample" : " samples");
	for (int i = 0; i < SELECT_REASON_NR; i++) {
		if (!profile->select.count.left_out[i])
			continue;
		text_addf(text, "; %s left out ",
			  i == SELECT_EVENT && !profile->selection.event ? "other events"
									 : select_reason_word(i));
		weight_add_grouped(text, profile->select.count.left_out[i]);
	}
	for (int i = 0; i < PATH_REASON_NR; i++) {
		if (!paths->left_out[i])
			continue;
		text_addf(text, "; %s left out ", paths_reason_word(i));
		weight_add_grouped(text, paths->left_out[i]);
	}
	if (paths->without_chain) {
		text_add(text, "; without a call chain ");
		weight_add_grouped(text, paths->without_chain);
	}
	loss_rows_add_head(capture, profile->event, text);
	trust_count(&trust, paths, profile->counts_samples);
	trust_add(&trust, "; ", text);
}

void profile_add_headline(const struct profile *profile, struct text *text, weight total)
{
	bool has_name = profile->capture.events.list[profile->event].name != NAME_NONE;

	if (has_name || !profile->counts_samples) {
		profile_add_weight(profile, text, total);
		text_addf(text, " of %s; ", profile_event_name(profile));
	}
	profile_add_facts(profile, text);
}
