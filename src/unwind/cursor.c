/* cursor.c - from a frame to its caller, as the rule of its place says */
#include "unwind/cursor.h"

#include "unwind/unwind.h"

static bool load(void *cursor, uint64_t address, uint64_t *ret)
{
	return cursor_load(cursor, address, ret);
}

/* Something that is not known: because the dump ended, or in the first place. */
static enum unwind_stop unknown(const struct cursor *cursor, unsigned reg)
{
	return reg < RULES_REGISTERS && cursor->cut >> reg & 1 ? UNWIND_TRUNCATED : UNWIND_BAD_CFA;
}

/* Callers are further up, each of them: it cannot go on for ever. */
static bool is_further(const struct cursor *cursor, uint64_t cfa, bool may_stay)
{
	uint64_t sp = cursor->registers.value[cursor->machine->sp];

	return (may_stay ? cfa >= sp : cfa > sp) && cfa - sp <= UNWIND_JUMP_MAX && cfa % 8 == 0;
}

static enum unwind_stop find_cfa(struct cursor *cursor, const struct rule *rule, uint64_t *ret)
{
	const struct rules_registers *registers = &cursor->registers;
	uint64_t cfa;

	if (rule->kind == RULE_PLT) {
		cfa = registers->value[cursor->machine->sp] + (uint64_t)(int64_t)rule->cfa;
		*ret = cfa + ((registers->value[cursor->machine->ip] & 15) >= rule->reg ? 8 : 0);
		return UNWIND_STOP_NR;
	}
	if (!cursor_knows(cursor, rule->reg))
		return unknown(cursor, rule->reg);
	cfa = registers->value[rule->reg] + (uint64_t)(int64_t)rule->cfa;
	if ((rule->kind == RULE_DEREF || rule->kind == RULE_DEREF_8) &&
	    !cursor_load(cursor, cfa, &cfa))
		return UNWIND_TRUNCATED;
	if (rule->kind == RULE_DEREF_8)
		cfa += 8;
	*ret = cfa;
	return UNWIND_STOP_NR;
}

static uint64_t slot(uint64_t from, int8_t words)
{
	return from + (uint64_t)((int64_t)words * 8);
}

/* A register that cannot be read is not known any more; that alone stops nothing. */
static void restore(struct cursor *cursor, const struct rule *rule, const uint8_t *saved,
		    uint64_t cfa, uint64_t base)
{
	for (unsigned i = 0; i < RULES_SAVED_NR; i++) {
		uint64_t bit = UINT64_C(1) << saved[i];

		if (rule->off[i] == RULE_SAME)
			continue;
		cursor->registers.known &= ~bit;
		cursor->cut &= ~bit;
		if (rule->off[i] == RULE_LOST)
			continue;
		if (cursor_load(cursor, slot(rule->from_base >> i & 1 ? base : cfa, rule->off[i]),
				&cursor->registers.value[saved[i]]))
			cursor->registers.known |= bit;
		else
			cursor->cut |= bit;
	}
}

static enum unwind_stop find_return(const struct cursor *cursor, const struct rule *rule,
				    uint64_t from, uint64_t *ret)
{
	if (rule->ra != RULE_SAME)
		return cursor_load(cursor, slot(from, rule->ra), ret) ? UNWIND_STOP_NR
								      : UNWIND_TRUNCATED;
	/* only who has called nobody since still has it in the link register */
	if (cursor->machine != &cursor_aarch64 || !cursor->is_exact || !cursor_knows(cursor, 30))
		return UNWIND_BAD_CFA;
	*ret = cursor->registers.value[30];
	return UNWIND_STOP_NR;
}

/* Now it is its caller. */
static enum unwind_stop enter(struct cursor *cursor, const struct rule *rule, uint64_t cfa,
			      uint64_t ip, uint64_t known)
{
	const struct cursor_machine *machine = cursor->machine;

	ip &= cursor->mask;
	if (!ip)
		return UNWIND_END;
	cursor->registers.known &= known;
	cursor_set(cursor, machine->sp, cfa);
	cursor_set(cursor, machine->ip, ip);
	cursor->is_exact = rule->flags & RULE_SIGNAL;
	cursor->found = rule->flags & RULE_SIGNAL ? FOUND_SIGNAL : FOUND_CFI;
	return UNWIND_STOP_NR;
}

static enum unwind_stop evaluate(struct cursor *cursor, const struct rule *rule,
				 struct rules *rules, uint64_t vaddr)
{
	struct rules_registers caller;
	unsigned sp = cursor->machine->sp, ip = cursor->machine->ip;
	enum unwind_stop stop;

	switch (rules_evaluate(rules, vaddr, &cursor->registers, load, cursor, &caller)) {
	case RULES_FOUND:
		break;
	case RULES_NOT_LOADED:
		return UNWIND_TRUNCATED;
	default:
		return UNWIND_EXPR_FAILED;
	}
	/* a handler may have a stack of its own */
	if (!(rule->flags & RULE_SIGNAL) && !is_further(cursor, caller.value[sp], false))
		return UNWIND_BAD_CFA;
	cursor->registers = caller;
	stop = enter(cursor, rule, caller.value[sp], caller.value[ip], UINT64_MAX);
	if (cursor->found == FOUND_CFI)
		cursor->found = FOUND_CFI_EXPR;
	return stop;
}

enum unwind_stop cursor_step(struct cursor *cursor, const struct rule *rule, struct rules *rules,
			     uint64_t vaddr)
{
	uint64_t cfa = 0, base, ip = 0;
	enum unwind_stop stop;

	if (rule->kind == RULE_END)
		return UNWIND_END;
	if (rule->kind == RULE_EXPR)
		return evaluate(cursor, rule, rules, vaddr);
	stop = find_cfa(cursor, rule, &cfa);
	if (stop != UNWIND_STOP_NR)
		return stop;
	if (!(rule->flags & RULE_SIGNAL) && !is_further(cursor, cfa, cursor->is_exact))
		return UNWIND_BAD_CFA;
	base = cfa;
	if (rule->from_base) {
		if (!cursor_knows(cursor, rule->base))
			return unknown(cursor, rule->base);
		base = cursor->registers.value[rule->base];
	}
	stop = find_return(cursor, rule, rule->from_base & RULE_RA_FROM_BASE ? base : cfa, &ip);
	if (stop != UNWIND_STOP_NR)
		return stop;
	restore(cursor, rule, rules_saved(rules), cfa, base);
	return enter(cursor, rule, cfa, ip, cursor->machine->preserved);
}
