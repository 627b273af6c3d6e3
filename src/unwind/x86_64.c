/* x86_64.c - what unwinding on x86-64 has of its own */
#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "unwind/cursor.h"

enum {
	X86_RBX = 3,
	X86_RBP = 6,
	X86_RSP = 7,
	X86_R12 = 12,
	X86_RIP = 16,
	X86_NONE = RULES_NO_REGISTER
};

/* asm/perf_regs.h: ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8 ... r15 */
static const uint8_t of_perf[] = {
	0,	  3,	    2,	      1,	4, 5, 6,  7,  16, X86_NONE, X86_NONE, X86_NONE,
	X86_NONE, X86_NONE, X86_NONE, X86_NONE, 8, 9, 10, 11, 12, 13,	    14,	      15,
};

static bool read_registers(struct cursor *cursor, uint64_t mask, const struct bytes *regs)
{
	struct bytes left = *regs;
	uint64_t value;

	for (unsigned bit = 0; bit < 64 && bytes_left(&left); bit++) {
		if (!(mask >> bit & 1))
			continue;
		if (!bytes_u64(&left, &value))
			return false;
		if (bit < ARRAY_NR(of_perf) && of_perf[bit] != X86_NONE)
			cursor_set(cursor, of_perf[bit], value);
	}
	return cursor_knows(cursor, X86_RSP) && cursor_knows(cursor, X86_RIP);
}

/* mov $15,%rax; syscall: number 15 is rt_sigreturn */
static bool is_trampoline(const unsigned char *code, size_t size)
{
	static const unsigned char bytes[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};

	return size >= sizeof(bytes) && memcmp(code, bytes, sizeof(bytes)) == 0;
}

/*
 * struct ucontext lies at the stack pointer, its registers (struct sigcontext, asm/sigcontext.h)
 * 40 bytes in it: r8 ... r15 rdi rsi rbp rbx rdx rax rcx rsp rip.
 */
static bool leave_signal(struct cursor *cursor)
{
	static const uint8_t order[] = {8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16};
	uint64_t at = cursor->registers.value[X86_RSP] + 40, value[ARRAY_NR(order)];

	for (unsigned i = 0; i < ARRAY_NR(order); i++)
		if (!cursor_load(cursor, at + 8 * i, &value[i]))
			return false;
	for (unsigned i = 0; i < ARRAY_NR(order); i++)
		cursor_set(cursor, order[i], value[i]);
	return true;
}

const struct cursor_machine cursor_x86_64 = {
	.elf_machine = EM_X86_64,
	.ip = X86_RIP,
	.sp = X86_RSP,
	.fp = X86_RBP,
	.is_little = true,
	.preserved = 1 << X86_RBX | 1 << X86_RBP | 15 << X86_R12,
	.read = read_registers,
	.is_trampoline = is_trampoline,
	.leave_signal = leave_signal,
};
