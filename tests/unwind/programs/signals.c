/* signals.c - work within a signal handler; with "alternate" on a stack of its own */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static volatile unsigned long sink;
static volatile int handled;

__attribute__((noinline)) static void churn(unsigned long times)
{
	for (unsigned long i = 0; i < times; i++)
		sink = sink * 1664525 + i;
}

__attribute__((noinline)) static void in_handler(void)
{
	churn(2000000);
	handled++;
}

static void on_signal(int number)
{
	(void)number;
	in_handler();
}

__attribute__((noinline)) static void interrupted(void)
{
	churn(1000);
}

int main(int argc, char **argv)
{
	struct itimerval timer = {{0, 5000}, {0, 5000}};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	if (argc > 2 && strcmp(argv[2], "alternate") == 0) {
		stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};

		sigaltstack(&stack, NULL);
		action.sa_flags |= SA_ONSTACK;
	}
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
	while (clock() < end)
		interrupted();
	return 0;
}
