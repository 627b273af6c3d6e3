/* kernel.h - where a recorded kernel lay, and what its modules are called */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct symtab;
struct text;

/*
 * The symbol that perf recorded the kernel's place by: the end of the path of its mapping,
 * "[kernel.kallsyms]_text" or "[guest.kernel.kallsyms.7]_stext". NULL where there is none.
 * Borrowed from the path.
 */
const char *kernel_reference(const char *path);

/*
 * How far the running kernel was moved from the addresses in its vmlinux: run-time address
 * minus address in the file, modulo 2^64. `address` is what the mapping's offset says of the
 * symbol `reference`; 0 is what kernel.kptr_restrict hides it as. False where it is hidden, or
 * the table has no such symbol: then no address can be translated.
 */
bool kernel_slide(const struct symtab *vmlinux, const char *reference, uint64_t address,
		  uint64_t *ret);

/*
 * Adds the module's name as the kernel shows it: of "/lib/modules/6.1/kernel/fs/nls-utf8.ko.xz",
 * "[nls_utf8]" and "nls-utf8.ko" it is "nls_utf8". False, and nothing is added, where the
 * path is that of no kernel module.
 */
bool kernel_module_name(const char *path, struct text *ret);

/*
 * Is it the name of what stands in front of a function for others to patch or check, and is
 * never run? objtool calls it __pfx_NAME, clang __cfi_NAME.
 */
bool kernel_is_padding(const char *name);
