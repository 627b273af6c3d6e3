/* measure.c - run a command once, its output thrown away, and report CPU, wall and memory */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SAMPLE_INTERVAL_NS 1000000
#define NS_PER_S	   UINT64_C(1000000000)

struct measure_options {
	const char *report; /* a file that gets one more line */
	bool is_anonymous;  /* look at the command's memory while it runs; disturbs the times a bit
			     */
	char **command;
};

struct measurement {
	double cpu_s, wall_s;
	uint64_t rss_kib;
	uint64_t anonymous_kib; /* 0 where it was not asked for */
};

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	exit(127);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static double timeval_s(struct timeval value)
{
	return (double)value.tv_sec + (double)value.tv_usec * 1e-6;
}

static pid_t command_start(const struct measure_options *options)
{
	pid_t pid = fork();
	int fd;

	if (pid < 0)
		die("cannot fork");
	if (pid)
		return pid;
	fd = open("/dev/null", O_WRONLY);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		die("/dev/null");
	if (fd != STDOUT_FILENO)
		close(fd);
	execvp(options->command[0], options->command);
	die(options->command[0]);
}

/* The kernel keeps no high-water mark of anonymous memory, so it is looked at now and then. */
static uint64_t anonymous_now_kib(pid_t pid)
{
	char path[64], text[4096];
	const char *line;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len <= 0)
		return 0;
	text[len] = '\0';
	line = strstr(text, "\nRssAnon:");
	return line ? strtoull(line + strlen("\nRssAnon:"), NULL, 10) : 0;
}

static uint64_t anonymous_peak_kib(pid_t pid)
{
	const struct timespec interval = {.tv_nsec = SAMPLE_INTERVAL_NS};
	siginfo_t info = {0};
	uint64_t peak_kib = 0;

	while (!waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && !info.si_pid) {
		uint64_t kib = anonymous_now_kib(pid);

		if (kib > peak_kib)
			peak_kib = kib;
		nanosleep(&interval, NULL);
	}
	return peak_kib;
}

static double cpu_s_of(const struct rusage *usage)
{
	return timeval_s(usage->ru_utime) + timeval_s(usage->ru_stime);
}

/*
 * What the command started and did not wait for (perf leaves its addr2line so) is this process's
 * child by now, and ends soon since nobody writes to it any more.
 */
static double left_behind_cpu_s(void)
{
	struct rusage usage;
	double cpu_s = 0;

	while (wait4(-1, NULL, 0, &usage) > 0)
		cpu_s += cpu_s_of(&usage);
	return cpu_s;
}

/* Returns the command's exit status as a shell says it. */
static int command_measure(const struct measure_options *options, struct measurement *ret)
{
	uint64_t start_ns = now_ns();
	struct rusage usage;
	pid_t pid;
	int status;

	if (prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL))
		die("cannot ask for orphans");
	pid = command_start(options);
	ret->anonymous_kib = options->is_anonymous ? anonymous_peak_kib(pid) : 0;
	if (wait4(pid, &status, 0, &usage) != pid)
		die("cannot wait");
	ret->wall_s = (double)(now_ns() - start_ns) * 1e-9;
	ret->cpu_s = cpu_s_of(&usage) + left_behind_cpu_s();
	ret->rss_kib = (uint64_t)usage.ru_maxrss;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void report_append(const char *path, const struct measurement *measurement)
{
	FILE *report = fopen(path, "a");

	if (!report)
		die(path);
	fprintf(report, "%.6f %.6f %" PRIu64 " %" PRIu64 "\n", measurement->cpu_s,
		measurement->wall_s, measurement->rss_kib, measurement->anonymous_kib);
	if (fclose(report))
		die(path);
}

static bool options_parse(char **argv, struct measure_options *ret)
{
	*ret = (struct measure_options){0};
	for (argv++; *argv && !strncmp(*argv, "--", 2); argv++) {
		if (!strcmp(*argv, "--anonymous"))
			ret->is_anonymous = true;
		else if (!strcmp(*argv, "--report") && argv[1])
			ret->report = *++argv;
		else
			return false;
	}
	ret->command = argv;
	return ret->report && *argv;
}

int main(int argc, char **argv)
{
	struct measure_options options;
	struct measurement measurement;
	int status;

	(void)argc;
	if (!options_parse(argv, &options)) {
		fputs("usage: measure [--anonymous] --report <file> <command>...\n", stderr);
		return 127;
	}
	status = command_measure(&options, &measurement);
	if (!status)
		report_append(options.report, &measurement);
	return status;
}
