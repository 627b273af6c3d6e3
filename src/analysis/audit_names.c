/* audit_names.c - findings of names: none, of another build, of a file that nothing shows to fit */
#include "analysis/audit_parts.h"

#include <inttypes.h>

#include "base/mem.h"

/* Modules that a finding names. */
#define LISTED_MAX 3

/* ---- modules of a kind, and how many samples have a frame in them */

struct modules_seen {
	weight *samples;	/* owned: per module those whose leaf is in it */
	weight leaves, callers; /* all samples with the leaf, with a caller in one of them */
	uint32_t nr;
};

typedef bool is_module(const struct audit_input *input, const struct module *module);

static bool is_one(const struct audit_input *input, uint32_t location, is_module *is)
{
	const struct capture *capture = input->capture;
	uint32_t module = locations_get(&capture->locations, location)->module;

	return module != MODULE_NONE && is(input, &capture->modules.list[module]);
}

static void see_leaves(const struct audit_input *input, is_module *is, struct modules_seen *seen)
{
	const struct summary *summary = input->summary;

	for (uint32_t i = 0; i < summary->leaves_nr; i++) {
		if (!summary->leaves[i] || !is_one(input, i, is))
			continue;
		seen->leaves += summary->leaves[i];
		seen->samples[locations_get(&input->capture->locations, i)->module] +=
			summary->leaves[i];
	}
}

static void see_callers(const struct audit_input *input, is_module *is, struct modules_seen *seen)
{
	const struct summary *summary = input->summary;
	const struct stacks *stacks = &input->capture->stacks;

	for (uint32_t i = 0; i < summary->stacks_nr; i++) {
		const uint32_t *ids = stacks_ids(stacks, i);
		uint32_t nr = summary->stacks[i] ? stacks_depth(stacks, i) : 0;
		bool is_any = false;

		for (uint32_t j = 0; j < nr; j++) {
			if (!is_one(input, ids[j], is))
				continue;
			is_any = true;
			seen->samples[locations_get(&input->capture->locations, ids[j])->module] +=
				summary->stacks[i];
		}
		if (is_any)
			seen->callers += summary->stacks[i];
	}
}

/* The modules seen most, by samples and path: "libc.so.6, relay and 3 more". */
static void add_modules(const struct audit_input *input, struct modules_seen *seen,
			struct text *text)
{
	const struct capture *capture = input->capture;
	uint32_t listed = 0;

	for (; listed < LISTED_MAX && listed < seen->nr; listed++) {
		uint32_t best = MODULE_NONE;

		for (uint32_t i = 0; i < capture->modules.nr; i++)
			if (seen->samples[i] &&
			    (best == MODULE_NONE || seen->samples[i] > seen->samples[best] ||
			     (seen->samples[i] == seen->samples[best] &&
			      names_compare(&capture->names, capture->modules.list[i].path,
					    capture->modules.list[best].path) < 0)))
				best = i;
		text_addf(text, "%s%s", listed ? ", " : "",
			  names_display(&capture->names, capture->modules.list[best].basename));
		seen->samples[best] = 0;
	}
	if (seen->nr > listed)
		text_addf(text, " and %" PRIu32 " more", seen->nr - listed);
}

/* "2 modules ...: libc.so.6, relay; in at least 40.0 % of samples" */
static void find_modules(const struct audit_input *input, enum audit_code code, is_module *is,
			 const char *one, const char *many, struct audit *audit)
{
	struct modules_seen seen = {
		.samples = mem_zalloc(input->capture->modules.nr, sizeof(*seen.samples)),
	};
	struct text what = TEXT_INIT;
	double share;

	see_leaves(input, is, &seen);
	see_callers(input, is, &seen);
	for (uint32_t i = 0; i < input->capture->modules.nr; i++)
		seen.nr += seen.samples[i] != 0;
	share = weight_share(seen.leaves > seen.callers ? seen.leaves : seen.callers,
			     input->summary->samples);
	if (share >= AUDIT_SHARE_LEAST) {
		text_addf(&what, "%" PRIu32 " %s: ", seen.nr, seen.nr == 1 ? one : many);
		add_modules(input, &seen, &what);
		text_add(&what, "; in at least ");
		units_add_percent(&what, share, 1);
		text_add(&what, " of samples");
		audit_add(audit, code, share, &what);
	}
	free(seen.samples);
}

/* ---- the kinds */

/* A file; what stands in brackets or in shared memory has no build ID at all. */
static bool is_file(const struct audit_input *input, const struct module *module)
{
	const char *path = names_display(&input->capture->names, module->path);

	return (module->origin == ORIGIN_APP || module->origin == ORIGIN_LIBRARY) && *path != '[' &&
	       strncmp(path, "//", 2) != 0 && strncmp(path, "/memfd:", 7) != 0;
}

static bool is_without_id(const struct audit_input *input, const struct module *module)
{
	return module->id_source == ID_NONE_RECORDED && is_file(input, module);
}

static bool is_contradicted(const struct audit_input *input, const struct module *module)
{
	(void)input;
	return module->status == MODULE_CONTRADICTED;
}

static bool is_mismatch(const struct audit_input *input, const struct module *module)
{
	(void)input;
	return module->status == MODULE_MISMATCH;
}

static bool is_forced(const struct audit_input *input, const struct module *module)
{
	(void)input;
	return module->status == MODULE_FORCED;
}

/* ---- leaves without a name */

static bool is_named(const struct audit_input *input, uint32_t location)
{
	const struct capture *capture = input->capture;
	uint32_t frames_nr;

	frames_of(&capture->frames, location, &frames_nr);
	return frames_nr || locations_get(&capture->locations, location)->name != NAME_NONE;
}

/* Was a name looked for? Of a text perf has looked; of addresses a file must have been. */
static bool is_looked_for(const struct audit_input *input, uint32_t module)
{
	const struct capture *capture = input->capture;

	return !capture->has_offsets || module == MODULE_NONE ||
	       capture->modules.list[module].status != MODULE_UNNAMED;
}

struct unnamed {
	weight *modules; /* owned: samples per module, those without one at the end */
	weight all;
};

static void count_unnamed(const struct audit_input *input, struct unnamed *ret)
{
	const struct capture *capture = input->capture;
	const struct summary *summary = input->summary;

	ret->modules = mem_zalloc((size_t)capture->modules.nr + 1, sizeof(*ret->modules));
	for (uint32_t i = 0; i < summary->leaves_nr; i++) {
		uint32_t module = locations_get(&capture->locations, i)->module;

		if (!summary->leaves[i] || is_named(input, i) || !is_looked_for(input, module))
			continue;
		ret->modules[module == MODULE_NONE ? capture->modules.nr : module] +=
			summary->leaves[i];
		ret->all += summary->leaves[i];
	}
}

static void find_unnamed(const struct audit_input *input, struct audit *audit)
{
	const struct capture *capture = input->capture;
	struct unnamed unnamed = {0};
	struct text what = TEXT_INIT;
	uint32_t worst = 0;
	double share;

	count_unnamed(input, &unnamed);
	for (uint32_t i = 1; i <= capture->modules.nr; i++)
		if (unnamed.modules[i] > unnamed.modules[worst])
			worst = i;
	share = weight_share(unnamed.all, input->summary->samples);
	if (share >= AUDIT_COMMON_LEAST && audit_has_looked(input)) {
		units_add_percent(&what, share, 1);
		text_add(&what, " of samples end in a function without a name, ");
		units_add_percent(&what,
				  weight_share(unnamed.modules[worst], input->summary->samples), 1);
		if (worst == capture->modules.nr)
			text_add(&what, " in no file at all");
		else
			text_addf(&what, " in %s",
				  names_display(&capture->names,
						capture->modules.list[worst].basename));
		if (worst < capture->modules.nr && capture->has_offsets)
			text_addf(&what, " (%s)",
				  module_status_word(capture->modules.list[worst].status));
		audit_add(audit, AUDIT_NAMES_MISSING, share, &what);
	}
	free(unnamed.modules);
}

void audit_names(const struct audit_input *input, struct audit *audit)
{
	find_unnamed(input, audit);
	if (!input->capture->has_offsets)
		return;
	if (input->recording.is_packed)
		find_modules(input, AUDIT_NO_BUILD_IDS, is_without_id,
			     "file has no build ID (perf record -z)",
			     "files have no build ID (perf record -z)", audit);
	else
		find_modules(input, AUDIT_NO_BUILD_IDS, is_without_id, "file has no build ID",
			     "files have no build ID", audit);
	find_modules(input, AUDIT_OTHER_FILE, is_contradicted, "file cannot be the one that ran",
		     "files cannot be those that ran", audit);
	find_modules(input, AUDIT_BUILD_ID_MISMATCH, is_mismatch, "file here is of another build",
		     "files here are of another build", audit);
	find_modules(input, AUDIT_NAMES_FORCED, is_forced,
		     "file was taken though it is of another build",
		     "files were taken though they are of another build", audit);
}
