/* measure_rules.c - what it costs to open, to compile and to ask the rules of a file */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "base/mem.h"
#include "binaries/elf_file.h"
#include "tests/bench/chance.h"
#include "unwind/rules_parts.h"

/*
 * usage: measure_rules <file>...
 *
 * Each file a line, in CPU time: ms to open it, functions, ms to compile all of it, rows, ns a row;
 * ns of a warm rules_find() at FEW addresses, asked again and again, and at MANY; ns of the first
 * one in a function; ns of rules_evaluate(); bytes of the longest program of a function.
 */
#define FEW   1000u
#define MANY  200000u
#define ASKED 4000000u
#define COLD  2000u

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* An address of code. */
static uint64_t any_address(const struct elf_file *file, struct chance *chance)
{
	const struct elf_range *range = &file->code[0];

	for (uint32_t i = 1; i < file->code_nr; i++)
		if (file->code[i].end - file->code[i].begin > range->end - range->begin)
			range = &file->code[i];
	return range->begin + chance_below(chance, (uint32_t)(range->end - range->begin));
}

static uint64_t *make_addresses(const struct elf_file *file, unsigned nr)
{
	struct chance chance = {.state = 6};
	uint64_t *addresses = mem_alloc(nr * sizeof(*addresses));

	for (unsigned i = 0; i < nr; i++)
		addresses[i] = any_address(file, &chance);
	return addresses;
}

static double ask(struct rules *rules, const uint64_t *addresses, unsigned nr, unsigned asked)
{
	double begin = now();
	unsigned kinds = 0;

	for (unsigned i = 0, at = 0; i < asked; i++, at = at + 1 == nr ? 0 : at + 1)
		kinds += rules_find(rules, addresses[at])->kind;
	__asm__ volatile("" ::"r"(kinds));
	return (now() - begin) / asked;
}

static bool load(void *user, uint64_t address, uint64_t *ret)
{
	(void)user;
	*ret = address;
	return true;
}

static double evaluate(struct rules *rules, const uint64_t *addresses, unsigned nr)
{
	struct rules_registers registers = {.known = UINT32_MAX}, ret;
	double begin = now();

	for (unsigned i = 0; i < nr; i++)
		(void)!rules_evaluate(rules, addresses[i], &registers, load, NULL, &ret);
	return (now() - begin) / nr;
}

static size_t longest_program(struct rules *rules)
{
	size_t longest = 0;

	for (unsigned i = 0; i < RULES_PARTS_NR; i++) {
		for (uint32_t j = 0; j < rules->parts[i].index.nr; j++) {
			struct cfi_common local;
			struct cfi_fde fde;

			if (rules_fde(&rules->parts[i], j, &local, &fde) &&
			    bytes_left(&fde.program) > longest)
				longest = bytes_left(&fde.program);
		}
	}
	return longest;
}

static void measure(const char *path)
{
	struct elf_file file;
	struct rules *rules = NULL;
	struct error *err = elf_file_open(path, &file);
	double begin = now(), opened, compiled, cold;
	uint64_t *addresses;
	size_t rows;

	if (!err)
		err = rules_open(&file, NULL, &rules);
	if (err) {
		fprintf(stderr, "measure_rules: %s: %s\n", path, error_text(err));
		exit(2);
	}
	opened = now() - begin;
	addresses = make_addresses(&file, MANY);
	cold = ask(rules, addresses, COLD, COLD);
	begin = now();
	rows = rules_compile(rules);
	compiled = now() - begin;
	printf("%s: open %.1f ms, %zu functions; compile %.1f ms, %zu rows, %.0f ns a row; "
	       "find: %.0f ns at %u addresses, %.0f ns at %u, %.0f ns cold; evaluate: %.0f ns; "
	       "longest program: %zu bytes\n",
	       path, opened / 1e6, rules_functions(rules), compiled / 1e6, rows,
	       compiled / (double)rows, ask(rules, addresses, FEW, ASKED), FEW,
	       ask(rules, addresses, MANY, ASKED), MANY, cold, evaluate(rules, addresses, COLD),
	       longest_program(rules));
	free(addresses);
	rules_close(rules);
	elf_file_close(&file);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		measure(argv[i]);
	return 0;
}
