/* deep.c - a recursion of 1000 frames, which no dump of 8 KB holds */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

__attribute__((noinline)) static unsigned long down(int depth)
{
	unsigned long sum;

	if (!depth) {
		for (int i = 0; i < 100000; i++)
			sink = sink * 1664525 + 1;
		return sink;
	}
	sum = down(depth - 1);
	sink = sink + sum;
	return sum + (unsigned long)depth;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end)
		sink = sink + down(1000);
	return 0;
}
