/* test_restack.c - dumps of a profile unwound again: of one capture among several, and of damaged
 * ones */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"
#include "base/text.h"
#include "importers/importer.h"
#include "importers/perf_data/attr.h"
#include "importers/perf_data/perf_data.h"
#include "model/details.h"
#include "model/spaces.h"
#include "model/unwinder.h"
#include "store/captures.h"
#include "store/restack.h"
#include "store/store.h"
#include "store/write.h"
#include "tests/support/input.h"
#include "tests/support/perf_data_builder.h"
#include "tests/support/stored.h"

#define BIT(nr) (UINT64_C(1) << (nr))
#define TYPE                                                                                   \
	(BIT(PERF_BIT_IP) | BIT(PERF_BIT_TID) | BIT(PERF_BIT_TIME) | BIT(PERF_BIT_CALLCHAIN) | \
	 BIT(PERF_BIT_REGS_USER) | BIT(PERF_BIT_STACK_USER))
#define MARK_KERNEL ((uint64_t)-128)
#define KERNEL	    UINT64_C(0xffffffff81000000)
#define PROGRAM	    0x400000

enum {
	KERNEL_MODE = 1,
	USER_MODE = 2,
	SAMPLES = 6,
};

/* ---- an unwinder that has the file, and one that lacks it */

static uint64_t first_word(const struct sample_user *user)
{
	struct bytes regs = user->regs;
	uint64_t word = 0;

	assert_true(bytes_u64(&regs, &word));
	return word;
}

/* The one register is the ip; the stack's bytes are how far the caller is behind it. */
static void unwind_to_end(struct unwinder *unwinder, const struct capture *capture,
			  struct space *space, const struct sample_user *user, struct unwound *ret)
{
	uint64_t ip = first_word(user);

	(void)unwinder;
	(void)capture;
	assert_non_null(spaces_find(space, ip));
	*ret = (struct unwound){.nr = 2, .stop = UNWIND_END};
	ret->frames[0] = (struct unwound_frame){ip, FOUND_LEAF, false};
	ret->frames[1] = (struct unwound_frame){ip + *user->stack.at, FOUND_CFI, true};
}

static void unwind_without_file(struct unwinder *unwinder, const struct capture *capture,
				struct space *space, const struct sample_user *user,
				struct unwound *ret)
{
	(void)unwinder;
	(void)capture;
	(void)space;
	*ret = (struct unwound){.nr = 1, .stop = UNWIND_NO_FILE, .lacks_file = true};
	ret->frames[0] = (struct unwound_frame){first_word(user), FOUND_LEAF, false};
}

static struct unwinder whole = {.unwind = unwind_to_end};
static struct unwinder lacking = {.unwind = unwind_without_file};

/* ---- profiles */

/* Samples of process `pid`, every other one in the kernel; ips count from `ip` on. */
static void build(struct text *file, uint32_t pid, uint64_t ip)
{
	CLEANUP(builder_release) struct builder builder = {0};
	static const uint64_t chain[] = {MARK_KERNEL, KERNEL + 1, KERNEL + 2};

	builder_attr(&builder, (struct builder_attr){.type = 1,
						     .period = 1,
						     .sample_type = TYPE,
						     .flags = BIT(PERF_ATTR_SAMPLE_ID_ALL),
						     .regs_user = 1});
	builder_comm(&builder, 0, pid, pid, "a", 0);
	builder_mmap(&builder, USER_MODE, pid, PROGRAM, 0x10000, 0, "/bin/a", 0);
	for (unsigned i = 0; i < SAMPLES; i++) {
		char stack[16] = {(char)(16 + i)};
		uint64_t regs[] = {ip + i / 2};

		builder_sample(&builder, 0,
			       &(struct builder_sample){.misc = i % 2 ? KERNEL_MODE : USER_MODE,
							.ip = i % 2 ? KERNEL + 1 : regs[0],
							.pid = pid,
							.tid = pid,
							.time = 10 + i,
							.chain = chain,
							.chain_nr = i % 2 ? ARRAY_NR(chain) : 0,
							.regs_abi = 2,
							.regs = regs,
							.regs_nr = 1,
							.stack = stack,
							.stack_size = sizeof(stack),
							.stack_valid = sizeof(stack)});
	}
	builder_finish(&builder, file);
}

static void import(struct stored *stored, const char *name, const struct text *file,
		   struct unwinder *unwinder)
{
	const struct store_about about = {.name = name, .sha256 = name, .size_bytes = 7};
	CLEANUP(capture_release) struct capture capture = {.unwinder = unwinder};
	struct reader *reader = input_open(file->bytes, file->size);
	struct store_writer *writer;
	struct store *store;

	capture.format = importer_perf_data.name;
	assert_null(store_add(stored->path, &store));
	assert_null(store_write_begin(store, &capture, &writer));
	assert_null(importer_perf_data.read(reader, &capture, store_write_sink(writer)));
	assert_null(store_write_end(writer, &about, NULL));
	assert_null(store_commit(store));
	store_close(store);
	reader_close(reader);
}

static void two_captures(struct stored *stored, struct unwinder *unwinder)
{
	CLEANUP(text_release) struct text first = TEXT_INIT;
	CLEANUP(text_release) struct text second = TEXT_INIT;

	stored_init(stored);
	build(&first, 7, PROGRAM + 0x100);
	build(&second, 9, PROGRAM + 0x200);
	import(stored, "first", &first, unwinder);
	import(stored, "second", &second, unwinder);
}

/* NULL, or what is wrong; then nothing is changed. */
static char *restack(struct stored *stored, size_t nth)
{
	struct store_captures captures = {0};
	struct store *store;
	struct error *err;
	bool is_changed;
	char *why = NULL;

	assert_null(store_change(stored->path, &store));
	assert_null(store_captures(store, &captures));
	err = store_restack(store, &captures.list[nth], &whole, &is_changed);
	store_captures_release(&captures);
	if (err)
		why = mem_strdup(error_text(err));
	else
		assert_null(store_commit(store));
	error_free(err);
	store_close(store);
	/* what was read before is of the file as it was */
	store_close(stored->store);
	stored->store = NULL;
	return why;
}

/* Each sample: its frames from the outermost on, with what they were found by, and its dump. */
static char *show(struct stored *stored, const char *capture)
{
	CLEANUP(text_release) struct text sql = TEXT_INIT;

	text_addf(
		&sql,
		"SELECT group_concat(line, '; ') FROM (SELECT sample.time_ns || ' ' || stop || ' ' || "
		"unwinding.found_by || ' ' || ifnull(dump_id, '-') || ' ' || ("
		"SELECT group_concat(printf('%%x', address), ' ') FROM (SELECT address "
		"FROM sample_frame JOIN location USING (location_id) "
		"WHERE sample_frame.sample_id = sample.sample_id ORDER BY depth)) AS line "
		"FROM sample JOIN unwinding USING (unwinding_id) JOIN capture USING (capture_id) "
		"WHERE capture.name = '%s' ORDER BY sample_id)",
		capture);
	return stored_text(stored, text_string(&sql));
}

static void expect_no_orphans(struct stored *stored)
{
	assert_int_equal(stored_number(stored, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	assert_int_equal(stored_number(stored, "SELECT count(*) FROM dump WHERE dump_id NOT IN "
					       "(SELECT dump_id FROM sample "
					       "WHERE dump_id IS NOT NULL)"),
			 0);
}

/* ---- several captures */

static void only_the_capture_that_is_meant_changes(void **state)
{
	struct stored stored, wanted;
	char *first, *second, *was, *want;

	(void)state;
	two_captures(&wanted, &whole);
	two_captures(&stored, &lacking);
	was = show(&stored, "second");
	assert_non_null(strstr(was, "no-file"));
	assert_null(restack(&stored, 0));
	first = show(&stored, "first");
	second = show(&stored, "second");
	want = show(&wanted, "first");
	assert_string_equal(first, want);
	assert_string_equal(second, was);
	assert_int_equal(stored_number(&stored, "SELECT count(*) FROM dump"), SAMPLES);
	assert_int_equal(stored_number(&stored, "SELECT count(*) FROM dump_space"), 1);
	expect_no_orphans(&stored);
	free(first);
	free(second);
	free(was);
	free(want);
	stored_release(&stored);
	stored_release(&wanted);
}

static void whichever_comes_first_all_become_what_they_are(void **state)
{
	static const size_t orders[][2] = {{0, 1}, {1, 0}};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(orders); i++) {
		static const char *const names[] = {"first", "second"};
		struct stored stored, wanted;

		two_captures(&wanted, &whole);
		two_captures(&stored, &lacking);
		assert_null(restack(&stored, orders[i][0]));
		assert_null(restack(&stored, orders[i][1]));
		for (size_t j = 0; j < ARRAY_NR(names); j++) {
			char *got = show(&stored, names[j]), *want = show(&wanted, names[j]);

			assert_string_equal(got, want);
			free(got);
			free(want);
		}
		assert_int_equal(stored_number(&stored, "SELECT count(*) FROM dump"), 0);
		assert_int_equal(stored_number(&stored, "SELECT count(*) FROM dump_space"), 0);
		expect_no_orphans(&stored);
		stored_release(&stored);
		stored_release(&wanted);
	}
}

static void a_capture_without_dumps_is_left_as_it_is(void **state)
{
	struct stored stored;
	char *was, *is;

	(void)state;
	two_captures(&stored, &whole);
	was = show(&stored, "first");
	assert_null(restack(&stored, 0));
	is = show(&stored, "first");
	assert_string_equal(is, was);
	free(was);
	free(is);
	stored_release(&stored);
}

/* ---- damage */

/* What a row that is not well formed is called, and that nothing has changed. */
static void expect_damage(const char *sql, const char *table)
{
	CLEANUP(text_release) struct text place = TEXT_INIT;
	struct stored stored;
	char *why, *was, *is;

	two_captures(&stored, &lacking);
	stored_change(&stored, "PRAGMA foreign_keys = OFF");
	stored_change(&stored, sql);
	was = stored_text(&stored, "SELECT group_concat(stack_id || '-' || ifnull(dump_id, '')) "
				   "FROM sample");
	why = restack(&stored, 0);
	text_addf(&place, "is damaged: table %s", table);
	if (!why || !strstr(why, text_string(&place)))
		fail_msg("%s: %s", sql, why ? why : "it is not seen");
	is = stored_text(&stored, "SELECT group_concat(stack_id || '-' || ifnull(dump_id, '')) "
				  "FROM sample");
	assert_string_equal(is, was);
	free(why);
	free(was);
	free(is);
	stored_release(&stored);
}

static void dumps_that_are_damaged_are_named(void **state)
{
	(void)state;
	expect_damage("UPDATE dump SET stack = x'00112233' WHERE dump_id = 2", "dump");
	expect_damage("UPDATE dump SET stack = substr(stack, 1, 5) WHERE dump_id = 2", "dump");
	expect_damage("UPDATE sample SET dump_id = 99 WHERE sample_id = 3", "dump");
	expect_damage("UPDATE dump SET dump_space_id = 77 WHERE dump_id = 1", "dump_space");
	expect_damage("UPDATE dump SET dump_space_id = -1 WHERE dump_id = 1", "dump_space");
	expect_damage("UPDATE unwinding SET found_by = '?' WHERE unwinding_id = 1", "unwinding");
	expect_damage("UPDATE sample SET unwinding_id = 55 WHERE sample_id = 2", "sample");
	expect_damage("DELETE FROM sample WHERE sample_id = 2", "sample");
}

static void mappings_that_are_damaged_are_named(void **state)
{
	static const char *const maps[] = {
		"nonsense",
		"400000-410000 0 1", /* no line feed */
		"410000-400000 0 1\n",
		"400000-410000 0 99\n",
		"400000-410000 0\n",
		"400000-410000 0 1\n408000-420000 0 1\n",
		"-1-410000 0 1\n",
		"400000-410000 0 1\n\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(maps); i++) {
		CLEANUP(text_release) struct text sql = TEXT_INIT;

		text_addf(&sql, "UPDATE dump_space SET maps = '%s' WHERE dump_space_id = 1",
			  maps[i]);
		expect_damage(text_string(&sql), "dump_space");
	}
}

/* Letters that do not fit the stack: its kernel's frames cannot be told from others. */
static void letters_of_another_depth_cost_the_kernels_frames_alone(void **state)
{
	struct stored stored;
	char *got;

	(void)state;
	two_captures(&stored, &lacking);
	stored_change(&stored, "UPDATE unwinding SET found_by = found_by || 'k' "
			       "WHERE capture_id = 1");
	assert_null(restack(&stored, 0));
	got = show(&stored, "first");
	assert_non_null(strstr(got, "10 end cl - "));
	expect_no_orphans(&stored);
	free(got);
	stored_release(&stored);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_capture_that_is_meant_changes),
		cmocka_unit_test(whichever_comes_first_all_become_what_they_are),
		cmocka_unit_test(a_capture_without_dumps_is_left_as_it_is),
		cmocka_unit_test(dumps_that_are_damaged_are_named),
		cmocka_unit_test(mappings_that_are_damaged_are_named),
		cmocka_unit_test(letters_of_another_depth_cost_the_kernels_frames_alone),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
