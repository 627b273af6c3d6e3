/* fetch_script.c - what a person runs on the recorded machine to bring back files for names */
#include "commands/fetch_script.h"

#include <string.h>

static void write_quoted(FILE *out, const char *s)
{
	fputc('\'', out);
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", out);
		else
			fputc(*s, out);
	}
	fputc('\'', out);
}

/* A file keeps its path under root/; its name under .build-id/ is made when it is read. */
static const char functions[] =
	"set -u\n"
	"umask 077\n"
	"export LC_ALL=C\n"
	"got=0 missing=0\n"
	"\n"
	"# keep <file>: a copy under $bundle/root, if there is such a file\n"
	"keep()\n"
	"{\n"
	"	[ -f \"$1\" ] || return 1\n"
	"	mkdir -p \"$bundle/root${1%/*}\" && cp -L -- \"$1\" \"$bundle/root$1\" || return 1\n"
	"	got=$((got + 1))\n"
	"}\n"
	"\n"
	"# want <file> <build ID or nothing>: the file, and its debug file where that is here\n"
	"want()\n"
	"{\n"
	"	keep \"$1\" || {\n"
	"		echo \"not here, or not to be read: $1\" >&2\n"
	"		missing=$((missing + 1))\n"
	"	}\n"
	"	[ -n \"$2\" ] || return 0\n"
	"	rest=${2#??}\n"
	"	keep \"/usr/lib/debug/.build-id/${2%\"$rest\"}/$rest.debug\" || :\n"
	"}\n"
	"\n"
	"# map <process>: what a runtime wrote of the code that it made\n"
	"map()\n"
	"{\n"
	"	for file in \"/tmp/perf-$1.map\" \"/proc/$1/root/tmp/perf-$1.map\"; do\n"
	"		[ -f \"$file\" ] && cp -L -- \"$file\" \"$bundle/perf-$1.map\" && break\n"
	"	done\n"
	"	for file in \"/tmp/jit-$1.dump\" \"$HOME\"/.debug/jit/*/\"jit-$1.dump\"; do\n"
	"		[ -f \"$file\" ] && cp -L -- \"$file\" \"$bundle/jit-$1.dump\" && break\n"
	"	done\n"
	"	return 0\n"
	"}\n"
	"\n"
	"# fact <name> <file>: a line of facts\n"
	"fact()\n"
	"{\n"
	"	[ -r \"$2\" ] && printf '%s=%s\\n' \"$1\" \"$(tr '\\n' ' ' <\"$2\")\" >>\"$bundle/facts\"\n"
	"	return 0\n"
	"}\n"
	"\n"
	"mkdir -- \"$bundle\" || exit 2\n";

static const char facts[] =
	"\n"
	"# all zero where kernel.kptr_restrict hides it: run this as root, then\n"
	"[ -r /proc/kallsyms ] && grep -q '^0*[1-9a-f]' /proc/kallsyms && cat /proc/kallsyms "
	">\"$bundle/kallsyms\"\n"
	"fact governor /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor\n"
	"fact perf_event_paranoid /proc/sys/kernel/perf_event_paranoid\n"
	"fact perf_event_max_sample_rate /proc/sys/kernel/perf_event_max_sample_rate\n"
	"fact kptr_restrict /proc/sys/kernel/kptr_restrict\n"
	"fact hypervisor /sys/hypervisor/type\n"
	"fact product /sys/class/dmi/id/product_name\n"
	"fact cpu_max /sys/fs/cgroup/cpu.max\n"
	"fact memory_max /sys/fs/cgroup/memory.max\n"
	"fact uptime_s /proc/uptime\n"
	"printf 'realtime_s=%s\\n' \"$(date +%s.%N)\" >>\"$bundle/facts\"\n"
	"printf 'kernel=%s\\n' \"$(uname -srvm)\" >>\"$bundle/facts\"\n"
	"\n"
	"tar -cf \"$bundle.tar\" -- \"$bundle\" && rm -rf -- \"$bundle\" || exit 2\n"
	"echo \"$got files in $bundle.tar, $missing not to be had\"\n";

/* The process of "/tmp/perf-PID.map", NULL for other paths. */
static const char *map_pid(const char *path, size_t *ret_size)
{
	static const char begin[] = "/tmp/perf-";
	const char *pid = path + strlen(begin);

	if (strncmp(path, begin, strlen(begin)) != 0)
		return NULL;
	*ret_size = strspn(pid, "0123456789");
	return *ret_size && strcmp(pid + *ret_size, ".map") == 0 ? pid : NULL;
}

static void write_file(FILE *out, const struct fetch_file *file)
{
	size_t pid_size;
	const char *pid = map_pid(file->path, &pid_size);

	if (pid) {
		fprintf(out, "map %.*s\n", (int)pid_size, pid);
		return;
	}
	/* "[vdso]" and "[kernel.kallsyms]" are no files */
	if (*file->path != '/')
		return;
	fputs("want ", out);
	write_quoted(out, file->path);
	fputc(' ', out);
	write_quoted(out, file->build_id ? file->build_id : "");
	fputc('\n', out);
}

void fetch_script_write(FILE *out, const char *bundle, const struct fetch_file *files, size_t nr)
{
	fputs("#!/bin/sh\n# Run this on the machine that the capture was recorded on. It packs "
	      "what names are\n# made of, and changes nothing.\nbundle=",
	      out);
	write_quoted(out, bundle);
	fputc('\n', out);
	fputs(functions, out);
	for (size_t i = 0; i < nr; i++)
		write_file(out, &files[i]);
	fputs(facts, out);
}
