/* flame_picture.c - what all views of tephra flame have in common: options, words, the file */
#include "commands/flame_picture.h"

#include "analysis/sandwich.h"
#include "base/mem.h"
#include "base/utf8.h"

void flame_picture_init(struct flame_picture *picture, const struct flame_options *options,
			struct profile *profile)
{
	*picture = (struct flame_picture){
		.options = options,
		.profile = profile,
		.view = (enum flame_view)options->view,
		.title = utf8_cleaned(options->title),
		.subtitle = utf8_cleaned(options->subtitle),
		.count_name = utf8_cleaned(options->count_name),
	};
	picture->words = (struct flame_words){profile, picture->count_name, &picture->paints};
}

void flame_picture_release(struct flame_picture *picture)
{
	free(picture->title);
	free(picture->subtitle);
	free(picture->count_name);
	flame_paints_release(&picture->paints);
	paths_release(&picture->callers);
	paths_release(&picture->entire);
	recorder_release(&picture->recorder);
	text_release(&picture->head);
	text_release(&picture->entire_head);
}

/* As it is written in the picture; NULL where no function is called so. */
static const char *name_of_one(const struct profile *profile, const char *name)
{
	const struct names *names = &profile->capture.names;

	for (uint32_t i = 0; i < profile->naming.nr; i++) {
		const struct function *function = &profile->naming.list[i];

		if (function->kind != FUNCTION_ROOT &&
		    strcmp(names_get(names, function->name)->bytes, name) == 0)
			return names_display(names, function->name);
	}
	return NULL;
}

struct error *flame_picture_cut(struct flame_picture *picture)
{
	struct profile *profile = picture->profile;
	struct sandwich_of of = {.name = picture->options->of};
	regex_t regex;
	bool is_regex = regcomp(&regex, of.name, REG_EXTENDED | REG_NOSUB) == 0;

	if (is_regex)
		of.regex = &regex;
	picture->of = name_of_one(profile, of.name);
	if (picture->of) {
		paths_move(&profile->paths, &picture->entire);
		sandwich_cut(&picture->entire, &of, &profile->paths, &picture->callers);
	} else {
		sandwich_cut(&profile->paths, &of, &profile->paths, &picture->callers);
	}
	if (is_regex)
		regfree(&regex);
	return profile->paths.nr ? NULL : profile_empty_selection(profile);
}

struct error *flame_picture_record(struct flame_picture *picture, struct profile_options *reading)
{
	if (reading->capture && strcmp(reading->capture, "all") == 0)
		return error_new(ERROR_USAGE, "a flame chart needs one capture: each of them has a "
					      "clock of its own");
	if (reading->collapse_chains)
		return error_new(ERROR_USAGE, "frames are joined in a tree, and a flame chart is "
					      "none: --collapse-chains cannot be together with it");
	reading->recorder = &picture->recorder;
	reading->by = 1 + TALLY_BY_NONE;
	return NULL;
}

void flame_picture_paint(struct flame_picture *picture)
{
	flame_paints_init(&picture->paints, picture->profile,
			  (enum flame_paint_by)picture->options->paint);
}

static weight total_of(const struct profile *profile)
{
	return profile->counts_samples ? profile->paths.count : profile->paths.period;
}

weight flame_picture_total(const struct flame_picture *picture)
{
	return total_of(picture->profile);
}

/* A number in the unit of weights, or where that is a time also "2s". */
static bool parse_weight(const struct profile *profile, const char *s, weight *ret)
{
	uint64_t ns;

	if (weight_parse(s, strlen(s), ret))
		return true;
	if (strcmp(profile_unit(profile), "ns") != 0 || !units_parse_time(s, strlen(s), &ns))
		return false;
	*ret = weight_of(ns);
	return true;
}

struct error *flame_picture_scale(struct flame_picture *picture)
{
	const char *wanted = picture->options->total;
	weight total = flame_picture_total(picture);
	CLEANUP(text_release) struct text drawn = TEXT_INIT;

	picture->whole = total;
	if (!wanted)
		return NULL;
	if (picture->view == FLAME_VIEW_TABLE || picture->view == FLAME_VIEW_FLAMECHART)
		return error_new(ERROR_USAGE, "--total is for pictures whose width is a weight");
	if (!parse_weight(picture->profile, wanted, &picture->whole))
		return error_new(ERROR_USAGE, "--total takes a weight in %s, not '%s'",
				 profile_unit(picture->profile), wanted);
	if (picture->whole >= total)
		return NULL;
	weight_add(&drawn, total);
	return error_hint(error_new(ERROR_USAGE,
				    "--total=%s is less than the weight of what is drawn", wanted),
			  "it is %s %s", text_string(&drawn), profile_unit(picture->profile));
}

static bool has_unnamed(const struct naming *naming)
{
	for (uint32_t i = 0; i < naming->nr; i++)
		if (naming->list[i].is_unnamed)
			return true;
	return false;
}

/* A leaf whose last function has a name, and so what ends in it. */
static bool is_named_leaf(const struct profile *profile, uint32_t leaf)
{
	const struct stacks *leaves = &profile->paths.leaves;
	uint32_t nr = stacks_depth(leaves, leaf);

	return nr && !profile->naming.list[stacks_ids(leaves, leaf)[nr - 1]].is_unnamed;
}

/* The weight of samples whose leaf has no symbol. Leaves are few beside paths. */
static weight unnamed_weight(const struct profile *profile)
{
	const struct paths *paths = &profile->paths;
	weight unnamed = 0;
	bool *is_named;

	if (!has_unnamed(&profile->naming))
		return 0;
	is_named = mem_alloc(paths->leaves.nr * sizeof(*is_named));
	for (uint32_t i = 0; i < paths->leaves.nr; i++)
		is_named[i] = is_named_leaf(profile, i);
	for (uint32_t i = 0; i < paths->nr; i++) {
		uint32_t leaf;

		if (is_named[paths->list[i].leaf])
			continue;
		leaf = paths_last(paths, i);
		if (profile->naming.list[leaf].is_unnamed)
			unnamed += paths_weight(paths, i, profile->counts_samples);
	}
	free(is_named);
	return unnamed;
}

static void make_head(const struct flame_picture *picture, const struct profile *profile,
		      struct text *head)
{
	weight unnamed = unnamed_weight(profile), total = total_of(profile);

	text_add(head, picture->view == FLAME_VIEW_TABLE ? "Weight: " : "Width: ");
	if (picture->count_name)
		text_addf(head, "%s. ", picture->count_name);
	else if (profile->capture.events.list[profile->event].name != NAME_NONE)
		text_addf(head, "%s of %s. ", profile->counts_samples ? "samples" : "period",
			  profile_event_name(profile));
	if (!profile->counts_samples) {
		flame_words_add_weight(&picture->words, head, total);
		text_add(head, " in ");
	}
	profile_add_facts(profile, head);
	text_add_char(head, '.');
	if (profile == picture->profile && picture->whole > total) {
		text_add(head, " All the width is ");
		flame_words_add_weight(&picture->words, head, picture->whole);
		text_add_char(head, '.');
	}
	if (!unnamed)
		return;
	text_add_char(head, ' ');
	units_add_percent(head, weight_share(unnamed, total), 1);
	text_add(head, " end in a frame without a name.");
}

struct profile flame_picture_entire(const struct flame_picture *picture)
{
	struct profile entire = *picture->profile;

	if (picture->of)
		entire.paths = picture->entire;
	return entire;
}

void flame_picture_make_head(struct flame_picture *picture)
{
	make_head(picture, picture->profile, &picture->head);
	if (picture->of) {
		struct profile entire = flame_picture_entire(picture);

		make_head(picture, &entire, &picture->entire_head);
	}
}

void flame_picture_tell(const struct flame_picture *picture, const struct text *note)
{
	if (note->size && !picture->options->profile.quiet)
		fprintf(stderr, "%s: note: %s\n", picture->profile->operand, text_string(note));
}
