/* build_facts.c - how the main executable was built, as its debug information tells */
#include "symbols/build_facts.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "model/capture.h"
#include "symbols/worker.h"

/* Units that are looked at, and different compilers among them. */
#define UNITS_MAX     4096
#define PRODUCERS_MAX 16

/* No compiler says more of itself. */
#define PRODUCER_SIZE_MAX 4096

struct producer {
	const char *words; /* borrowed from the file */
	unsigned version;
	uint32_t units;
};

/* ---- in the worker: which compiler made most units */

static void count_producer(struct producer *list, size_t *nr, const char *words, unsigned version)
{
	for (size_t i = 0; i < *nr; i++)
		if (strcmp(list[i].words, words) == 0) {
			list[i].units++;
			return;
		}
	if (*nr < PRODUCERS_MAX)
		list[(*nr)++] = (struct producer){words, version, 1};
}

/* What was written in assembler says nothing of the program. */
static bool is_assembler(const char *words)
{
	return strncmp(words, "GNU AS", 6) == 0;
}

static size_t take_producers(Dwarf *dwarf, struct producer *list)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	Dwarf_Die die;
	uint8_t type;
	size_t nr = 0;

	for (uint32_t i = 0; i < UNITS_MAX; i++) {
		Dwarf_Attribute attr;
		const char *words;

		if (dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) != 0)
			break;
		if (!dwarf_attr(&die, DW_AT_producer, &attr))
			continue;
		words = dwarf_formstring(&attr);
		if (words && !is_assembler(words) && strlen(words) < PRODUCER_SIZE_MAX)
			count_producer(list, &nr, words, version);
	}
	return nr;
}

/* The version, a blank, and the words of the compiler. */
static void read_file(void *path, uint32_t job, struct text *ret)
{
	struct producer list[PRODUCERS_MAX];
	size_t nr, best = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);

	(void)job;
	if (dwarf) {
		nr = take_producers(dwarf, list);
		for (size_t i = 1; i < nr; i++)
			if (list[i].units > list[best].units)
				best = i;
		if (nr)
			text_addf(ret, "%u %s", list[best].version, list[best].words);
		dwarf_end(dwarf);
	}
	if (fd >= 0)
		close(fd);
}

/* ---- facts */

static void add_fact(struct capture *capture, const char *what, const char *value, size_t size)
{
	CLEANUP(text_release) struct text name = TEXT_INIT, clean = TEXT_INIT;

	text_addf(&name, BUILD_FACTS_PREFIX "%s", what);
	utf8_add_clean(&clean, value, size);
	facts_add(&capture->facts, name.bytes, name.size, text_string(&clean), clean.size);
}

/* The last of the words that begin so; NULL for none. */
static const char *last_word(const char *words, const char *begin)
{
	const char *found = NULL;

	for (const char *at = words; (at = strstr(at, begin)); at++)
		if (at > words && at[-1] == ' ')
			found = at;
	return found;
}

/*
 * Without a flag gcc keeps frame pointers where it does not optimise. Compilers that write no
 * flags into their files (clang, rustc) do not tell.
 */
static const char *frame_pointers(const char *flags, const char *level)
{
	const char *kept = last_word(flags, "-fno-omit-frame-pointer");
	const char *omitted = last_word(flags, "-fomit-frame-pointer");

	if (!*flags)
		return "not told";
	if (kept || omitted)
		return kept > omitted ? "kept" : "omitted";
	return !level || strncmp(level, "-O0", 3) == 0 ? "kept" : "omitted";
}

/* "5 GNU C11 12.2.0 -mtune=generic -O1 -g": flags begin with the first word with a dash. */
static void add_facts(struct capture *capture, const char *program, const char *line)
{
	const char *compiler = strchr(line, ' ');
	const char *flags, *level;

	if (!compiler)
		return;
	flags = strstr(++compiler, " -");
	flags = flags ? flags : compiler + strlen(compiler);
	level = last_word(flags, "-O");
	add_fact(capture, "program", program, strlen(program));
	add_fact(capture, "compiler", compiler, (size_t)(flags - compiler));
	if (*flags)
		add_fact(capture, "flags", flags + 1, strlen(flags + 1));
	if (level)
		add_fact(capture, "optimisation", level, strcspn(level, " "));
	add_fact(capture, "frame_pointers", frame_pointers(flags, level),
		 strlen(frame_pointers(flags, level)));
	add_fact(capture, "dwarf", line, (size_t)(compiler - 1 - line));
}

/* The application that most places are in. */
static uint32_t main_module(const struct capture *capture)
{
	uint32_t *places = mem_zalloc(capture->modules.nr, sizeof(*places));
	uint32_t best = MODULE_NONE;

	for (uint32_t i = 0; i < capture->locations.nr; i++)
		if (capture->locations.list[i].module != MODULE_NONE)
			places[capture->locations.list[i].module]++;
	for (uint32_t i = 0; i < capture->modules.nr; i++)
		if (capture->modules.list[i].origin == ORIGIN_APP && places[i] &&
		    (best == MODULE_NONE || places[i] > places[best]))
			best = i;
	free(places);
	return best;
}

struct error *build_facts_add(struct capture *capture)
{
	uint32_t id = main_module(capture), file;
	struct worker_result result = {0};
	const struct module *module;
	struct error *err;
	char *path;

	if (id == MODULE_NONE)
		return NULL;
	module = &capture->modules.list[id];
	file = module->debug_file != NAME_NONE ? module->debug_file : module->file;
	if (file == NAME_NONE)
		return NULL;
	path = mem_strdup(names_get(&capture->names, file)->bytes);
	err = worker_run(1, 1, read_file, path, NULL, &result);
	if (!err && result.is_done)
		add_facts(capture, names_display(&capture->names, module->basename),
			  text_string(&result.bytes));
	text_release(&result.bytes);
	free(path);
	return err;
}
