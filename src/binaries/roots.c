/* roots.c - a recorded path under the file systems in which it may be found */
#include "binaries/roots.h"

#include <limits.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

/* ---- forms of a path */

static void add(struct roots_variants *variants, char *path)
{
	for (size_t i = 0; i < variants->nr; i++)
		if (strcmp(variants->paths[i], path) == 0) {
			free(path);
			return;
		}
	variants->paths[variants->nr++] = path;
}

static bool starts_with(const char *s, const char *begin)
{
	return strncmp(s, begin, strlen(begin)) == 0;
}

static bool is_merged(const char *path)
{
	return starts_with(path, "/lib") || starts_with(path, "/bin/") ||
	       starts_with(path, "/sbin/");
}

static void add_usr_merge(struct roots_variants *variants, const char *path)
{
	struct text text = TEXT_INIT;

	if (is_merged(path)) {
		text_addf(&text, "/usr%s", path);
		add(variants, text_take(&text));
	} else if (starts_with(path, "/usr/") && is_merged(path + 4)) {
		add(variants, mem_strdup(path + 4));
	}
}

void roots_variants(const char *path, struct roots_variants *ret)
{
	static const char deleted[] = " (deleted)";
	size_t size = strlen(path), end = strlen(deleted);
	char *whole;

	*ret = (struct roots_variants){0};
	if (path[0] != '/' || path[1] == '/')
		return;
	add(ret, mem_strdup(path));
	whole = mem_strdup(path);
	if (size > end && strcmp(path + size - end, deleted) == 0)
		whole[size - end] = '\0';
	add(ret, mem_strdup(whole));
	add_usr_merge(ret, whole);
	free(whole);
}

void roots_variants_release(struct roots_variants *variants)
{
	for (size_t i = 0; i < variants->nr; i++)
		free(variants->paths[i]);
	*variants = (struct roots_variants){0};
}

/* ---- symbolic links that stay in their root */

struct walk {
	const char *root;
	struct text done; /* without root: "/usr/lib" */
	struct text rest; /* what is still to be walked */
	unsigned links;
};

static void go_up(struct text *done)
{
	while (done->size && done->bytes[--done->size] != '/')
		;
	if (done->bytes)
		done->bytes[done->size] = '\0';
}

/* Where the path that was walked is a symbolic link, what it says is walked next. */
static bool follow(struct walk *walk)
{
	char target[PATH_MAX];
	struct text path = TEXT_INIT, rest = TEXT_INIT;
	ssize_t size;

	text_addf(&path, "%s%s", walk->root, text_string(&walk->done));
	size = readlink(path.bytes, target, sizeof(target));
	text_release(&path);
	if (size <= 0)
		return true;
	if (size == sizeof(target) || ++walk->links > ROOTS_LINKS_MAX)
		return false;
	if (target[0] == '/')
		text_clear(&walk->done);
	else
		go_up(&walk->done);
	text_add_bytes(&rest, target, (size_t)size);
	text_addf(&rest, "/%s", text_string(&walk->rest));
	text_release(&walk->rest);
	walk->rest = rest;
	return true;
}

/* Takes the first component off the rest. */
static bool step(struct walk *walk)
{
	const char *begin = walk->rest.bytes + strspn(walk->rest.bytes, "/");
	size_t size = strcspn(begin, "/");
	struct text rest = TEXT_INIT;
	bool is_up = size == 2 && begin[0] == '.' && begin[1] == '.';
	bool is_here = size == 0 || (size == 1 && begin[0] == '.');

	if (is_up) {
		go_up(&walk->done);
	} else if (!is_here) {
		text_add_char(&walk->done, '/');
		text_add_bytes(&walk->done, begin, size);
	}
	text_add(&rest, begin + size);
	text_release(&walk->rest);
	walk->rest = rest;
	return is_up || is_here || follow(walk);
}

char *roots_resolve(const char *root, const char *path)
{
	struct walk walk = {.root = root};
	struct text result = TEXT_INIT;
	bool is_good = true;

	if (!root[0])
		return mem_strdup(path);
	text_add(&walk.rest, path);
	while (is_good && walk.rest.size)
		is_good = step(&walk);
	if (is_good)
		text_addf(&result, "%s%s", root, text_string(&walk.done));
	text_release(&walk.done);
	text_release(&walk.rest);
	return is_good ? text_take(&result) : NULL;
}

/* ---- parts of a path */

const char *roots_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *roots_folder(const char *path)
{
	const char *base = roots_basename(path);
	struct text text = TEXT_INIT;

	if (base == path)
		return mem_strdup(".");
	text_add_bytes(&text, path, base - path > 1 ? (size_t)(base - path) - 1 : 1);
	return text_take(&text);
}
