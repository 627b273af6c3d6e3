/* toolbox.c - compilers, linkers and their like, run by a test to build what it looks at */
#include "tests/support/toolbox.h"

#include "tests/test.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

static char folder[64];

static void remove_folder(void)
{
	CLEANUP(text_release) struct text command = TEXT_INIT;

	text_addf(&command, "rm -rf '%s'", folder);
	if (system(command.bytes) != 0)
		fprintf(stderr, "%s is left behind\n", folder);
}

const char *toolbox_folder(void)
{
	if (folder[0])
		return folder;
	snprintf(folder, sizeof(folder), "/tmp/tephra-test-XXXXXX");
	assert_non_null(mkdtemp(folder));
	atexit(remove_folder);
	return folder;
}

bool toolbox_has(const char *tools)
{
	CLEANUP(text_release) struct text command = TEXT_INIT;
	int status;

	text_addf(&command,
		  "for tool in %s; do command -v $tool >/dev/null || "
		  "{ echo \"# $tool is not there: not tested\"; exit 1; }; done",
		  tools);
	fflush(stdout);
	status = system(command.bytes);
	return status == 0;
}

void toolbox_write(const char *name, const void *at, size_t size)
{
	CLEANUP(text_release) struct text path = TEXT_INIT;
	FILE *file;

	text_addf(&path, "%s/%s", toolbox_folder(), name);
	file = fopen(path.bytes, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(at, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* cd folder && (command) >out 2>&1 */
static bool run(const char *format, va_list args)
{
	CLEANUP(text_release) struct text command = TEXT_INIT;
	char *words = NULL;

	assert_true(vasprintf(&words, format, args) >= 0);
	text_addf(&command, "cd '%s' && { %s\n} >output 2>&1", toolbox_folder(), words);
	free(words);
	return system(command.bytes) == 0;
}

bool toolbox_try(const char *format, ...)
{
	va_list args;
	bool is_done;

	va_start(args, format);
	is_done = run(format, args);
	va_end(args);
	return is_done;
}

void toolbox_run(const char *format, ...)
{
	CLEANUP(text_release) struct text output = TEXT_INIT;
	va_list args;
	bool is_done;

	va_start(args, format);
	is_done = run(format, args);
	va_end(args);
	if (is_done)
		return;
	toolbox_read(&output, "cat output");
	fail_msg("'%s': %s", format, text_string(&output));
}

void toolbox_read(struct text *ret, const char *format, ...)
{
	CLEANUP(text_release) struct text command = TEXT_INIT;
	char *words = NULL, piece[4096];
	va_list args;
	size_t got;
	FILE *pipe;

	va_start(args, format);
	assert_true(vasprintf(&words, format, args) >= 0);
	va_end(args);
	text_addf(&command, "cd '%s' && { %s\n} 2>/dev/null", toolbox_folder(), words);
	free(words);
	fflush(stdout);
	pipe = popen(command.bytes, "re");
	assert_non_null(pipe);
	while ((got = fread(piece, 1, sizeof(piece), pipe)) > 0)
		text_add_bytes(ret, piece, got);
	pclose(pipe);
}

Elf *toolbox_elf(const char *name)
{
	CLEANUP(text_release) struct text path = TEXT_INIT;
	Elf *elf;
	int fd;

	if (name[0] != '/')
		text_addf(&path, "%s/", toolbox_folder());
	text_add(&path, name);
	fd = open(path.bytes, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_true(elf_version(EV_CURRENT) != EV_NONE);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	assert_non_null(elf);
	/* what is read later comes from memory */
	assert_int_equal(elf_cntl(elf, ELF_C_FDREAD), 0);
	close(fd);
	return elf;
}

void toolbox_close(Elf *elf)
{
	elf_end(elf);
}

const char *toolbox_corpus(const char *name)
{
	static char path[PATH_MAX];
	CLEANUP(text_release) struct text wanted = TEXT_INIT;
	const char *shared = getenv("TEPHRA_SHARED"), *source = getenv("srcdir");

	if (shared)
		text_addf(&wanted, "%s/corpus/%s", shared, name);
	else
		text_addf(&wanted, "%s/../shared/corpus/%s", source ? source : ".", name);
	/* absolute, as toolbox_run goes to a folder of its own, and srcdir may be ".." */
	if (realpath(wanted.bytes, path) && access(path, R_OK) == 0)
		return path;
	printf("# corpus/%s is not there: not tested\n", name);
	return NULL;
}
