/* rules_evaluate.c - the caller's registers, by the call-frame information itself */
#include "unwind/expression.h"
#include "unwind/rules_parts.h"

/* ---- the row at an address */

struct wanted {
	uint64_t vaddr;
	bool is_found;
	struct cfi_row row;
};

static bool take_row(void *user, uint64_t start, uint64_t end, const struct cfi_row *row)
{
	struct wanted *wanted = user;

	(void)start;
	wanted->row = *row; /* padding belongs to the last one */
	wanted->is_found = true;
	return wanted->vaddr >= end;
}

/* In which part rules_find() found it is not asked again: .eh_frame comes first there, too. */
static bool find_row(struct rules *rules, const struct rule *rule, struct wanted *wanted,
		     uint8_t *ret_ra)
{
	unsigned nr = rule->flags & RULE_DEBUG_FRAME ? RULES_DEBUG_FRAME : RULES_EH_FRAME;
	struct rules_part *part = &rules->parts[nr];
	uint32_t index = cfi_index_find(&part->index, wanted->vaddr);
	const struct cfi_common *common;
	struct cfi_common local;
	struct cfi_fde fde;

	if (index == CFI_INDEX_NONE)
		return false;
	common = rules_fde(part, index, &local, &fde);
	if (!common)
		return false;
	*ret_ra = common->cie.ra;
	(void)!cfi_rows(&part->section, common, &fde, take_row, wanted);
	return wanted->is_found;
}

/* ---- values */

static bool is_known(const struct rules_registers *registers, uint64_t reg)
{
	return reg < RULES_REGISTERS && registers->known >> reg & 1;
}

static void set(struct rules_registers *registers, uint64_t reg, uint64_t value)
{
	registers->value[reg] = value;
	registers->known |= UINT64_C(1) << reg;
}

static enum rules_outcome run(struct expression_world *world, const struct cfi_cell *cell,
			      const uint64_t *cfa, uint64_t *ret)
{
	struct bytes in = {cell->expression, cell->expression + cell->size, false};

	return expression_run(world, in, cfa, ret);
}

static enum rules_outcome find_cfa(struct expression_world *world, const struct cfi_cell *cfa,
				   uint64_t *ret)
{
	if (cfa->kind == CFI_VAL_EXPRESSION)
		return run(world, cfa, NULL, ret);
	if (cfa->kind != CFI_REGISTER || !is_known(world->registers, cfa->reg))
		return RULES_FAILED;
	*ret = world->registers->value[cfa->reg] + (uint64_t)cfa->number;
	return RULES_FOUND;
}

static enum rules_outcome load(struct expression_world *world, uint64_t address, uint64_t *ret)
{
	return world->load(world->user, address, ret) ? RULES_FOUND : RULES_NOT_LOADED;
}

static enum rules_outcome copy(const struct expression_world *world, uint64_t reg, uint64_t *ret)
{
	if (!is_known(world->registers, reg))
		return RULES_FAILED;
	*ret = world->registers->value[reg];
	return RULES_FOUND;
}

/* The value that register `reg` has in the caller, by its cell. */
static enum rules_outcome find_value(struct expression_world *world, const struct cfi_cell *cell,
				     uint64_t reg, uint64_t cfa, uint64_t *ret)
{
	enum rules_outcome outcome;
	uint64_t address;

	switch (cell->kind) {
	case CFI_UNSPECIFIED:
	case CFI_SAME:
		return copy(world, reg, ret);
	case CFI_OFFSET:
		return load(world, cfa + (uint64_t)cell->number, ret);
	case CFI_VAL_OFFSET:
		*ret = cfa + (uint64_t)cell->number;
		return RULES_FOUND;
	case CFI_REGISTER:
		return copy(world, (uint64_t)cell->number, ret);
	case CFI_EXPRESSION:
		outcome = run(world, cell, &cfa, &address);
		return outcome == RULES_FOUND ? load(world, address, ret) : outcome;
	case CFI_VAL_EXPRESSION:
		return run(world, cell, &cfa, ret);
	default: /* CFI_UNDEFINED */
		return RULES_FAILED;
	}
}

/* ---- the frame */

/* The return address column of x86-64 is the program counter itself: "same" is no answer. */
static enum rules_outcome find_ra(const struct rules_abi *abi, struct expression_world *world,
				  const struct cfi_row *row, uint8_t ra, uint64_t cfa,
				  uint64_t *ret)
{
	const struct cfi_cell *cell = &row->cells[ra];

	if (ra == abi->pc && (cell->kind == CFI_UNSPECIFIED || cell->kind == CFI_SAME))
		return RULES_FAILED;
	return find_value(world, cell, ra, cfa, ret);
}

static void find_others(const struct rules_abi *abi, struct expression_world *world,
			const struct cfi_row *row, uint64_t cfa, struct rules_registers *ret)
{
	for (uint64_t reg = 0; reg < RULES_REGISTERS; reg++) {
		const struct cfi_cell *cell = &row->cells[reg];
		uint64_t value;

		if (cell->kind == CFI_UNSPECIFIED && !(abi->preserved >> reg & 1))
			continue;
		if (find_value(world, cell, reg, cfa, &value) == RULES_FOUND)
			set(ret, reg, value);
	}
}

enum rules_outcome rules_evaluate(struct rules *rules, uint64_t vaddr,
				  const struct rules_registers *from, rules_load_fn *loader,
				  void *user, struct rules_registers *ret)
{
	struct expression_world world = {from, loader, user, RULES_STEPS_MAX};
	const struct rule *rule = rules_find(rules, vaddr);
	struct wanted wanted = {.vaddr = vaddr};
	struct rules_registers caller = {0};
	uint64_t cfa, pc;
	enum rules_outcome outcome;
	uint8_t ra;

	if (rule->kind == RULE_NO_FDE || rule->kind == RULE_END ||
	    !find_row(rules, rule, &wanted, &ra))
		return RULES_FAILED;
	outcome = find_cfa(&world, &wanted.row.cfa, &cfa);
	if (outcome == RULES_FOUND)
		outcome = find_ra(rules->abi, &world, &wanted.row, ra, cfa, &pc);
	if (outcome != RULES_FOUND)
		return outcome;
	set(&caller, rules->abi->sp, cfa);
	find_others(rules->abi, &world, &wanted.row, cfa, &caller);
	set(&caller, rules->abi->pc, pc);
	*ret = caller;
	return RULES_FOUND;
}
