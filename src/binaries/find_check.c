/* find_check.c - a candidate is opened and compared with what was recorded */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/crc.h"
#include "base/mem.h"
#include "base/text.h"
#include "binaries/callsites.h"
#include "binaries/find_parts.h"

/*
 * Below this the test says no where some addresses of a right stack may be none, or where the
 * kernel itself read the ID when it mapped the file and the test has to find only code that
 * was moved with the ID kept (BOLT, a fixed --build-id). Of another build at most 76 % was
 * measured.
 */
#define CALLSITES_PERCENT_LENIENT 80

void find_reject(struct find_search *search, enum find_verdict verdict, const char *path,
		 const char *format, ...)
{
	struct binaries_found *found = search->found;
	va_list args;
	char *reason;
	int size;

	va_start(args, format);
	size = vasprintf(&reason, format, args);
	va_end(args);
	GROW(found->rejected, found->rejected_nr + 1, found->rejected_alloc);
	found->rejected[found->rejected_nr++] = (struct binaries_rejected){
		mem_strdup(path), size < 0 ? mem_strdup("out of memory") : reason};
	if (!search->first[verdict])
		search->first[verdict] = found->rejected_nr;
}

/* ---- opening */

/* What is not there is no candidate, and neither is a folder, a device, or an empty file. */
static bool is_candidate(struct find_search *search, const char *path, struct stat *st)
{
	if (stat(path, st) < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			find_reject(search, FIND_NO_WORD, path, "cannot look at it: %s",
				    strerror(errno));
		return false;
	}
	return S_ISREG(st->st_mode) && st->st_size;
}

static void reject_unopened(struct find_search *search, const char *path,
			    const struct find_check *check, struct error *err)
{
	static const enum find_verdict verdicts[] = {
		[ERROR_USAGE] = FIND_NO_WORD,
		[ERROR_INPUT] = FIND_OTHER,
		[ERROR_LIMIT] = FIND_UNSUPPORTED,
		[ERROR_OS] = FIND_NO_WORD,
	};

	if (!check->is_quiet)
		find_reject(search, verdicts[error_kind(err)], path, "%s", error_text(err));
	error_free(err);
}

static bool has_id(struct find_search *search, const struct elf_file *file,
		   const struct find_check *check)
{
	if (strcmp(file->build_id, check->build_id) == 0)
		return true;
	if (check->is_quiet)
		return false;
	if (file->build_id[0])
		find_reject(search, FIND_OTHER, file->path, "its build ID is %s, not %s",
			    file->build_id, check->build_id);
	else
		find_reject(search, FIND_OTHER, file->path, "it has no build ID; wanted is %s",
			    check->build_id);
	return false;
}

static bool has_crc(struct find_search *search, const struct elf_file *file,
		    const struct find_check *check)
{
	uint32_t crc = crc_of(file->map, file->size);

	if (crc != check->crc)
		find_reject(search, FIND_OTHER, file->path,
			    "its CRC is 0x%08x, not 0x%08x as .gnu_debuglink says", crc,
			    check->crc);
	return crc == check->crc;
}

static bool is_wanted(struct find_search *search, const struct elf_file *file,
		      const struct find_check *check)
{
	if (check->build_id && !has_id(search, file, check))
		return false;
	return !check->has_crc || has_crc(search, file, check);
}

/* Closes the file, or keeps it if the user said that another one will do. */
static void turn_down(struct find_search *search, struct find_candidate *candidate)
{
	if (search->accepts_mismatch && !search->has_forced) {
		search->forced = *candidate;
		search->has_forced = true;
	} else {
		elf_file_close(&candidate->file);
	}
}

bool find_open(struct find_search *search, const char *path, const struct find_check *check,
	       struct elf_file *ret)
{
	struct find_candidate candidate = {0};
	struct error *err;
	struct stat st;

	if (!is_candidate(search, path, &st))
		return false;
	err = elf_file_open(path, &candidate.file);
	if (err) {
		reject_unopened(search, path, check, err);
		return false;
	}
	if (!is_wanted(search, &candidate.file, check)) {
		if (check->is_quiet)
			elf_file_close(&candidate.file);
		else
			turn_down(search, &candidate);
		return false;
	}
	*ret = candidate.file;
	return true;
}

/* ---- the call-site test */

static void count_callsites(const struct find_search *search, struct find_candidate *candidate)
{
	const struct binaries_wanted *wanted = search->wanted;
	size_t nr = wanted->is_kernel ? 0 : wanted->return_offsets_nr;
	uint64_t *vaddrs = mem_zalloc(nr, sizeof(*vaddrs));

	/* one that is in no segment stays 0, where no call is; a call may end its segment */
	for (size_t i = 0; i < nr; i++)
		if (wanted->return_offsets[i] &&
		    elf_file_address(&candidate->file, wanted->return_offsets[i] - 1,
				     wanted->map_offset, &vaddrs[i]))
			vaddrs[i]++;
	callsites_count(&candidate->file, vaddrs, nr, &candidate->callsites_ok,
			&candidate->callsites_total);
	free(vaddrs);
}

static bool has_percent(const struct find_candidate *candidate, size_t percent)
{
	return candidate->callsites_ok * 100 >= candidate->callsites_total * percent;
}

bool find_is_proven(const struct find_candidate *candidate)
{
	return candidate->callsites_total >= CALLSITES_MIN &&
	       has_percent(candidate, CALLSITES_PERCENT);
}

static bool is_contradicted(const struct find_search *search,
			    const struct find_candidate *candidate)
{
	const struct binaries_wanted *wanted = search->wanted;
	bool is_sure = wanted->build_id && wanted->id_source == ID_MMAP2;
	bool is_strict = wanted->returns_are_unwound && !is_sure;

	if (candidate->callsites_total < CALLSITES_MIN ||
	    has_percent(candidate, is_strict ? CALLSITES_PERCENT : CALLSITES_PERCENT_LENIENT))
		return false;
	return wanted->returns_are_unwound || callsites_keeps_frame_pointers(&candidate->file);
}

static bool passes_callsites(struct find_search *search, struct find_candidate *candidate)
{
	struct binaries_found *found = search->found;

	count_callsites(search, candidate);
	if (!is_contradicted(search, candidate))
		return true;
	if (!search->first[FIND_CONTRADICTED]) {
		found->callsites_ok = candidate->callsites_ok;
		found->callsites_total = candidate->callsites_total;
	}
	find_reject(search, FIND_CONTRADICTED, candidate->file.path,
		    "only %zu of %zu return addresses are behind a call in it",
		    candidate->callsites_ok, candidate->callsites_total);
	return false;
}

/* Unwinding by it was tried: what it led to is no evidence of frames, but is of the file. */
static bool is_refuted(struct find_search *search, const struct find_candidate *candidate)
{
	const struct binaries_wanted *wanted = search->wanted;
	const char *path = candidate->file.path;

	for (size_t i = 0; !wanted->build_id && i < wanted->refuted_nr; i++) {
		const struct binaries_refuted *refuted = &wanted->refuted[i];

		if (strcmp(refuted->path, path) != 0)
			continue;
		if (!search->first[FIND_CONTRADICTED]) {
			search->found->callsites_ok = refuted->ok;
			search->found->callsites_total = refuted->total;
		}
		find_reject(search, FIND_CONTRADICTED, path,
			    "unwinding by it leads astray: only %zu of %zu places that it leads to "
			    "are behind a call",
			    refuted->ok, refuted->total);
		return true;
	}
	return false;
}

/* ---- the list */

/* One file has many names: links, /lib and /usr/lib, a cache and its entry. */
static bool is_seen(struct find_search *search, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	for (size_t i = 0; i < search->seen_nr; i++)
		if (search->seen[i].device == st.st_dev && search->seen[i].inode == st.st_ino)
			return true;
	GROW(search->seen, search->seen_nr + 1, search->seen_alloc);
	search->seen[search->seen_nr++] = (struct find_file){st.st_dev, st.st_ino};
	return false;
}

void find_try(struct find_search *search, const char *path, const struct find_check *check)
{
	struct find_candidate candidate = {0};

	if (search->nr == FIND_CANDIDATES_MAX || is_seen(search, path) ||
	    !find_open(search, path, check, &candidate.file))
		return;
	if (!is_refuted(search, &candidate) && passes_callsites(search, &candidate))
		search->list[search->nr++] = candidate;
	else
		turn_down(search, &candidate);
}

void find_tryf(struct find_search *search, const struct find_check *check, const char *format, ...)
{
	va_list args;
	char *path;
	int size;

	va_start(args, format);
	size = vasprintf(&path, format, args);
	va_end(args);
	if (size < 0)
		return;
	find_try(search, path, check);
	free(path);
}

struct find_candidate *find_runtime(struct find_search *search)
{
	for (size_t i = 0; i < search->nr; i++)
		if (!elf_file_is_debug_only(&search->list[i].file))
			return &search->list[i];
	return NULL;
}
