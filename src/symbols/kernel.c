/* kernel.c - where a recorded kernel lay, and what its modules are called */
#include "symbols/kernel.h"

#include <stddef.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/symtab.h"

const char *kernel_reference(const char *path)
{
	const char *end;

	if (strncmp(path, "[kernel.kallsyms", 16) != 0 &&
	    strncmp(path, "[guest.kernel.kallsyms", 22) != 0)
		return NULL;
	end = strchr(path, ']');
	return end && end[1] ? end + 1 : NULL;
}

bool kernel_slide(const struct symtab *vmlinux, const char *reference, uint64_t address,
		  uint64_t *ret)
{
	uint64_t own;

	if (address == 0 || !symtab_address(vmlinux, reference, &own))
		return false;
	*ret = address - own;
	return true;
}

/* The length of the name without ".ko" and what packed it; 0 where it is no module's file. */
static size_t module_size(const char *file)
{
	static const char *const endings[] = {".ko", ".ko.gz", ".ko.xz", ".ko.zst", ".ko.debug"};
	size_t size = strlen(file);

	for (size_t i = 0; i < ARRAY_NR(endings); i++) {
		size_t ending = strlen(endings[i]);

		if (size > ending && strcmp(file + size - ending, endings[i]) == 0)
			return size - ending;
	}
	return 0;
}

/* Places that are no module, whatever else a kernel may call so. */
static bool is_other_place(const char *name, size_t size)
{
	static const char *const others[] = {"vdso",  "vdso32", "vdsox32", "vsyscall", "vvar",
					     "stack", "heap",	"uprobes", "unknown"};

	for (size_t i = 0; i < ARRAY_NR(others); i++)
		if (strlen(others[i]) == size && memcmp(others[i], name, size) == 0)
			return true;
	/* "[kernel.kallsyms]", "[guest.kernel.kallsyms.7]", "[stack:123]" */
	return memchr(name, '.', size) || memchr(name, ':', size);
}

bool kernel_module_name(const char *path, struct text *ret)
{
	const char *name = strrchr(path, '/');
	size_t size = strlen(path);

	if (size > 2 && path[0] == '[' && path[size - 1] == ']') {
		name = path + 1;
		size -= 2;
		if (is_other_place(name, size))
			return false;
	} else {
		name = name ? name + 1 : path;
		size = module_size(name);
	}
	if (size == 0)
		return false;
	for (size_t i = 0; i < size; i++)
		text_add_char(ret, name[i] == '-' ? '_' : name[i]);
	return true;
}

bool kernel_is_padding(const char *name)
{
	return strncmp(name, "__pfx_", 6) == 0 || strncmp(name, "__cfi_", 6) == 0;
}
