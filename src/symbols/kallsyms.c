/* kallsyms.c - the kernel's own list of its functions, as /proc/kallsyms shows it */
#include "symbols/kallsyms.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/reader.h"

/* The kernel's own limit, KSYM_NAME_LEN, is 512. */
#define NAME_MAX_SIZE 4096

#define NAMES_MAX ((size_t)1 << 30)

/* What a line says: "ffffffffc0a01000 t ext4_init_fs\t[ext4]". */
struct line {
	uint64_t address;
	char type;
	const char *name, *module; /* module NULL: of the kernel */
	size_t name_size, module_size;
};

/* What is asked for, rising. */
struct wanted {
	const uint64_t *addresses; /* NULL: all */
	size_t nr;
	size_t next; /* the first that is not before the last function */
};

/* The functions of one address that stand together, the last that were read. */
struct group {
	size_t first;	   /* in kallsyms->list */
	size_t names_size; /* before them */
	bool is_kept;	   /* whatever comes behind them */
};

/* The file while it is read. */
struct reading {
	struct kallsyms *kallsyms;
	uint64_t functions, zeroes;
	uint32_t module; /* the one of the last line, which the next one mostly has, too */
	struct wanted wanted;
	struct group group;
};

void kallsyms_release(struct kallsyms *kallsyms)
{
	free(kallsyms->list);
	free(kallsyms->los);
	text_release(&kallsyms->names);
	*kallsyms = (struct kallsyms){0};
}

/* What each digit counts, and one; the kernel writes small letters. */
static const unsigned char digits[256] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};

static bool parse_address(const char **at, const char *end, uint64_t *ret)
{
	const char *begin = *at, *next = begin;
	uint64_t address = 0;
	unsigned digit;

	while (next < end && (digit = digits[(unsigned char)*next])) {
		address = address << 4 | (digit - 1);
		next++;
	}
	*at = next;
	*ret = address;
	return next > begin && next - begin <= 16;
}

static bool parse_line(const char *at, size_t size, struct line *ret)
{
	const char *end = at + size, *tab;

	*ret = (struct line){0};
	if (!parse_address(&at, end, &ret->address))
		return false;
	if (end - at < 4 || at[0] != ' ' || at[2] != ' ' || memchr(at, '\0', (size_t)(end - at)))
		return false;
	ret->type = at[1];
	ret->name = at + 3;
	tab = memchr(ret->name, '\t', (size_t)(end - ret->name));
	ret->name_size = (size_t)((tab ? tab : end) - ret->name);
	if (tab && end - tab > 3 && tab[1] == '[' && end[-1] == ']') {
		ret->module = tab + 2;
		ret->module_size = (size_t)(end - 1 - ret->module);
	} else if (tab) {
		return false;
	}
	return ret->name_size > 0 && ret->name_size <= NAME_MAX_SIZE &&
	       ret->module_size <= NAME_MAX_SIZE;
}

static uint32_t add_name(struct kallsyms *kallsyms, const char *name, size_t size)
{
	uint32_t at = (uint32_t)kallsyms->names.size;

	text_add_bytes(&kallsyms->names, name, size);
	text_add_char(&kallsyms->names, '\0');
	return at;
}

static bool is_same(const char *known, const char *name, size_t size)
{
	return strlen(known) == size && memcmp(known, name, size) == 0;
}

static uint32_t module_of(struct reading *reading, const struct line *line)
{
	struct kallsyms *kallsyms = reading->kallsyms;

	if (!line->module)
		return KALLSYMS_KERNEL;
	if (reading->module == KALLSYMS_KERNEL ||
	    !is_same(kallsyms->names.bytes + reading->module, line->module, line->module_size))
		reading->module = add_name(kallsyms, line->module, line->module_size);
	return reading->module;
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/*
 * The lower of two at one address is the one to show: marks of where text begins, and what stands
 * before a function for the sake of tracing and type checks, only where there is nothing else.
 */
static unsigned rank_of(const struct kallsyms_symbol *symbol, const char *name)
{
	bool is_mark = strcmp(name, "_text") == 0 || strcmp(name, "_stext") == 0 ||
		       begins(name, "__pfx_") || begins(name, "__cfi_") || begins(name, "__pi_");
	unsigned bind = symbol->type == 'T' ? 0 : symbol->type == 't' ? 2 : 1;
	size_t underscores = strspn(name, "_");

	if (underscores > 15)
		underscores = 15;
	return is_mark << 15 | bind << 11 | (unsigned)underscores << 7 |
	       (strchr(name, '.') != NULL) << 6;
}

/* Addresses that others are measured by; their types differ between architectures. */
static void remember(struct kallsyms *kallsyms, const struct line *line)
{
	if (line->module || line->name[0] != '_')
		return;
	if (is_same("_text", line->name, line->name_size))
		kallsyms->text = line->address;
	else if (is_same("_stext", line->name, line->name_size))
		kallsyms->stext = line->address;
	else if (is_same("_etext", line->name, line->name_size))
		kallsyms->etext = line->address;
}

/* ---- what is asked for */

static void find_wanted(struct wanted *wanted, uint64_t address)
{
	size_t nr = wanted->nr;

	wanted->next = 0;
	while (nr) {
		size_t half = nr / 2;

		if (wanted->addresses[wanted->next + half] < address) {
			wanted->next += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
}

static void forget_group(struct reading *reading)
{
	struct kallsyms *kallsyms = reading->kallsyms;
	const struct group *group = &reading->group;

	kallsyms->nr = group->first;
	kallsyms->names.size = group->names_size;
	if (reading->module != KALLSYMS_KERNEL && reading->module >= group->names_size)
		reading->module = KALLSYMS_KERNEL; /* its name went, too */
}

/*
 * As long as addresses rise, a group is needed where an address is asked for before the next one,
 * or before itself, since there the one before it ends. Where they stop rising nothing is known of
 * the next one, and where they begin to nothing of the one before. Modules stand in any order,
 * but that makes it no less true: what lies between two groups needs neither.
 */
static void begin_group(struct reading *reading, uint64_t lo)
{
	struct kallsyms *kallsyms = reading->kallsyms;
	struct wanted *wanted = &reading->wanted;
	uint64_t last = kallsyms->nr ? kallsyms->list[kallsyms->nr - 1].lo : 0;
	bool is_asked = true;

	if (!wanted->addresses || (kallsyms->nr && lo == last))
		return;
	if (kallsyms->nr && lo > last) {
		is_asked = wanted->next < wanted->nr && wanted->addresses[wanted->next] < lo;
		while (wanted->next < wanted->nr && wanted->addresses[wanted->next] < lo)
			wanted->next++;
		if (!is_asked && !reading->group.is_kept)
			forget_group(reading);
	} else {
		find_wanted(wanted, lo);
	}
	reading->group = (struct group){kallsyms->nr, kallsyms->names.size, is_asked};
}

static void take_line(struct reading *reading, const char *at, size_t size)
{
	struct kallsyms *kallsyms = reading->kallsyms;
	struct kallsyms_symbol symbol;
	struct line line;

	if (!parse_line(at, size, &line)) {
		kallsyms->lines_bad++;
		return;
	}
	remember(kallsyms, &line);
	if ((line.type | 0x20) != 't' && (line.type | 0x20) != 'w')
		return;
	reading->functions++;
	reading->zeroes += line.address == 0;
	/* _etext is where functions end, and no function */
	if (!line.module && is_same("_etext", line.name, line.name_size))
		return;
	begin_group(reading, line.address);
	symbol = (struct kallsyms_symbol){
		.lo = line.address,
		.module = module_of(reading, &line),
		.type = line.type,
	};
	symbol.name = add_name(kallsyms, line.name, line.name_size);
	GROW(kallsyms->list, kallsyms->nr + 1, kallsyms->alloc);
	kallsyms->list[kallsyms->nr++] = symbol;
}

static int compare(const void *a, const void *b, void *names)
{
	const struct kallsyms_symbol *x = a, *y = b;
	const struct text *text = names;
	const char *x_name, *y_name;
	unsigned x_rank, y_rank;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	x_name = text->bytes + x->name;
	y_name = text->bytes + y->name;
	x_rank = rank_of(x, x_name);
	y_rank = rank_of(y, y_name);
	if (x_rank != y_rank)
		return x_rank < y_rank ? -1 : 1;
	return strcmp(x_name, y_name);
}

static bool is_one_module(const struct kallsyms *kallsyms, const struct kallsyms_symbol *a,
			  const struct kallsyms_symbol *b)
{
	const char *x = kallsyms_module(kallsyms, a), *y = kallsyms_module(kallsyms, b);

	return x && y ? x == y || strcmp(x, y) == 0 : x == y;
}

/* The next one's beginning; the last of a module, or of all, is taken to be short. */
static uint64_t end_of(const struct kallsyms *kallsyms, size_t i)
{
	const struct kallsyms_symbol *symbol = &kallsyms->list[i];
	bool is_last = i + 1 == kallsyms->nr;
	uint64_t end = is_last ? UINT64_MAX : symbol[1].lo, limit;

	if ((is_last || !is_one_module(kallsyms, symbol, symbol + 1)) &&
	    !__builtin_add_overflow(symbol->lo, (uint64_t)KALLSYMS_LAST_MAX, &limit) && end > limit)
		end = limit;
	if (symbol->lo < kallsyms->etext && end > kallsyms->etext)
		end = kallsyms->etext;
	return end;
}

/*
 * The kernel's own functions come in order, but for the names of one address: what is out of
 * place goes to it, as long as that is little. False where it is not; some are in order then.
 */
static bool sort_little(struct kallsyms *kallsyms)
{
	struct kallsyms_symbol *list = kallsyms->list;
	size_t moves = 0;

	for (size_t i = 1; i < kallsyms->nr; i++) {
		for (size_t at = i; at && compare(&list[at - 1], &list[at], &kallsyms->names) > 0;
		     at--) {
			struct kallsyms_symbol swap = list[at];

			list[at] = list[at - 1];
			list[at - 1] = swap;
			if (++moves > kallsyms->nr)
				return false;
		}
	}
	return true;
}

static void seal(struct kallsyms *kallsyms)
{
	size_t kept = 0;

	if (!sort_little(kallsyms))
		qsort_r(kallsyms->list, kallsyms->nr, sizeof(*kallsyms->list), compare,
			&kallsyms->names);
	for (size_t i = 0; i < kallsyms->nr; i++)
		if (kept == 0 || kallsyms->list[kept - 1].lo != kallsyms->list[i].lo)
			kallsyms->list[kept++] = kallsyms->list[i];
	kallsyms->nr = kept;
	kallsyms->los = mem_alloc((kept + 1) * sizeof(*kallsyms->los));
	for (size_t i = 0; i < kept; i++) {
		kallsyms->list[i].hi = end_of(kallsyms, i);
		kallsyms->los[i] = kallsyms->list[i].lo;
	}
}

static struct error *read_lines(struct reading *reading, struct reader *reader)
{
	struct kallsyms *kallsyms = reading->kallsyms;
	struct error *err;
	char *line;
	size_t size;

	for (;;) {
		err = reader_line(reader, &line, &size);
		if (err || !line)
			return err;
		take_line(reading, line, size);
		if (reading->functions > KALLSYMS_MAX || kallsyms->names.size > NAMES_MAX)
			return error_new(ERROR_LIMIT, "'%s' has more than %u functions",
					 reader->name, KALLSYMS_MAX);
	}
}

static struct error *check(const struct reading *reading, const struct reader *reader)
{
	if (reader_damage(reader))
		return error_new(ERROR_INPUT, "'%s': %s", reader->name, reader_damage(reader));
	if (reading->functions == 0)
		return error_new(
			ERROR_INPUT,
			"'%s' is no kallsyms, expected lines like 'ffffffff81000000 T _text'",
			reader->name);
	if (reading->functions == reading->zeroes)
		return error_hint(
			error_new(ERROR_INPUT,
				  "'%s' has no addresses: kernel.kptr_restrict hid them all",
				  reader->name),
			"on the machine that recorded: sudo cat /proc/kallsyms >kallsyms");
	return NULL;
}

struct error *kallsyms_read(struct kallsyms *ret, const char *path)
{
	return kallsyms_read_for(ret, path, NULL, 0);
}

struct error *kallsyms_read_for(struct kallsyms *ret, const char *path, const uint64_t *addresses,
				size_t nr)
{
	struct reading reading = {
		.kallsyms = ret,
		.module = KALLSYMS_KERNEL,
		.wanted = {.addresses = addresses, .nr = nr},
	};
	struct reader *reader = NULL;
	struct error *err;

	*ret = (struct kallsyms){0};
	err = reader_open(path, &reader);
	if (err)
		return err;
	err = read_lines(&reading, reader);
	if (!err)
		err = check(&reading, reader);
	reader_close(reader);
	if (err) {
		kallsyms_release(ret);
		return err;
	}
	seal(ret);
	return NULL;
}

/* The last that begins at or before the address; nr where none does. */
static size_t last_before(const struct kallsyms *kallsyms, uint64_t address)
{
	const uint64_t *at = kallsyms->los;
	size_t nr = kallsyms->nr;

	if (nr == 0 || address < at[0])
		return nr;
	while (nr > 1) {
		size_t half = nr / 2;

		at += at[half] <= address ? half : 0;
		nr -= half;
	}
	return (size_t)(at - kallsyms->los);
}

void kallsyms_cut(struct kallsyms *kallsyms, uint64_t end)
{
	size_t i = end ? last_before(kallsyms, end - 1) : kallsyms->nr;

	if (i < kallsyms->nr && kallsyms->list[i].hi > end)
		kallsyms->list[i].hi = end;
}

bool kallsyms_slide(const struct kallsyms *kallsyms, const char *reference, uint64_t address,
		    uint64_t *ret)
{
	uint64_t own = 0;

	if (strcmp(reference, "_text") == 0)
		own = kallsyms->text;
	else if (strcmp(reference, "_stext") == 0)
		own = kallsyms->stext;
	if (own == 0 || address == 0)
		return false;
	*ret = address - own;
	return true;
}

const struct kallsyms_symbol *kallsyms_find(const struct kallsyms *kallsyms, uint64_t address)
{
	size_t i = last_before(kallsyms, address);

	return i < kallsyms->nr && address < kallsyms->list[i].hi ? &kallsyms->list[i] : NULL;
}
