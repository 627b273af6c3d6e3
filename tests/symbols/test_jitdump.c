/* test_jitdump.c - code that comes, moves and is written over; good dumps, cut ones, bad ones */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/jitdump.h"
#include "tests/support/toolbox.h"

/* ---- dumps written field by field */

struct dump {
	struct text bytes;
	bool is_big;
	size_t record; /* where the open record began */
};

static void put(struct dump *dump, uint64_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		text_add_char(&dump->bytes,
			      (char)(number >> (dump->is_big ? size - 1 - i : i) * 8));
}

static void put_string(struct dump *dump, const char *s)
{
	text_add_bytes(&dump->bytes, s, strlen(s) + 1);
}

static void dump_init(struct dump *dump, bool is_big)
{
	*dump = (struct dump){.is_big = is_big};
	put(dump, 0x4a695444, 4);
	put(dump, 1, 4);
	put(dump, 40, 4);
	put(dump, 62, 4);
	put(dump, 0, 4);
	put(dump, 77, 4);
	put(dump, 5, 8);
	put(dump, 0, 8);
}

static void begin(struct dump *dump, unsigned id, uint64_t time)
{
	dump->record = dump->bytes.size;
	put(dump, id, 4);
	put(dump, 0, 4);
	put(dump, time, 8);
}

static void end(struct dump *dump)
{
	struct dump size = {.is_big = dump->is_big};

	put(&size, dump->bytes.size - dump->record, 4);
	memcpy(dump->bytes.bytes + dump->record + 4, size.bytes.bytes, 4);
	text_release(&size.bytes);
}

static void load(struct dump *dump, uint64_t time, uint64_t address, uint64_t size, uint64_t index,
		 const char *name)
{
	begin(dump, 0, time);
	put(dump, 77, 4);
	put(dump, 78, 4);
	put(dump, address, 8);
	put(dump, address, 8);
	put(dump, size, 8);
	put(dump, index, 8);
	put_string(dump, name);
	for (uint64_t i = 0; i < size && i < 64; i++)
		put(dump, 0x90, 1);
	end(dump);
}

static void move(struct dump *dump, uint64_t time, uint64_t from, uint64_t to, uint64_t size,
		 uint64_t index)
{
	begin(dump, 1, time);
	put(dump, 77, 4);
	put(dump, 78, 4);
	put(dump, to, 8);
	put(dump, from, 8);
	put(dump, to, 8);
	put(dump, size, 8);
	put(dump, index, 8);
	end(dump);
}

static void line(struct dump *dump, uint64_t address, unsigned number, const char *file)
{
	put(dump, address, 8);
	put(dump, number, 4);
	put(dump, 0, 4);
	put_string(dump, file);
}

static char *try_read(struct jitdump *ret, const struct dump *dump)
{
	CLEANUP(text_release) struct text path = TEXT_INIT;
	struct error *err;
	char *failure;

	toolbox_write("jit-1.dump", text_string(&dump->bytes), dump->bytes.size);
	text_addf(&path, "%s/jit-1.dump", toolbox_folder());
	err = jitdump_read(ret, path.bytes);
	failure = err ? mem_strdup(error_text(err)) : NULL;
	error_free(err);
	return failure;
}

/* Reads and releases it. */
static void read_dump(struct jitdump *ret, struct dump *dump)
{
	assert_null(try_read(ret, dump));
	text_release(&dump->bytes);
}

/* "name file:line" */
static const char *place_at(const struct jitdump *jitdump, uint64_t address, uint64_t time)
{
	static char shown[256];
	struct jitdump_place place;

	if (!jitdump_find(jitdump, address, time, &place))
		return "-";
	if (place.file)
		snprintf(shown, sizeof(shown), "%s %s:%u", place.name, place.file, place.line);
	else
		snprintf(shown, sizeof(shown), "%s", place.name);
	return shown;
}

static void code_is_there_from_its_load_on(void **state)
{
	(void)state;
	for (unsigned is_big = 0; is_big < 2; is_big++) {
		CLEANUP(jitdump_release) struct jitdump jitdump = {0};
		struct dump dump;

		dump_init(&dump, is_big);
		load(&dump, 100, 0x1000, 0x20, 1, "first");
		load(&dump, 200, 0x2000, 0x20, 2, "second with blanks");
		begin(&dump, 3, 300);
		end(&dump);
		read_dump(&jitdump, &dump);
		assert_int_equal(jitdump.pid, 77);
		assert_int_equal(jitdump.machine, 62);
		assert_true(jitdump.is_closed);
		assert_false(jitdump.is_cut || jitdump.records_bad || jitdump.has_arch_time);
		assert_string_equal(place_at(&jitdump, 0x1000, 99), "-");
		assert_string_equal(place_at(&jitdump, 0x1000, 100), "first");
		assert_string_equal(place_at(&jitdump, 0x101f, 1000), "first");
		assert_string_equal(place_at(&jitdump, 0x1020, 1000), "-");
		assert_string_equal(place_at(&jitdump, 0x2000, 150), "-");
		assert_string_equal(place_at(&jitdump, 0x2000, 200), "second with blanks");
	}
}

static void without_a_time_code_must_agree(void **state)
{
	CLEANUP(jitdump_release) struct jitdump jitdump = {0};
	struct jitdump_place place = {0};
	struct dump dump;

	(void)state;
	dump_init(&dump, false);
	load(&dump, 100, 0x1000, 0x20, 1, "old");
	load(&dump, 200, 0x1000, 0x20, 2, "new");
	load(&dump, 100, 0x2000, 0x20, 3, "same");
	load(&dump, 200, 0x2000, 0x40, 4, "same");
	read_dump(&jitdump, &dump);
	assert_int_equal(jitdump_find_between(&jitdump, 0x1000, 0, UINT64_MAX, &place),
			 JITDUMP_SEVERAL);
	assert_int_equal(jitdump_find_between(&jitdump, 0x1000, 150, 200, &place), JITDUMP_SEVERAL);
	assert_int_equal(jitdump_find_between(&jitdump, 0x1000, 150, 199, &place), JITDUMP_ONE);
	assert_string_equal(place.name, "old");
	assert_int_equal(jitdump_find_between(&jitdump, 0x1000, 200, 300, &place), JITDUMP_ONE);
	assert_string_equal(place.name, "new");
	assert_int_equal(jitdump_find_between(&jitdump, 0x1000, 0, 99, &place), JITDUMP_NOTHING);
	assert_int_equal(jitdump_find_between(&jitdump, 0x2000, 0, UINT64_MAX, &place),
			 JITDUMP_ONE);
	assert_string_equal(place.name, "same");
	assert_int_equal(jitdump_find_between(&jitdump, 0x3000, 0, UINT64_MAX, &place),
			 JITDUMP_NOTHING);
}

static void code_ends_when_it_is_written_over(void **state)
{
	CLEANUP(jitdump_release) struct jitdump jitdump = {0};
	struct dump dump;

	(void)state;
	dump_init(&dump, false);
	load(&dump, 100, 0x1000, 0x100, 1, "old");
	load(&dump, 200, 0x1080, 0x10, 2, "new");
	/* records of threads need not be in order */
	load(&dump, 150, 0x1f00, 0x200, 3, "aside");
	read_dump(&jitdump, &dump);
	assert_string_equal(place_at(&jitdump, 0x1080, 199), "old");
	assert_string_equal(place_at(&jitdump, 0x1080, 200), "new");
	/* what is left of it is not code that ran */
	assert_string_equal(place_at(&jitdump, 0x1000, 199), "old");
	assert_string_equal(place_at(&jitdump, 0x1000, 200), "-");
	assert_string_equal(place_at(&jitdump, 0x1f00, 150), "aside");
}

static void code_moves_with_its_lines(void **state)
{
	CLEANUP(jitdump_release) struct jitdump jitdump = {0};
	struct dump dump;

	(void)state;
	dump_init(&dump, false);
	begin(&dump, 2, 100);
	put(&dump, 0x1000, 8);
	put(&dump, 3, 8);
	line(&dump, 0x1000, 1, "a.js");
	line(&dump, 0x1008, 2, "\xff");
	line(&dump, 0x1010, 7, "b.js");
	end(&dump);
	load(&dump, 100, 0x1000, 0x20, 9, "f");
	move(&dump, 200, 0x1000, 0x5000, 0x20, 9);
	move(&dump, 300, 0x5000, 0x6000, 0x20, 9);
	/* nothing is there to be moved */
	move(&dump, 400, 0x5000, 0x7000, 0x20, 9);
	move(&dump, 400, 0x5000, 0x7000, 0x20, 10);
	read_dump(&jitdump, &dump);
	assert_int_equal(jitdump.records_bad, 2);
	assert_string_equal(place_at(&jitdump, 0x1000, 100), "f a.js:1");
	assert_string_equal(place_at(&jitdump, 0x100f, 199), "f a.js:2");
	assert_string_equal(place_at(&jitdump, 0x1000, 200), "-");
	assert_string_equal(place_at(&jitdump, 0x501f, 299), "f b.js:7");
	assert_string_equal(place_at(&jitdump, 0x5000, 300), "-");
	assert_string_equal(place_at(&jitdump, 0x6008, 300), "f a.js:2");
}

static void lines_that_v8_moved_are_moved_back(void **state)
{
	CLEANUP(jitdump_release) struct jitdump jitdump = {0};
	struct dump dump;

	(void)state;
	dump_init(&dump, false);
	begin(&dump, 2, 100);
	put(&dump, 0x1000, 8);
	put(&dump, 2, 8);
	line(&dump, 0x1040, 1, "a.js");
	line(&dump, 0x1058, 2, "a.js");
	end(&dump);
	load(&dump, 100, 0x1000, 0x80, 1, "f");
	read_dump(&jitdump, &dump);
	assert_string_equal(place_at(&jitdump, 0x1000, 100), "f a.js:1");
	assert_string_equal(place_at(&jitdump, 0x1018, 100), "f a.js:2");
}

static void lines_of_other_code_are_not_taken(void **state)
{
	CLEANUP(jitdump_release) struct jitdump jitdump = {0};
	struct dump dump;

	(void)state;
	dump_init(&dump, false);
	begin(&dump, 2, 100);
	put(&dump, 0x9000, 8);
	put(&dump, 1, 8);
	line(&dump, 0x9000, 1, "a.js");
	end(&dump);
	load(&dump, 100, 0x1000, 0x80, 1, "f");
	read_dump(&jitdump, &dump);
	assert_string_equal(place_at(&jitdump, 0x1000, 100), "f");
	assert_int_equal(jitdump.records_bad, 1);
}

static void unwinding_is_of_the_next_code(void **state)
{
	CLEANUP(jitdump_release) struct jitdump jitdump = {0};
	struct dump dump;
	size_t at;

	(void)state;
	dump_init(&dump, false);
	begin(&dump, 4, 100);
	put(&dump, 24, 8);
	put(&dump, 8, 8);
	put(&dump, 24, 8);
	at = dump.bytes.size;
	text_add(&dump.bytes, "123456789012345678901234");
	end(&dump);
	load(&dump, 100, 0x1000, 0x80, 1, "f");
	load(&dump, 100, 0x2000, 0x80, 2, "g");
	read_dump(&jitdump, &dump);
	assert_int_equal(jitdump.list[0].unwinding, at);
	assert_int_equal(jitdump.list[0].unwinding_bytes, 24);
	assert_int_equal(jitdump.list[1].unwinding, 0);
}

static void cut_dumps_are_read_as_far_as_they_go(void **state)
{
	struct dump dump;
	size_t whole, named;

	(void)state;
	dump_init(&dump, false);
	load(&dump, 100, 0x1000, 0x20, 1, "first");
	whole = dump.bytes.size;
	load(&dump, 200, 0x2000, 0x20, 2, "second");
	named = whole + 16 + 40 + sizeof("second");
	for (size_t size = dump.bytes.size; size > 0; size--) {
		CLEANUP(jitdump_release) struct jitdump jitdump = {0};
		struct dump cut = {.bytes = {dump.bytes.bytes, size, size}};
		char *failure = try_read(&jitdump, &cut);

		if (size < 40) {
			assert_non_null(failure);
			free(failure);
			continue;
		}
		assert_null(failure);
		assert_int_equal(jitdump.is_cut,
				 size != whole && size != 40 && size != dump.bytes.size);
		assert_string_equal(place_at(&jitdump, 0x1000, 500),
				    size >= 40 + 16 + 40 + sizeof("first") ? "first" : "-");
		assert_string_equal(place_at(&jitdump, 0x2000, 500),
				    size >= named ? "second" : "-");
	}
	text_release(&dump.bytes);
}

static void bad_records_are_counted(void **state)
{
	CLEANUP(jitdump_release) struct jitdump jitdump = {0};
	struct dump dump;

	(void)state;
	dump_init(&dump, false);
	load(&dump, 100, 0x1000, 0, 1, "empty");
	load(&dump, 100, UINT64_MAX - 1, 0x20, 1, "past the last address");
	begin(&dump, 0, 100);
	end(&dump);
	begin(&dump, 1, 100);
	end(&dump);
	begin(&dump, 2, 100);
	put(&dump, 0x1000, 8);
	put(&dump, UINT64_MAX, 8);
	end(&dump);
	begin(&dump, 4, 100);
	put(&dump, UINT64_MAX, 8);
	put(&dump, 1, 8);
	put(&dump, 1, 8);
	end(&dump);
	begin(&dump, 99, 100);
	end(&dump);
	load(&dump, 100, 0x1000, 0x10, 1, "good");
	/* a size that no record has: nothing behind it can be found */
	put(&dump, 0, 4);
	put(&dump, 3, 4);
	put(&dump, 0, 8);
	load(&dump, 100, 0x2000, 0x10, 2, "lost");
	read_dump(&jitdump, &dump);
	assert_int_equal(jitdump.nr, 1);
	assert_int_equal(jitdump.records_bad, 7);
	assert_int_equal(jitdump.records_unknown, 1);
	assert_string_equal(place_at(&jitdump, 0x1000, 100), "good");
}

static void other_files_are_refused(void **state)
{
	static const char *const files[] = {"", "JiTD",
					    "not a jitdump at all, but long enough to be one"};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(files); i++) {
		struct jitdump jitdump;
		struct dump dump = {0};
		char *failure;

		text_add(&dump.bytes, files[i]);
		failure = try_read(&jitdump, &dump);
		assert_non_null(failure);
		assert_non_null(strstr(failure, "is no jitdump"));
		free(failure);
		text_release(&dump.bytes);
	}
}

/* ---- what node wrote */

static void node_is_read(void **state)
{
	CLEANUP(jitdump_release) struct jitdump jitdump = {0};
	CLEANUP(text_release) struct text path = TEXT_INIT, expected = TEXT_INIT;
	const char *packed = toolbox_corpus("perfdata/own/node-jitdump.tar.zst");
	unsigned nr = 0, lines = 0;

	(void)state;
	if (!packed || !toolbox_has("zstd tar"))
		return;
	toolbox_run("zstd -qdc '%s' | tar xf - jit-31740.dump", packed);
	text_addf(&path, "%s/jit-31740.dump", toolbox_folder());
	assert_null(jitdump_read(&jitdump, path.bytes));
	assert_int_equal(jitdump.nr, 2206);
	assert_int_equal(jitdump.records_bad, 0);
	assert_false(jitdump.is_cut);
	for (size_t i = 0; i < jitdump.nr; i++) {
		struct jitdump_place place;

		assert_true(jitdump_find(&jitdump, jitdump.list[i].lo, jitdump.list[i].from_ns,
					 &place));
		assert_ptr_equal(place.code, &jitdump.list[i]);
		lines += place.line != 0;
	}
	/* perf inject names the piece of this number */
	toolbox_read(&expected,
		     "zstd -qdc '%s' | sed -n 's/^[[:blank:]]*[0-9a-f]* \\(.*\\) "
		     "(.*jitted-31740-\\([0-9]*\\)[.]so)$/\\2 \\1/p' | sort -u",
		     toolbox_corpus("perfdata/own/expected/node-jitdump.data.script.zst"));
	for (char *at = expected.bytes, *end_at; at && *at; at = end_at + 1, nr++) {
		uint64_t index = strtoull(at, &at, 10);
		bool is_found = false;

		end_at = strchr(at, '\n');
		*end_at = '\0';
		for (size_t i = 0; i < jitdump.nr && !is_found; i++)
			is_found = jitdump.list[i].index == index &&
				   strcmp(jitdump.names.bytes + jitdump.list[i].name, at + 1) == 0;
		if (!is_found)
			fail_msg("no code %llu '%s'", (unsigned long long)index, at + 1);
	}
	printf("# %zu pieces of code, %u with a line at their beginning, %u sampled\n", jitdump.nr,
	       lines, nr);
	assert_true(nr > 5 && lines > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_is_there_from_its_load_on),
		cmocka_unit_test(without_a_time_code_must_agree),
		cmocka_unit_test(code_ends_when_it_is_written_over),
		cmocka_unit_test(code_moves_with_its_lines),
		cmocka_unit_test(lines_that_v8_moved_are_moved_back),
		cmocka_unit_test(lines_of_other_code_are_not_taken),
		cmocka_unit_test(unwinding_is_of_the_next_code),
		cmocka_unit_test(cut_dumps_are_read_as_far_as_they_go),
		cmocka_unit_test(bad_records_are_counted),
		cmocka_unit_test(other_files_are_refused),
		cmocka_unit_test(node_is_read),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
