/* find.c - the files that ran, found by build ID and shown to be the ones */
#include "binaries/find.h"

#include "base/mem.h"
#include "base/text.h"
#include "binaries/callsites.h"
#include "binaries/find_parts.h"

/* ---- which of the candidates are used */

struct choice {
	const struct find_candidate *runtime, *debug;
	bool is_forced;
	bool has_two_layouts; /* the ID is that of two different files: which ran is not known */
	struct elf_file alt;
	bool has_alt;
};

/* Do they come from one link? If not, the candidate is turned down. */
static bool belongs(struct find_search *search, const struct elf_file *runtime,
		    const struct elf_file *debug)
{
	char *difference;

	if (runtime->build_id[0] && strcmp(runtime->build_id, debug->build_id) != 0) {
		find_reject(search, FIND_OTHER, debug->path,
			    "its build ID is %s, not %s as in '%s'",
			    debug->build_id[0] ? debug->build_id : "none", runtime->build_id,
			    runtime->path);
		return false;
	}
	difference = elf_file_layout_difference(runtime, debug);
	if (!difference)
		return true;
	find_reject(search, FIND_OTHER, debug->path, "it was not linked as '%s' was: %s",
		    runtime->path, difference);
	free(difference);
	return false;
}

static int debug_worth(const struct elf_file *file)
{
	return elf_file_has_dwarf(file) ? 2 : elf_file_has_symtab(file);
}

/* The best of those that belong to the runtime file; the first of equals. */
static void choose_debug(struct find_search *search, struct choice *choice)
{
	int best = 0;

	for (size_t i = 0; i < search->nr; i++) {
		const struct find_candidate *candidate = &search->list[i];
		int worth = debug_worth(&candidate->file);

		if (!worth)
			continue;
		if (choice->runtime && candidate != choice->runtime &&
		    !belongs(search, &choice->runtime->file, &candidate->file)) {
			choice->has_two_layouts = true;
			continue;
		}
		if (worth > best) {
			best = worth;
			choice->debug = candidate;
		}
	}
}

/*
 * A debug file with the binary's ID and another layout: one of the two was linked again, or
 * changed afterwards. The return addresses may tell that the binary ran, or a second debug
 * file that agrees with it; else there is no telling.
 */
static bool is_undecided(const struct find_search *search, const struct choice *choice)
{
	return choice->has_two_layouts && search->wanted->build_id && !choice->is_forced &&
	       !find_is_proven(choice->runtime) &&
	       (!choice->debug || choice->debug == choice->runtime);
}

static void use_forced(struct find_search *search)
{
	search->list[search->nr++] = search->forced;
	search->has_forced = false;
}

static void gather(struct find_search *search, struct choice *choice)
{
	const struct binaries_wanted *wanted = search->wanted;
	struct find_candidate *runtime;

	if (wanted->build_id)
		find_by_id(search, wanted->build_id, true);
	else
		find_by_name(search);
	if (!search->nr && search->has_forced) {
		use_forced(search);
		choice->is_forced = true;
	}
	runtime = find_runtime(search);
	if (!runtime)
		return;
	if ((choice->is_forced || !wanted->build_id) && runtime->file.build_id[0])
		find_by_id(search, runtime->file.build_id, false);
	if (!elf_file_has_dwarf(&runtime->file))
		find_debuglink(search, &runtime->file);
}

/* What remains of a contradicted ID is a debug file with the same ID: it names other code. */
static bool is_usable(const struct find_search *search, const struct choice *choice)
{
	if (!choice->runtime && !choice->debug)
		return false;
	if (choice->is_forced)
		return true;
	if (!choice->runtime && search->first[FIND_CONTRADICTED])
		return false;
	return !choice->runtime || !is_undecided(search, choice);
}

/* ---- the answer */

static void set_file(const struct find_search *search, const struct elf_file *file, char **ret,
		     char sha256[static DIGEST_HEX_SIZE])
{
	*ret = mem_strdup(file->path);
	if (search->wanted->takes_digests)
		elf_file_digest(file, sha256);
}

static void set_debug(const struct find_search *search, struct choice *choice)
{
	struct binaries_found *found = search->found;

	if (choice->debug != choice->runtime) {
		set_file(search, &choice->debug->file, &found->debug, found->debug_sha256);
		return;
	}
	found->debug = mem_strdup(found->file);
	memcpy(found->debug_sha256, found->file_sha256, sizeof(found->debug_sha256));
}

static void set_files(struct find_search *search, struct choice *choice)
{
	struct binaries_found *found = search->found;
	const struct find_candidate *any = choice->runtime ? choice->runtime : choice->debug;

	memcpy(found->build_id, any->file.build_id, sizeof(found->build_id));
	if (choice->runtime) {
		set_file(search, &choice->runtime->file, &found->file, found->file_sha256);
		found->callsites_ok = choice->runtime->callsites_ok;
		found->callsites_total = choice->runtime->callsites_total;
	}
	if (!choice->debug)
		return;
	set_debug(search, choice);
	choice->has_alt = find_alt(search, &choice->debug->file, &choice->alt);
	if (choice->has_alt)
		set_file(search, &choice->alt, &found->alt, found->alt_sha256);
}

static enum module_status status_of_used(const struct find_search *search,
					 const struct choice *choice)
{
	if (choice->is_forced)
		return MODULE_FORCED;
	if (search->wanted->build_id)
		return MODULE_EXACT;
	return choice->runtime && find_is_proven(choice->runtime) ? MODULE_CONSISTENT
								  : MODULE_UNVERIFIED;
}

static enum find_verdict worst(const struct find_search *search)
{
	enum find_verdict verdict = FIND_CONTRADICTED;

	while (verdict > FIND_NO_WORD && !search->first[verdict])
		verdict--;
	return verdict;
}

static enum module_status status_of_unused(const struct find_search *search)
{
	static const enum module_status statuses[] = {
		[FIND_NO_WORD] = MODULE_MISSING,
		[FIND_UNSUPPORTED] = MODULE_UNSUPPORTED,
		[FIND_OTHER] = MODULE_MISMATCH,
		[FIND_CONTRADICTED] = MODULE_CONTRADICTED,
	};

	return statuses[worst(search)];
}

/* ---- the answer in words */

static void add_callsites(const struct find_search *search, const struct choice *choice,
			  struct text *text)
{
	const struct binaries_found *found = search->found;

	if (found->callsites_total >= CALLSITES_MIN)
		text_addf(text, "; %zu of %zu return addresses are behind a call in it",
			  found->callsites_ok, found->callsites_total);
	else if (found->callsites_total && !search->wanted->build_id)
		text_addf(text, "; %zu return %s too few to tell by (%u)", found->callsites_total,
			  found->callsites_total == 1 ? "address is" : "addresses are",
			  CALLSITES_MIN);
	if (found->callsites_total >= CALLSITES_MIN && !choice->is_forced &&
	    !find_is_proven(choice->runtime))
		text_add(text, search->wanted->returns_are_unwound
				       ? ", which decides nothing"
				       : ", which decides nothing: the stacks were walked by frame "
					 "pointers");
}

static void add_rejected(const struct find_search *search, struct text *text)
{
	const struct binaries_found *found = search->found;
	size_t first = search->first[worst(search)];

	if (!first)
		return;
	text_addf(text, "'%s': %s", found->rejected[first - 1].path,
		  found->rejected[first - 1].reason);
	if (found->rejected_nr > 1)
		text_addf(text, " (%zu more turned down)", found->rejected_nr - 1);
}

static void describe_used(const struct find_search *search, const struct choice *choice,
			  struct text *text)
{
	switch (search->found->status) {
	case MODULE_FORCED:
		text_add(text, "taken because it was asked for: ");
		add_rejected(search, text);
		break;
	case MODULE_EXACT:
		text_add(text, "its build ID is the recorded one");
		break;
	default:
		text_add(text, "no build ID was recorded");
	}
	add_callsites(search, choice, text);
	if (!choice->runtime)
		text_add(text, "; only its debug file is there");
	if (choice->debug && choice->debug->file.altlink[0] && !choice->has_alt)
		text_addf(text, "; the dwz file '%s' that it names is not there",
			  choice->debug->file.altlink);
}

static void describe_unused(const struct find_search *search, struct text *text)
{
	add_rejected(search, text);
	if (text->size)
		return;
	if (search->wanted->build_id)
		text_addf(text, "no file with the build ID %s", search->wanted->build_id);
	else
		text_add(text, "no file of this name, and no build ID was recorded");
}

/* ---- */

static void conclude(struct find_search *search, struct choice *choice)
{
	struct binaries_found *found = search->found;
	struct text detail = TEXT_INIT;

	if (is_usable(search, choice)) {
		found->status = status_of_used(search, choice);
		set_files(search, choice);
		describe_used(search, choice, &detail);
	} else {
		found->status = status_of_unused(search);
		describe_unused(search, &detail);
	}
	found->detail = text_take(&detail);
}

static void search_release(struct find_search *search, struct choice *choice)
{
	for (size_t i = 0; i < search->nr; i++)
		elf_file_close(&search->list[i].file);
	if (search->has_forced)
		elf_file_close(&search->forced.file);
	if (choice->has_alt)
		elf_file_close(&choice->alt);
	free(search->seen);
}

void binaries_find(struct binaries *binaries, const struct binaries_wanted *wanted,
		   struct binaries_found *ret)
{
	struct binaries_wanted sound = *wanted;
	struct find_search search = {.binaries = binaries, .wanted = &sound, .found = ret};
	struct choice choice = {0};

	/* a file without an ID must not be equal to it */
	if (sound.build_id && !sound.build_id[0])
		sound.build_id = NULL;
	*ret = (struct binaries_found){0};
	search.accepts_mismatch = find_accepts_mismatch(binaries, &sound);
	gather(&search, &choice);
	choice.runtime = find_runtime(&search);
	choose_debug(&search, &choice);
	conclude(&search, &choice);
	search_release(&search, &choice);
}

void binaries_found_release(struct binaries_found *found)
{
	for (size_t i = 0; i < found->rejected_nr; i++) {
		free(found->rejected[i].path);
		free(found->rejected[i].reason);
	}
	free(found->rejected);
	free(found->file);
	free(found->debug);
	free(found->alt);
	free(found->detail);
	*found = (struct binaries_found){0};
}
