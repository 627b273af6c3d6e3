/* modules.c - the files and other places that code ran from */
#include "model/modules.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "model/names.h"

void modules_release(struct modules *modules)
{
	free(modules->list);
	free(modules->of_path);
	free(modules->candidates);
	free(modules->refuted);
	*modules = (struct modules){0};
}

const char *origin_word(enum origin origin)
{
	static const char *const words[ORIGIN_NR] = {
		[ORIGIN_UNKNOWN] = "unknown", [ORIGIN_APP] = "application",
		[ORIGIN_LIBRARY] = "library", [ORIGIN_KERNEL] = "kernel",
		[ORIGIN_JIT] = "jit",
	};

	return words[origin];
}

const char *module_id_source_word(enum id_source source)
{
	static const char *const words[] = {
		[ID_NONE_RECORDED] = "none",
		[ID_MMAP2] = "mmap2",
		[ID_HEADER] = "header",
		[ID_INJECTED] = "injected",
	};

	return words[source];
}

void modules_add_candidate(struct modules *modules, const struct module_candidate *candidate)
{
	GROW(modules->candidates, modules->candidates_nr + 1, modules->candidates_alloc);
	modules->candidates[modules->candidates_nr++] = *candidate;
}

void modules_add_refuted(struct modules *modules, const struct module_refuted *refuted)
{
	GROW(modules->refuted, modules->refuted_nr + 1, modules->refuted_alloc);
	modules->refuted[modules->refuted_nr++] = *refuted;
}

void module_add_map(struct module *module, uint64_t offset)
{
	if (!module->is_mapped)
		module->map_offset = offset;
	else if (module->map_offset != offset && module->origin == ORIGIN_KERNEL)
		module->map_offset = MODULE_NO_OFFSET;
	else if (module->map_offset > offset)
		module->map_offset = offset;
	module->is_mapped = true;
}

const char *module_status_word(enum module_status status)
{
	static const char *const words[MODULE_STATUS_NR] = {
		[MODULE_UNNAMED] = "not looked for",
		[MODULE_EXACT] = "exact",
		[MODULE_CONSISTENT] = "consistent",
		[MODULE_UNVERIFIED] = "unverified",
		[MODULE_CONTRADICTED] = "contradicted",
		[MODULE_MISMATCH] = "mismatch",
		[MODULE_MISSING] = "missing",
		[MODULE_UNSUPPORTED] = "unsupported",
		[MODULE_FORCED] = "forced",
	};

	return words[status];
}

static bool ends_with(const char *s, const char *end)
{
	size_t size = strlen(s), end_size = strlen(end);

	return size >= end_size && strcmp(s + size - end_size, end) == 0;
}

static bool starts_with(const char *s, const char *begin)
{
	return strncmp(s, begin, strlen(begin)) == 0;
}

/* "/tmp/perf-4711.map", the file that runtimes write for perf; "jitted-*.so" is perf inject's. */
static bool is_jit(const char *path, const char *base)
{
	return (starts_with(base, "perf-") && ends_with(base, ".map")) ||
	       (starts_with(base, "jitted-") && ends_with(base, ".so")) ||
	       starts_with(path, "[JIT]") || starts_with(path, "[JIT ");
}

static bool is_bracketed_user_memory(const char *path)
{
	static const char *const words[] = {"[vdso]",	  "[vdso32]",  "[vdsox32]",
					    "[vsyscall]", "[heap]",    "[stack",
					    "[anon",	  "[uprobes]", "[unknown]"};

	for (size_t i = 0; i < ARRAY_NR(words); i++)
		if (starts_with(path, words[i]))
			return true;
	return false;
}

/* "[kernel.kallsyms]", "[guest.kernel.kallsyms.17006]", "[nf_conntrack]", "/boot/vmlinux-6.1" */
static bool is_kernel(const char *path, const char *base)
{
	if (path[0] == '[')
		return !is_bracketed_user_memory(path);
	return starts_with(base, "vmlinux") || strcmp(base, "kcore") == 0 ||
	       strcmp(base, "kallsyms") == 0 || ends_with(base, ".ko") || strstr(base, ".ko.") ||
	       starts_with(path, "bpf_prog_");
}

static bool is_library(const char *path, const char *base)
{
	const char *so = strstr(base, ".so");

	return strcmp(path, "[vdso]") == 0 || strcmp(path, "[vdso32]") == 0 ||
	       strcmp(path, "[vsyscall]") == 0 || (so && (so[3] == '\0' || so[3] == '.')) ||
	       starts_with(base, "ld-") || (ends_with(base, ".so") && starts_with(base, "lib"));
}

static enum origin origin_of(const char *path, const char *base)
{
	if (is_jit(path, base))
		return ORIGIN_JIT;
	if (is_kernel(path, base))
		return ORIGIN_KERNEL;
	if (is_library(path, base))
		return ORIGIN_LIBRARY;
	if (path[0] == '[' || starts_with(path, "//anon") || starts_with(path, "anon_inode:"))
		return ORIGIN_UNKNOWN;
	return ORIGIN_APP;
}

/* What "[...]" around a missing symbol says: no folders, no " (deleted)", no brackets. */
static uint32_t basename_of(struct names *names, const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t size = strlen(path);
	const char *base;

	if (ends_with(path, deleted))
		size -= strlen(deleted);
	base = memrchr(path, '/', size);
	base = base && path[0] != '[' ? base + 1 : path;
	size -= (size_t)(base - path);
	if (size >= 2 && base[0] == '[' && base[size - 1] == ']') {
		base++;
		size -= 2;
	}
	return names_add(names, base, size);
}

static uint32_t append(struct modules *modules, struct names *names, uint32_t path)
{
	const char *path_bytes = names_get(names, path)->bytes;
	struct module *module;

	GROW(modules->list, (size_t)modules->nr + 1, modules->list_alloc);
	module = &modules->list[modules->nr];
	*module = (struct module){.path = path,
				  .build_id = NAME_NONE,
				  .next = MODULE_NONE,
				  .map_offset = MODULE_NO_OFFSET,
				  .reference = NAME_NONE,
				  .file = NAME_NONE,
				  .debug_file = NAME_NONE,
				  .file_sha256 = NAME_NONE,
				  .debug_sha256 = NAME_NONE,
				  .detail = NAME_NONE};
	module->basename = basename_of(names, path_bytes);
	module->origin = origin_of(path_bytes, names_get(names, module->basename)->bytes);
	return modules->nr++;
}

static uint32_t *first_of(struct modules *modules, uint32_t path)
{
	while (modules->of_path_nr <= path) {
		GROW(modules->of_path, modules->of_path_nr + 1, modules->of_path_alloc);
		modules->of_path[modules->of_path_nr++] = MODULE_NONE;
	}
	return &modules->of_path[path];
}

uint32_t modules_add(struct modules *modules, struct names *names, uint32_t path)
{
	return modules_add_build(modules, names, path, NAME_NONE);
}

uint32_t modules_add_build(struct modules *modules, struct names *names, uint32_t path,
			   uint32_t build_id)
{
	uint32_t *link = first_of(modules, path), added;

	if (build_id == NAME_NONE && *link != MODULE_NONE)
		return *link;
	while (*link != MODULE_NONE) {
		struct module *module = &modules->list[*link];

		if (module->build_id == NAME_NONE)
			module->build_id = build_id;
		if (module->build_id == build_id)
			return *link;
		link = &module->next;
	}
	/* the list may move when it grows */
	added = append(modules, names, path);
	modules->list[added].build_id = build_id;
	link = first_of(modules, path);
	while (*link != MODULE_NONE && *link != added)
		link = &modules->list[*link].next;
	*link = added;
	return added;
}
