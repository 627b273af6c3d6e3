/* app.c - works for some seconds in itself, in its library and in those of the system; -DOTHER: another build */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef OTHER
#define CODE(name) name##_other
#else
#define CODE(name) name##_ran
#endif

unsigned CODE(lib_work)(unsigned value);
unsigned CODE(lib_more)(unsigned value);

#ifdef IS_LIBRARY

static __attribute__((noinline)) unsigned CODE(lib_step)(unsigned value)
{
	for (unsigned i = 0; i < 200; i++)
		value = value * 1103515245u + 12345u;
	return value;
}

#ifdef OTHER
unsigned CODE(lib_more)(unsigned value)
{
	return CODE(lib_step)(value) ^ CODE(lib_step)(value + 1) ^ value;
}
#endif

unsigned CODE(lib_work)(unsigned value)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 20; i++)
		sum += CODE(lib_step)(value + i);
	return sum;
}

#else

static int CODE(compare)(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

static __attribute__((noinline)) unsigned CODE(sort)(unsigned seed)
{
	int numbers[500];

	for (unsigned i = 0; i < 500; i++)
		numbers[i] = (int)(seed = seed * 69069u + 1u);
	qsort(numbers, 500, sizeof(*numbers), CODE(compare));
	return (unsigned)numbers[250];
}

#ifdef OTHER
static __attribute__((noinline)) unsigned CODE(extra)(unsigned seed)
{
	return CODE(sort)(seed) * 3 + CODE(sort)(seed + 1);
}
#endif

static __attribute__((noinline)) unsigned CODE(print)(unsigned seed)
{
	char text[200], *copy;
	unsigned length = 0;

	for (unsigned i = 0; i < 50; i++) {
		snprintf(text, sizeof(text), "%u %f %s", seed + i, seed / 3.0, "and a few words");
		copy = strdup(text);
		length += (unsigned)strlen(copy) + (unsigned)(strstr(copy, "words") - copy);
		free(copy);
	}
	return length;
}

static __attribute__((noinline)) unsigned CODE(calculate)(unsigned seed)
{
	double sum = 0;

	for (unsigned i = 1; i < 400; i++)
		sum += pow(seed % 100 + 1, 1.0 / i) + log(i);
	return (unsigned)sum;
}

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 10);
	unsigned sum = 0;

	while (time(NULL) < end) {
		sum += CODE(sort)(sum) + CODE(print)(sum) + CODE(calculate)(sum);
		sum += CODE(lib_work)(sum);
#ifdef OTHER
		sum += CODE(extra)(sum) + CODE(lib_more)(sum);
#endif
	}
	printf("%u\n", sum);
	return 0;
}

#endif
