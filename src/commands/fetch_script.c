/* fetch_script.c - what a person runs on the recorded machine to bring back files for names */
#include "commands/fetch_script.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "commands/shell_word.h"

/* fetch.sh, in the form of a table */
static const struct asset {
	const char *name, *text;
} assets[] = {
#include "commands/fetch.inc"
};

void fetch_script_add_word(struct text *text, const char *s)
{
	const char *before = strcspn(s, ":") < strcspn(s, "/") && strchr(s, ':') ? "./" : "";

	if (*s == '-')
		before = "./";
	text_add(text, before);
	shell_word_add(text, s);
}

bool fetch_script_is_build_id(const char *s)
{
	return *s && !s[strspn(s, "0123456789abcdef")];
}

/* The process of "/tmp/perf-PID.map", NULL for other paths. */
static const char *map_pid(const char *path, size_t *ret_size)
{
	static const char begin[] = "/tmp/perf-";
	const char *pid = path + strlen(begin);

	if (strncmp(path, begin, strlen(begin)) != 0)
		return NULL;
	*ret_size = strspn(pid, "0123456789");
	return *ret_size && strcmp(pid + *ret_size, ".map") == 0 ? pid : NULL;
}

/* The kernel records no such path, a made-up capture could: its copy would lie anywhere. */
static bool leads_out(const char *path)
{
	for (const char *at = path; (at = strstr(at, "/..")); at++)
		if (at[3] == '/' || !at[3])
			return true;
	return false;
}

static void write_file(FILE *out, const struct fetch_file *file)
{
	CLEANUP(text_release) struct text line = TEXT_INIT;
	bool has_id = file->build_id && fetch_script_is_build_id(file->build_id);
	size_t pid_size;
	const char *pid = map_pid(file->path, &pid_size);

	if (pid) {
		fprintf(out, "map %.*s\n", (int)pid_size, pid);
		return;
	}
	/* "[vdso]" and "[kernel.kallsyms]" are no files */
	if (*file->path != '/')
		return;
	text_add(&line, leads_out(file->path) ? "lack " : "want ");
	shell_word_quote(&line, file->path);
	if (leads_out(file->path))
		text_add(&line, " 'left out, the path has \"..\" in it'");
	else
		text_addf(&line, " '%s'", has_id ? file->build_id : "");
	fprintf(out, "%s\n", text_string(&line));
}

void fetch_script_write(FILE *out, const char *bundle, const struct fetch_file *files, size_t nr)
{
	CLEANUP(text_release) struct text name = TEXT_INIT, quoted = TEXT_INIT;

	/* "./", so that no name begins like an option or a host */
	text_addf(&name, "./%s", bundle);
	shell_word_quote(&quoted, text_string(&name));
	fprintf(out,
		"#!/bin/sh\n# Run this on the machine that the capture was recorded on. It packs "
		"what names are\n# made of, and changes no file; where it may, it writes some lines to the "
		"kernel log,\n# to tie the clock of perf to wall time (not with read_only=1 in the "
		"environment).\nbundle=%s\n",
		text_string(&quoted));
	fputs(assets[0].text, out);
	fputs("\nbegin\n", out);
	for (size_t i = 0; i < nr; i++)
		write_file(out, &files[i]);
	fputs("finish\n", out);
}
