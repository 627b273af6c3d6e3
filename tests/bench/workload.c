/* workload.c - a program to be profiled: deep call chains that come again and again
 *
 * usage: workload <seconds> [<threads>]
 *
 * 2,000 kinds of request, kind n drawn with a chance of 1/n, go each their own way through 256
 * functions, 8 to 40 deep. Built with frame pointers, so that `perf record
 * --call-graph fp` sees the whole chain.
 */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS_MAX 64
#define DEPTH_MIN   8
#define DEPTH_RANGE 32
#define SPIN	    200
#define KINDS	    2000

typedef uint64_t step(uint64_t state, unsigned depth);

static step *const steps[256];

static uint64_t next_of(uint64_t state)
{
	return state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

/* The way depends on the request alone, the work on nothing. */
static inline uint64_t walk(uint64_t request, unsigned depth, unsigned self)
{
	volatile unsigned work = 0;

	for (unsigned i = 0; i < SPIN; i++)
		work += i;
	if (!depth)
		return request;
	request = next_of(request);
	request = steps[(self * 3 + (request >> 56)) % 256](request, depth - 1);
	return request + !depth; /* no tail call */
}

/* Kind n with a chance of 1/n: what is evenly drawn from the logarithms. */
static unsigned draw(uint64_t *state)
{
	*state = next_of(*state);
	return (unsigned)exp((double)(*state >> 11) / (double)(UINT64_C(1) << 53) * log(KINDS));
}

#define STEP(n)                                                                            \
	static __attribute__((noinline)) uint64_t step_##n(uint64_t state, unsigned depth) \
	{                                                                                  \
		return walk(state, depth, 0x##n);                                          \
	}
#define SIXTEEN(DO, n) \
	DO(n##0)       \
	DO(n##1)       \
	DO(n##2)       \
	DO(n##3)       \
	DO(n##4)       \
	DO(n##5)       \
	DO(n##6) DO(n##7) DO(n##8) DO(n##9) DO(n##a) DO(n##b) DO(n##c) DO(n##d) DO(n##e) DO(n##f)
#define ALL(DO)        \
	SIXTEEN(DO, 0) \
	SIXTEEN(DO, 1) \
	SIXTEEN(DO, 2) \
	SIXTEEN(DO, 3) \
	SIXTEEN(DO, 4) \
	SIXTEEN(DO, 5) \
	SIXTEEN(DO, 6) \
	SIXTEEN(DO, 7) \
	SIXTEEN(DO, 8) \
	SIXTEEN(DO, 9) \
	SIXTEEN(DO, a) \
	SIXTEEN(DO, b) \
	SIXTEEN(DO, c) \
	SIXTEEN(DO, d) \
	SIXTEEN(DO, e) \
	SIXTEEN(DO, f)

ALL(STEP)

#define NAME(n) step_##n,
static step *const steps[256] = {ALL(NAME)};

static time_t end;

static void *run(void *seed)
{
	while (time(NULL) < end) {
		uint64_t request = next_of(draw(seed));

		steps[request >> 56](request, DEPTH_MIN + (unsigned)(request >> 40) % DEPTH_RANGE);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS_MAX];
	uint64_t seeds[THREADS_MAX];
	int seconds = argc > 1 ? atoi(argv[1]) : 0, nr = argc > 2 ? atoi(argv[2]) : 2;

	if (seconds < 1 || nr < 1 || nr > THREADS_MAX) {
		fprintf(stderr, "usage: workload <seconds> [<threads>]\n");
		return 2;
	}
	end = time(NULL) + seconds;
	for (int i = 0; i < nr; i++) {
		seeds[i] = (uint64_t)i + 1;
		if (pthread_create(&threads[i], NULL, run, &seeds[i]) != 0)
			return 2;
	}
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	return seeds[0] == 0; /* used: not to be optimized away */
}
