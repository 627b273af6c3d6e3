# assembled.s - call-frame information of hand-written code: each directive, and what compilers do not write
	.text
	.globl states
	.type states, @function
states:
	.cfi_startproc
	pushq %rbx
	.cfi_adjust_cfa_offset 8
	.cfi_offset rbx, -16
	testl %edi, %edi
	.cfi_remember_state
	je 1f
	popq %rbx
	.cfi_restore rbx
	.cfi_def_cfa_offset 8
	ret
1:	.cfi_restore_state
	pushq %r12
	.cfi_def_cfa_offset 24
	.cfi_offset r12, -24
	.cfi_remember_state
	.cfi_remember_state
	popq %r12
	.cfi_restore r12
	.cfi_def_cfa rsp, 16
	.cfi_restore_state
	popq %r12
	.cfi_restore_state
	popq %rbx
	ret
	.cfi_endproc
	.size states, .-states

	.globl registers
	.type registers, @function
registers:
	.cfi_startproc
	movq (%rsp), %rcx
	.cfi_register rip, rcx
	movq %rbx, %rdx
	.cfi_register rbx, rdx
	nop
	.cfi_undefined rbp
	nop
	.cfi_same_value r12
	nop
	.cfi_escape 0x14, 13, 2
	jmp *%rcx
	.cfi_endproc
	.size registers, .-registers

# DW_CFA_def_cfa_expression: *(rsp + 16) + 8, then one that only an evaluator knows
	.globl expressions
	.type expressions, @function
expressions:
	.cfi_startproc
	nop
	.cfi_escape 0x0f, 5, 0x77, 16, 0x06, 0x23, 8
	nop
	.cfi_escape 0x0f, 8, 0x77, 24, 0x06, 0x33, 0x1a, 0x77, 0, 0x22
	nop
	.cfi_escape 0x10, 3, 2, 0x76, 0x70
	nop
	.cfi_escape 0x16, 12, 3, 0x77, 8, 0x06
	ret
	.cfi_endproc
	.size expressions, .-expressions

# far from the CFA, a value and no place, and with all encodings of distances
	.globl distances
	.type distances, @function
distances:
	.cfi_startproc
	subq $2048, %rsp
	.cfi_def_cfa_offset 2056
	movq %rbx, (%rsp)
	.cfi_offset rbx, -2056
	movq %rbp, 8(%rsp)
	.cfi_rel_offset rbp, 8
	.fill 70, 1, 0x90
	.cfi_escape 0x16, 12, 2, 0x77, 0x74
	.fill 300, 1, 0x90
	.cfi_offset r12, -16
	.fill 70000, 1, 0x90
	.cfi_def_cfa_offset 3000000
	ret
	.cfi_endproc
	.size distances, .-distances

	.globl trampoline
	.type trampoline, @function
	nop
trampoline:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 0x01, 0x06
	.cfi_escape 0x10, 7, 3, 0x77, 0xa0, 0x01
	.cfi_escape 0x10, 16, 3, 0x77, 0xa8, 0x01
	.cfi_escape 0x10, 6, 3, 0x77, 0xf8, 0x00
	movl $15, %eax
	syscall
	.cfi_endproc
	.size trampoline, .-trampoline

	.globl beginning
	.type beginning, @function
beginning:
	.cfi_startproc
	.cfi_undefined rip
	call states
	hlt
	.cfi_endproc
	.size beginning, .-beginning

	.globl nothing
	.type nothing, @function
nothing:
	.fill 40, 1, 0x90
	ret
	.size nothing, .-nothing
	.section .note.GNU-stack, "", @progbits
