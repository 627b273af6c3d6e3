/* corners.c - time is spent in stubs of a PLT, and under frames that were moved to align their room */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile double sink;
static volatile long number;

/* The C library's, by way of its stub: the compiler knows what it does, and must not do it. */
static long (*volatile keep)(long) = labs;

__attribute__((noinline)) static void call_stubs(int times)
{
	for (int i = 0; i < times; i++)
		number = labs(labs(labs(labs(number - i))));
}

__attribute__((noinline)) static double spin(const double *list, int nr)
{
	double sum = 0;

	for (int i = 0; i < 200; i++)
		sum += list[i % nr] * i;
	return sum;
}

/* Vectors want 32 bytes, the stack has 16; the array moves the stack pointer on top of that. */
__attribute__((noinline, target("avx"))) static double realigned(int nr)
{
	__m256d vectors[4];
	double list[nr];

	for (int i = 0; i < 4; i++)
		vectors[i] = _mm256_set1_pd(number + i);
	for (int i = 0; i < nr; i++)
		list[i] = i;
	sink += spin((double *)vectors, 16);
	return spin(list, nr) + vectors[2][1];
}

/* The same without an array. */
__attribute__((noinline, target("avx"))) static double aligned(void)
{
	__m256d vectors[4];

	for (int i = 0; i < 4; i++)
		vectors[i] = _mm256_set1_pd(number - i);
	return spin((double *)vectors, 16);
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end) {
		call_stubs(60000);
		for (int i = 0; i < 50 && __builtin_cpu_supports("avx"); i++)
			sink += realigned(17) + aligned();
	}
	printf("%f %ld\n", sink, keep(number));
	return 0;
}
