/* test_lock.c - who else is writing a file is found, and waited for */
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/lock.h"

static const char path[] = "lock.tephra", moved[] = "lock.moved";

/* A process that takes a lock, says so, and keeps it for some time. */
static pid_t hold(void (*take)(int fd), unsigned keep_ms)
{
	int said[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(said), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

		take(fd);
		if (write(said[1], "x", 1) != 1)
			_exit(1);
		usleep(keep_ms * 1000);
		_exit(0);
	}
	assert_int_equal(read(said[0], &byte, 1), 1);
	close(said[0]);
	close(said[1]);
	return pid;
}

static void take_flock(int fd)
{
	flock(fd, LOCK_EX);
}

/* As SQLite does: a lock on some bytes. */
static void take_bytes(int fd)
{
	struct flock lock = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000001, .l_len = 1};

	fcntl(fd, F_SETLK, &lock);
}

static void let_go(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void the_holder_is_found(void **state)
{
	pid_t pid = hold(take_flock, 10000);
	pid_t found = lock_holder(path);

	(void)state;
	let_go(pid);
	assert_int_equal(found, pid);
	pid = hold(take_bytes, 10000);
	found = lock_holder(path);
	let_go(pid);
	assert_int_equal(found, pid);
	unlink(path);
}

static void nobody_is_no_holder(void **state)
{
	int fd = lock_take(path, 0);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(lock_holder(path), 0); /* we ourselves do not count */
	close(fd);
	assert_int_equal(lock_holder(path), 0);
	unlink(path);
	assert_int_equal(lock_holder(path), 0);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void a_lock_is_waited_for_and_then_given_up(void **state)
{
	pid_t pid = hold(take_flock, 10000);
	uint64_t begin = now_ms();
	int fd = lock_take(path, 200);
	int why = errno;

	(void)state;
	let_go(pid);
	assert_int_equal(fd, -1);
	assert_int_equal(why, EWOULDBLOCK);
	assert_true(now_ms() - begin >= 200);
	unlink(path);
}

static void a_lock_that_becomes_free_is_taken(void **state)
{
	pid_t pid = hold(take_flock, 200);
	int fd = lock_take(path, 9000);

	(void)state;
	waitpid(pid, NULL, 0);
	assert_true(fd >= 0);
	close(fd);
	unlink(path);
}

/* The file is renamed while it is waited for: the lock must be one on the new file. */
static void a_lock_is_of_the_file_that_is_there(void **state)
{
	pid_t pid = hold(take_flock, 300);
	int fd, other;

	(void)state;
	assert_int_equal(rename(path, moved), 0);
	fd = lock_take(path, 9000);
	assert_true(fd >= 0);
	other = open(path, O_RDWR | O_CLOEXEC);
	assert_true(other >= 0);
	assert_int_equal(flock(other, LOCK_EX | LOCK_NB), -1);
	close(other);
	close(fd);
	let_go(pid);
	unlink(path);
	unlink(moved);
}

static void a_place_that_cannot_be_written_says_why(void **state)
{
	(void)state;
	assert_int_equal(lock_take("nowhere/lock", 1000), -1);
	assert_int_equal(errno, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_holder_is_found),
		cmocka_unit_test(nobody_is_no_holder),
		cmocka_unit_test(a_lock_is_waited_for_and_then_given_up),
		cmocka_unit_test(a_lock_that_becomes_free_is_taken),
		cmocka_unit_test(a_lock_is_of_the_file_that_is_there),
		cmocka_unit_test(a_place_that_cannot_be_written_says_why),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
