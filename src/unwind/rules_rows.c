/* rules_rows.c - the rows of one function, compiled when they are first asked for */
#include "base/mem.h"
#include "unwind/rules_parts.h"

/* ---- CIEs, kept by their place */

static struct rules_common *common_new(const struct rules_part *part, uint32_t offset)
{
	struct rules_common *common = mem_zalloc(1, sizeof(*common));

	common->offset = offset;
	common->is_good = cfi_common_read(&part->section, offset, &common->common);
	return common;
}

/* Borrowed from the part, or `local`, where another CIE sits in its slot; NULL for a bad one. */
static const struct cfi_common *common_find(struct rules_part *part, uint32_t offset,
					    struct cfi_common *local)
{
	_Atomic(struct rules_common *) *slot = &part->commons[offset / 4 % RULES_COMMONS_NR];
	struct rules_common *common = atomic_load_explicit(slot, memory_order_acquire);

	if (!common) {
		struct rules_common *mine = common_new(part, offset);

		if (atomic_compare_exchange_strong(slot, &common, mine))
			common = mine;
		else
			free(mine);
	}
	if (common->offset == offset)
		return common->is_good ? &common->common : NULL;
	return cfi_common_read(&part->section, offset, local) ? local : NULL;
}

/* What the index says of the beginning must be so: otherwise many entries could be one FDE. */
const struct cfi_common *rules_fde(struct rules_part *part, uint32_t index,
				   struct cfi_common *local, struct cfi_fde *ret)
{
	const struct cfi_common *common;
	struct cfi_entry entry;
	uint64_t next;

	if (!cfi_entry_at(&part->section, part->index.fdes[index], &entry, &next) ||
	    entry.kind != CFI_FDE)
		return NULL;
	common = common_find(part, entry.cie, local);
	if (!common || !cfi_fde_read(&part->section, &entry, &common->cie, ret) ||
	    ret->start != part->index.starts[index] ||
	    ret->end - ret->start > UINT32_MAX - RULES_PADDING_MAX)
		return NULL;
	return common;
}

/* ---- rows */

#define FEW 64

struct compiler {
	const struct rules_abi *abi;
	const struct cfi_common *common;
	uint64_t start, end; /* of the FDE; of the rows that were said */
	uint8_t flags;
	uint32_t nr, alloc;
	struct rules_row *rows; /* `few`, or owned */
	struct rules_row few[FEW];
};

static void make_room(struct compiler *compiler)
{
	struct rules_row *old = compiler->rows == compiler->few ? NULL : compiler->rows;

	compiler->alloc *= 2;
	compiler->rows = mem_realloc(old, compiler->alloc, sizeof(*compiler->rows));
	if (!old)
		memcpy(compiler->rows, compiler->few, sizeof(compiler->few));
}

/* Rows that differ in what no rule says are one. */
static void add_row(struct compiler *compiler, uint64_t start, const struct rule *rule)
{
	if (compiler->nr &&
	    memcmp(&compiler->rows[compiler->nr - 1].rule, rule, sizeof(*rule)) == 0)
		return;
	if (compiler->nr == compiler->alloc)
		make_room(compiler);
	compiler->rows[compiler->nr++] =
		(struct rules_row){(uint32_t)(start - compiler->start), *rule};
}

static bool compile_row(void *user, uint64_t start, uint64_t end, const struct cfi_row *row)
{
	struct compiler *compiler = user;
	struct rule rule = rule_from_row(compiler->abi, compiler->common->cie.ra, row);

	rule.flags |= compiler->flags;
	add_row(compiler, start, &rule);
	compiler->end = end;
	return true;
}

/* The gap to the next function is padding if it is short. */
static uint64_t end_with_padding(const struct rules_part *part, uint32_t index, uint64_t end)
{
	uint64_t next;

	if (index + 1 >= part->index.nr)
		return end;
	next = part->index.starts[index + 1];
	return next > end && next - end < RULES_PADDING_MAX ? next : end;
}

static struct rules_rows *rows_new(const struct compiler *compiler, uint64_t end)
{
	size_t size = compiler->nr * sizeof(*compiler->rows);
	struct rules_rows *rows = mem_alloc(sizeof(*rows) + size);

	rows->size = (uint32_t)(end - compiler->start);
	rows->nr = compiler->nr;
	memcpy(rows->rows, compiler->rows, size);
	return rows;
}

/* Programs that lie in each other could be run for hours: their work is limited. */
static bool may_work(struct rules_part *part, const struct cfi_fde *fde)
{
	int64_t size = (int64_t)bytes_left(&fde->program);

	return atomic_fetch_sub_explicit(&part->work, size, memory_order_relaxed) >= size;
}

/* A program that goes wrong is good up to there. */
static struct rules_rows *compile(const struct rules *rules, struct rules_part *part,
				  uint32_t index)
{
	static const struct rule none = {.kind = RULE_NO_FDE, .base = RULES_NO_REGISTER};
	struct cfi_common local;
	struct cfi_fde fde;
	struct compiler compiler;
	struct rules_rows *rows;

	compiler.abi = rules->abi;
	compiler.common = rules_fde(part, index, &local, &fde);
	if (!compiler.common || !may_work(part, &fde))
		return mem_zalloc(1, sizeof(*rows));
	compiler.start = compiler.end = fde.start;
	compiler.flags =
		(uint8_t)(part->flags | (compiler.common->cie.is_signal ? RULE_SIGNAL : 0));
	compiler.nr = 0;
	compiler.alloc = FEW;
	compiler.rows = compiler.few;
	if (!cfi_rows(&part->section, compiler.common, &fde, compile_row, &compiler) ||
	    compiler.end < fde.end)
		add_row(&compiler, compiler.end, &none);
	rows = rows_new(&compiler, end_with_padding(part, index, fde.end));
	if (compiler.rows != compiler.few)
		free(compiler.rows);
	return rows;
}

const struct rules_rows *rules_rows_make(const struct rules *rules, struct rules_part *part,
					 uint32_t index)
{
	struct rules_rows *mine = compile(rules, part, index), *rows = NULL;

	if (atomic_compare_exchange_strong(&part->rows[index], &rows, mine))
		return mine;
	free(mine);
	return rows;
}
