/* test_callsites.c - every form of a call, and code that was moved */
#include "tests/test.h"

#include <elf.h>

#include "base/mem.h"
#include "binaries/callsites.h"
#include "binaries/elf_file.h"
#include "tests/support/elf_builder.h"

#define VADDR 0x5000u

/* Is there a call right before the end of these bytes, in a file for the machine? */
static bool is_call(uint16_t machine, const char *bytes, size_t size)
{
	struct elf_builder builder = {.type = ET_DYN, .machine = machine};
	struct text whole = TEXT_INIT;
	struct elf_file file;
	struct error *err;
	uint64_t ret = VADDR + size;
	size_t ok, total;

	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, VADDR,
			    bytes, size)
		->offset = 0x200;
	elf_builder_segment(&builder, (struct elf_builder_segment){PT_LOAD, PF_X, 0x200, VADDR,
								   size, size, 4096});
	elf_builder_finish(&builder, &whole);
	err = elf_file_read(whole.bytes, whole.size, &file);
	assert_null(err);
	callsites_count(&file, &ret, 1, &ok, &total);
	assert_int_equal(total, machine == EM_X86_64 || machine == EM_AARCH64);
	elf_file_close(&file);
	elf_builder_release(&builder);
	text_release(&whole);
	return ok;
}

#define IS_CALL(machine, bytes) is_call(machine, bytes, sizeof(bytes) - 1)

static void x86_calls_are_known_in_every_form(void **state)
{
	(void)state;
	assert_true(IS_CALL(EM_X86_64, "\xe8\1\2\3\4"));	     /* rel32 */
	assert_true(IS_CALL(EM_X86_64, "\xff\xd0"));		     /* *%rax */
	assert_true(IS_CALL(EM_X86_64, "\x41\xff\xd4"));	     /* *%r12 */
	assert_true(IS_CALL(EM_X86_64, "\x3e\xff\xd0"));	     /* notrack */
	assert_true(IS_CALL(EM_X86_64, "\xff\x10"));		     /* *(%rax) */
	assert_true(IS_CALL(EM_X86_64, "\x90\xff\x15\1\2\3\4"));     /* *x(%rip) */
	assert_true(IS_CALL(EM_X86_64, "\x90\xff\x50\x18"));	     /* *0x18(%rax) */
	assert_true(IS_CALL(EM_X86_64, "\x90\xff\x90\1\2\3\4"));     /* *x(%rax) */
	assert_true(IS_CALL(EM_X86_64, "\x90\xff\x14\xc8"));	     /* *(%rax,%rcx,8) */
	assert_true(IS_CALL(EM_X86_64, "\x90\xff\x54\xc8\x10"));     /* *16(%rax,%rcx,8) */
	assert_true(IS_CALL(EM_X86_64, "\x90\xff\x94\xc8\1\2\3\4")); /* *x(%rax,%rcx,8) */
	assert_true(IS_CALL(EM_X86_64, "\x90\xff\x14\xc5\1\2\3\4")); /* *x(,%rax,8) */
}

static void x86_code_that_is_no_call_is_none(void **state)
{
	(void)state;
	assert_false(IS_CALL(EM_X86_64, "\x90\x90\x90\x90\x90\x90\x90\x90"));
	assert_false(IS_CALL(EM_X86_64, "\xe8\1\2\3\4\x90"));
	assert_false(IS_CALL(EM_X86_64, "\xe9\1\2\3\4"));		  /* jmp */
	assert_false(IS_CALL(EM_X86_64, "\x90\x90\x90\xff\xe0"));	  /* jmp *%rax */
	assert_false(IS_CALL(EM_X86_64, "\x90\x90\xff\xd0\x90"));	  /* a byte too far */
	assert_false(IS_CALL(EM_X86_64, "\x90\xff\x15\1\2\3"));		  /* a byte too short */
	assert_false(IS_CALL(EM_X86_64, "\x90\x90\x90\x90\x90\xff\x14")); /* no SIB */
}

static void aarch64_calls_are_known_in_every_form(void **state)
{
	(void)state;
	assert_true(IS_CALL(EM_AARCH64, "\x01\x02\x00\x94"));  /* bl */
	assert_true(IS_CALL(EM_AARCH64, "\x01\x02\x00\x97"));  /* bl backwards */
	assert_true(IS_CALL(EM_AARCH64, "\x00\x02\x3f\xd6"));  /* blr x16 */
	assert_true(IS_CALL(EM_AARCH64, "\x1f\x0a\x3f\xd6"));  /* blraaz x16 */
	assert_true(IS_CALL(EM_AARCH64, "\x1f\x0e\x3f\xd6"));  /* blrabz x16 */
	assert_true(IS_CALL(EM_AARCH64, "\x11\x0a\x3f\xd7"));  /* blraa x16, x17 */
	assert_true(IS_CALL(EM_AARCH64, "\x11\x0e\x3f\xd7"));  /* blrab x16, x17 */
	assert_false(IS_CALL(EM_AARCH64, "\x01\x02\x00\x14")); /* b */
	assert_false(IS_CALL(EM_AARCH64, "\x00\x02\x1f\xd6")); /* br x16 */
	assert_false(IS_CALL(EM_AARCH64, "\xc0\x03\x5f\xd6")); /* ret */
	assert_false(IS_CALL(EM_AARCH64, "\x94\x00\x02\x01"));
}

static void other_machines_say_nothing(void **state)
{
	(void)state;
	assert_false(IS_CALL(EM_PPC64, "\xe8\1\2\3\4"));
}

static void count(const struct program_kind *kind, size_t *ok, size_t *total)
{
	uint64_t returns[PROGRAM_CALLS];
	struct text bytes = TEXT_INIT;
	struct elf_file file;
	struct error *err;

	program_build(kind, &bytes);
	err = elf_file_read(bytes.bytes, bytes.size, &file);
	assert_null(err);
	for (unsigned i = 0; i < PROGRAM_CALLS; i++)
		returns[i] = program_return(i) - PROGRAM_OFFSET + PROGRAM_VADDR;
	callsites_count(&file, returns, PROGRAM_CALLS, ok, total);
	elf_file_close(&file);
	text_release(&bytes);
}

static void the_right_file_has_all_and_moved_code_has_none(void **state)
{
	size_t ok, total;

	(void)state;
	count(&(struct program_kind){.shift = 0}, &ok, &total);
	assert_int_equal(ok, PROGRAM_CALLS);
	assert_int_equal(total, PROGRAM_CALLS);
	count(&(struct program_kind){.shift = 3}, &ok, &total);
	assert_int_equal(ok, 0);
	assert_int_equal(total, PROGRAM_CALLS);
	count(&(struct program_kind){.is_debug_only = true}, &ok, &total);
	assert_int_equal(total, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86_calls_are_known_in_every_form),
		cmocka_unit_test(x86_code_that_is_no_call_is_none),
		cmocka_unit_test(aarch64_calls_are_known_in_every_form),
		cmocka_unit_test(other_machines_say_nothing),
		cmocka_unit_test(the_right_file_has_all_and_moved_code_has_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
