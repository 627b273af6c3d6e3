/* frames.c - functions whose frames are made in unusual ways; built in many ways, never run */
#include <alloca.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double vector __attribute__((vector_size(32)));

int leaf(int a, int b)
{
	return a * b + 1;
}

/* A stack that grows as somebody likes. */
int grows(unsigned nr)
{
	char *bytes = alloca(nr);
	int numbers[nr + 1];

	memset(bytes, 1, nr);
	memset(numbers, 2, sizeof(numbers));
	return bytes[nr / 2] + numbers[nr];
}

/* Aligned to more than the ABI's 16 bytes. */
double realigned(const double *from, unsigned nr)
{
	volatile vector sums[4] = {{0}};

	for (unsigned i = 0; i < nr; i++)
		sums[i % 4] += (vector){from[i], from[i + 1], from[i + 2], from[i + 3]};
	return sums[0][0] + sums[1][1] + sums[2][2] + sums[3][3] + leaf((int)nr, 3);
}

/* The same with a stack that grows: two reasons for a frame pointer. */
double realigned_grows(const double *from, unsigned nr)
{
	char *bytes = alloca(nr);
	volatile vector sum = {0};

	memset(bytes, 3, nr);
	sum += (vector){from[0], from[1], from[2], from[3]};
	return sum[1] + bytes[nr - 1] + realigned(from, nr);
}

/* More than a rule of 16 bytes can reach from the CFA. */
size_t large(FILE *file)
{
	char bytes[20000];
	size_t got = fread(bytes, 1, sizeof(bytes), file);

	return got ? got + (unsigned char)bytes[got - 1] : 0;
}

/* All registers that have to be given back, and a way out in the middle. */
long busy(long a, long b, long c, long d, long e, long f, long (*ask)(long))
{
	long g = ask(a), h = ask(b), i = ask(c), j = ask(d), k = ask(e), l = ask(f);

	if (g == h)
		return ask(i + j);
	if (i == j)
		abort();
	return ask(g + h) * ask(i + j) + ask(k + l) * g + h * i + j * k + l + a + b + c + d + e + f;
}

static void caught(int nr)
{
	printf("%d\n", nr);
}

int main(int argc, char **argv)
{
	double numbers[64] = {argc};

	signal(SIGUSR1, caught);
	raise(SIGUSR1);
	printf("%d %g %g %zu\n", grows((unsigned)argc), realigned(numbers, 32),
	       realigned_grows(numbers, 32), large(stdin));
	return (int)busy(argc, 2, 3, 4, 5, 6, (long (*)(long))(void *)argv);
}
