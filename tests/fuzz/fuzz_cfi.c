/* fuzz_cfi.c - any bytes as .eh_frame, and as .debug_frame, of x86-64 and of aarch64 */
#include <stdlib.h>

#include "base/mem.h"
#include "tests/fuzz/replay.h"
#include "unwind/rules_parts.h"

/*
 * The first byte chooses. No file is around them: the parts are made as rules_open() makes them,
 * but that every function is asked, wherever it claims to be.
 */
static bool load(void *user, uint64_t address, uint64_t *ret)
{
	(void)user;
	*ret = address * 3;
	return address % 7 != 0;
}

static void ask(struct rules *rules, struct rules_part *part, uint32_t index)
{
	const struct rules_rows *rows = rules_rows(rules, part, index);
	struct rules_registers registers = {.known = UINT64_MAX};

	for (uint32_t i = 0; i < rows->nr && i < 100; i++) {
		uint64_t vaddr = part->index.starts[index] + rows->rows[i].start;
		const struct rule *rule = rules_find(rules, vaddr);

		if (rule->from_base && rule->base >= RULES_REGISTERS)
			abort();
		(void)!rules_evaluate(rules, vaddr, &registers, load, NULL, &registers);
	}
}

static void read_part(struct rules *rules, unsigned nr, struct bytes bytes, bool is_aarch64)
{
	struct rules_part *part = &rules->parts[nr];
	static const struct elf_range all = {0, UINT64_MAX};
	struct elf_file file = {.code = (struct elf_range *)&all, .code_nr = 1};

	part->section = (struct cfi_section){.all = bytes,
					     .vaddr = nr == RULES_EH_FRAME ? 0x1000 : 0,
					     .is_debug_frame = nr == RULES_DEBUG_FRAME,
					     .is_aarch64 = is_aarch64};
	cfi_index_from_section(&part->section, &file, &part->index);
	rules_part_begin(part);
	for (uint32_t i = 0; i < part->index.nr && i < 1000; i++)
		ask(rules, part, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
	struct rules *rules;
	bool is_aarch64;

	if (size < 1)
		return 0;
	is_aarch64 = at[0] & 1;
	rules = rules_new(is_aarch64 ? 183 : 62);
	read_part(rules, at[0] & 2 ? RULES_DEBUG_FRAME : RULES_EH_FRAME,
		  (struct bytes){at + 1, at + size, false}, is_aarch64);
	rules_close(rules);
	return 0;
}
