/* program.c - eight functions in turns of one of three kinds; one of them can be made to do more */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/bench/chance.h"

/*
 * usage: program <kind> <seconds> <seed> <factor> <counters.csv>
 *
 * A unit of work calls each function once, each for its part of it. kern_b does `factor` times as
 * much. So the cost of a unit of work is known: kern_b's is factor times what it was, all others'
 * are what they were. In between the kinds differ in what else they do, which is work of the
 * same functions, a unit each that takes one function alone:
 *
 * steady  nothing
 * phases  for some 30 to 270 ms units are of one function in 7 of 10 cases
 * bursts  the same for some 100 to 400 ms, and the program sleeps between them
 *
 * Phases are as long in units, whatever those cost: what a unit does does not depend on the factor.
 */
#define KERNELS_NR 8

static volatile uint64_t sum;

#define KERNEL(name)                                                   \
	static __attribute__((noinline)) void name(unsigned rounds)    \
	{                                                              \
		uint64_t x = rounds;                                   \
		for (unsigned i = 0; i < rounds; i++)                  \
			x = x * UINT64_C(6364136223846793005) + 12345; \
		sum += x;                                              \
	}

KERNEL(kern_a)
KERNEL(kern_b)
KERNEL(kern_c)
KERNEL(kern_d)
KERNEL(kern_e)
KERNEL(kern_f)
KERNEL(kern_g)
KERNEL(kern_h)

static void (*const kernels[KERNELS_NR])(unsigned) = {kern_a, kern_b, kern_c, kern_d,
						      kern_e, kern_f, kern_g, kern_h};
static const unsigned parts[KERNELS_NR] = {18, 24, 14, 12, 10, 9, 7, 6}; /* of 100 */

#define ROUNDS_OF_PART 400 /* a unit is 40,000 rounds, some 50 us */
#define UNITS_OF_MS    20

struct program {
	struct chance chance;
	double factor, busy_ms_least, busy_ms_most, idle_ms_most;
	uint64_t end_ns, row_ns, done, phase_end;
	unsigned favourite;
	int has_favourite;
	FILE *counters;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static double between(struct program *program, double least, double most)
{
	return least + (most - least) * (double)chance_below(&program->chance, 1000000) / 1e6;
}

static void work(const struct program *program, unsigned kernel, unsigned of)
{
	double rounds = (double)(of * ROUNDS_OF_PART);

	kernels[kernel]((unsigned)(kernel == 1 ? rounds * program->factor : rounds));
}

/* A unit of one function alone is as long as one of all: 100 parts, of kern_b times its factor. */
static __attribute__((noinline)) void unit(struct program *program)
{
	if (program->has_favourite && chance_below(&program->chance, 10) < 7) {
		work(program, program->favourite, 100);
		return;
	}
	for (unsigned i = 0; i < KERNELS_NR; i++)
		work(program, i, parts[i]);
}

/* So that in the long run each function has its part: favourites are drawn by it. */
static void next_phase(struct program *program)
{
	unsigned drawn = (unsigned)chance_below(&program->chance, 100), kernel = 0;
	double idle_ms = between(program, 0, program->idle_ms_most);

	while (drawn >= parts[kernel])
		drawn -= parts[kernel++];
	program->favourite = kernel;
	if (program->idle_ms_most > 0)
		nanosleep(&(struct timespec){.tv_nsec = (long)(idle_ms * 1e6)}, NULL);
	program->phase_end = program->done + (uint64_t)(between(program, program->busy_ms_least,
								program->busy_ms_most) *
							UNITS_OF_MS);
}

static void write_row(struct program *program, uint64_t at_ns)
{
	fprintf(program->counters, "%" PRIu64 ",%" PRIu64 "\n", at_ns, program->done);
	program->row_ns = at_ns + 20000000;
}

static __attribute__((noinline)) void run(struct program *program)
{
	for (;;) {
		uint64_t at_ns = now_ns();

		if (at_ns >= program->row_ns)
			write_row(program, at_ns);
		if (at_ns >= program->end_ns)
			break;
		if (program->has_favourite && program->done >= program->phase_end)
			next_phase(program);
		unit(program);
		program->done++;
	}
	write_row(program, now_ns());
}

int main(int argc, char **argv)
{
	struct program program = {0};

	if (argc != 6) {
		fputs("usage: program <kind> <seconds> <seed> <factor> <counters.csv>\n", stderr);
		return 2;
	}
	program.has_favourite = strcmp(argv[1], "steady") != 0;
	program.busy_ms_least = 30;
	program.busy_ms_most = 270;
	if (strcmp(argv[1], "bursts") == 0) {
		program.busy_ms_least = 100;
		program.busy_ms_most = 400;
		program.idle_ms_most = 200;
	}
	program.chance.state = strtoull(argv[3], NULL, 10);
	program.factor = strtod(argv[4], NULL);
	program.counters = fopen(argv[5], "we");
	if (!program.counters)
		return 2;
	fputs("mono_ns,completed_total\n", program.counters);
	program.end_ns = now_ns() + (uint64_t)(strtod(argv[2], NULL) * 1e9);
	run(&program);
	return fclose(program.counters) ? 2 : 0;
}
