/* fuzz_stack.c - any bytes as registers and stack of a thread, of x86-64 and of aarch64 */
#include <dwarf.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "binaries/find.h"
#include "model/capture.h"
#include "model/details.h"
#include "model/spaces.h"
#include "tests/fuzz/replay.h"
#include "tests/support/cfi_builder.h"
#include "unwind/unwind.h"

/*
 * The first byte chooses the machine; then come its registers, and all that is left is the stack.
 * Words whose three highest bits are 1 and 2 become addresses of code and of the stack, so that
 * chains come about: loops, frames that refer to themselves, a CFA anywhere. The code has rules of
 * every kind, and stands in a file in memory.
 */
#define CODE  UINT64_C(0x555500000000)
#define STACK UINT64_C(0x7ffc00000000)

enum {
	X86_64,
	AARCH64,
	MACHINES
};

struct machine {
	const char *arch;
	uint16_t elf;
	uint64_t mask; /* of registers, as perf asks for them */
};

static const struct machine machines[MACHINES] = {
	[X86_64] = {"x86_64", EM_X86_64, 0xff0fff},
	[AARCH64] = {"aarch64", EM_AARCH64, 0x1ffffffff},
};

/* ---- the code */

#define FUNCTION_SIZE 0x100u

static void add_function(struct cfi_builder *builder, unsigned *nr, const uint8_t *program,
			 size_t size)
{
	cfi_builder_fde(builder, CFI_TEXT + FUNCTION_SIZE * (*nr)++, FUNCTION_SIZE, program, size);
}

/* Registers by number: 6, 7 and 3 of x86-64 are rbp, rsp and rbx. */
static void add_x86(struct cfi_builder *builder, unsigned *nr)
{
	cfi_builder_usual_cie(builder);
	add_function(builder, nr, NO_BYTES);
	add_function(builder, nr,
		     BYTES(DW_CFA_def_cfa, 6, 16, DW_CFA_offset | 6, 2, DW_CFA_offset | 3, 3));
	add_function(builder, nr, BYTES(DW_CFA_def_cfa, 3, 8, DW_CFA_offset | 3, 2));
	add_function(builder, nr, BYTES(DW_CFA_def_cfa_offset, 0xff, 0xff, 0x7f));
	add_function(builder, nr, BYTES(DW_CFA_undefined, 16));
	/* what is at rbp - 8; then with a register that counts from rbp */
	add_function(builder, nr,
		     BYTES(DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref,
			   DW_CFA_expression, 6, 2, DW_OP_breg6, 0));
	/* rsp + (rip & 15 >= 11) * 8 + 8, as a linker writes it */
	add_function(builder, nr,
		     BYTES(DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0,
			   DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl,
			   DW_OP_plus));
	/* round and round, until it is too much */
	add_function(builder, nr,
		     BYTES(DW_CFA_def_cfa_expression, 4, DW_OP_lit0, DW_OP_skip, 0xfc, 0xff));
	/* the value itself at the value, and the return address where rbx points to */
	add_function(builder, nr,
		     BYTES(DW_CFA_def_cfa_expression, 5, DW_OP_breg3, 0, DW_OP_deref, DW_OP_deref,
			   DW_OP_deref, DW_CFA_val_expression, 16, 3, DW_OP_breg3, 0, DW_OP_deref));
	cfi_builder_cie(builder, "zRS", DW_EH_PE_pcrel | DW_EH_PE_sdata4, 16,
			BYTES(DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1));
	add_function(builder, nr, BYTES(DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 0, DW_OP_deref));
	add_function(builder, nr, NO_BYTES);
}

static void add_arm(struct cfi_builder *builder, unsigned *nr)
{
	cfi_builder_cie(builder, "zR", DW_EH_PE_pcrel | DW_EH_PE_sdata4, 30,
			BYTES(DW_CFA_def_cfa, 31, 0));
	add_function(builder, nr, NO_BYTES);
	add_function(builder, nr,
		     BYTES(0x2d, DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 29, 4,
			   DW_CFA_offset | 30, 3, DW_CFA_offset | 19, 2));
	add_function(builder, nr,
		     BYTES(DW_CFA_def_cfa, 29, 16, DW_CFA_offset | 29, 2, DW_CFA_offset | 30, 1));
	add_function(builder, nr, BYTES(DW_CFA_def_cfa, 19, 0, DW_CFA_offset | 30, 1));
	add_function(builder, nr, BYTES(DW_CFA_register, 30, 19));
	add_function(builder, nr, BYTES(DW_CFA_undefined, 30));
	add_function(builder, nr,
		     BYTES(DW_CFA_def_cfa_expression, 3, DW_OP_breg29, 0, DW_OP_deref,
			   DW_CFA_expression, 30, 2, DW_OP_breg29, 8));
}

/* Each place is behind a call, so that guesses are believed; the last function is a trampoline. */
static void add_code(struct text *code, int kind)
{
	static const char x86[] = "\x48\xc7\xc0\x0f\0\0\0\x0f\x05";
	static const char arm[] = "\x68\x11\x80\xd2\x01\0\0\xd4";
	size_t size = CFI_TEXT_SIZE / 2;

	for (size_t i = 0; i < size; i++)
		text_add_char(code, kind == X86_64 ? (char)0xe8 : i % 4 == 3 ? (char)0x94 : 0);
	memcpy(code->bytes + size - FUNCTION_SIZE, kind == X86_64 ? x86 : arm,
	       kind == X86_64 ? sizeof(x86) - 1 : sizeof(arm) - 1);
}

/* The path of a file in memory, which is never closed. */
static const char *write_file(int kind)
{
	static char paths[MACHINES][64];
	CLEANUP(text_release) struct text code = TEXT_INIT;
	CLEANUP(text_release) struct text file = TEXT_INIT;
	CLEANUP(cfi_builder_release) struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};
	int fd = memfd_create("stack", MFD_CLOEXEC);
	unsigned nr = 0;

	if (kind == X86_64)
		add_x86(&builder, &nr);
	else
		add_arm(&builder, &nr);
	add_code(&code, kind);
	cfi_file_build(&(struct cfi_kind){.machine = machines[kind].elf,
					  .eh_frame = &builder.bytes,
					  .code = &code},
		       &file);
	if (fd < 0 || write(fd, file.bytes, file.size) != (ssize_t)file.size)
		abort();
	snprintf(paths[kind], sizeof(paths[kind]), "/proc/self/fd/%d", fd);
	return paths[kind];
}

/* ---- a thread */

struct world {
	struct capture capture;
	struct space_map map;
	struct space_maps maps;
	struct space space;
	struct binaries *binaries;
	struct unwinder *unwinder;
};

static void world_init(struct world *world, int kind)
{
	static const struct binaries_options options = {.only_given = true};
	const char *path = write_file(kind);

	world->map = (struct space_map){
		.begin = CODE,
		.end = CODE + CFI_TEXT_SIZE,
		.offset = CFI_TEXT,
		.module = modules_add(&world->capture.modules, &world->capture.names,
				      names_add_string(&world->capture.names, path)),
		.name = NAME_NONE,
	};
	world->maps = (struct space_maps){.list = &world->map, .nr = 1};
	world->space = (struct space){.maps = &world->maps, .version = 1};
	facts_add(&world->capture.facts, "arch", 4, machines[kind].arch,
		  strlen(machines[kind].arch));
	if (binaries_new(&options, &world->binaries))
		abort();
	world->unwinder = unwind_new(world->binaries);
}

/* One for each machine, as long as the process lives. */
static struct world *world_of(int kind)
{
	static struct world *worlds[MACHINES];

	if (!worlds[kind]) {
		worlds[kind] = mem_zalloc(1, sizeof(*worlds[kind]));
		world_init(worlds[kind], kind);
	}
	return worlds[kind];
}

static void make_addresses(uint64_t *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (words[i] >> 61 == 1)
			words[i] = CODE + words[i] % CFI_TEXT_SIZE;
		else if (words[i] >> 61 == 2)
			words[i] = STACK + words[i] % 4096;
	}
}

static struct bytes bytes_of(const void *at, size_t size)
{
	return (struct bytes){at, (const unsigned char *)at + size, false};
}

/* Chains end, and hold nothing that is not mapped. */
static void check(const struct unwound *unwound)
{
	if (unwound->nr > UNWIND_FRAMES_MAX || unwound->stop >= UNWIND_STOP_NR)
		abort();
	for (uint32_t i = 1; i < unwound->nr; i++)
		if (unwound->frames[i].ip - CODE > CFI_TEXT_SIZE ||
		    unwound->frames[i].found >= FOUND_NOTHING)
			abort();
}

static void walk(int kind, uint64_t *words, size_t nr)
{
	static struct unwound unwound;
	const struct machine *machine = &machines[kind];
	struct world *world = world_of(kind);
	size_t registers = (size_t)__builtin_popcountll(machine->mask);
	struct sample_user user = {.abi = 2, .mask = machine->mask, .space = &world->space};

	if (nr < registers)
		registers = nr;
	user.regs = bytes_of(words, registers * 8);
	user.stack = bytes_of(words + registers, (nr - registers) * 8);
	world->unwinder->unwind(world->unwinder, &world->capture, &world->space, &user, &unwound);
	check(&unwound);
}

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
	uint64_t words[4096];
	size_t nr;

	if (!size)
		return 0;
	nr = (size - 1) / 8 < ARRAY_NR(words) ? (size - 1) / 8 : ARRAY_NR(words);
	memcpy(words, at + 1, nr * 8);
	make_addresses(words, nr);
	walk(at[0] % MACHINES, words, nr);
	return 0;
}
