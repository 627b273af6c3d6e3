/* hammer_rules.c - call-frame information, damaged again and again, and read each time */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "binaries/elf_file.h"
#include "tests/bench/chance.h"
#include "unwind/rules.h"

/*
 * usage: hammer_rules <file> <seconds> [<seed>]
 *
 * Prints how many damaged files were read, and the longest time that one took. With a seed: that
 * one alone. Fails by dying: a sanitizer's report, a signal, or the alarm after READ_SECONDS_MAX.
 * The last seed is in "hammer.seed".
 */
#define READ_SECONDS_MAX 20
#define ASKED_NR	 3000u
#define FRAMES_MAX	 64u

struct target {
	unsigned char *bytes, *damaged;
	size_t size;
	struct spot {
		size_t at, size;
	} spots[8];
	size_t spots_nr;
	struct elf_range code;
};

static _Noreturn void die(const char *what, const char *why)
{
	fprintf(stderr, "hammer_rules: %s: %s\n", what, why);
	exit(2);
}

static void add_spot(struct target *target, const struct elf_file *file, const char *name)
{
	const struct elf_section *section = elf_file_section(file, name);

	if (section && section->size && elf_file_section_bytes(file, section))
		target->spots[target->spots_nr++] = (struct spot){section->offset, section->size};
}

static void target_read(struct target *target, const char *path)
{
	static const char *const names[] = {".eh_frame", ".eh_frame_hdr", ".debug_frame",
					    ".zdebug_frame"};
	struct elf_file file;
	struct error *err = elf_file_open(path, &file);

	if (err)
		die(path, error_text(err));
	target->size = file.size;
	target->bytes = (unsigned char *)mem_memdup(file.map, file.size);
	target->damaged = mem_alloc(file.size);
	for (size_t i = 0; i < ARRAY_NR(names); i++)
		add_spot(target, &file, names[i]);
	if (!target->spots_nr || !file.code_nr)
		die(path, "no call-frame information");
	target->code = (struct elf_range){file.code[0].begin, file.code[file.code_nr - 1].end};
	elf_file_close(&file);
}

/* ---- damage */

static void damage_number(unsigned char *at, size_t left, struct chance *chance)
{
	static const uint32_t numbers[] = {0,	 1,	     4,		 0x7f,	    0x80,
					   0xff, 0x7fffffff, 0x80000000, 0xffffffff};
	uint32_t number = ANY(chance, numbers);

	memcpy(at, &number, left < 4 ? left : 4);
}

static void damage_once(struct target *target, struct chance *chance)
{
	const struct spot *spot = &target->spots[chance_below(chance, (uint32_t)target->spots_nr)];
	/* the first entries are what all others need */
	size_t reach = chance_percent(chance, 30) && spot->size > 64 ? 64 : spot->size;
	size_t at = chance_below(chance, (uint32_t)reach), left = spot->size - at;
	unsigned char *bytes = target->damaged + spot->at + at;

	switch (chance_below(chance, 4)) {
	case 0:
		*bytes ^= (unsigned char)(1u << chance_below(chance, 8));
		break;
	case 1:
		*bytes = (unsigned char)chance_u64(chance);
		break;
	case 2:
		damage_number(bytes, left, chance);
		break;
	default: /* what stands elsewhere */
		memmove(bytes, target->damaged + spot->at + chance_below(chance, (uint32_t)at + 1),
			chance_below(chance, left > 40 ? 40 : (uint32_t)left + 1));
	}
}

/* ---- reading */

/* A stack whose words are anything, often addresses of code or of itself. */
static bool load(void *user, uint64_t address, uint64_t *ret)
{
	const struct target *target = user;
	struct chance chance = {.state = address};
	uint64_t word = chance_u64(&chance);

	if (word % 16 == 0)
		return false;
	*ret = word % 4 ? target->code.begin + word % (target->code.end - target->code.begin)
			: address + word % 64 * 8;
	return true;
}

static void walk(struct target *target, struct rules *rules, uint64_t vaddr, bool is_x86)
{
	struct rules_registers registers = {.known = UINT64_MAX};

	for (unsigned i = 0; i < RULES_REGISTERS; i++)
		registers.value[i] = 0x7f0000000000 + i * 64;
	for (unsigned i = 0; i < FRAMES_MAX; i++) {
		if (rules_evaluate(rules, vaddr, &registers, load, target, &registers) !=
		    RULES_FOUND)
			return;
		vaddr = registers.value[is_x86 ? 16 : 32];
	}
}

static void ask(struct target *target, const struct elf_file *file, struct chance *chance)
{
	struct rules *rules = NULL;
	struct error *err = rules_open(file, file, &rules);
	uint64_t size = target->code.end - target->code.begin;

	if (err) {
		error_free(err);
		return;
	}
	for (unsigned i = 0; i < ASKED_NR; i++) {
		uint64_t vaddr = target->code.begin + chance_u64(chance) % size;
		const struct rule *rule = rules_find(rules, vaddr);

		if (rule->kind > RULE_DEREF_8 || (rule->from_base && rule->base >= RULES_REGISTERS))
			die("a rule", "is none");
		if (i % 16 == 0)
			walk(target, rules, vaddr, file->machine == 62);
	}
	rules_compile(rules);
	rules_close(rules);
}

static void hammer(struct target *target, uint64_t seed)
{
	struct chance chance = {.state = seed};
	size_t size = target->size;
	unsigned char *exact;
	struct elf_file file;
	struct error *err;

	memcpy(target->damaged, target->bytes, size);
	for (uint32_t i = chance_below(&chance, 8) + 1; i; i--)
		damage_once(target, &chance);
	if (chance_percent(&chance, 20))
		size = target->spots[0].at + chance_below(&chance, (uint32_t)target->spots[0].size);
	/* a block of its own, so that a sanitizer sees a step beyond its end */
	exact = (unsigned char *)mem_memdup(target->damaged, size);
	err = elf_file_read(exact, size, &file);
	if (err) {
		error_free(err);
	} else {
		ask(target, &file, &chance);
		elf_file_close(&file);
	}
	free(exact);
}

static void note_seed(uint64_t seed)
{
	FILE *file = fopen("hammer.seed", "we");

	if (!file)
		die("hammer.seed", "cannot be written");
	fprintf(file, "%" PRIu64 "\n", seed);
	fclose(file);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct target target = {.spots_nr = 0};
	double begin = now(), longest = 0, last = begin;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;

	if (argc < 3)
		die("usage", "hammer_rules <file> <seconds> [<seed>]");
	target_read(&target, argv[1]);
	for (;; seed++) {
		double took;

		note_seed(seed);
		alarm(READ_SECONDS_MAX);
		hammer(&target, seed);
		took = now() - last;
		last += took;
		longest = took > longest ? took : longest;
		if (argc > 3 || last - begin >= strtod(argv[2], NULL))
			break;
	}
	printf("%" PRIu64 " damaged files, the longest took %.0f ms\n", seed, longest * 1000);
	free(target.bytes);
	free(target.damaged);
	return 0;
}
