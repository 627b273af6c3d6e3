/* lock.h - who else is writing a file */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* The process that holds any lock on the file, 0 where none does or it cannot be known. */
pid_t lock_holder(const char *path);

/*
 * Opens the file, made where missing, and takes its flock(2). Waits up to wait_ms for another
 * holder. The descriptor, or -1 with errno set (EWOULDBLOCK: it is still held).
 */
int lock_take(const char *path, int wait_ms);
