/* threads.c - threads that recurse, sort, fill arrays of variable size and ask for the time */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define THREADS 4

static volatile double sink;
static double seconds;
static int depth_max = 20;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

__attribute__((noinline)) static double leaf(double x)
{
	for (int i = 0; i < 300; i++)
		x = sin(x) + 1e-3 * i;
	return x;
}

__attribute__((noinline)) static double recurse(int depth, double x)
{
	char room[64];

	memset(room, depth, sizeof(room));
	if (!depth)
		return leaf(x);
	return recurse(depth - 1, x + room[3]) + room[5];
}

__attribute__((noinline)) static double variable(int nr)
{
	double list[nr], sum = 0;

	for (int i = 0; i < nr; i++)
		list[i] = leaf(i);
	for (int i = 0; i < nr; i++)
		sum += list[i];
	return sum;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

__attribute__((noinline)) static void sort(void)
{
	double list[500];

	for (int i = 0; i < 500; i++)
		list[i] = i * 7919 % 501;
	qsort(list, 500, sizeof(*list), compare);
	sink = list[7];
}

__attribute__((noinline)) static double ask_time(void)
{
	double last = 0;

	for (int i = 0; i < 2000; i++)
		last = now();
	return last;
}

/* Twice the seconds of CPU time: how many samples there are does not depend on what else runs. */
static void *work(void *context)
{
	double end = 2 * seconds * CLOCKS_PER_SEC;

	while ((double)clock() < end) {
		char *text = malloc(10000);

		sink += recurse(depth_max, 1);
		sink += variable(17);
		sort();
		sink += ask_time();
		snprintf(text, 10000, "%f %d", sink, 3);
		free(text);
	}
	return context;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	seconds = argc > 1 ? atof(argv[1]) : 1;
	if (argc > 2)
		depth_max = atoi(argv[2]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
