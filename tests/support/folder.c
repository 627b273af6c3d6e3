/* folder.c - a folder of a test, with files and links in it */
#include "tests/support/folder.h"

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

static void check(int result, const char *what)
{
	if (result >= 0)
		return;
	perror(what);
	exit(99);
}

char *folder_new(void)
{
	char name[] = "folder-XXXXXX";
	struct text path = TEXT_INIT;
	char here[4096];

	if (!mkdtemp(name) || !getcwd(here, sizeof(here)))
		check(-1, name);
	text_addf(&path, "%s/%s", here, name);
	return text_take(&path);
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *at)
{
	(void)st;
	(void)flag;
	(void)at;
	return remove(path);
}

void folder_remove(char *folder)
{
	check(nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), folder);
	free(folder);
}

char *folder_path(const char *folder, const char *path)
{
	struct text text = TEXT_INIT;

	text_addf(&text, "%s/%s", folder, path);
	return text_take(&text);
}

/* The folders above a path. */
static void make_above(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
}

void folder_put(const char *folder, const char *path, const void *bytes, size_t size)
{
	char *whole = folder_path(folder, path);
	FILE *file;

	make_above(whole);
	file = fopen(whole, "we");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
		check(-1, whole);
	free(whole);
}

void folder_link(const char *folder, const char *path, const char *target)
{
	char *whole = folder_path(folder, path);

	make_above(whole);
	check(symlink(target, whole), whole);
	free(whole);
}

void folder_make(const char *folder, const char *path)
{
	char *whole = folder_path(folder, path);

	make_above(whole);
	check(mkdir(whole, 0777), whole);
	free(whole);
}
