/* print_chains.c - addresses in, what DWARF says of them out; the driver of the comparisons */
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/dwarf_names.h"

/*
 * usage: print_chains [--no-inlines] [--alt <file>] <file> <addresses
 *
 * A line per address, a frame per field, the innermost first: "0x1234<TAB>name<TAB>file:line...".
 * Facts follow on stderr.
 */

static int compare(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static size_t read_addresses(uint64_t **ret)
{
	size_t nr = 0, alloc = 0, unique_nr = 0;
	char line[64];

	*ret = NULL;
	while (fgets(line, sizeof(line), stdin)) {
		GROW(*ret, nr + 1, alloc);
		(*ret)[nr++] = strtoull(line, NULL, 16);
	}
	if (nr)
		qsort(*ret, nr, sizeof(**ret), compare);
	for (size_t i = 0; i < nr; i++) {
		if (!i || (*ret)[i] != (*ret)[unique_nr - 1])
			(*ret)[unique_nr++] = (*ret)[i];
	}
	return unique_nr;
}

static void print(void *context, size_t at, const struct dwarf_frame *frames, size_t frames_nr)
{
	const uint64_t *vaddrs = context;

	printf("0x%" PRIx64, vaddrs[at]);
	for (size_t i = 0; i < frames_nr; i++)
		printf("\t%s\t%s:%" PRIu32, frames[i].raw_name ? frames[i].raw_name : "??",
		       frames[i].file ? frames[i].file : "??", frames[i].line);
	printf("\n");
}

static void print_facts(const struct dwarf_facts *facts)
{
	for (unsigned i = 0; i < DWARF_FACTS_NR; i++) {
		if (facts->nr[i])
			fprintf(stderr, "%s: %" PRIu32 " (%s)\n", dwarf_fact_text(i), facts->nr[i],
				facts->first[i]);
	}
}

static int resolve(Elf *elf, const char *alt_path, unsigned flags)
{
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	int alt_fd = alt_path ? open(alt_path, O_RDONLY | O_CLOEXEC) : -1;
	Dwarf *alt = alt_fd >= 0 ? dwarf_begin(alt_fd, DWARF_C_READ) : NULL;
	struct dwarf_names *names;
	uint64_t *vaddrs;
	size_t nr;

	if (!dwarf) {
		fprintf(stderr, "no DWARF: %s\n", dwarf_errmsg(-1));
		return 1;
	}
	if (alt)
		dwarf_setalt(dwarf, alt);
	names = dwarf_names_new(dwarf);
	nr = read_addresses(&vaddrs);
	dwarf_names_resolve(names, vaddrs, nr, flags, print, vaddrs);
	print_facts(dwarf_names_facts(names));
	free(vaddrs);
	dwarf_names_free(names);
	dwarf_end(dwarf);
	dwarf_end(alt);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned flags = DWARF_NAMES_LINES | DWARF_NAMES_INLINES | DWARF_NAMES_DECLS;
	const char *path = NULL, *alt_path = NULL;
	struct dwarf_facts facts = {0};
	int fd, status;
	Elf *elf;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--no-inlines"))
			flags &= ~(unsigned)DWARF_NAMES_INLINES;
		else if (!strcmp(argv[i], "--alt") && i + 1 < argc)
			alt_path = argv[++i];
		else
			path = argv[i];
	}
	elf_version(EV_CURRENT);
	fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	if (!elf) {
		fprintf(stderr, "print_chains: %s cannot be read\n", path ? path : "(no file)");
		return 2;
	}
	dwarf_names_check_elf(elf, &facts);
	print_facts(&facts);
	status = resolve(elf, alt_path, flags);
	elf_end(elf);
	close(fd);
	return status;
}
