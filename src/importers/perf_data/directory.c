/* directory.c - the data.N of a directory, which `perf record --threads` writes */
#include "importers/perf_data/directory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/text.h"
#include "importers/perf_data/file.h"

/* Files of a directory that are read. */
#define STREAMS_MAX 4096

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the data.N, sorted. */
static struct error *list_streams(const char *folder, char ***ret, size_t *ret_nr)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	char **list = NULL;
	size_t nr = 0, alloc = 0;

	if (!dir)
		return error_os("cannot open '%s'", folder);
	while ((entry = readdir(dir)) && nr < STREAMS_MAX) {
		struct stat st;

		if (strncmp(entry->d_name, "data.", 5) != 0 ||
		    fstatat(dirfd(dir), entry->d_name, &st, 0) < 0 || !S_ISREG(st.st_mode))
			continue;
		GROW(list, nr + 1, alloc);
		list[nr++] = mem_strdup(entry->d_name);
	}
	closedir(dir);
	if (nr)
		qsort(list, nr, sizeof(*list), compare_names);
	*ret = list;
	*ret_nr = nr;
	return NULL;
}

struct error *perf_directory_open(const char *folder, struct perf_directory *ret)
{
	char **names = NULL;
	size_t nr = 0;
	struct error *err = list_streams(folder, &names, &nr);

	if (err)
		return err;
	*ret = (struct perf_directory){mem_zalloc(nr, sizeof(*ret->list)), nr};
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(text_release) struct text path = TEXT_INIT;

		text_addf(&path, "%s/%s", folder, names[i]);
		if (!err)
			err = perf_file_map(text_string(&path), &ret->list[i].map,
					    &ret->list[i].size);
		free(names[i]);
	}
	free(names);
	return err;
}

void perf_directory_close(struct perf_directory *directory)
{
	for (size_t i = 0; i < directory->nr; i++)
		perf_file_unmap(directory->list[i].map, directory->list[i].size);
	free(directory->list);
	*directory = (struct perf_directory){0};
}
