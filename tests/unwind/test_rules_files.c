/* test_rules_files.c - call-frame information is found in files of all kinds, and read from it */
#include "tests/test.h"

#include <dwarf.h>
#include <elf.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/mem.h"
#include "tests/support/cfi_builder.h"
#include "unwind/rules.h"

#define START CFI_TEXT
#define SIZE  0x100u

static const uint8_t usual[] = {DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1};

static int cfa(struct cfi_world *world, uint64_t vaddr)
{
	const struct rule *rule = rules_find(world->rules, vaddr);

	return rule->kind == RULE_REG ? rule->cfa : -1;
}

/* ---- entries */

static void addresses_may_be_written_in_many_ways(void **state)
{
	static const uint8_t formats[] = {
		DW_EH_PE_absptr,  DW_EH_PE_uleb128, DW_EH_PE_udata4, DW_EH_PE_udata8,
		DW_EH_PE_sleb128, DW_EH_PE_sdata4,  DW_EH_PE_sdata8,
	};
	static const uint8_t bases[] = {0, DW_EH_PE_pcrel, DW_EH_PE_datarel};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(formats) * ARRAY_NR(bases); i++) {
		uint8_t base = bases[i % ARRAY_NR(bases)];
		struct cfi_builder builder = {.vaddr = CFI_EH_FRAME, .data_base = CFI_HEADER};
		CLEANUP(text_release) struct text header = TEXT_INIT;
		struct cfi_world world;

		/* numbers without a sign are not for what is lower than the base */
		if (base && !(formats[i / ARRAY_NR(bases)] & DW_EH_PE_signed))
			continue;
		cfi_builder_cie(&builder, "zR", base | formats[i / ARRAY_NR(bases)], 16, usual,
				sizeof(usual));
		cfi_builder_fde(&builder, START, SIZE, NO_BYTES);
		text_add_bytes(&header, "\1\xff\xff\xff", 4); /* has no table */
		cfi_world_open(&(struct cfi_kind){.eh_frame = &builder.bytes, .header = &header},
			       &world);
		assert_int_equal(cfa(&world, START), 8);
		assert_int_equal(cfa(&world, START + SIZE - 1), 8);
		assert_int_equal(cfa(&world, START + SIZE), -1);
		cfi_world_close(&world);
		cfi_builder_release(&builder);
	}
}

static void check_cie(const char *letters, uint8_t encoding, uint8_t version, int expected)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME, .version = version};
	struct cfi_world world;

	cfi_builder_cie(&builder, letters, encoding, 16, usual, sizeof(usual));
	cfi_builder_fde(&builder, START, SIZE, NO_BYTES);
	cfi_world_of(&builder, &world);
	assert_int_equal(cfa(&world, START), expected);
	cfi_world_close(&world);
}

static void augmentations_are_read_as_far_as_they_are_known(void **state)
{
	const uint8_t pcrel = DW_EH_PE_pcrel | DW_EH_PE_sdata4;

	(void)state;
	check_cie("", DW_EH_PE_absptr, 1, 8);
	check_cie("z", DW_EH_PE_absptr, 1, 8);
	check_cie("zPLR", pcrel, 1, 8);
	check_cie("zRQ", pcrel, 1, 8); /* what "Q" means is not known, how long it is, is */
	check_cie("Q", pcrel, 1, -1);  /* here it is not */
	check_cie("zR", pcrel, 3, 8);
	check_cie("zR", pcrel, 4, 8);
	check_cie("zR", pcrel, 2, -1);
	check_cie("zR", pcrel | DW_EH_PE_indirect, 1, -1);
	check_cie("zR", DW_EH_PE_funcrel | DW_EH_PE_sdata4, 1, -1);
}

static void entries_that_are_bad_are_passed_over(void **state)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};
	struct cfi_world world;
	uint32_t good;

	(void)state;
	cfi_builder_usual_cie(&builder);
	good = builder.cie;
	builder.cie = 1; /* no CIE is there */
	cfi_builder_fde(&builder, START, SIZE, NO_BYTES);
	text_add_bytes(&builder.bytes, "\0\0\0\0", 4); /* an end, of one of the linked files */
	builder.cie = good;
	cfi_builder_fde(&builder, START + SIZE, SIZE, NO_BYTES);
	cfi_builder_fde(&builder, START + 2 * SIZE, SIZE, NO_BYTES);
	builder.bytes.size -= 2; /* cut */
	cfi_world_of(&builder, &world);
	assert_int_equal(rules_functions(world.rules), 1);
	assert_int_equal(cfa(&world, START), -1);
	assert_int_equal(cfa(&world, START + SIZE), 8);
	cfi_world_close(&world);
}

/* ---- .eh_frame_hdr */

static void add_word(struct text *to, uint64_t number)
{
	for (unsigned i = 0; i < 4; i++)
		text_add_char(to, (char)(number >> 8 * i));
}

/* Two functions, at START and behind it, and what a linker makes of them. */
struct headed {
	struct cfi_builder builder;
	struct text header;
	uint32_t fdes[2];
};

static void headed_init(struct headed *headed)
{
	*headed = (struct headed){.builder = {.vaddr = CFI_EH_FRAME}};
	cfi_builder_usual_cie(&headed->builder);
	headed->fdes[0] = cfi_builder_fde(&headed->builder, START, SIZE, NO_BYTES);
	headed->fdes[1] = cfi_builder_fde(&headed->builder, START + SIZE, SIZE,
					  BYTES(DW_CFA_def_cfa_offset, 16));
	text_add_bytes(&headed->header, "\1\x1b\3\x3b", 4);
	add_word(&headed->header, CFI_EH_FRAME - CFI_HEADER - 4);
}

static void add_pair(struct headed *headed, uint64_t start, uint64_t fde)
{
	add_word(&headed->header, start - CFI_HEADER);
	add_word(&headed->header, CFI_EH_FRAME + fde - CFI_HEADER);
}

static void headed_open(struct headed *headed, bool lacks_sections, struct cfi_world *ret)
{
	cfi_world_open(&(struct cfi_kind){.eh_frame = &headed->builder.bytes,
					  .header = &headed->header,
					  .lacks_sections = lacks_sections},
		       ret);
	cfi_builder_release(&headed->builder);
	text_release(&headed->header);
}

static void check_both(struct cfi_world *world)
{
	assert_int_equal(cfa(world, START), 8);
	assert_int_equal(cfa(world, START + SIZE), 16);
	assert_int_equal(cfa(world, START + 2 * SIZE), -1);
	cfi_world_close(world);
}

static void the_linkers_table_is_used(void **state)
{
	struct headed headed;
	struct cfi_world world;

	(void)state;
	headed_init(&headed);
	add_word(&headed.header, 1); /* it leaves the second one out: it is believed */
	add_pair(&headed, START, headed.fdes[0]);
	headed_open(&headed, false, &world);
	assert_int_equal(rules_functions(world.rules), 1);
	assert_int_equal(cfa(&world, START), 8);
	assert_int_equal(cfa(&world, START + SIZE), -1);
	cfi_world_close(&world);
}

static void tables_that_are_wrong_are_not_used(void **state)
{
	static const struct {
		uint32_t nr, starts[2], fdes[2];
	} wrong[] = {
		{0, {0}, {0}},		      /* empty */
		{2, {SIZE, 0}, {1, 0}},	      /* not in order */
		{2, {0, SIZE}, {0, 0x10000}}, /* outside of .eh_frame */
		{2000, {0, SIZE}, {0, 1}},    /* longer than it is */
		{UINT32_MAX, {0, SIZE}, {0, 1}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(wrong); i++) {
		struct headed headed;
		struct cfi_world world;

		headed_init(&headed);
		add_word(&headed.header, wrong[i].nr);
		for (unsigned j = 0; j < 2; j++)
			add_pair(&headed, START + wrong[i].starts[j],
				 wrong[i].fdes[j] < 2 ? headed.fdes[wrong[i].fdes[j]]
						      : wrong[i].fdes[j]);
		headed_open(&headed, false, &world);
		check_both(&world);
	}
}

/* One FDE under two addresses would be compiled as often as somebody likes. */
static void an_address_that_is_not_the_functions_has_no_rule(void **state)
{
	struct headed headed;
	struct cfi_world world;

	(void)state;
	headed_init(&headed);
	add_word(&headed.header, 2);
	add_pair(&headed, START, headed.fdes[0]);
	add_pair(&headed, START + 16, headed.fdes[0]);
	headed_open(&headed, false, &world);
	assert_int_equal(cfa(&world, START + 15), 8);
	assert_int_equal(cfa(&world, START + 16), -1);
	cfi_world_close(&world);
}

static void section_headers_are_not_needed(void **state)
{
	struct headed headed;
	struct cfi_world world;

	(void)state;
	headed_init(&headed);
	add_word(&headed.header, 2);
	add_pair(&headed, START, headed.fdes[0]);
	add_pair(&headed, START + SIZE, headed.fdes[1]);
	headed_open(&headed, true, &world);
	check_both(&world);
}

/* ---- .debug_frame */

static void debug_frame_has_several_versions(void **state)
{
	static const struct cfi_builder kinds[] = {
		{.is_debug_frame = true, .version = 1},
		{.is_debug_frame = true, .version = 3},
		{.is_debug_frame = true, .version = 4},
		{.is_debug_frame = true, .version = 4, .segment_size = 2},
		{.is_debug_frame = true, .version = 4, .is_wide = true},
		{.is_debug_frame = true, .version = 3, .is_wide = true},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(kinds); i++) {
		struct cfi_builder builder = kinds[i];
		struct cfi_world world;

		cfi_builder_cie(&builder, "", DW_EH_PE_absptr, 16, usual, sizeof(usual));
		cfi_builder_fde(&builder, START, SIZE, NO_BYTES);
		cfi_builder_fde(&builder, START + SIZE, SIZE, BYTES(DW_CFA_def_cfa_offset, 16));
		cfi_world_open(&(struct cfi_kind){.debug_frame = &builder.bytes}, &world);
		cfi_builder_release(&builder);
		assert_int_equal(rules_find(world.rules, START)->flags, RULE_DEBUG_FRAME);
		check_both(&world);
	}
}

static void eh_frame_may_have_64_bit_lengths(void **state)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME, .is_wide = true};
	struct cfi_world world;

	(void)state;
	cfi_builder_usual_cie(&builder);
	cfi_builder_fde(&builder, START, SIZE, NO_BYTES);
	cfi_world_of(&builder, &world);
	assert_int_equal(cfa(&world, START), 8);
	cfi_world_close(&world);
}

static void add_debug_frame(struct cfi_builder *debug, uint64_t start, uint64_t size)
{
	debug->is_debug_frame = true;
	cfi_builder_cie(debug, "", DW_EH_PE_absptr, 16, usual, sizeof(usual));
	cfi_builder_fde(debug, start, size, BYTES(DW_CFA_def_cfa_offset, 32));
}

/* Both cover the first function; only the debug file's has the second. */
static void eh_frame_comes_first_and_the_debug_file_second(void **state)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME}, debug = {.version = 3};
	struct cfi_world binary, other;
	struct rules *rules = NULL;
	struct error *err;

	(void)state;
	cfi_builder_usual_cie(&builder);
	cfi_builder_fde(&builder, START, SIZE, NO_BYTES);
	add_debug_frame(&debug, START, 4 * SIZE);
	cfi_world_file(&(struct cfi_kind){.eh_frame = &builder.bytes}, &binary);
	cfi_world_file(&(struct cfi_kind){.debug_frame = &debug.bytes}, &other);
	err = rules_open(&binary.file, &other.file, &rules);
	assert_null(err);
	assert_int_equal(rules_find(rules, START + SIZE - 1)->cfa, 8);
	assert_int_equal(rules_find(rules, START + SIZE - 1)->flags, 0);
	assert_int_equal(rules_find(rules, START + SIZE)->cfa, 32);
	assert_int_equal(rules_find(rules, START + SIZE)->flags, RULE_DEBUG_FRAME);
	rules_close(rules);
	err = rules_open(NULL, &other.file, &rules); /* the binary is not there */
	assert_null(err);
	assert_int_equal(rules_find(rules, START)->cfa, 32);
	rules_close(rules);
	cfi_world_close(&binary);
	cfi_world_close(&other);
	cfi_builder_release(&builder);
	cfi_builder_release(&debug);
}

/* What cannot be unpacked is not there; what can be is tested with built files. */
static void packed_sections_that_are_damaged_are_not_there(void **state)
{
	static const struct {
		const char *name;
		uint64_t flags;
		const char *bytes;
		size_t size;
	} damaged[] = {
		{".zdebug_frame", 0, "ZLIB\0\0\0\0\0\0\0\100garbage", 19},
		{".zdebug_frame", 0, "ZLIB\377\377\377\377\377\377\377\377x\234", 14},
		{".zdebug_frame", 0, "ZLIB", 4},
		{".debug_frame", SHF_COMPRESSED,
		 "\1\0\0\0\0\0\0\0\100\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0?", 25},
		{".debug_frame", SHF_COMPRESSED, "\2\0\0\0", 4},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_NR(damaged); i++) {
		struct text bytes = {(char *)damaged[i].bytes, damaged[i].size, 0};
		struct cfi_world world;

		cfi_world_open(&(struct cfi_kind){.debug_frame = &bytes,
						  .debug_name = damaged[i].name,
						  .debug_flags = damaged[i].flags},
			       &world);
		assert_int_equal(rules_functions(world.rules), 0);
		cfi_world_close(&world);
	}
}

/* Packed nothing in the debug file, and then in the binary: one of them has to go. */
static void packed_nothing_is_given_up(void **state)
{
	static const char packed[] = "\1\0\0\0\0\0\0\0"
				     "\0\0\0\0\0\0\0\0"
				     "\1\0\0\0\0\0\0\0"
				     "x\234\3\0\0\0\0\1";
	struct text bytes = {(char *)packed, sizeof(packed) - 1, 0};
	struct rules *rules = NULL;
	struct cfi_world world;
	struct error *err;

	(void)state;
	cfi_world_file(&(struct cfi_kind){.debug_frame = &bytes, .debug_flags = SHF_COMPRESSED},
		       &world);
	err = rules_open(&world.file, &world.file, &rules);
	assert_null(err);
	assert_int_equal(rules_functions(rules), 0);
	rules_close(rules);
	cfi_world_close(&world);
}

/* ---- what is refused, and what is no error */

static void refuses(const struct cfi_kind *kind, const char *words)
{
	struct rules *rules = NULL;
	struct cfi_world world;
	struct error *err;

	cfi_world_file(kind, &world);
	err = rules_open(&world.file, NULL, &rules);
	assert_non_null(err);
	assert_null(rules);
	assert_string_equal(error_text(err), words);
	error_free(err);
	cfi_world_close(&world);
}

static void other_machines_are_refused(void **state)
{
	(void)state;
	refuses(&(struct cfi_kind){.machine = EM_386, .is_32 = true},
		"its stacks cannot be unwound: it is a 32-bit file, only 64-bit ones are supported");
	refuses(&(struct cfi_kind){.is_32 = true}, /* x32 */
		"its stacks cannot be unwound: it is a 32-bit file, only 64-bit ones are supported");
	refuses(&(struct cfi_kind){.machine = EM_RISCV},
		"its stacks cannot be unwound: machine 243 is neither x86-64 nor little-endian "
		"aarch64");
	refuses(&(struct cfi_kind){.machine = EM_AARCH64, .is_big = true},
		"its stacks cannot be unwound: machine 183 of the other byte order is neither "
		"x86-64 nor little-endian aarch64");
}

static void a_file_without_any_has_no_rules(void **state)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};
	struct cfi_world world;

	(void)state;
	cfi_world_open(&(struct cfi_kind){0}, &world);
	assert_int_equal(rules_functions(world.rules), 0);
	assert_int_equal(rules_compile(world.rules), 0);
	assert_int_equal(rules_find(world.rules, START)->kind, RULE_NO_FDE);
	assert_int_equal(rules_find(world.rules, UINT64_MAX)->kind, RULE_NO_FDE);
	cfi_world_close(&world);
	/* an object's addresses are not laid out */
	cfi_builder_usual_cie(&builder);
	cfi_builder_fde(&builder, START, SIZE, NO_BYTES);
	cfi_world_open(&(struct cfi_kind){.eh_frame = &builder.bytes, .is_object = true}, &world);
	assert_int_equal(rules_functions(world.rules), 0);
	cfi_world_close(&world);
	cfi_builder_release(&builder);
	rules_close(NULL);
}

/* ---- threads */

#define THREADS	  4
#define FUNCTIONS 200

static void *ask_all(void *user)
{
	struct cfi_world *world = user;
	uintptr_t wrong = 0;

	for (unsigned i = 0; i < FUNCTIONS; i++) {
		wrong += cfa(world, START + i * 0x40) != 8;
		wrong += cfa(world, START + i * 0x40 + 4) != (int)(i / 2 + 16);
		wrong += cfa(world, START + i * 0x40 + 0x20) != -1;
	}
	return (void *)wrong;
}

static void threads_may_ask_at_once(void **state)
{
	struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};
	pthread_t threads[THREADS];
	struct cfi_world world;

	(void)state;
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		cfi_builder_usual_cie(&builder);
		cfi_builder_fde(&builder, START + i * 0x40, 0x20,
				BYTES(DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset,
				      (uint8_t)(i / 2 + 16)));
	}
	cfi_world_of(&builder, &world);
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_all, &world), 0);
	for (unsigned i = 0; i < THREADS; i++) {
		void *wrong;

		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
	assert_int_equal(rules_compile(world.rules), 2 * FUNCTIONS);
	cfi_world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_may_be_written_in_many_ways),
		cmocka_unit_test(augmentations_are_read_as_far_as_they_are_known),
		cmocka_unit_test(entries_that_are_bad_are_passed_over),
		cmocka_unit_test(the_linkers_table_is_used),
		cmocka_unit_test(tables_that_are_wrong_are_not_used),
		cmocka_unit_test(an_address_that_is_not_the_functions_has_no_rule),
		cmocka_unit_test(section_headers_are_not_needed),
		cmocka_unit_test(debug_frame_has_several_versions),
		cmocka_unit_test(eh_frame_may_have_64_bit_lengths),
		cmocka_unit_test(eh_frame_comes_first_and_the_debug_file_second),
		cmocka_unit_test(packed_sections_that_are_damaged_are_not_there),
		cmocka_unit_test(packed_nothing_is_given_up),
		cmocka_unit_test(other_machines_are_refused),
		cmocka_unit_test(a_file_without_any_has_no_rules),
		cmocka_unit_test(threads_may_ask_at_once),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
