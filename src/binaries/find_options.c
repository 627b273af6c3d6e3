/* find_options.c - where to look for binaries, checked, and which module a MODULE means */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "binaries/find_parts.h"

/* ---- what was typed must be there */

static struct error *check_folder(const char *option, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return error_os("%s: cannot look at '%s'", option, path);
	if (!S_ISDIR(st.st_mode))
		return error_new(ERROR_USAGE, "%s: '%s' is no folder", option, path);
	return NULL;
}

static struct error *check_folders(const char *option, const char *const *paths, size_t nr)
{
	struct error *err = NULL;

	for (size_t i = 0; i < nr && !err; i++)
		err = check_folder(option, paths[i]);
	return err;
}

static struct error *check_binary(const char *word)
{
	const char *equals = strchr(word, '=');

	if (!equals || equals == word || !equals[1])
		return error_new(ERROR_USAGE, "--binary takes MODULE=FILE, not '%s'", word);
	if (access(equals + 1, R_OK) < 0)
		return error_os("--binary: cannot open '%s'", equals + 1);
	return NULL;
}

static struct error *check_options(const struct binaries_options *options)
{
	struct error *err =
		check_folders("--debug-dir", options->debug_dirs, options->debug_dirs_nr);

	if (!err)
		err = check_folders("--sysroot", options->sysroots, options->sysroots_nr);
	for (size_t i = 0; i < options->binaries_nr && !err; i++)
		err = check_binary(options->binaries[i]);
	return err;
}

/* ---- places */

static void add_folder(struct binaries *binaries, char *path)
{
	binaries->folders[binaries->folders_nr++] = (struct find_folder){.path = path};
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* "<capture>.symbols/", and the folder in which a tar of `perf archive` was unpacked. */
static void add_bundle(struct binaries *binaries, const char *capture)
{
	struct text path = TEXT_INIT;

	if (!capture || strcmp(capture, "-") == 0)
		return;
	text_add(&path, capture);
	while (path.size > 1 && path.bytes[path.size - 1] == '/')
		path.bytes[--path.size] = '\0';
	binaries->archive = roots_folder(path.bytes);
	text_add(&path, ".symbols");
	if (is_folder(path.bytes))
		add_folder(binaries, text_take(&path));
	text_release(&path);
}

static void add_folders(struct binaries *binaries)
{
	const struct binaries_options *options = &binaries->options;

	binaries->folders = mem_zalloc(options->debug_dirs_nr + 1, sizeof(*binaries->folders));
	for (size_t i = 0; i < options->debug_dirs_nr; i++)
		add_folder(binaries, mem_strdup(options->debug_dirs[i]));
	add_bundle(binaries, options->capture_path);
}

/* "<folder in the environment>/<name>"; NULL where the variable is not set or empty. */
static char *in_environment(const char *variable, const char *name)
{
	const char *folder = getenv(variable);
	struct text path = TEXT_INIT;

	if (!folder || !folder[0])
		return NULL;
	text_addf(&path, "%s%s", folder, name);
	return text_take(&path);
}

/* perf-buildid-cache(1); debuginfod_find_debuginfo(3), "CACHE" */
static void add_caches(struct binaries *binaries)
{
	binaries->perf_cache = in_environment("HOME", "/.debug");
	binaries->debuginfod_cache = in_environment("DEBUGINFOD_CACHE_PATH", "");
	if (!binaries->debuginfod_cache)
		binaries->debuginfod_cache = in_environment("XDG_CACHE_HOME", "/debuginfod_client");
	if (!binaries->debuginfod_cache)
		binaries->debuginfod_cache = in_environment("HOME", "/.cache/debuginfod_client");
}

static void add_roots(struct binaries *binaries)
{
	const struct binaries_options *options = &binaries->options;

	binaries->roots = mem_zalloc(options->sysroots_nr + 1, sizeof(*binaries->roots));
	for (size_t i = 0; i < options->sysroots_nr; i++)
		binaries->roots[binaries->roots_nr++] = options->sysroots[i];
	if (!options->only_given)
		binaries->roots[binaries->roots_nr++] = "";
}

struct error *binaries_new(const struct binaries_options *options, struct binaries **ret)
{
	struct error *err = check_options(options);
	struct binaries *binaries;

	if (err)
		return err;
	binaries = mem_zalloc(1, sizeof(*binaries));
	binaries->options = *options;
	binaries->is_matched = mem_zalloc(options->binaries_nr + options->accept_mismatch_nr + 1,
					  sizeof(*binaries->is_matched));
	add_folders(binaries);
	add_roots(binaries);
	if (!options->only_given)
		add_caches(binaries);
	*ret = binaries;
	return NULL;
}

void binaries_free(struct binaries *binaries)
{
	if (!binaries)
		return;
	for (size_t i = 0; i < binaries->folders_nr; i++) {
		index_release(&binaries->folders[i].index);
		free(binaries->folders[i].path);
	}
	free(binaries->folders);
	free(binaries->archive);
	free(binaries->perf_cache);
	free(binaries->debuginfod_cache);
	free(binaries->roots);
	free(binaries->is_matched);
	free(binaries);
}

/* ---- MODULE: a recorded path, its base name (of "[vdso]" without the brackets, too), an ID */

static bool is_size(const char *s, size_t size, const char *wanted, size_t wanted_size)
{
	return size == wanted_size && memcmp(s, wanted, size) == 0;
}

static bool is_path(const char *s, size_t size, const char *path, size_t path_size)
{
	const char *slash = path[0] == '[' ? NULL : memrchr(path, '/', path_size);
	const char *base = slash ? slash + 1 : path;
	size_t base_size = path_size - (size_t)(base - path);

	if (is_size(s, size, path, path_size) || is_size(s, size, base, base_size))
		return true;
	return path_size > 2 && path[0] == '[' && path[path_size - 1] == ']' &&
	       is_size(s, size, path + 1, path_size - 2);
}

static bool is_module(const char *s, size_t size, const struct binaries_wanted *wanted)
{
	static const char deleted[] = " (deleted)";
	size_t path_size = strlen(wanted->path), end = strlen(deleted);

	if (wanted->build_id && is_size(s, size, wanted->build_id, strlen(wanted->build_id)))
		return true;
	if (is_path(s, size, wanted->path, path_size))
		return true;
	return path_size > end && strcmp(wanted->path + path_size - end, deleted) == 0 &&
	       is_path(s, size, wanted->path, path_size - end);
}

const char *find_given(struct binaries *binaries, const struct binaries_wanted *wanted, size_t nr)
{
	const char *word = binaries->options.binaries[nr], *equals = strchr(word, '=');

	/* a path may hold "=", too */
	for (; equals; equals = strchr(equals + 1, '='))
		if (is_module(word, (size_t)(equals - word), wanted)) {
			binaries->is_matched[nr] = true;
			return equals + 1;
		}
	return NULL;
}

bool find_accepts_mismatch(struct binaries *binaries, const struct binaries_wanted *wanted)
{
	const struct binaries_options *options = &binaries->options;
	bool accepts = false;

	for (size_t i = 0; i < options->accept_mismatch_nr; i++) {
		const char *word = options->accept_mismatch[i];

		if (!is_module(word, strlen(word), wanted))
			continue;
		binaries->is_matched[options->binaries_nr + i] = true;
		accepts = true;
	}
	return accepts;
}

const char *binaries_next_unmatched(const struct binaries *binaries, size_t *at)
{
	const struct binaries_options *options = &binaries->options;

	while (*at < options->binaries_nr + options->accept_mismatch_nr) {
		size_t nr = (*at)++;

		if (binaries->is_matched[nr])
			continue;
		return nr < options->binaries_nr
			       ? options->binaries[nr]
			       : options->accept_mismatch[nr - options->binaries_nr];
	}
	return NULL;
}
