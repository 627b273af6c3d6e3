/* worker.c - files of strangers are parsed in processes that may die of them */
#include "symbols/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/progress.h"

#define PROCESSES_MAX 64u

/* Shared by all processes: the job that is to be begun next, and what each process is at. */
struct board {
	_Atomic uint32_t next;
	_Atomic uint32_t at[PROCESSES_MAX]; /* job; UINT32_MAX: none */
};

struct crew {
	uint32_t nr;
	worker_task *task;
	void *context;
	struct worker_result *results;
	struct board *board;
	struct process {
		pid_t pid; /* 0: none */
		int out;   /* file that it appends to: u32 job, u64 size, bytes */
	} list[PROCESSES_MAX];
};

/* ---- in the worker */

static bool write_all(int fd, const void *at, size_t size)
{
	const char *from = at;

	while (size) {
		ssize_t written = write(fd, from, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		from += written;
		size -= (size_t)written;
	}
	return true;
}

static void limit(int what, uint64_t value)
{
	struct rlimit old;

	if (getrlimit(what, &old) == 0 && (old.rlim_max == RLIM_INFINITY || value < old.rlim_max))
		setrlimit(what, &(struct rlimit){.rlim_cur = value, .rlim_max = old.rlim_max});
}

/* Sanitizers reserve address space by the terabyte; there the CPU is the only limit. */
#ifdef __SANITIZE_ADDRESS__
static void limit_memory(void)
{
}
#else
static void limit_memory(void)
{
	limit(RLIMIT_AS, WORKER_MEMORY_MAX);
}
#endif

static void limit_time(void)
{
	struct rusage used;

	if (getrusage(RUSAGE_SELF, &used) == 0)
		limit(RLIMIT_CPU, (uint64_t)used.ru_utime.tv_sec + (uint64_t)used.ru_stime.tv_sec +
					  WORKER_SECONDS_MAX);
}

static void be_worker(struct crew *crew, unsigned self)
{
	struct board *board = crew->board;
	uint32_t job;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	limit(RLIMIT_CORE, 0);
	limit_memory();
	while ((job = atomic_fetch_add(&board->next, 1)) < crew->nr) {
		struct text bytes = TEXT_INIT;
		uint64_t size;

		atomic_store(&board->at[self], job);
		limit_time();
		crew->task(crew->context, job, &bytes);
		size = bytes.size;
		if (!write_all(crew->list[self].out, &job, sizeof(job)) ||
		    !write_all(crew->list[self].out, &size, sizeof(size)) ||
		    !write_all(crew->list[self].out, text_string(&bytes), bytes.size))
			_exit(2);
		text_release(&bytes);
		atomic_store(&board->at[self], UINT32_MAX);
	}
	_exit(0);
}

/* ---- in the caller */

static struct error *start(struct crew *crew, unsigned at)
{
	struct process *process = &crew->list[at];

	atomic_store(&crew->board->at[at], UINT32_MAX);
	process->out = memfd_create("tephra-worker", MFD_CLOEXEC);
	if (process->out < 0)
		return error_os("cannot make a file in memory for what a worker says");
	process->pid = fork();
	if (process->pid == 0)
		be_worker(crew, at);
	if (process->pid > 0)
		return NULL;
	process->pid = 0;
	close(process->out);
	return error_os("cannot start a process that reads debug information");
}

/* What a process wrote: whole results alone, for it may have died in the middle of one. */
static void take_results(struct crew *crew, struct bytes bytes)
{
	uint32_t job;
	uint64_t size;
	struct bytes part;

	while (bytes_u32(&bytes, &job) && bytes_u64(&bytes, &size) &&
	       bytes_part(&bytes, size, &part)) {
		if (job >= crew->nr || crew->results[job].is_done)
			return;
		text_add_bytes(&crew->results[job].bytes, part.at, size);
		crew->results[job].is_done = true;
	}
}

static struct error *collect(struct crew *crew, unsigned at)
{
	struct process *process = &crew->list[at];
	struct error *err = NULL;
	struct stat stat;
	void *map = NULL;

	if (fstat(process->out, &stat) != 0)
		err = error_os("cannot read what a worker said");
	if (!err && stat.st_size) {
		map = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, process->out, 0);
		if (map == MAP_FAILED)
			err = error_os("cannot read what a worker said");
	}
	if (!err && map) {
		take_results(crew, (struct bytes){map, (unsigned char *)map + stat.st_size, false});
		munmap(map, (size_t)stat.st_size);
	}
	close(process->out);
	process->pid = 0;
	return err;
}

static void note_death(struct crew *crew, unsigned at, int status)
{
	uint32_t job = atomic_load(&crew->board->at[at]);

	if (job < crew->nr && !crew->results[job].is_done)
		crew->results[job].signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static struct error *wait_for(struct crew *crew, unsigned at)
{
	int status;
	struct error *err;

	while (waitpid(crew->list[at].pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_os("cannot wait for a worker");
	err = collect(crew, at);
	if (!err && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
		note_death(crew, at, status);
	return err;
}

/* One round: as many processes as asked for, until all are gone. */
static struct error *round_of(struct crew *crew, unsigned processes, struct progress *progress)
{
	struct error *err = NULL;

	for (unsigned i = 0; i < processes && !err; i++)
		err = start(crew, i);
	for (unsigned i = 0; i < processes; i++) {
		struct error *other = crew->list[i].pid ? wait_for(crew, i) : NULL;

		if (err)
			error_free(other);
		else
			err = other;
		progress_tell(progress, atomic_load(&crew->board->next), crew->nr);
	}
	return err;
}

struct error *worker_run(uint32_t nr, unsigned processes, worker_task *task, void *context,
			 struct progress *progress, struct worker_result *results)
{
	struct crew crew = {.nr = nr, .task = task, .context = context, .results = results};
	struct error *err = NULL;

	for (uint32_t i = 0; i < nr; i++)
		results[i] = (struct worker_result){0};
	if (!nr)
		return NULL;
	crew.board = mmap(NULL, sizeof(*crew.board), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (crew.board == MAP_FAILED)
		return error_os("cannot share memory with workers");
	if (processes > PROCESSES_MAX)
		processes = PROCESSES_MAX;
	if (processes > nr)
		processes = nr;
	fflush(NULL); /* what is in buffers must not be written by both */
	/* each process that dies takes one job with it, so this ends */
	while (!err && atomic_load(&crew.board->next) < nr)
		err = round_of(&crew, processes ? processes : 1, progress);
	munmap(crew.board, sizeof(*crew.board));
	return err;
}

void worker_results_free(struct worker_result *results, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		text_release(&results[i].bytes);
	free(results);
}
