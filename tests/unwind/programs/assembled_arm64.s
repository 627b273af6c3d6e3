// assembled_arm64.s - signed return addresses and frames as hand-written aarch64 code has them
	.text
	.globl signed
	.type signed, %function
signed:
	.cfi_startproc
	.cfi_b_key_frame
	hint #27
	.cfi_negate_ra_state
	stp x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	stp x19, x20, [sp, #16]
	.cfi_offset x19, -16
	.cfi_offset x20, -8
	mov x29, sp
	.cfi_def_cfa_register x29
	.cfi_remember_state
	ldp x29, x30, [sp], #32
	.cfi_restore x29
	.cfi_restore x30
	.cfi_restore x19
	.cfi_restore x20
	.cfi_def_cfa sp, 0
	hint #31
	.cfi_negate_ra_state
	ret
	.cfi_restore_state
	b signed
	.cfi_endproc
	.size signed, .-signed

	.globl elsewhere
	.type elsewhere, %function
elsewhere:
	.cfi_startproc
	mov x17, x30
	.cfi_register x30, x17
	sub sp, sp, #4080
	.cfi_def_cfa_offset 4080
	str x29, [sp]
	.cfi_offset x29, -4080
	mov x19, sp
	.cfi_def_cfa_register x19
	ret x17
	.cfi_endproc
	.size elsewhere, .-elsewhere

	.globl outermost
	.type outermost, %function
outermost:
	.cfi_startproc
	.cfi_undefined x30
	bl signed
	.cfi_endproc
	.size outermost, .-outermost
	.section .note.GNU-stack, "", %progbits
