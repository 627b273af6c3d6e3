/* module_names.c - all addresses of one module named at once, from its files */
#include "symbols/module_names.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "binaries/elf_file.h"
#include "symbols/answer.h"
#include "symbols/debug_image.h"
#include "symbols/debug_sections.h"
#include "symbols/demangle.h"
#include "symbols/dwarf_names.h"
#include "symbols/function_origin.h"
#include "symbols/kernel.h"
#include "symbols/symtab.h"

/* A file as libelf sees it. */
struct opened {
	int fd;
	Elf *elf; /* NULL: not opened */
};

/* An address while it is looked up. */
struct lookup {
	uint64_t vaddr;	  /* of the call, in the file */
	uint64_t landing; /* the address itself, which a signal handler returns to */
	uint32_t index;	  /* in the list of addresses */
	bool is_found;	  /* in code of the file */
};

struct found_chain {
	size_t first; /* in frames */
	uint32_t nr;
};

struct finder {
	const struct module_files *files;
	struct answer *answer;
	struct elf_file file; /* of the one that addresses are looked up by */
	struct opened binary, debug;
	struct symtab symtab;
	struct lookup *lookups; /* by vaddr */
	uint32_t nr;
	uint64_t *vaddrs; /* distinct, rising */
	size_t vaddrs_nr;
	struct found_chain *chains;  /* per vaddr */
	struct answer_frame *frames; /* outermost first; the outermost without its symbol */
	size_t frames_nr, frames_alloc;
	uint32_t *shown; /* per raw name: the shown one, NAME_NONE: not yet */
	size_t shown_nr, shown_alloc;
	const char
		*declared_in; /* file that was asked for last, as DWARF's strings have it; NULL */
	uint8_t origin;	      /* of its functions */
	struct text text;
};

static struct opened open_elf(const char *path)
{
	struct opened opened = {.fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1};

	if (opened.fd >= 0)
		opened.elf = elf_begin(opened.fd, ELF_C_READ_MMAP, NULL);
	return opened;
}

static void close_elf(struct opened *opened)
{
	if (opened->elf)
		elf_end(opened->elf);
	if (opened->fd >= 0)
		close(opened->fd);
}

static void add_unsupported(struct finder *finder, const char *what)
{
	struct text *text = &finder->answer->unsupported;

	text_addf(text, "%s%s", text->size ? "; " : "", what);
}

/* ---- addresses */

static int compare_lookups(const void *a, const void *b)
{
	const struct lookup *x = a, *y = b;

	if (x->is_found != y->is_found)
		return x->is_found ? -1 : 1;
	if (x->vaddr != y->vaddr)
		return x->vaddr < y->vaddr ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static bool address_of(const struct finder *finder, uint64_t offset, uint64_t slide, uint64_t *ret)
{
	if (finder->files->reference || finder->files->has_vaddrs)
		*ret = offset - slide;
	else if (!elf_file_address(&finder->file, offset, finder->files->map_offset, ret))
		return false;
	return elf_file_is_text(&finder->file, *ret);
}

static void take_addresses(struct finder *finder, const struct module_address *addresses,
			   uint64_t slide)
{
	finder->lookups = mem_alloc(finder->nr * sizeof(*finder->lookups));
	for (uint32_t i = 0; i < finder->nr; i++) {
		struct lookup *lookup = &finder->lookups[i];

		*lookup = (struct lookup){.index = i};
		/* a call may be the last instruction of its section */
		lookup->is_found = address_of(finder, addresses[i].offset - addresses[i].is_return,
					      slide, &lookup->vaddr);
		lookup->landing = lookup->vaddr + addresses[i].is_return;
		finder->answer->outside += !lookup->is_found;
	}
	qsort(finder->lookups, finder->nr, sizeof(*finder->lookups), compare_lookups);
	finder->vaddrs = mem_alloc(finder->nr * sizeof(*finder->vaddrs));
	for (uint32_t i = 0; i < finder->nr && finder->lookups[i].is_found; i++)
		if (!i || finder->lookups[i].vaddr != finder->lookups[i - 1].vaddr)
			finder->vaddrs[finder->vaddrs_nr++] = finder->lookups[i].vaddr;
	finder->chains = mem_zalloc(finder->vaddrs_nr, sizeof(*finder->chains));
}

/* ---- names */

/* The id of a raw name as it is shown: demangled once, however often it occurs. */
static uint32_t shown_name(struct finder *finder, uint32_t raw)
{
	struct names *names = &finder->answer->names;
	uint32_t shown;

	while (finder->shown_nr <= raw) {
		GROW(finder->shown, finder->shown_nr + 1, finder->shown_alloc);
		finder->shown[finder->shown_nr++] = NAME_NONE;
	}
	if (finder->shown[raw] != NAME_NONE)
		return finder->shown[raw];
	text_clear(&finder->text);
	demangle_display(names_get(names, raw)->bytes, &finder->text);
	shown = names_add(names, text_string(&finder->text), finder->text.size);
	finder->shown[raw] = shown;
	return shown;
}

/* Frames that follow each other are mostly of one file, which lives as long as all frames. */
static uint8_t origin_of(struct finder *finder, const char *path)
{
	if (path != finder->declared_in) {
		finder->declared_in = path;
		finder->origin = (uint8_t)function_origin(path);
	}
	return finder->origin;
}

static void add_dwarf_frame(struct finder *finder, const struct dwarf_frame *from)
{
	struct names *names = &finder->answer->names;
	struct answer_frame frame = {
		.raw_name = NAME_NONE,
		.name = NAME_NONE,
		.file = from->file ? names_add_string(names, from->file) : NAME_NONE,
		.line = from->line,
		.is_inlined = from->is_inlined,
		.source = ANSWER_DWARF,
		.origin = origin_of(finder, from->decl_file ? from->decl_file : from->file),
	};

	if (from->raw_name) {
		frame.raw_name = names_add_string(names, from->raw_name);
		frame.name =
			from->is_linkage_name ? shown_name(finder, frame.raw_name) : frame.raw_name;
	}
	GROW(finder->frames, finder->frames_nr + 1, finder->frames_alloc);
	finder->frames[finder->frames_nr++] = frame;
}

static void on_chain(void *context, size_t at, const struct dwarf_frame *frames, size_t frames_nr)
{
	struct finder *finder = context;

	finder->chains[at] = (struct found_chain){finder->frames_nr, (uint32_t)frames_nr};
	while (frames_nr)
		add_dwarf_frame(finder, &frames[--frames_nr]);
}

static void tell_facts(struct finder *finder, const struct dwarf_facts *facts)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;

	for (int i = 0; i < DWARF_FACTS_NR; i++) {
		if (!facts->nr[i])
			continue;
		text_clear(&text);
		text_add(&text, dwarf_fact_text(i));
		if (facts->first[i][0])
			text_addf(&text, " (%s)", facts->first[i]);
		add_unsupported(finder, text_string(&text));
	}
}

static void use_dwarf(struct finder *finder, Dwarf *dwarf)
{
	struct dwarf_names *names = dwarf_names_new(dwarf);
	struct opened alt = open_elf(finder->files->alt);
	Dwarf *alt_dwarf = alt.elf ? dwarf_begin_elf(alt.elf, DWARF_C_READ, NULL) : NULL;
	unsigned flags = DWARF_NAMES_LINES | DWARF_NAMES_DECLS;

	if (alt_dwarf)
		dwarf_setalt(dwarf, alt_dwarf);
	if (finder->files->wants_inlined)
		flags |= DWARF_NAMES_INLINES;
	dwarf_names_resolve(names, finder->vaddrs, finder->vaddrs_nr, flags, on_chain, finder);
	tell_facts(finder, dwarf_names_facts(names));
	dwarf_names_free(names);
	if (alt_dwarf) {
		dwarf_setalt(dwarf, NULL);
		dwarf_end(alt_dwarf);
	}
	close_elf(&alt);
}

static void read_dwarf(struct finder *finder)
{
	Elf *elf = finder->debug.elf ? finder->debug.elf : finder->binary.elf;
	struct dwarf_facts facts = {0};
	struct debug_image image;
	Dwarf *dwarf;

	if (!elf || !finder->vaddrs_nr)
		return;
	dwarf_names_check_elf(elf, &facts);
	tell_facts(finder, &facts);
	debug_sections_hide(elf);
	if (debug_image_make(elf, &image))
		elf = image.elf;
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (dwarf)
		use_dwarf(finder, dwarf);
	dwarf_end(dwarf);
	debug_image_release(&image);
}

static uint8_t source_of(const struct symtab_symbol *symbol)
{
	switch ((enum symtab_source)symbol->source) {
	case SYMTAB_PLT:
		return ANSWER_PLT;
	case SYMTAB_DYNAMIC:
		return ANSWER_DYNSYM;
	case SYMTAB_FULL:
	case SYMTAB_MINI:
		break;
	}
	return ANSWER_SYMTAB;
}

static bool is_behind_padding(const struct finder *finder, const struct lookup *lookup)
{
	const struct symtab_symbol *before = symtab_find(&finder->symtab, lookup->vaddr);

	return before && before->lo != lookup->landing && kernel_is_padding(before->name);
}

/*
 * What a signal handler returns to was never called: it begins where the address points to. So
 * does a function that was interrupted at its first instruction, behind the kernel's padding.
 */
static const struct symtab_symbol *symbol_of(const struct finder *finder,
					     const struct lookup *lookup)
{
	const struct symtab_symbol *symbol = symtab_find(&finder->symtab, lookup->landing);

	if (lookup->landing != lookup->vaddr && symbol && symbol->lo == lookup->landing &&
	    (strcmp(symbol->name, "__restore_rt") == 0 ||
	     strcmp(symbol->name, "__kernel_rt_sigreturn") == 0 ||
	     is_behind_padding(finder, lookup)))
		return symbol;
	return symtab_find(&finder->symtab, lookup->vaddr);
}

/* The symbol table's word for the outermost function of a chain, or for the only one. */
static void add_symbol(struct finder *finder, const struct symtab_symbol *symbol,
		       struct answer_frame frame)
{
	struct names *names = &finder->answer->names;

	if (symbol) {
		frame.raw_name = names_add_string(names, symbol->name);
		frame.name = shown_name(finder, frame.raw_name);
	}
	if (frame.name != NAME_NONE)
		answer_add(finder->answer, &frame);
}

static void answer_lookup(struct finder *finder, const struct lookup *lookup, size_t vaddr)
{
	const struct symtab_symbol *symbol = symbol_of(finder, lookup);
	const struct found_chain *chain = &finder->chains[vaddr];
	struct answer_frame plain = {
		.raw_name = NAME_NONE,
		.name = NAME_NONE,
		.file = NAME_NONE,
		.source = symbol ? source_of(symbol) : ANSWER_SYMTAB,
	};

	if (!chain->nr ||
	    (symbol && symbol->lo == lookup->landing && lookup->landing != lookup->vaddr)) {
		add_symbol(finder, symbol, plain);
		return;
	}
	add_symbol(finder, symbol, finder->frames[chain->first]);
	for (uint32_t i = 1; i < chain->nr; i++) {
		const struct answer_frame *frame = &finder->frames[chain->first + i];

		if (frame->name != NAME_NONE)
			answer_add(finder->answer, frame);
	}
}

/* The lookups stand by vaddr, answers are given in the order of the addresses. */
static void answer_all(struct finder *finder)
{
	uint32_t *lookup_of = mem_alloc(finder->nr * sizeof(*lookup_of));
	uint32_t *vaddr_of = mem_zalloc(finder->nr, sizeof(*vaddr_of));
	uint32_t vaddr = 0;

	for (uint32_t i = 0; i < finder->nr; i++) {
		lookup_of[finder->lookups[i].index] = i;
		vaddr += i && finder->lookups[i].is_found &&
			 finder->lookups[i].vaddr != finder->lookups[i - 1].vaddr;
		vaddr_of[i] = vaddr;
	}
	for (uint32_t i = 0; i < finder->nr; i++) {
		const struct lookup *lookup = &finder->lookups[lookup_of[i]];

		if (lookup->is_found)
			answer_lookup(finder, lookup, vaddr_of[lookup_of[i]]);
		answer_end_address(finder->answer);
	}
	free(lookup_of);
	free(vaddr_of);
}

/* ---- all together */

static bool open_files(struct finder *finder)
{
	const struct module_files *files = finder->files;
	const char *path = files->file ? files->file : files->debug;
	struct error *err = elf_file_open(path, &finder->file);

	if (err) {
		add_unsupported(finder, error_text(err));
		error_free(err);
		return false;
	}
	finder->binary = open_elf(files->file);
	if (files->debug && (!files->file || strcmp(files->debug, files->file) != 0))
		finder->debug = open_elf(files->debug);
	return true;
}

static bool find_slide(struct finder *finder, uint64_t *ret)
{
	const struct module_files *files = finder->files;

	*ret = 0;
	if (!files->reference ||
	    kernel_slide(&finder->symtab, files->reference, files->reference_address, ret))
		return true;
	add_unsupported(finder, "the capture does not say where the kernel lay");
	return false;
}

static void find_names(struct finder *finder, const struct module_address *addresses)
{
	uint64_t slide;

	symtab_build(&finder->symtab, finder->binary.elf,
		     finder->debug.elf ? finder->debug.elf : finder->binary.elf);
	if (find_slide(finder, &slide)) {
		take_addresses(finder, addresses, slide);
		read_dwarf(finder);
		answer_all(finder);
	}
	symtab_release(&finder->symtab);
}

void module_names_find(const struct module_files *files, const struct module_address *addresses,
		       uint32_t nr, struct answer *ret)
{
	struct finder finder = {
		.files = files, .answer = ret, .nr = nr, .binary.fd = -1, .debug.fd = -1};

	*ret = (struct answer){0};
	elf_version(EV_CURRENT);
	if (open_files(&finder))
		find_names(&finder, addresses);
	while (ret->nr < nr)
		answer_end_address(ret);
	close_elf(&finder.binary);
	close_elf(&finder.debug);
	elf_file_close(&finder.file);
	free(finder.lookups);
	free(finder.vaddrs);
	free(finder.chains);
	free(finder.frames);
	free(finder.shown);
	text_release(&finder.text);
}
