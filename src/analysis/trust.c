/* trust.c - how far the names in a result are shown to be right */
#include "analysis/trust.h"

#include <string.h>

#include "analysis/naming.h"
#include "analysis/paths.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"

static enum module_status status_of(const struct capture *capture, const struct function *function)
{
	if (function->kind != FUNCTION_CODE || function->module == MODULE_NONE)
		return MODULE_UNNAMED;
	return capture->modules.list[function->module].status;
}

enum trust_grade trust_grade(const struct capture *capture, const struct function *function)
{
	switch (status_of(capture, function)) {
	case MODULE_UNVERIFIED:
	case MODULE_FORCED:
		return function->is_unnamed ? TRUST_SHOWN : TRUST_DOUBTED;
	case MODULE_CONTRADICTED:
	case MODULE_MISMATCH:
		return function->is_unnamed ? TRUST_REFUSED : TRUST_SHOWN;
	default:
		return TRUST_SHOWN;
	}
}

uint32_t trust_more_doubted(const struct naming *naming, uint32_t function, uint32_t than)
{
	enum trust_grade grade = trust_grade(naming->capture, &naming->list[function]), other;

	if (grade == TRUST_SHOWN || than == function)
		return than;
	if (than == FUNCTION_NONE)
		return function;
	other = trust_grade(naming->capture, &naming->list[than]);
	if (grade != other)
		return grade == TRUST_DOUBTED ? function : than;
	return naming_compare_modules(naming, function, than) < 0 ? function : than;
}

const char *trust_grade_words(const struct capture *capture, const struct function *function)
{
	static const char *const words[MODULE_STATUS_NR] = {
		[MODULE_UNVERIFIED] = "unverified: nothing shows that this name's file is the one "
				      "that ran",
		[MODULE_FORCED] = "forced: named by a file that is not the one that ran",
		[MODULE_CONTRADICTED] = "contradicted: no name, the file here does not fit the "
					"call chains",
		[MODULE_MISMATCH] = "mismatch: no name, the file here is another build",
	};

	if (trust_grade(capture, function) == TRUST_SHOWN)
		return "";
	return words[status_of(capture, function)];
}

static void count_leaf(struct trust *trust, const struct capture *capture, uint32_t leaf,
		       weight value)
{
	const struct location *location;
	uint32_t frames_nr;

	trust->all += value;
	if (leaf == LOCATION_NONE)
		return;
	location = locations_get(&capture->locations, leaf);
	frames_of(&capture->frames, leaf, &frames_nr);
	if (frames_nr || location->name != NAME_NONE)
		trust->named += value;
	if (location->module != MODULE_NONE)
		trust->by_status[capture->modules.list[location->module].status] += value;
}

/* The name of a frame that says that there should be others further out, NULL. */
static const char *root_of_part(const struct capture *capture, const struct location *root)
{
	const char *name;

	if (root->module != MODULE_NONE || root->name == NAME_NONE)
		return NULL;
	name = names_get(&capture->names, root->name)->bytes;
	if (strcmp(name, UNWIND_ROOT_TRUNCATED) == 0 || strcmp(name, UNWIND_ROOT_INCOMPLETE) == 0)
		return name;
	return NULL;
}

static void count_root(struct trust *trust, const struct capture *capture, uint32_t callers,
		       weight value)
{
	const struct location *root;
	const char *name;

	if (!stacks_depth(&capture->stacks, callers))
		return;
	root = locations_get(&capture->locations, stacks_ids(&capture->stacks, callers)[0]);
	name = root_of_part(capture, root);
	if (name && strcmp(name, UNWIND_ROOT_TRUNCATED) == 0)
		trust->truncated += value;
	else if (name)
		trust->incomplete += value;
}

/* Most captures have no such frame, and their stacks need not be looked at. */
static bool has_parts(const struct capture *capture)
{
	for (uint32_t i = 0; i < capture->locations.nr; i++)
		if (root_of_part(capture, locations_get(&capture->locations, i)))
			return true;
	return false;
}

void trust_count(struct trust *trust, const struct paths *paths, bool counts_samples)
{
	const struct capture *capture = paths->naming->capture;
	bool is_cut = has_parts(capture);

	*trust = (struct trust){0};
	for (uint32_t i = 0; i < paths->nr; i++) {
		const struct tally_entry *entry = &paths->tally->list[paths->list[i].entry];
		weight value = paths_weight(paths, i, counts_samples);

		count_leaf(trust, capture, entry->key.leaf, value);
		if (is_cut)
			count_root(trust, capture, entry->key.callers, value);
		if (paths->list[i].lacks_caller)
			trust->lacks_caller += value;
	}
}

void trust_count_all(struct trust *trust, const struct tally *tally)
{
	*trust = (struct trust){0};
	for (uint32_t i = 0; i < tally->nr; i++)
		count_leaf(trust, tally->capture, tally->list[i].key.leaf, tally->list[i].count);
}

void trust_add_counts(const struct trust *trust, struct text *text)
{
	const char *before = "; ";

	text_add(text, "names: ");
	weight_add_grouped(text, trust->named);
	text_add(text, " of ");
	weight_add_grouped(text, trust->all);
	text_add(text, trust->all == WEIGHT_ONE ? " sample" : " samples");
	for (int i = MODULE_UNNAMED + 1; i < MODULE_STATUS_NR; i++) {
		if (!trust->by_status[i])
			continue;
		text_addf(text, "%s%s ", before, module_status_word(i));
		weight_add_grouped(text, trust->by_status[i]);
		before = ", ";
	}
}

static const struct {
	enum module_status status;
	bool is_doubt; /* its frames have names */
	const char *words;
} told[] = {
	{MODULE_FORCED, true, "is named by files that are not those that ran (--accept-mismatch)"},
	{MODULE_MISMATCH, false,
	 "is in modules whose files here are not those that ran, and has no names"},
	{MODULE_CONTRADICTED, false,
	 "is in modules whose files here contradict the call chains, and has no names"},
	{MODULE_UNVERIFIED, true, "is named by files that nothing shows to be those that ran"},
	{MODULE_UNSUPPORTED, false, "is in modules whose debug information could not all be read"},
	{MODULE_MISSING, false, "is in modules without a file to name them"},
};

static void add_share(const struct trust *trust, weight value, const char *words,
		      const char *before, struct text *text)
{
	if (!value)
		return;
	text_add(text, before);
	units_add_percent(text, weight_share(value, trust->all), 1);
	text_addf(text, " %s", words);
}

static void add_told(const struct trust *trust, size_t nr, const char *before, struct text *text)
{
	add_share(trust, trust->by_status[told[nr].status], told[nr].words, before, text);
}

/* Beginnings and ends of functions are hit now and then; they change no conclusion. */
#define LACKING_TOLD 0.01

static void add_lacking(const struct trust *trust, const char *before, struct text *text)
{
	if (weight_share(trust->lacks_caller, trust->all) < LACKING_TOLD)
		return;
	add_share(trust, trust->lacks_caller,
		  "may lack the leaf's caller, which frame pointers lead past (record with "
		  "--call-graph dwarf or lbr)",
		  before, text);
}

void trust_add(const struct trust *trust, const char *before, struct text *text)
{
	for (size_t i = 0; i < ARRAY_NR(told); i++)
		add_told(trust, i, before, text);
	add_lacking(trust, before, text);
	add_share(trust, trust->truncated, "of stacks are cut: their dumps were too small", before,
		  text);
	add_share(trust, trust->incomplete, "of stacks could not be unwound to the end", before,
		  text);
}

void trust_add_doubts(const struct trust *trust, const char *before, struct text *text)
{
	for (size_t i = 0; i < ARRAY_NR(told); i++)
		if (told[i].is_doubt)
			add_told(trust, i, before, text);
	add_lacking(trust, before, text);
}
