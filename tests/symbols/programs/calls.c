/* calls.c - a program of two units with inlined functions, a dropped one and two that are alike */
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((noinline)) unsigned step(unsigned value)
{
	return mix(value) + mix(value + 1);
}

__attribute__((noinline)) int alike_one(int value)
{
	return value * 31 + 7;
}

__attribute__((noinline)) int alike_two(int value)
{
	return value * 31 + 7;
}

/* nobody calls it: a linker that drops sections leaves its debug data */
int dropped(int value)
{
	return clamp(value, 3, 300) + (int)step((unsigned)value);
}

__attribute__((cold, noinline)) static void complain(const char *what)
{
	fprintf(stderr, "calls: %s\n", what);
	abort();
}

static inline __attribute__((always_inline)) unsigned level3(unsigned value)
{
	return mix(value) ^ 3;
}

static inline __attribute__((always_inline)) unsigned level2(unsigned value)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < (value & 15); i++)
		sum += level3(value + i);
	return sum + level3(value * 2);
}

static inline __attribute__((always_inline)) unsigned level1(unsigned value)
{
	{
		unsigned inner = level2(value);

		if (inner == 42)
			complain("it is 42");
		return inner + level2(value + 9);
	}
}

int main(int argc, char **argv)
{
	unsigned values[64];

	for (int i = 0; i < 64; i++)
		values[i] = level1((unsigned)(argc + i));
	if (argc > 100)
		complain(argv[1]);
#line 4000 "generated/from_a_grammar.y"
	values[1] += mix((unsigned)argc);
	printf("%u %d %d\n", walk(values, 64), alike_one(argc), alike_two(argc));
	return sort_words(argv + 1, argc - 1);
}
