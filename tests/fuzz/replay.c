/* replay.c - runs the files of its corpus, or of folders, through a fuzz target, a TAP line each */
#include "tests/fuzz/replay.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned nr;

static void replay(const char *folder, const char *name)
{
	char path[4096];
	uint8_t *at = NULL;
	size_t size = 0, got;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "re");
	if (!file) {
		printf("not ok %u - %s cannot be opened\n", ++nr, path);
		return;
	}
	do {
		at = realloc(at, size + 65536);
		if (!at)
			exit(99);
		got = fread(at + size, 1, 65536, file);
		size += got;
	} while (got);
	fclose(file);
	printf("%s %u - %s\n", LLVMFuzzerTestOneInput(at, size) == 0 ? "ok" : "not ok", ++nr, name);
	free(at);
}

static int replay_folder(const char *folder)
{
	struct dirent **names;
	int names_nr = scandir(folder, &names, NULL, alphasort);

	if (names_nr < 0) {
		perror(folder);
		return 99;
	}
	for (int i = 0; i < names_nr; i++) {
		if (names[i]->d_name[0] != '.')
			replay(folder, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return 0;
}

/* "fuzz_folded" replays tests/fuzz/corpus/folded. */
int main(int argc, char **argv)
{
	const char *source = getenv("srcdir") ? getenv("srcdir") : ".";
	char corpus[4096];
	int status = 0;

	snprintf(corpus, sizeof(corpus), "%s/tests/fuzz/corpus/%s", source,
		 program_invocation_short_name + strlen("fuzz_"));
	if (argc < 2)
		status = replay_folder(corpus);
	for (int i = 1; i < argc && !status; i++)
		status = replay_folder(argv[i]);
	printf("1..%u\n", nr);
	return status;
}
