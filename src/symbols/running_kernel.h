/* running_kernel.h - is the kernel that runs here the recorded one? */
#pragma once

#include <stdbool.h>

/* By the build ID (hex) that the kernel shows in /sys/kernel/notes. */
bool running_kernel_is(const char *build_id);
