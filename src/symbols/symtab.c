/* symtab.c - the functions of one module by address, from all symbol tables that its files have */
#include "symbols/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/plt.h"
#include "symbols/symtab_elf.h"

/* Of so many symbols at one place the first that reaches an address is looked for. */
#define ALIASES_MAX 64

/* Less than this between two functions is alignment, and of the first one. */
#define PADDING_MAX 16

/* The rank of stubs: sized, local. */
#define PLT_RANK (3u << 11)

void symtab_release(struct symtab *symtab)
{
	free(symtab->list);
	free(symtab->places);
	free(symtab->buckets);
	text_release(&symtab->names);
	*symtab = (struct symtab){0};
}

/* While the table is built, names are offsets. */
static const char *name_at(const struct text *names, const struct symtab_symbol *symbol)
{
	return names->bytes + (uintptr_t)symbol->name;
}

/* Total, but for symbols that are the same in all that is shown. */
static int compare(const void *a, const void *b, void *names)
{
	const struct symtab_symbol *x = a, *y = b;
	int order;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	order = strcmp(name_at(names, x), name_at(names, y));
	if (order)
		return order;
	if (x->hi != y->hi)
		return x->hi > y->hi ? -1 : 1;
	return x->source - y->source;
}

static void sort(struct symtab *symtab)
{
	if (symtab->nr)
		qsort_r(symtab->list, symtab->nr, sizeof(*symtab->list), compare, &symtab->names);
}

/* .dynsym repeats what .symtab has. */
static void drop_repeated(struct symtab *symtab)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < symtab->nr; i++) {
		const struct symtab_symbol *symbol = &symtab->list[i];

		if (kept && symtab->list[kept - 1].lo == symbol->lo &&
		    strcmp(name_at(&symtab->names, &symtab->list[kept - 1]),
			   name_at(&symtab->names, symbol)) == 0)
			continue;
		symtab->list[kept++] = *symbol;
	}
	symtab->nr = kept;
}

static void index_places(struct symtab *symtab)
{
	symtab->places = mem_zalloc((size_t)symtab->nr + 1, sizeof(*symtab->places));
	for (uint32_t i = 0; i < symtab->nr; i++) {
		uint64_t lo = symtab->list[i].lo;

		if (i == 0 || lo != symtab->list[i - 1].lo)
			symtab->places[symtab->places_nr++] =
				(struct symtab_place){.lo = lo, .first = i};
	}
	symtab->places[symtab->places_nr].first = symtab->nr;
}

/*
 * About as many buckets as places: where functions are spread evenly, which they nearly are,
 * a look-up reads the places of one cache line.
 */
static void fill_buckets(struct symtab *symtab)
{
	uint32_t place = 0, nr;
	uint64_t span;

	if (symtab->places_nr == 0)
		return;
	span = symtab->places[symtab->places_nr - 1].lo - symtab->places[0].lo;
	while (span >> symtab->shift >= (uint64_t)symtab->places_nr * 2)
		symtab->shift++;
	nr = (uint32_t)(span >> symtab->shift) + 1;
	symtab->buckets = mem_alloc(((size_t)nr + 1) * sizeof(*symtab->buckets));
	for (uint32_t i = 0; i < nr; i++) {
		while ((symtab->places[place].lo - symtab->places[0].lo) >> symtab->shift < i)
			place++;
		symtab->buckets[i] = place;
	}
	symtab->buckets[nr] = symtab->places_nr;
}

/*
 * Ends what has no size where the next begins, and where a function around it ends; sees what
 * is padding. `reach` is how far functions before this place go.
 */
static void end_place(struct symtab *symtab, uint32_t at, uint64_t reach)
{
	struct symtab_place *place = &symtab->places[at];
	bool is_last = at + 1 == symtab->places_nr;
	uint64_t next = is_last ? UINT64_MAX : place[1].lo;

	place->reach = reach;
	for (uint32_t i = place->first; i < place[1].first; i++) {
		struct symtab_symbol *symbol = &symtab->list[i];

		if (symbol->flags & SYMTAB_SIZELESS) {
			if (symbol->hi > next)
				symbol->hi = next;
			if (reach > place->lo && symbol->hi > reach)
				symbol->hi = reach;
		} else if (next >= symbol->hi && next - symbol->hi < PADDING_MAX) {
			symbol->padding = (uint8_t)(next - symbol->hi);
		}
		if (symbol->hi > place->reach)
			place->reach = symbol->hi;
	}
}

static void seal(struct symtab *symtab)
{
	sort(symtab);
	drop_repeated(symtab);
	index_places(symtab);
	fill_buckets(symtab);
	for (uint32_t place = 0; place < symtab->places_nr; place++)
		end_place(symtab, place, place ? symtab->places[place - 1].reach : 0);
	for (uint32_t i = 0; i < symtab->nr; i++)
		symtab->list[i].name = name_at(&symtab->names, &symtab->list[i]);
}

/* The first of the nr sorted symbols at exactly this address, NULL for none. */
static const struct symtab_symbol *symbol_at(const struct symtab *symtab, uint32_t nr,
					     uint64_t address)
{
	uint32_t lo = 0, hi = nr;

	while (lo < hi) {
		uint32_t middle = lo + (hi - lo) / 2;

		if (symtab->list[middle].lo < address)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < nr && symtab->list[lo].lo == address ? &symtab->list[lo] : NULL;
}

static void add_stub(struct symtab *symtab, uint32_t sorted_nr, const struct plt *plt,
		     const struct plt_stub *stub)
{
	CLEANUP(text_release) struct text name = TEXT_INIT;

	if (stub->name != PLT_UNNAMED) {
		text_add(&name, plt->names.bytes + stub->name);
	} else {
		const struct symtab_symbol *resolver = symbol_at(symtab, sorted_nr, stub->resolver);

		if (!resolver)
			return;
		text_addf(&name, "%s@plt", name_at(&symtab->names, resolver));
	}
	symtab_elf_add(symtab,
		       (struct symtab_symbol){
			       .lo = stub->lo,
			       .hi = stub->lo + stub->size,
			       .rank = PLT_RANK,
			       .source = SYMTAB_PLT,
		       },
		       name.bytes, name.size);
}

/* All symbols of a place that have the name of an old one are that. */
static void spread_old(struct symtab *symtab, uint32_t begin, uint32_t end)
{
	uint32_t limit = end - begin > ALIASES_MAX ? begin + ALIASES_MAX : end;

	for (uint32_t i = begin; i < limit; i++)
		for (uint32_t j = begin; j < limit && symtab->list[i].flags & SYMTAB_OLD; j++)
			if (strcmp(name_at(&symtab->names, &symtab->list[i]),
				   name_at(&symtab->names, &symtab->list[j])) == 0)
				symtab_elf_set_old(&symtab->list[j]);
}

/* Some linkers leave versions to .dynsym alone. The table is sorted, and not any more then. */
static void find_old(struct symtab *symtab)
{
	uint32_t begin = 0;
	bool is_any = false;

	for (uint32_t i = 0; i < symtab->nr; i++) {
		const struct symtab_symbol *symbol = &symtab->list[i];

		is_any |= symbol->flags & SYMTAB_OLD;
		if (i + 1 < symtab->nr && symbol[1].lo == symbol->lo)
			continue;
		if (is_any)
			spread_old(symtab, begin, i + 1);
		is_any = false;
		begin = i + 1;
	}
}

static void add_stubs(struct symtab *symtab, Elf *binary)
{
	struct plt plt = {0};
	uint32_t sorted_nr;

	sort(symtab);
	sorted_nr = symtab->nr;
	plt_build(&plt, binary);
	for (size_t i = 0; i < plt.nr; i++)
		add_stub(symtab, sorted_nr, &plt, &plt.list[i]);
	plt_release(&plt);
	find_old(symtab);
}

void symtab_build(struct symtab *ret, Elf *binary, Elf *debug)
{
	uint64_t bias = binary && debug && debug != binary ? symtab_elf_bias(debug, binary) : 0;
	uint32_t full = 0;

	*ret = (struct symtab){0};
	if (debug)
		full = symtab_elf_read(ret, debug, SYMTAB_FULL, bias);
	if (full == 0 && binary && binary != debug)
		symtab_elf_read(ret, binary, SYMTAB_FULL, 0);
	if (binary || debug) {
		Elf *elf = binary ? binary : debug;

		symtab_elf_read(ret, elf, SYMTAB_DYNAMIC, 0);
		symtab_elf_read_mini(ret, elf);
		add_stubs(ret, elf);
	}
	seal(ret);
}

/* The last place at or before the address; the table is not empty and begins before it. */
static uint32_t place_of(const struct symtab *symtab, uint64_t address)
{
	uint64_t base = symtab->places[0].lo, last = symtab->places[symtab->places_nr - 1].lo;
	uint64_t bucket = ((address < last ? address : last) - base) >> symtab->shift;
	uint32_t begin = symtab->buckets[bucket];
	uint32_t nr = symtab->buckets[bucket + 1] - begin + 1;
	const struct symtab_place *at;

	/* the one that goes into the bucket begins before it */
	at = begin ? &symtab->places[begin - 1] : symtab->places;
	nr -= begin == 0;
	while (nr > 1) {
		uint32_t half = nr / 2;

		at += at[half].lo <= address ? half : 0;
		nr -= half;
	}
	return (uint32_t)(at - symtab->places);
}

/* The first symbol of the place that goes so far. */
static const struct symtab_symbol *holder(const struct symtab *symtab,
					  const struct symtab_place *place, uint64_t address)
{
	uint32_t end = place[1].first;

	if (end - place->first > ALIASES_MAX)
		end = place->first + ALIASES_MAX;
	for (uint32_t i = place->first; i < end; i++)
		if (address < symtab->list[i].hi)
			return &symtab->list[i];
	return NULL;
}

const struct symtab_symbol *symtab_find(const struct symtab *symtab, uint64_t address)
{
	const struct symtab_symbol *closest;
	uint32_t place;

	if (symtab->places_nr == 0 || address < symtab->places[0].lo)
		return NULL;
	place = place_of(symtab, address);
	for (uint32_t steps = 0; steps <= SYMTAB_ENCLOSING_MAX && steps <= place; steps++) {
		const struct symtab_place *at = &symtab->places[place - steps];
		const struct symtab_symbol *symbol;

		if (at->reach <= address)
			break;
		symbol = holder(symtab, at, address);
		if (symbol)
			return symbol;
	}
	closest = &symtab->list[symtab->places[place].first];
	return address >= closest->hi && address - closest->hi < closest->padding ? closest : NULL;
}

uint32_t symtab_aliases(const struct symtab *symtab, const struct symtab_symbol *symbol,
			const struct symtab_symbol **ret_first)
{
	const struct symtab_place *place = &symtab->places[place_of(symtab, symbol->lo)];

	*ret_first = &symtab->list[place->first];
	return place[1].first - place->first;
}

bool symtab_address(const struct symtab *symtab, const char *name, uint64_t *ret)
{
	for (uint32_t i = 0; i < symtab->nr; i++) {
		if (strcmp(symtab->list[i].name, name) != 0)
			continue;
		*ret = symtab->list[i].lo;
		return true;
	}
	return false;
}

const char *symtab_source_word(enum symtab_source source)
{
	static const char *const words[] = {
		[SYMTAB_FULL] = "symtab",
		[SYMTAB_MINI] = "minidebuginfo",
		[SYMTAB_DYNAMIC] = "dynsym",
		[SYMTAB_PLT] = "plt",
	};

	return words[source];
}
