/* tidy.c - names made shorter as stackcollapse-perf.pl and inferno-collapse-perf do */
#include "analysis/tidy.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static bool begins(const char *at, size_t size, const char *word)
{
	return size >= strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Bytes of the operator's sign in "operator()", "operator<<", 0 where none is there. */
static size_t operator_size(const char *name, size_t at, size_t size)
{
	static const char word[] = "operator";
	size_t begin = at + strlen(word), end = begin;

	if (!begins(name + at, size - at, word) || (at && is_word_char(name[at - 1])))
		return 0;
	if (begins(name + begin, size - begin, "()") || begins(name + begin, size - begin, "[]"))
		return begin + 2 - at;
	while (end < size && end < begin + 3 && strchr("<>=!+-*/%^&|~,", name[end]))
		end++;
	return end > begin ? end - at : 0;
}

/* "net/http.(*Client).Do", "main.(*List[...]).Push": the parentheses hold the receiver. */
static bool is_go_receiver(const char *name, size_t at, size_t size)
{
	const char *close;

	if (!at || name[at - 1] != '.')
		return false;
	close = memrchr(name + at, ')', size - at);
	return close && close + 1 < name + size && close[1] == '.';
}

/* Where the top-level parameter list begins; size where there is none. */
static size_t parameters_begin(const char *name, size_t size)
{
	static const char anonymous[] = "(anonymous namespace)";
	int depth = 0;

	for (size_t i = 0; i < size; i++) {
		size_t skip = name[i] == 'o' ? operator_size(name, i, size) : 0;

		if (skip) {
			i += skip - 1;
			continue;
		}
		if (name[i] == '<' || name[i] == '{' || name[i] == '[') {
			depth++;
		} else if (name[i] == '>' || name[i] == '}' || name[i] == ']') {
			if (depth && !(name[i] == '>' && i && name[i - 1] == '-'))
				depth--;
		} else if (name[i] == '(' && depth == 0 && i) {
			if (is_go_receiver(name, i, size))
				return size;
			if (!begins(name + i, size - i, anonymous))
				return i;
		}
	}
	return size;
}

/*
 * A class in the form of the Java virtual machine: "Ljava/lang/String;". Runtimes cut long
 * ones, so the end is not asked for: an L, then a package up to the first '/'.
 */
static bool is_java_class(const char *name, size_t size)
{
	const char *slash = memchr(name, '/', size);

	if (size < 4 || name[0] != 'L' || !islower((unsigned char)name[1]) || !slash)
		return false;
	for (const char *at = name + 1; at < slash; at++)
		if (!is_word_char(*at) && *at != '$')
			return false;
	return true;
}

void tidy_add(struct text *text, const char *name, size_t size)
{
	size_t end = parameters_begin(name, size);

	for (size_t i = is_java_class(name, size); i < end; i++)
		if (name[i] != '"' && name[i] != '\'')
			text_add_char(text, name[i]);
}

size_t tidy_rust_size(const char *name, size_t size)
{
	enum {
		HASH_SIZE = 16,
		MARK_SIZE = 3
	};
	size_t begin = size - HASH_SIZE;

	if (size <= HASH_SIZE + MARK_SIZE || memcmp(name + begin - MARK_SIZE, "::h", 3) != 0)
		return size;
	for (size_t i = begin; i < size; i++)
		if (!isxdigit((unsigned char)name[i]))
			return size;
	return begin - MARK_SIZE;
}

void tidy_add_masked(struct text *text, const char *name, size_t size)
{
	bool has_letter = false;

	for (size_t i = 0; i < size;) {
		unsigned char c = (unsigned char)name[i];

		if (begins(name + i, size - i, "0x") && i + 2 < size &&
		    isxdigit((unsigned char)name[i + 2])) {
			text_add(text, "0x*");
			for (i += 2; i < size && isxdigit((unsigned char)name[i]);)
				i++;
			has_letter = true;
		} else if (has_letter && isdigit(c)) {
			text_add_char(text, '*');
			while (i < size && isdigit((unsigned char)name[i]))
				i++;
		} else {
			has_letter |= isalpha(c) || c >= 0x80;
			text_add_char(text, name[i++]);
		}
	}
}

bool tidy_is_idle(const char *name)
{
	static const char *const exact[] = {
		"do_idle",	 "cpu_startup_entry", "cpuidle_idle_call",
		"arch_cpu_idle", "cpu_do_idle",	      "poll_idle",
		"cpu_idle_poll", "snooze_loop",	      "native_safe_halt",
	};
	static const char *const prefixes[] = {
		"cpuidle_enter", "default_idle", "mwait_idle",
		"intel_idle",	 "acpi_idle",	 "__cpuidle_text",
	};

	for (size_t i = 0; i < ARRAY_NR(exact); i++)
		if (strcmp(name, exact[i]) == 0)
			return true;
	for (size_t i = 0; i < ARRAY_NR(prefixes); i++)
		if (begins(name, strlen(name), prefixes[i]))
			return true;
	/* pv_native_safe_halt and its like; PSCI suspends an arm64 CPU */
	return (strlen(name) > 16 && strstr(name, "native_safe_halt") &&
		strcmp(strstr(name, "native_safe_halt"), "native_safe_halt") == 0) ||
	       (begins(name, strlen(name), "psci_") && strstr(name, "suspend"));
}
