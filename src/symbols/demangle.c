/* demangle.c - raw symbol names as they are shown */
#include "symbols/demangle.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "base/mem.h"
#include "base/memo.h"
#include "base/text.h"

/*
 * As perf shows C++: without the parameters and the result of the function itself, so that its
 * overloads are one. Without DMGL_VERBOSE Rust has no hash.
 */
#define STYLE DMGL_NO_OPTS

/*
 * libiberty (2.40) takes back C++ names of over 1024 bytes for fear of its stack, and templates
 * often have longer ones. It needs about 100 bytes of stack for each of the name's, at worst,
 * so that DEMANGLE_RAW_MAX is no danger to a stack of 8 MB; what prints has its own limit.
 */
#define LONG_NAME ((size_t)1000)

/*
 * libiberty puts a D name together in memory, however large, and each back reference (Q) may
 * double it: twenty make 10 MB out of 110 bytes.
 */
#define D_BACK_REFERENCES_MAX 20

static const struct {
	const char *word;
	enum demangle_clone kind;
	bool needs_number; /* else ".cold" and ".cold.0" are both written */
} clones[] = {
	{".isra", DEMANGLE_ISRA, true},
	{".constprop", DEMANGLE_CONSTPROP, true},
	{".part", DEMANGLE_PART, true},
	{".cold", DEMANGLE_COLD, false},
	{".lto_priv", DEMANGLE_LTO, true},
	{".llvm", DEMANGLE_LLVM, true},
	{".localalias", DEMANGLE_LOCALALIAS, false},
	{".warm", DEMANGLE_WARM, false},
};

/* Before a number at the end of the name, ".123"; else the end. */
static size_t before_number(const char *name, size_t end)
{
	size_t at = end;

	while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9')
		at--;
	return at < end && at > 0 && name[at - 1] == '.' ? at - 1 : end;
}

/* Where the last clone suffix begins, and its kind; the end where there is none. */
static size_t before_clone(const char *name, size_t end, unsigned *kinds)
{
	size_t word_end = before_number(name, end);

	for (size_t i = 0; i < ARRAY_NR(clones); i++) {
		size_t size = strlen(clones[i].word);

		if (word_end <= size || (clones[i].needs_number && word_end == end))
			continue;
		if (memcmp(name + word_end - size, clones[i].word, size) != 0)
			continue;
		*kinds |= clones[i].kind;
		return word_end - size;
	}
	return end;
}

size_t demangle_base(const char *raw, unsigned *ret_clones)
{
	size_t size = strlen(raw), end = size;
	const char *at = size ? memchr(raw + 1, '@', size - 1) : NULL;
	unsigned kinds = 0;

	if (at && strcmp(at, "@plt") != 0)
		end = (size_t)(at - raw);
	for (size_t before; (before = before_clone(raw, end, &kinds)) < end;)
		end = before;
	if (ret_clones)
		*ret_clones = kinds;
	return end;
}

/* What comes out of libiberty, as far as it is shown. */
struct output {
	struct text text;
	jmp_buf full;
};

/*
 * A callback cannot say that it has enough, and back references make gigabytes out of a name
 * of 200 bytes; so it leaves by a jump. All that libiberty has at that moment is on the stack,
 * but for one piece of an identifier in Punycode.
 */
static void take(const char *piece, size_t size, void *to)
{
	struct output *output = to;

	text_add_bytes(&output->text, piece, size);
	if (output->text.size > DEMANGLE_SHOWN_MAX)
		longjmp(output->full, 1);
}

static bool demangle_cxx_or_rust(const char *name, size_t size, struct output *output)
{
	int style = size > LONG_NAME ? STYLE | DMGL_NO_RECURSE_LIMIT : STYLE;

	if (strncmp(name, "_Z", 2) != 0 && strncmp(name, "_R", 2) != 0 &&
	    strncmp(name, "_GLOBAL_", 8) != 0)
		return false;
	if (setjmp(output->full))
		return true;
	if (rust_demangle_callback(name, STYLE, take, output))
		return true;
	text_clear(&output->text);
	return cplus_demangle_v3_callback(name, style, take, output);
}

static bool demangle_d(const char *name, struct output *output)
{
	unsigned references = 0;
	char *demangled;

	if (strncmp(name, "_D", 2) != 0)
		return false;
	for (const char *at = name; *at; at++)
		references += *at == 'Q';
	demangled = references > D_BACK_REFERENCES_MAX ? NULL
						       : cplus_demangle(name, DMGL_DLANG | STYLE);
	if (!demangled)
		return false;
	text_clear(&output->text);
	text_add(&output->text, demangled);
	free(demangled);
	return true;
}

/* Adds the name, or its beginning and a hash that tells it from others that begin so. */
static void add_capped(struct text *ret, const char *name, size_t size, const char *raw)
{
	size_t kept = DEMANGLE_SHOWN_MAX - 32;

	if (size <= DEMANGLE_SHOWN_MAX) {
		text_add_bytes(ret, name, size);
		return;
	}
	/* no character of UTF-8 is cut in two */
	for (unsigned i = 0; i < 3 && ((unsigned char)name[kept] & 0xc0) == 0x80; i++)
		kept--;
	text_add_bytes(ret, name, kept);
	text_addf(ret, "...#%016" PRIx64, memo_key(raw, strlen(raw)).low);
}

unsigned demangle_display(const char *raw, struct text *ret)
{
	CLEANUP(text_release) struct text name = TEXT_INIT;
	struct output output = {.text = TEXT_INIT};
	unsigned kinds;
	size_t size = demangle_base(raw, &kinds), plt_size = 0;
	bool is_mangled;

	/* PowerPC's code symbols begin with a dot */
	if (size > 1 && raw[0] == '.' && (raw[1] == '_' || raw[1] == '.'))
		raw++, size--;
	if (size > 4 && memcmp(raw + size - 4, "@plt", 4) == 0)
		plt_size = 4;
	text_add_bytes(&name, raw, size - plt_size);
	is_mangled = name.size <= DEMANGLE_RAW_MAX &&
		     (demangle_cxx_or_rust(text_string(&name), name.size, &output) ||
		      demangle_d(text_string(&name), &output));
	if (is_mangled && output.text.size)
		add_capped(ret, output.text.bytes, output.text.size, raw);
	else
		add_capped(ret, text_string(&name), name.size, raw);
	text_add_bytes(ret, raw + size - plt_size, plt_size);
	text_release(&output.text);
	return kinds;
}
