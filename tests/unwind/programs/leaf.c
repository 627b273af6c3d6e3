/* leaf.c - nearly all time goes to a function that calls nobody, called by `guilty` alone */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned sink;

__attribute__((noinline)) static unsigned mix(unsigned x, unsigned rounds)
{
	while (rounds--)
		x = (x ^ x >> 7) * 2654435761u;
	return x;
}

__attribute__((noinline)) static unsigned guilty(unsigned x)
{
	return mix(x, 20000) + 1;
}

__attribute__((noinline)) static unsigned work(unsigned x)
{
	return guilty(x) + 2;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end)
		for (int i = 0; i < 100; i++)
			sink = work(sink);
	printf("%u\n", sink);
	return 0;
}
