/* lines_alone.s - a unit that has a line table and says nothing else, as perf writes for compiled-at-run-time code */
	.text
	.globl	_start
_start:
	.file	1 "made/up.txt"
	.loc	1 11
	nop
	.loc	1 12
	nop
	ret

	.section	.debug_line,"",@progbits
lines:
	.section	.debug_abbrev,"",@progbits
abbreviations:
	.uleb128	1
	.uleb128	0x11	/* DW_TAG_compile_unit */
	.byte	0
	.uleb128	0x10	/* DW_AT_stmt_list */
	.uleb128	0x17	/* DW_FORM_sec_offset */
	.uleb128	0x1b	/* DW_AT_comp_dir */
	.uleb128	0x08	/* DW_FORM_string */
	.byte	0, 0, 0
	.section	.debug_info,"",@progbits
	.long	unit_end - unit
unit:
	.short	4
	.long	abbreviations
	.byte	8
	.uleb128	1
	.long	lines
	.asciz	"/from"
unit_end:
