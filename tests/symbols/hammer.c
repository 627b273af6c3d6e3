/* hammer.c - a file with debug data, damaged again and again, and read each time */
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/dwarf_names.h"
#include "tests/bench/chance.h"

/*
 * usage: hammer <file> <seconds> [<seed>]
 *
 * Prints how many damaged files were read. With a seed: that one alone. Damage is done to the
 * debug sections, to the section headers, or by cutting the file. Fails by dying: a sanitizer's
 * report, a signal, or the alarm after READ_SECONDS_MAX. The last seed is in "hammer.seed".
 */
#define READ_SECONDS_MAX 60
#define ADDRESSES_NR	 2000
#define SPOTS_MAX	 64

struct spot {
	size_t at, size;
};

struct target {
	unsigned char *bytes;
	size_t size;
	struct spot spots[SPOTS_MAX]; /* what is worth damaging */
	size_t spots_nr;
	uint64_t vaddrs[ADDRESSES_NR];
};

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "hammer: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void target_read(struct target *target, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		die(path);
	target->size = (size_t)status.st_size;
	target->bytes = mem_alloc(target->size);
	if (read(fd, target->bytes, target->size) != (ssize_t)target->size)
		die(path);
	close(fd);
}

static void add_addresses(struct target *target, uint64_t low, uint64_t size)
{
	uint64_t step = size / ADDRESSES_NR ? size / ADDRESSES_NR : 1;

	for (uint64_t i = 0; i < ADDRESSES_NR; i++)
		target->vaddrs[i] = low + i * step;
}

static void target_look(struct target *target)
{
	Elf *elf = elf_memory((char *)target->bytes, target->size);
	Elf_Scn *scn = NULL;
	GElf_Ehdr header;
	size_t names;

	if (!gelf_getehdr(elf, &header) || elf_getshdrstrndx(elf, &names))
		die("no ELF");
	target->spots[target->spots_nr++] =
		(struct spot){header.e_shoff, (size_t)header.e_shnum * header.e_shentsize};
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr section;
		const char *name;

		if (!gelf_getshdr(scn, &section))
			die("no section header");
		name = elf_strptr(elf, names, section.sh_name);
		if (strcmp(name, ".text") == 0)
			add_addresses(target, section.sh_addr, section.sh_size);
		if (strncmp(name, ".debug_", 7) == 0 && section.sh_size &&
		    target->spots_nr < SPOTS_MAX)
			target->spots[target->spots_nr++] =
				(struct spot){section.sh_offset, section.sh_size};
	}
	elf_end(elf);
}

static void damage_byte(unsigned char *at, struct chance *chance)
{
	static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff, 0xfe};

	if (chance_below(chance, 2))
		*at ^= (unsigned char)(1u << chance_below(chance, 8));
	else
		*at = values[chance_below(chance, ARRAY_NR(values))];
}

/* Returns the size that is left. */
static size_t damage(const struct target *target, unsigned char *bytes, struct chance *chance)
{
	uint64_t nr = 1 + chance_below(chance, 8);

	for (uint64_t i = 0; i < nr; i++) {
		const struct spot *spot =
			&target->spots[chance_below(chance, (uint32_t)target->spots_nr)];
		size_t at = spot->at + chance_below(chance, (uint32_t)spot->size);
		size_t run = 1 + chance_below(chance, 4);

		for (size_t j = at; j < at + run && j < target->size; j++)
			damage_byte(&bytes[j], chance);
	}
	return chance_below(chance, 16)
		       ? target->size
		       : target->size - chance_below(chance, (uint32_t)target->size / 2);
}

static void take(void *context, size_t at, const struct dwarf_frame *frames, size_t frames_nr)
{
	uint64_t *sum = context;

	for (size_t i = 0; i < frames_nr; i++) {
		*sum += at + frames[i].line;
		*sum += frames[i].raw_name ? strlen(frames[i].raw_name) : 0;
		*sum += frames[i].file ? strlen(frames[i].file) : 0;
	}
}

static uint64_t read_damaged(const struct target *target, uint64_t seed)
{
	struct chance chance = {seed};
	unsigned char *bytes = (unsigned char *)mem_memdup(target->bytes, target->size);
	size_t size = seed ? damage(target, bytes, &chance) : target->size;
	Elf *elf = elf_memory((char *)bytes, size);
	Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	uint64_t sum = 0;

	if (dwarf) {
		struct dwarf_names *names = dwarf_names_new(dwarf);

		dwarf_names_resolve(names, target->vaddrs, ADDRESSES_NR,
				    DWARF_NAMES_LINES | DWARF_NAMES_INLINES | DWARF_NAMES_DECLS,
				    take, &sum);
		dwarf_names_free(names);
		dwarf_end(dwarf);
	}
	elf_end(elf);
	free(bytes);
	return sum;
}

static void note_seed(int fd, uint64_t seed)
{
	char line[32];
	int size = snprintf(line, sizeof(line), "%-20" PRIu64 "\n", seed);

	if (pwrite(fd, line, (size_t)size, 0) != size)
		die("hammer.seed");
}

int main(int argc, char **argv)
{
	static struct target target;
	uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0, seed = first;
	time_t end = time(NULL) + (argc > 2 ? (time_t)strtol(argv[2], NULL, 10) : 0);
	int fd;

	if (argc < 3) {
		fprintf(stderr, "usage: hammer <file> <seconds> [<seed>]\n");
		return 2;
	}
	fd = open("hammer.seed", O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		die("hammer.seed");
	elf_version(EV_CURRENT);
	target_read(&target, argv[1]);
	target_look(&target);
	do {
		note_seed(fd, seed);
		alarm(READ_SECONDS_MAX);
		if (!read_damaged(&target, seed) && !seed) {
			fprintf(stderr, "hammer: the whole file says nothing\n");
			return 1;
		}
		seed++;
	} while (argc <= 3 && time(NULL) < end);
	printf("%" PRIu64 "\n", seed - first);
	free(target.bytes);
	close(fd);
	return 0;
}
