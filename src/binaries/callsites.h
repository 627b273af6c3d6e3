/* callsites.h - is there a call before each return address? */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file;

/*
 * Of the file that ran 98 to 100 % of the distinct return addresses stand behind a call
 * instruction; of the same code moved by some bytes at most 8 %; of another point release of
 * the same library 27 to 76 %. So with enough of them 95 % tells the two apart.
 */
#define CALLSITES_MIN	  20 /* distinct return addresses that are enough */
#define CALLSITES_PERCENT 95

/*
 * How many of these distinct return addresses (as written in the file, not less one) stand
 * behind a call. *ret_total is nr, or 0 where the test says nothing: a machine other than
 * x86-64 and aarch64, or a file without its code.
 */
void callsites_count(const struct elf_file *file, const uint64_t *return_vaddrs, size_t nr,
		     size_t *ret_ok, size_t *ret_total);

/*
 * Does its code keep frame pointers? Where it does not, a stack that was walked by them holds
 * words that are no return addresses: of the file that ran only 9 to 67 % of them stood behind
 * a call, so a failed test says nothing. With them it was 100 %.
 */
bool callsites_keeps_frame_pointers(const struct elf_file *file);
