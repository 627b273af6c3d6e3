/* test_carried.c - names that a simpleperf recording carries, for each kind of file */
#include "tests/test.h"

#include "importers/perf_data/carried.h"

#include "base/mem.h"
#include "base/text.h"
#include "model/names.h"
#include "model/spaces.h"

struct world {
	struct names names;
	struct perf_carried carried;
	struct text bytes;
};

static void world_release(struct world *world)
{
	names_release(&world->names);
	perf_carried_release(&world->carried);
	text_release(&world->bytes);
}

static void u32(struct text *text, uint32_t number)
{
	text_add_bytes(text, &number, sizeof(number));
}

static void u64(struct text *text, uint64_t number)
{
	text_add_bytes(text, &number, sizeof(number));
}

static void string(struct text *text, const char *s)
{
	text_add_bytes(text, s, strlen(s) + 1);
}

static struct bytes bytes_of(const struct text *text)
{
	return (struct bytes){(const unsigned char *)text->bytes,
			      (const unsigned char *)text->bytes + text->size, false};
}

/* An entry of FILE with the symbols f at 0x1000 (16 bytes) and g at 0x1010. */
static void add_file(struct text *to, const char *path, uint32_t kind, uint64_t min_vaddr,
		     bool has_base, uint64_t base)
{
	CLEANUP(text_release) struct text entry = TEXT_INIT;

	string(&entry, path);
	u32(&entry, kind);
	u64(&entry, min_vaddr);
	u32(&entry, 2);
	u64(&entry, 0x1010);
	u32(&entry, 16);
	string(&entry, "g");
	u64(&entry, 0x1000);
	u32(&entry, 16);
	string(&entry, "f");
	if (has_base)
		u64(&entry, base);
	u32(to, (uint32_t)entry.size);
	text_add_bytes(to, entry.bytes, entry.size);
}

static void expect_name(struct world *world, const char *path, const struct space_map *map,
			uint64_t ip, const char *expected)
{
	uint32_t name =
		perf_carried_find(&world->carried, names_add_string(&world->names, path), map, ip);

	assert_string_equal(name == NAME_NONE ? "-" : names_get(&world->names, name)->bytes,
			    expected);
}

static void each_kind_counts_addresses_in_its_way(void **state)
{
	CLEANUP(world_release) struct world world = {0};
	const struct space_map map = {0x700000, 0x800000, 0x3000, 0, NAME_NONE};

	(void)state;
	add_file(&world.bytes, "/elf", PERF_CARRIED_ELF, 0x1000, true, 0x3000);
	add_file(&world.bytes, "/old", PERF_CARRIED_ELF, 0x1000, false, 0);
	add_file(&world.bytes, "/jit", PERF_CARRIED_ELF, 0, false, 0);
	add_file(&world.bytes, "/dex", PERF_CARRIED_DEX, 0, false, 0);
	add_file(&world.bytes, "/mod.ko", PERF_CARRIED_KERNEL_MODULE, 0x1000, true, 0x40);
	add_file(&world.bytes, "[kernel.kallsyms]", PERF_CARRIED_KERNEL, 0, false, 0);
	add_file(&world.bytes, "/map", PERF_CARRIED_SYMBOL_MAP, 0, false, 0);
	assert_true(perf_carried_take_files(&world.carried, &world.names, bytes_of(&world.bytes)));
	expect_name(&world, "/elf", &map, 0x700000, "f");
	expect_name(&world, "/elf", &map, 0x70000f, "f");
	expect_name(&world, "/elf", &map, 0x700010, "g");
	expect_name(&world, "/elf", &map, 0x700020, "-");
	expect_name(&world, "/old", &map, 0x700010, "g");
	expect_name(&world, "/jit", &map, 0x1011, "g");
	expect_name(&world, "/dex", &(struct space_map){0x700000, 0x800000, 0x800, 0, NAME_NONE},
		    0x700800, "f");
	expect_name(&world, "/mod.ko", &map, 0x700040, "f");
	expect_name(&world, "/map", &map, 0x1011, "g");
	expect_name(&world, "[kernel.kallsyms]", NULL, 0x1001, "f");
	expect_name(&world, "[kernel.kallsyms]", NULL, 0xfff, "-");
	expect_name(&world, "/other", &map, 0x700000, "-");
}

static void cut_entries_are_damage(void **state)
{
	struct text whole = TEXT_INIT;

	(void)state;
	add_file(&whole, "/elf", PERF_CARRIED_ELF, 0x1000, true, 0x3000);
	for (size_t size = 1; size < whole.size; size++) {
		CLEANUP(world_release) struct world world = {0};

		text_add_bytes(&world.bytes, whole.bytes, size);
		assert_false(perf_carried_take_files(&world.carried, &world.names,
						     bytes_of(&world.bytes)));
	}
	text_release(&whole);
}

/* ---- FILE2 */

static void field(struct text *text, unsigned number, const struct text *value)
{
	text_add_char(text, (char)(number << 3 | 2));
	text_add_char(text, (char)value->size); /* below 128 */
	text_add_bytes(text, value->bytes, value->size);
}

static void number_field(struct text *text, unsigned number, uint64_t value)
{
	text_add_char(text, (char)(number << 3));
	for (; value >= 0x80; value >>= 7)
		text_add_char(text, (char)(value | 0x80));
	text_add_char(text, (char)value);
}

static void text_field(struct text *text, unsigned number, const char *s)
{
	CLEANUP(text_release) struct text value = TEXT_INIT;

	text_add(&value, s);
	field(text, number, &value);
}

static void add_file2(struct text *to)
{
	CLEANUP(text_release) struct text entry = TEXT_INIT, symbol = TEXT_INIT, elf = TEXT_INIT;

	text_field(&entry, 1, "/elf");
	number_field(&entry, 2, PERF_CARRIED_ELF);
	number_field(&entry, 3, 0x1000);
	number_field(&symbol, 1, 0x1010);
	number_field(&symbol, 2, 16);
	text_field(&symbol, 3, "g");
	field(&entry, 4, &symbol);
	number_field(&elf, 1, 0x3000);
	field(&entry, 6, &elf);
	number_field(&entry, 9, 7); /* what is not known is passed over */
	u32(to, (uint32_t)entry.size);
	text_add_bytes(to, entry.bytes, entry.size);
}

static void protobuf_says_the_same(void **state)
{
	CLEANUP(world_release) struct world world = {0};
	const struct space_map map = {0x700000, 0x800000, 0x3000, 0, NAME_NONE};

	(void)state;
	add_file2(&world.bytes);
	assert_true(perf_carried_take_files2(&world.carried, &world.names, bytes_of(&world.bytes)));
	expect_name(&world, "/elf", &map, 0x700010, "g");
	expect_name(&world, "/elf", &map, 0x700000, "-");
}

static void cut_protobuf_is_damage(void **state)
{
	struct text whole = TEXT_INIT;

	(void)state;
	add_file2(&whole);
	for (size_t size = 1; size < whole.size; size++) {
		CLEANUP(world_release) struct world world = {0};

		text_add_bytes(&world.bytes, whole.bytes, size);
		assert_false(perf_carried_take_files2(&world.carried, &world.names,
						      bytes_of(&world.bytes)));
	}
	text_release(&whole);
}

/* ---- kallsyms */

static void kallsyms_reach_to_the_next_one(void **state)
{
	CLEANUP(world_release) struct world world = {0};

	(void)state;
	text_add(&world.bytes, "ffffffff81000000 T _text\nffffffff81000100 t next [mod]\n"
			       "ffffffff81000180 D data\n0000000000000000 T hidden\nodd\n"
			       "ffffffff81000200 t last");
	perf_carried_take_kallsyms(&world.carried, &world.names, bytes_of(&world.bytes));
	expect_name(&world, "[kernel.kallsyms]", NULL, 0xffffffff81000000, "_text");
	expect_name(&world, "[kernel.kallsyms]", NULL, 0xffffffff810000ff, "_text");
	expect_name(&world, "[kernel.kallsyms]", NULL, 0xffffffff81000100, "next");
	expect_name(&world, "[kernel.kallsyms]", NULL, 0xffffffff81000190, "next");
	expect_name(&world, "[kernel.kallsyms]", NULL, 0xffffffff80ffffff, "-");
	expect_name(&world, "[kernel.kallsyms]", NULL, 0xffffffff81000200, "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_counts_addresses_in_its_way),
		cmocka_unit_test(cut_entries_are_damage),
		cmocka_unit_test(protobuf_says_the_same),
		cmocka_unit_test(cut_protobuf_is_damage),
		cmocka_unit_test(kallsyms_reach_to_the_next_one),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
