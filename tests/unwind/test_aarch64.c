/* test_aarch64.c - stacks of aarch64: link registers, codes in pointers, signals, frame pointers */
#include "tests/test.h"

#include <dwarf.h>
#include <elf.h>

#include "base/mem.h"
#include "binaries/find.h"
#include "model/capture.h"
#include "model/details.h"
#include "model/spaces.h"
#include "tests/support/cfi_builder.h"
#include "tests/support/folder.h"
#include "unwind/unwind.h"

#define BASE  UINT64_C(0xaaaad0000000) /* where the file is mapped */
#define STACK UINT64_C(0xfffff0000000)

/* Authentication codes and tags lie above the 48 bits of an address. */
#define CODE UINT64_C(0x00a5000000000000)
#define TAG  UINT64_C(0xb400000000000000)

/* Functions of 0x100 bytes each, one behind the other. */
enum function {
	LEAF,	 /* calls nobody: its return address is in x30 */
	FRAMED,	 /* keeps x29 and x30, signed, and x19 */
	VARYING, /* the CFA counts from x29 */
	FIRST,	 /* has no caller */
	BARE,	 /* has no call-frame information, and keeps x29 and x30 */
	HANDLER, /* called by the kernel: returns to the trampoline */
	TRAMPOLINE,
	FUNCTIONS
};

enum {
	X19 = 19,
	FP = 29,
	LR = 30,
	SP = 31,
	PC = 32,
	REGISTERS,
	WORDS = 128
};

struct world {
	char *folder, *path;
	struct capture capture;
	struct space_map map;
	struct space_maps maps;
	struct space space;
	struct binaries *binaries;
	struct unwinder *unwinder;
	uint64_t registers[REGISTERS], stack[WORDS];
	size_t size; /* bytes of the stack */
	struct unwound unwound;
};

/* An address within a function, as the file counts them. */
static uint64_t in(enum function function, unsigned at)
{
	return CFI_TEXT + 0x100u * (unsigned)function + at;
}

/* The same where it ran. The segment's offset is its address. */
static uint64_t at(enum function function, unsigned offset)
{
	return BASE + in(function, offset) - CFI_TEXT;
}

static void add_functions(struct cfi_builder *builder)
{
	const uint8_t encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata4;

	cfi_builder_cie(builder, "zR", encoding, LR, BYTES(DW_CFA_def_cfa, SP, 0));
	cfi_builder_fde(builder, in(LEAF, 0), 0x100, NO_BYTES);
	cfi_builder_fde(builder, in(FRAMED, 0), 0x100,
			BYTES(0x2d /* DW_CFA_AARCH64_negate_ra_state */, DW_CFA_def_cfa_offset, 32,
			      DW_CFA_offset | FP, 4, DW_CFA_offset | LR, 3, DW_CFA_offset | X19,
			      2));
	cfi_builder_fde(
		builder, in(VARYING, 0), 0x100,
		BYTES(DW_CFA_def_cfa, FP, 16, DW_CFA_offset | FP, 2, DW_CFA_offset | LR, 1));
	cfi_builder_fde(builder, in(FIRST, 0), 0x100, BYTES(DW_CFA_undefined, LR));
	cfi_builder_fde(
		builder, in(HANDLER, 0), 0x100,
		BYTES(DW_CFA_def_cfa_offset, 16, DW_CFA_offset | FP, 2, DW_CFA_offset | LR, 1));
}

/* bl, and in the trampoline mov x8, #139; svc #0 */
static void add_code(struct text *code)
{
	static const char call[] = {0, 0, 0, (char)0x94};
	static const char trampoline[] = {0x68, 0x11, (char)0x80, (char)0xd2, 1, 0, 0, (char)0xd4};

	for (unsigned i = 0; i < FUNCTIONS * 0x100 / 4; i++)
		text_add_bytes(code, call, sizeof(call));
	memcpy(code->bytes + TRAMPOLINE * 0x100, trampoline, sizeof(trampoline));
}

static void write_file(struct world *world)
{
	CLEANUP(text_release) struct text code = TEXT_INIT;
	CLEANUP(text_release) struct text file = TEXT_INIT;
	CLEANUP(cfi_builder_release) struct cfi_builder builder = {.vaddr = CFI_EH_FRAME};

	add_functions(&builder);
	add_code(&code);
	cfi_file_build(&(struct cfi_kind){.machine = EM_AARCH64,
					  .eh_frame = &builder.bytes,
					  .code = &code},
		       &file);
	world->folder = folder_new();
	folder_put(world->folder, "program", file.bytes, file.size);
	world->path = folder_path(world->folder, "program");
}

static void world_init(struct world *world)
{
	static const struct binaries_options options = {.capture_path = NULL};

	*world = (struct world){.size = sizeof(world->stack)};
	write_file(world);
	world->map = (struct space_map){
		.begin = BASE,
		.end = BASE + CFI_TEXT_SIZE,
		.offset = CFI_TEXT,
		.module = modules_add(&world->capture.modules, &world->capture.names,
				      names_add_string(&world->capture.names, world->path)),
		.name = NAME_NONE,
	};
	world->maps = (struct space_maps){.list = &world->map, .nr = 1};
	world->space = (struct space){.maps = &world->maps, .version = 1};
	facts_add(&world->capture.facts, "arch", 4, "aarch64", 7);
	assert_null(binaries_new(&options, &world->binaries));
	world->unwinder = unwind_new(world->binaries);
	world->registers[SP] = STACK;
}

static void world_release(struct world *world)
{
	unwind_free(world->unwinder);
	binaries_free(world->binaries);
	capture_release(&world->capture);
	free(world->path);
	folder_remove(world->folder);
}

static struct bytes bytes_of(const void *bytes, size_t size)
{
	return (struct bytes){bytes, (const unsigned char *)bytes + size, false};
}

/* The frames must be at these addresses, and the last one say why it is. */
static void expect(struct world *world, const uint64_t *ips, uint32_t nr, enum unwind_stop stop)
{
	struct sample_user user = {
		.abi = 2,
		.mask = (UINT64_C(1) << REGISTERS) - 1,
		.regs = bytes_of(world->registers, sizeof(world->registers)),
		.stack = bytes_of(world->stack, world->size),
		.space = &world->space,
	};

	world->unwinder->unwind(world->unwinder, &world->capture, &world->space, &user,
				&world->unwound);
	for (uint32_t i = 0; i < world->unwound.nr && i < nr; i++)
		assert_int_equal(world->unwound.frames[i].ip, ips[i]);
	assert_int_equal(world->unwound.nr, nr);
	assert_int_equal(world->unwound.stop, stop);
}

#define IPS(...) (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8

static void a_leafs_caller_is_in_the_link_register(void **state)
{
	struct world world;

	(void)state;
	world_init(&world);
	world.registers[PC] = at(LEAF, 0x10);
	world.registers[LR] = CODE | at(FRAMED, 0x20);
	world.stack[1] = CODE | TAG | at(FIRST, 0x40);
	expect(&world, IPS(at(LEAF, 0x10), at(FRAMED, 0x20), at(FIRST, 0x40)), UNWIND_END);
	assert_int_equal(world.unwound.frames[0].found, FOUND_LEAF);
	assert_false(world.unwound.frames[0].is_return);
	assert_int_equal(world.unwound.frames[1].found, FOUND_CFI);
	assert_true(world.unwound.frames[1].is_return);
	assert_true(world.unwound.frames[2].is_return);
	world_release(&world);
}

/* Registers that were saved by one frame are what the next one counts from. */
static void a_frame_may_count_from_its_frame_pointer(void **state)
{
	struct world world;

	(void)state;
	world_init(&world);
	world.registers[PC] = at(FRAMED, 0x10);
	world.stack[0] = STACK + 8 * 20; /* x29 of VARYING */
	world.stack[1] = at(VARYING, 0x30);
	world.stack[20] = 0;
	world.stack[21] = CODE | at(FIRST, 0x8);
	expect(&world, IPS(at(FRAMED, 0x10), at(VARYING, 0x30), at(FIRST, 0x8)), UNWIND_END);
	/* a dump that ends before it says so */
	world.size = 8 * 21;
	expect(&world, IPS(at(FRAMED, 0x10), at(VARYING, 0x30)), UNWIND_TRUNCATED);
	world_release(&world);
}

/* A caller has given its link register away: the same again would go round for ever. */
static void a_link_register_is_believed_of_a_leaf_alone(void **state)
{
	struct world world;

	(void)state;
	world_init(&world);
	world.registers[PC] = at(LEAF, 0x10);
	world.registers[LR] = at(LEAF, 0x20);
	expect(&world, IPS(at(LEAF, 0x10), at(LEAF, 0x20)), UNWIND_BAD_CFA);
	world_release(&world);
}

static void what_a_signal_interrupted_is_a_leaf_again(void **state)
{
	const unsigned context = 2 + (128 + 176 + 8) / 8; /* words behind HANDLER's frame */
	struct world world;

	(void)state;
	world_init(&world);
	world.registers[PC] = at(HANDLER, 0x10);
	world.stack[1] = at(TRAMPOLINE, 0);
	world.stack[context + LR] = CODE | at(FRAMED, 0x20);
	world.stack[context + SP] = STACK + 8 * 100;
	world.stack[context + PC] = TAG | at(LEAF, 0x14);
	world.stack[101] = at(FIRST, 0x40);
	expect(&world,
	       IPS(at(HANDLER, 0x10), at(TRAMPOLINE, 0), at(LEAF, 0x14), at(FRAMED, 0x20),
		   at(FIRST, 0x40)),
	       UNWIND_END);
	assert_int_equal(world.unwound.frames[2].found, FOUND_SIGNAL);
	assert_false(world.unwound.frames[1].is_return);
	assert_false(world.unwound.frames[2].is_return);
	world_release(&world);
}

static void without_call_frame_information_frame_pointers_are_a_guess(void **state)
{
	struct world world;

	(void)state;
	world_init(&world);
	world.registers[PC] = at(BARE, 0x10);
	world.registers[FP] = STACK + 8 * 4;
	world.stack[4] = STACK + 8 * 8;
	world.stack[5] = CODE | at(BARE, 0x20);
	world.stack[8] = 0;
	world.stack[9] = CODE | at(FIRST, 0x20);
	expect(&world, IPS(at(BARE, 0x10), at(BARE, 0x20), at(FIRST, 0x20)), UNWIND_END);
	assert_int_equal(world.unwound.frames[1].found, FOUND_GUESS_FP);
	/* a word that is behind no call is none */
	world.stack[5] = BASE + CFI_TEXT_SIZE - 0x100;
	expect(&world, IPS(at(BARE, 0x10)), UNWIND_NO_CFI);
	world_release(&world);
}

/* The kernel's mask of a task of another machine: nothing of it fits. */
static void registers_that_are_missing_are_not_made_up(void **state)
{
	struct world world;
	struct sample_user user;

	(void)state;
	world_init(&world);
	user = (struct sample_user){
		.abi = 2,
		.mask = (UINT64_C(1) << PC) - 1,
		.regs = bytes_of(world.registers, 8 * PC),
		.stack = bytes_of(world.stack, world.size),
		.space = &world.space,
	};
	world.unwinder->unwind(world.unwinder, &world.capture, &world.space, &user, &world.unwound);
	assert_int_equal(world.unwound.stop, UNWIND_UNSUPPORTED);
	assert_int_equal(world.unwound.nr, 0);
	world_release(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_leafs_caller_is_in_the_link_register),
		cmocka_unit_test(a_frame_may_count_from_its_frame_pointer),
		cmocka_unit_test(a_link_register_is_believed_of_a_leaf_alone),
		cmocka_unit_test(what_a_signal_interrupted_is_a_leaf_again),
		cmocka_unit_test(without_call_frame_information_frame_pointers_are_a_guess),
		cmocka_unit_test(registers_that_are_missing_are_not_made_up),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
