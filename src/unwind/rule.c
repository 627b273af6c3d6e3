/* rule.c - one row of call-frame information becomes a rule of 16 bytes, if it fits */
#include "unwind/expression.h"
#include "unwind/rules_parts.h"

#define UNIT	8
#define OFF_MIN (RULE_SAME + 1)
#define OFF_MAX (RULE_LOST - 1)

/* Where a register is: not moved, lost, or at an offset from the CFA or from a register. */
struct spot {
	enum {
		SPOT_SAME,
		SPOT_LOST,
		SPOT_CFA,
		SPOT_REGISTER,
		SPOT_OTHER
	} kind;
	uint8_t reg;
	int64_t offset;
};

static struct bytes expression_of(const struct cfi_cell *cell)
{
	return (struct bytes){cell->expression, cell->expression + cell->size, false};
}

static struct spot spot_of(const struct cfi_cell *cell)
{
	struct spot spot = {.kind = SPOT_OTHER};

	switch (cell->kind) {
	case CFI_UNSPECIFIED:
	case CFI_SAME:
		spot.kind = SPOT_SAME;
		break;
	case CFI_UNDEFINED:
		spot.kind = SPOT_LOST;
		break;
	case CFI_OFFSET:
		spot.kind = SPOT_CFA;
		spot.offset = cell->number;
		break;
	case CFI_EXPRESSION:
		if (expression_shape(expression_of(cell), &spot.reg, &spot.offset) ==
		    EXPRESSION_REGISTER)
			spot.kind = SPOT_REGISTER;
		break;
	}
	return spot;
}

/* ---- the CFA */

static bool set_cfa(const struct cfi_cell *cfa, struct rule *rule)
{
	int64_t number = cfa->number;

	if (cfa->kind == CFI_REGISTER) {
		rule->kind = RULE_REG;
		rule->reg = cfa->reg;
	} else if (cfa->kind == CFI_VAL_EXPRESSION) {
		switch (expression_shape(expression_of(cfa), &rule->reg, &number)) {
		case EXPRESSION_REGISTER:
			rule->kind = RULE_REG;
			break;
		case EXPRESSION_DEREF:
			rule->kind = RULE_DEREF;
			break;
		case EXPRESSION_DEREF_8:
			rule->kind = RULE_DEREF_8;
			break;
		case EXPRESSION_PLT:
			rule->kind = RULE_PLT;
			rule->reg = (uint8_t)number;
			number = 8;
			break;
		default:
			return false;
		}
	} else {
		return false;
	}
	rule->cfa = (int32_t)number;
	return rule->cfa == number;
}

/* ---- what was saved: beside the CFA, or beside one other register */

static bool set_off(int64_t offset, int8_t *ret)
{
	if (offset % UNIT || offset / UNIT < OFF_MIN || offset / UNIT > OFF_MAX)
		return false;
	*ret = (int8_t)(offset / UNIT);
	return true;
}

static bool set_from_cfa(const struct spot *spot, int8_t *ret)
{
	switch (spot->kind) {
	case SPOT_SAME:
		*ret = RULE_SAME;
		return true;
	case SPOT_LOST:
		*ret = RULE_LOST;
		return true;
	default:
		return spot->kind == SPOT_CFA && set_off(spot->offset, ret);
	}
}

/* What counts from the CFA counts from its register as well. */
static bool set_from_base(const struct rule *rule, const struct spot *spot, int8_t *ret)
{
	int64_t offset = spot->offset;

	if (spot->kind == SPOT_REGISTER)
		return spot->reg == rule->base && set_off(offset, ret);
	return spot->kind == SPOT_CFA && rule->kind == RULE_REG && rule->reg == rule->base &&
	       !__builtin_add_overflow(offset, rule->cfa, &offset) && set_off(offset, ret);
}

/* From the CFA where it can be. */
static bool set_spot(struct rule *rule, const struct spot *spot, unsigned bit, int8_t *ret)
{
	if (set_from_cfa(spot, ret))
		return true;
	if (!set_from_base(rule, spot, ret))
		return false;
	rule->from_base |= (uint8_t)bit;
	return true;
}

/* One register is enough for what compilers write: that of the CFA, or the frame pointer. */
static uint8_t base_of(const struct rule *rule, const struct spot *ra, const struct spot *spots)
{
	if (ra->kind == SPOT_REGISTER)
		return ra->reg;
	for (unsigned i = 0; i < RULES_SAVED_NR; i++)
		if (spots[i].kind == SPOT_REGISTER)
			return spots[i].reg;
	return rule->reg;
}

/* A large aarch64 frame has all of it near sp and far from the CFA. */
static bool set_saved(const struct rules_abi *abi, uint8_t ra, const struct cfi_row *row,
		      struct rule *rule)
{
	struct spot spots[RULES_SAVED_NR], ra_spot = spot_of(&row->cells[ra]);

	for (unsigned i = 0; i < RULES_SAVED_NR; i++)
		spots[i] = spot_of(&row->cells[abi->saved[i]]);
	rule->base = base_of(rule, &ra_spot, spots);
	for (unsigned i = 0; i < RULES_SAVED_NR; i++)
		if (!set_spot(rule, &spots[i], 1u << i, &rule->off[i]))
			return false;
	if (!set_spot(rule, &ra_spot, RULE_RA_FROM_BASE, &rule->ra))
		return false;
	if (!rule->from_base)
		rule->base = RULES_NO_REGISTER;
	return true;
}

/* The stack pointer is the CFA, if nothing else is said. */
static bool is_sp_usual(const struct cfi_cell *sp)
{
	return sp->kind == CFI_UNSPECIFIED || (sp->kind == CFI_VAL_OFFSET && sp->number == 0);
}

/* "The same" is an answer where a link register is meant, not of the program counter itself. */
static bool is_ra_missing(const struct rules_abi *abi, uint8_t ra, const struct cfi_row *row)
{
	return ra == abi->pc && spot_of(&row->cells[ra]).kind == SPOT_SAME;
}

struct rule rule_from_row(const struct rules_abi *abi, uint8_t ra, const struct cfi_row *row)
{
	struct rule rule = {.base = RULES_NO_REGISTER};
	uint8_t flags = row->is_signed ? RULE_SIGNED : 0;

	if (row->cells[ra].kind == CFI_UNDEFINED)
		return (struct rule){.kind = RULE_END, .base = RULES_NO_REGISTER};
	if (row->cfa.kind == CFI_UNSPECIFIED || is_ra_missing(abi, ra, row))
		return (struct rule){.kind = RULE_NO_FDE, .base = RULES_NO_REGISTER};
	if (!is_sp_usual(&row->cells[abi->sp]) || !set_cfa(&row->cfa, &rule) ||
	    !set_saved(abi, ra, row, &rule))
		return (struct rule){.kind = RULE_EXPR, .flags = flags, .base = RULES_NO_REGISTER};
	rule.flags |= flags;
	return rule;
}
