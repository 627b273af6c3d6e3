/* alone.c - a program without a library, for machines other than this one */
#include "calls.h"

static unsigned values[64];

unsigned walk(const unsigned *at, int nr)
{
	unsigned sum = 0;

	for (int i = 0; i < nr; i++)
		sum += mix(at[i]) & 0xff;
	return sum;
}

__attribute__((noinline)) static unsigned fill(unsigned first)
{
	for (unsigned i = 0; i < 64; i++)
		values[i] = mix(first + i);
	return walk(values, 64);
}

void _start(void);
void _start(void)
{
	for (;;)
		values[0] += fill(values[1]) + walk(values, 3);
}
