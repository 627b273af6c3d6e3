/* aarch64.c - what unwinding on aarch64 has of its own */
#include <elf.h>
#include <string.h>

#include "unwind/cursor.h"

enum {
	ARM_X19 = 19,
	ARM_FP = 29,
	ARM_SP = 31,
	ARM_PC = 32
};

/* asm/perf_regs.h: x0 ... x30 sp pc, as the rules number them */
static bool read_registers(struct cursor *cursor, uint64_t mask, const struct bytes *regs)
{
	struct bytes left = *regs;
	uint64_t value;

	for (unsigned bit = 0; bit < 64 && bytes_left(&left); bit++) {
		if (!(mask >> bit & 1))
			continue;
		if (!bytes_u64(&left, &value))
			return false;
		if (bit <= ARM_PC)
			cursor_set(cursor, bit, value);
	}
	return cursor_knows(cursor, ARM_SP) && cursor_knows(cursor, ARM_PC);
}

/* mov x8, #139; svc #0: number 139 is rt_sigreturn. Instructions are little-endian always. */
static bool is_trampoline(const unsigned char *code, size_t size)
{
	static const unsigned char bytes[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4};

	return size >= sizeof(bytes) && memcmp(code, bytes, sizeof(bytes)) == 0;
}

/*
 * At the stack pointer lie struct siginfo (128 bytes) and struct ucontext, in it 176 bytes on
 * struct sigcontext: the fault's address, x0 ... x30 sp pc (asm/sigcontext.h).
 */
static bool leave_signal(struct cursor *cursor)
{
	uint64_t at = cursor->registers.value[ARM_SP] + 128 + 176 + 8, value[ARM_PC + 1];

	for (unsigned i = 0; i <= ARM_PC; i++)
		if (!cursor_load(cursor, at + 8 * i, &value[i]))
			return false;
	for (unsigned i = 0; i <= ARM_PC; i++)
		cursor_set(cursor, i, value[i]);
	return true;
}

/* Rules follow x29 and x19 to x23. */
const struct cursor_machine cursor_aarch64 = {
	.elf_machine = EM_AARCH64,
	.ip = ARM_PC,
	.sp = ARM_SP,
	.fp = ARM_FP,
	.preserved = UINT64_C(1) << ARM_FP | UINT64_C(31) << ARM_X19,
	.read = read_registers,
	.is_trampoline = is_trampoline,
	.leave_signal = leave_signal,
};
