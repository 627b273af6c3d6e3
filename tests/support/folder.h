/* folder.h - a folder of a test, with files and links in it */
#pragma once

#include <stddef.h>

/* A new folder below the current one. Owned: folder_remove(). */
char *folder_new(void);

/* Removes it and all below it, and frees the path. */
void folder_remove(char *folder);

/* "<folder>/<path>", owned. */
char *folder_path(const char *folder, const char *path);

/* Writes a file, makes a symbolic link or a folder; what is above them is made, too. */
void folder_put(const char *folder, const char *path, const void *bytes, size_t size);
void folder_link(const char *folder, const char *path, const char *target);
void folder_make(const char *folder, const char *path);
