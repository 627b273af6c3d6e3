/* lock.c - who else is writing a file */
#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define STEP_MS 20

/*
 * A line of proc(5)'s /proc/locks:
 *   1: POSIX  ADVISORY  WRITE 4711 fe:01:1234 1073741825 1073741825
 */
pid_t lock_holder(const char *path)
{
	FILE *locks = fopen("/proc/locks", "re");
	char line[256];
	struct stat st;
	pid_t holder = 0;

	if (!locks)
		return 0;
	while (stat(path, &st) == 0 && !holder && fgets(line, sizeof(line), locks)) {
		unsigned dev_major, dev_minor;
		unsigned long long inode;
		int pid;

		if (sscanf(line, "%*d: %*s %*s %*s %d %x:%x:%llu", &pid, &dev_major, &dev_minor,
			   &inode) == 4 &&
		    inode == st.st_ino && dev_major == major(st.st_dev) &&
		    dev_minor == minor(st.st_dev) && pid != getpid())
			holder = pid;
	}
	fclose(locks);
	return holder;
}

/* The file may have been renamed or removed while we waited: then the lock is of another. */
static bool is_still_there(const char *path, int fd)
{
	struct stat here, there;

	return fstat(fd, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino &&
	       here.st_dev == there.st_dev;
}

int lock_take(const char *path, int wait_ms)
{
	for (;; wait_ms -= STEP_MS) {
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_still_there(path, fd))
			return fd;
		close(fd);
		if (wait_ms <= 0) {
			errno = EWOULDBLOCK;
			return -1;
		}
		usleep(STEP_MS * 1000);
	}
}
