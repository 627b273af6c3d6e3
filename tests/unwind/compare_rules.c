/* compare_rules.c - every row of a file's call-frame information beside what libdw says of it */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "binaries/elf_file.h"
#include "unwind/rules.h"

/*
 * usage: compare_rules [--debug-frame] <file>...
 *
 * Walks over all code by libdw's rows. Each row is applied to made-up registers and made-up memory
 * in three ways: as a rule of 16 bytes, by rules_evaluate(), and by libdw's operations with the
 * evaluator below, which shares nothing with ours. Prints a line per file; status 1 for a
 * difference. --debug-frame: .debug_frame of the file as a debug file, against libdw's of the same.
 */
#define SHOWN_MAX 20

struct files {
	struct elf_file file;
	struct rules *rules;
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	Dwarf_CFI *cfi;
	unsigned sp, pc, sp_reg;
};

struct counts {
	uint64_t rows, kinds[RULE_DEREF_8 + 1], based, padding, gaps, differences, other_cfa;
	uint64_t refused; /* by libdw: an error inside of a function */
};

/* ---- a world of numbers */

static uint64_t mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static bool load(void *user, uint64_t address, uint64_t *ret)
{
	(void)user;
	*ret = mix(address);
	return true;
}

static void make_registers(uint64_t seed, struct rules_registers *ret)
{
	for (unsigned i = 0; i < RULES_REGISTERS; i++)
		ret->value[i] = mix(seed + i * UINT64_C(0x10001));
	ret->known = (UINT64_C(1) << RULES_REGISTERS) - 1;
}

/* ---- libdw's operations */

struct stack {
	uint64_t at[64];
	unsigned nr;
};

static uint64_t top(struct stack *stack)
{
	return stack->nr ? stack->at[--stack->nr] : 0;
}

static void put(struct stack *stack, uint64_t value)
{
	if (stack->nr < 64)
		stack->at[stack->nr++] = value;
}

static bool binary(struct stack *stack, const Dwarf_Op *op)
{
	uint64_t right = top(stack), left = top(stack);

	switch (op->atom) {
	case DW_OP_and:
		put(stack, left & right);
		return true;
	case DW_OP_plus:
		put(stack, left + right);
		return true;
	case DW_OP_minus:
		put(stack, left - right);
		return true;
	case DW_OP_mul:
		put(stack, left * right);
		return true;
	case DW_OP_shl:
		put(stack, left << right);
		return true;
	case DW_OP_ge:
		put(stack, (int64_t)left >= (int64_t)right);
		return true;
	default:
		return false;
	}
}

static bool operation(struct stack *stack, const Dwarf_Op *op,
		      const struct rules_registers *registers, uint64_t cfa)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
		put(stack, op->atom - DW_OP_lit0);
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		put(stack, registers->value[op->atom - DW_OP_breg0] + op->number);
	} else if (op->atom == DW_OP_bregx && op->number < RULES_REGISTERS) {
		put(stack, registers->value[op->number] + op->number2);
	} else if (op->atom == DW_OP_call_frame_cfa) {
		put(stack, cfa);
	} else if (op->atom == DW_OP_plus_uconst) {
		put(stack, top(stack) + op->number);
	} else if (op->atom == DW_OP_deref) {
		put(stack, mix(top(stack)));
	} else if (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts) {
		put(stack, op->number);
	} else if (op->atom != DW_OP_nop) {
		return binary(stack, op);
	}
	return true;
}

static bool run(const Dwarf_Op *ops, size_t nr, const struct rules_registers *registers,
		uint64_t cfa, uint64_t *ret)
{
	struct stack stack = {.nr = 0};

	for (size_t i = 0; i < nr; i++)
		if (!operation(&stack, &ops[i], registers, cfa))
			return false;
	*ret = top(&stack);
	return true;
}

/* ---- the caller's registers as libdw has them */

enum answer {
	UNDEFINED,
	SAME,
	VALUE,
	UNKNOWN
};

struct caller {
	uint64_t cfa, value[RULES_REGISTERS];
	enum answer answers[RULES_REGISTERS];
	uint64_t start, end;
	int ra;
	bool is_signal;
};

static enum answer read_register(Dwarf_Frame *frame, unsigned reg,
				 const struct rules_registers *from, uint64_t cfa, uint64_t *ret)
{
	Dwarf_Op memory[3], *ops = NULL;
	size_t nr = 0;

	if (dwarf_frame_register(frame, (int)reg, memory, &ops, &nr))
		return UNKNOWN;
	if (nr == 0)
		return ops == memory ? UNDEFINED : SAME;
	if (ops[0].atom == DW_OP_regx ||
	    (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)) {
		uint64_t other = ops[0].atom == DW_OP_regx ? ops[0].number
							   : ops[0].atom - (uint64_t)DW_OP_reg0;

		*ret = other < RULES_REGISTERS ? from->value[other] : 0;
		return other < RULES_REGISTERS ? VALUE : UNKNOWN;
	}
	if (ops[nr - 1].atom == DW_OP_stack_value)
		return run(ops, nr - 1, from, cfa, ret) ? VALUE : UNKNOWN;
	if (!run(ops, nr, from, cfa, ret))
		return UNKNOWN;
	*ret = mix(*ret);
	return VALUE;
}

/*
 * Where no rule is, libdw 0.188 says of x86-64 that rax is preserved and rbx is not (its table
 * has 0 in the place of 3); the psABI, 3.2.1, says it the other way.
 */
static void mend_defaults(const struct files *files, struct caller *caller)
{
	if (files->file.machine != EM_X86_64)
		return;
	if (caller->answers[3] == UNDEFINED)
		caller->answers[3] = SAME;
	if (caller->answers[0] == SAME)
		caller->answers[0] = UNKNOWN;
}

static bool read_caller(const struct files *files, Dwarf_Frame *frame,
			const struct rules_registers *from, struct caller *ret)
{
	Dwarf_Addr start, end;
	Dwarf_Op *ops;
	size_t nr;

	ret->ra = dwarf_frame_info(frame, &start, &end, &ret->is_signal);
	ret->start = start;
	ret->end = end;
	if (dwarf_frame_cfa(frame, &ops, &nr) || nr == 0 || !run(ops, nr, from, 0, &ret->cfa))
		return false;
	for (unsigned reg = 0; reg < RULES_REGISTERS; reg++)
		ret->answers[reg] = read_register(frame, reg, from, ret->cfa, &ret->value[reg]);
	mend_defaults(files, ret);
	return true;
}

/* ---- the same by a rule alone */

static uint64_t saved(const struct rule *rule, const struct rules_registers *from, uint64_t cfa,
		      int8_t off, unsigned bit)
{
	uint64_t base = rule->from_base & bit ? from->value[rule->base] : cfa;

	return mix(base + (uint64_t)(int64_t)off * 8);
}

static uint64_t cfa_of(const struct rule *rule, const struct rules_registers *from,
		       const struct files *files)
{
	uint64_t cfa = (uint64_t)(int64_t)rule->cfa;

	switch (rule->kind) {
	case RULE_REG:
		return from->value[rule->reg] + cfa;
	case RULE_DEREF:
		return mix(from->value[rule->reg] + cfa);
	case RULE_DEREF_8:
		return mix(from->value[rule->reg] + cfa) + 8;
	default:
		return from->value[files->sp] + cfa +
		       ((from->value[files->pc] & 15) >= rule->reg ? 8 : 0);
	}
}

static const char *differs(const char *what, bool is_equal)
{
	return is_equal ? NULL : what;
}

static bool agrees(const struct caller *caller, unsigned reg, bool is_same, bool is_lost,
		   uint64_t value)
{
	switch (caller->answers[reg]) {
	case UNDEFINED:
		return is_lost;
	case SAME:
		return is_same;
	case VALUE:
		return !is_same && !is_lost && caller->value[reg] == value;
	default:
		return false;
	}
}

static const char *compare_rule(const struct files *files, const struct rule *rule,
				const struct rules_registers *from, const struct caller *caller)
{
	const uint8_t *regs = rules_saved(files->rules);
	uint64_t cfa;

	if (rule->kind == RULE_NO_FDE)
		return "no rule";
	if (rule->kind == RULE_END)
		return differs("end", caller->answers[caller->ra] == UNDEFINED);
	if (!!(rule->flags & RULE_SIGNAL) != caller->is_signal)
		return "signal";
	if (rule->kind == RULE_EXPR)
		return NULL;
	cfa = cfa_of(rule, from, files);
	if (cfa != caller->cfa)
		return "CFA";
	if (!agrees(caller, (unsigned)caller->ra, rule->ra == RULE_SAME, rule->ra == RULE_LOST,
		    saved(rule, from, cfa, rule->ra, RULE_RA_FROM_BASE)))
		return "return address";
	for (unsigned i = 0; i < RULES_SAVED_NR; i++) {
		int8_t off = rule->off[i];

		if (!agrees(caller, regs[i], off == RULE_SAME, off == RULE_LOST,
			    saved(rule, from, cfa, off, 1u << i)))
			return "saved register";
	}
	return NULL;
}

static const char *compare_evaluated(struct files *files, uint64_t vaddr,
				     const struct rules_registers *from,
				     const struct caller *caller)
{
	struct rules_registers ret;
	uint64_t pc = caller->answers[caller->ra] == SAME ? from->value[caller->ra]
							  : caller->value[caller->ra];

	if (rules_evaluate(files->rules, vaddr, from, load, NULL, &ret) != RULES_FOUND)
		return "not evaluated";
	if (ret.value[files->pc] != pc)
		return "evaluated return address";
	for (unsigned reg = 0; reg < RULES_REGISTERS; reg++) {
		bool is_known = ret.known >> reg & 1;
		enum answer answer = caller->answers[reg];

		if (reg == files->pc)
			continue;
		if (reg == files->sp && answer != VALUE)
			answer = ret.value[reg] == caller->cfa ? SAME : UNKNOWN;
		else if (answer == VALUE && (!is_known || ret.value[reg] != caller->value[reg]))
			return "evaluated register";
		else if (answer == SAME && is_known && ret.value[reg] != from->value[reg])
			return "evaluated register that is the same";
		else if (answer == UNDEFINED && is_known)
			return "evaluated register that is lost";
	}
	return NULL;
}

/* ---- the walk */

static void show(struct files *files, struct counts *counts, uint64_t vaddr,
		 const struct rule *rule, const char *what)
{
	if (counts->differences++ >= SHOWN_MAX)
		return;
	printf("%s: 0x%" PRIx64 ": %s; rule kind %u reg %u flags %u ra %d cfa %d off", //
	       files->file.path, vaddr, what, rule->kind, rule->reg, rule->flags, rule->ra,
	       rule->cfa);
	for (unsigned i = 0; i < RULES_SAVED_NR; i++)
		printf(" %d", rule->off[i]);
	printf(" base %u\n", rule->base);
}

static void count(struct counts *counts, const struct rule *rule, const struct files *files)
{
	counts->rows++;
	counts->kinds[rule->kind]++;
	counts->based += rule->from_base != 0;
	counts->other_cfa += rule->kind == RULE_REG && rule->reg != files->sp &&
			     rule->reg != (files->sp == 7 ? 6 : 29);
}

static bool equal(const struct rule *a, const struct rule *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* One row of libdw at vaddr. Returns where the next one begins, 0 where there is no row. */
static uint64_t compare_row(struct files *files, struct counts *counts, uint64_t vaddr)
{
	const struct rule *rule = rules_find(files->rules, vaddr);
	struct rules_registers from;
	struct caller caller = {0};
	Dwarf_Frame *frame;
	const char *what;

	if (dwarf_cfi_addrframe(files->cfi, vaddr, &frame))
		return 0;
	make_registers(vaddr, &from);
	if (!read_caller(files, frame, &from, &caller)) {
		counts->refused++;
		if (rule->kind != RULE_NO_FDE)
			show(files, counts, vaddr, rule, "libdw knows no CFA");
	} else {
		what = compare_rule(files, rule, &from, &caller);
		if (!what && rule->kind != RULE_END)
			what = compare_evaluated(files, vaddr, &from, &caller);
		if (what)
			show(files, counts, vaddr, rule, what);
		count(counts, rule, files);
	}
	free(frame);
	if (!equal(rule, rules_find(files->rules, caller.end - 1)) ||
	    !equal(rule, rules_find(files->rules, vaddr + (caller.end - vaddr) / 2)))
		show(files, counts, vaddr, rule, "not the same to the row's end");
	return caller.end > vaddr ? caller.end : 0;
}

/* Where libdw knows nothing we know nothing, but that padding belongs to what is before it. */
static uint64_t compare_gap(struct files *files, struct counts *counts, uint64_t vaddr,
			    uint64_t last)
{
	const struct rule *rule = rules_find(files->rules, vaddr);

	counts->gaps += last == vaddr;
	if (rule->kind == RULE_NO_FDE)
		return vaddr + 1;
	counts->padding++;
	if (vaddr - last >= RULES_PADDING_MAX || !equal(rule, rules_find(files->rules, last - 1)))
		show(files, counts, vaddr, rule, "libdw has no row here");
	return vaddr + 1;
}

static void walk(struct files *files, struct counts *counts, uint64_t begin, uint64_t end)
{
	uint64_t last = begin, vaddr = begin;

	while (vaddr < end) {
		uint64_t next = compare_row(files, counts, vaddr);

		if (next)
			last = vaddr = next;
		else
			vaddr = compare_gap(files, counts, vaddr, last);
	}
}

/* ---- files */

static _Noreturn void die(const char *path, const char *what)
{
	fprintf(stderr, "compare_rules: %s: %s\n", path, what);
	exit(2);
}

static void files_open(struct files *files, const char *path, bool is_debug)
{
	struct error *err = elf_file_open(path, &files->file);

	if (!err)
		err = rules_open(is_debug ? NULL : &files->file, is_debug ? &files->file : NULL,
				 &files->rules);
	if (err)
		die(path, error_text(err));
	files->fd = open(path, O_RDONLY | O_CLOEXEC);
	files->elf = elf_begin(files->fd, ELF_C_READ_MMAP, NULL);
	files->dwarf = is_debug ? dwarf_begin_elf(files->elf, DWARF_C_READ, NULL) : NULL;
	files->cfi = is_debug ? dwarf_getcfi(files->dwarf) : dwarf_getcfi_elf(files->elf);
	if (!files->cfi)
		die(path, dwarf_errmsg(-1));
	files->sp = files->file.machine == EM_X86_64 ? 7 : 31;
	files->pc = files->file.machine == EM_X86_64 ? 16 : 32;
}

static void files_close(struct files *files)
{
	rules_close(files->rules);
	if (files->dwarf)
		dwarf_end(files->dwarf);
	elf_end(files->elf);
	close(files->fd);
	elf_file_close(&files->file);
}

static bool compare_file(const char *path, bool is_debug)
{
	struct files files = {0};
	struct counts counts = {0};

	files_open(&files, path, is_debug);
	for (uint32_t i = 0; i < files.file.code_nr; i++)
		walk(&files, &counts, files.file.code[i].begin, files.file.code[i].end);
	printf("%s: %zu functions, %" PRIu64 " rows: %" PRIu64 " reg, %" PRIu64 " deref, %" PRIu64
	       " plt, %" PRIu64 " expr, %" PRIu64 " end; %" PRIu64 " from a base, %" PRIu64
	       " CFAs of other registers; %" PRIu64 " gaps, %" PRIu64 " bytes of padding; %" PRIu64
	       " without a CFA; %" PRIu64 " differences\n",
	       path, rules_functions(files.rules), counts.rows, counts.kinds[RULE_REG],
	       counts.kinds[RULE_DEREF] + counts.kinds[RULE_DEREF_8], counts.kinds[RULE_PLT],
	       counts.kinds[RULE_EXPR], counts.kinds[RULE_END], counts.based, counts.other_cfa,
	       counts.gaps, counts.padding, counts.refused, counts.differences);
	files_close(&files);
	return counts.differences == 0 && counts.rows > 0;
}

int main(int argc, char **argv)
{
	bool is_debug = argc > 1 && strcmp(argv[1], "--debug-frame") == 0, is_good = true;

	elf_version(EV_CURRENT);
	for (int i = 1 + is_debug; i < argc; i++)
		is_good &= compare_file(argv[i], is_debug);
	return !is_good;
}
