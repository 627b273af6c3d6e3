/* cfi.c - the entries of .eh_frame and .debug_frame: CIEs and FDEs */
#include "unwind/cfi.h"

#include <dwarf.h>

#include "base/leb128.h"

/* How many bytes of the section were read when `in` is what is left. */
static uint64_t place(const struct cfi_section *section, const struct bytes *in)
{
	return (uint64_t)(in->at - section->all.at);
}

/* ---- pointers */

static bool pointer_signed(struct bytes *in, uint8_t format, uint64_t *ret)
{
	uint16_t half;
	uint32_t word;
	int64_t number;

	switch (format) {
	case DW_EH_PE_sleb128:
		if (!leb128_signed(in, &number))
			return false;
		*ret = (uint64_t)number;
		return true;
	case DW_EH_PE_sdata2:
		if (!bytes_u16(in, &half))
			return false;
		*ret = (uint64_t)(int16_t)half;
		return true;
	case DW_EH_PE_sdata4:
		if (!bytes_u32(in, &word))
			return false;
		*ret = (uint64_t)(int32_t)word;
		return true;
	default:
		return format == DW_EH_PE_sdata8 && bytes_u64(in, ret);
	}
}

static bool pointer_number(struct bytes *in, uint8_t format, uint64_t *ret)
{
	uint16_t half;
	uint32_t word;

	switch (format) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
		return bytes_u64(in, ret);
	case DW_EH_PE_uleb128:
		return leb128_unsigned(in, ret);
	case DW_EH_PE_udata2:
		if (!bytes_u16(in, &half))
			return false;
		*ret = half;
		return true;
	case DW_EH_PE_udata4:
		if (!bytes_u32(in, &word))
			return false;
		*ret = word;
		return true;
	default:
		return pointer_signed(in, format, ret);
	}
}

bool cfi_pointer(const struct cfi_section *section, struct bytes *in, uint8_t encoding,
		 uint64_t *ret)
{
	uint64_t base, number;

	switch (encoding & 0xf0) { /* DW_EH_PE_indirect is 0x80: no case */
	case DW_EH_PE_absptr:
		base = 0;
		break;
	case DW_EH_PE_pcrel:
		base = section->vaddr + place(section, in);
		break;
	case DW_EH_PE_datarel:
		base = section->data_base;
		break;
	default:
		return false;
	}
	if (!pointer_number(in, encoding & 0x0f, &number))
		return false;
	*ret = base + number;
	return true;
}

/* ---- entries: length, then an id, which tells a CIE, or a pointer to the CIE */

/* In .eh_frame the pointer has 4 bytes and counts back from itself, 0 is a CIE's. */
static bool eh_entry(const struct cfi_section *section, struct cfi_entry *ret)
{
	uint64_t at = place(section, &ret->body);
	uint32_t pointer;

	if (!bytes_u32(&ret->body, &pointer))
		return false;
	ret->kind = pointer ? CFI_FDE : CFI_CIE;
	ret->cie = (uint32_t)(at - pointer);
	return pointer <= at && at <= UINT32_MAX;
}

/* In .debug_frame it is as wide as the length and counts from the section's beginning. */
static bool debug_entry(bool is_wide, struct cfi_entry *ret)
{
	uint64_t pointer, none = is_wide ? UINT64_MAX : UINT32_MAX;

	if (!pointer_number(&ret->body, is_wide ? DW_EH_PE_udata8 : DW_EH_PE_udata4, &pointer))
		return false;
	ret->kind = pointer == none ? CFI_CIE : CFI_FDE;
	ret->cie = (uint32_t)pointer;
	return pointer == none || pointer <= UINT32_MAX;
}

bool cfi_entry_at(const struct cfi_section *section, uint64_t offset, struct cfi_entry *ret,
		  uint64_t *ret_next)
{
	struct bytes in = section->all;
	uint32_t size;
	uint64_t length;

	if (!bytes_skip(&in, offset) || !bytes_u32(&in, &size))
		return false;
	length = size;
	if (size == UINT32_MAX && !bytes_u64(&in, &length))
		return false;
	if (!bytes_part(&in, length, &ret->body))
		return false;
	*ret_next = place(section, &in);
	if (length == 0) {
		ret->kind = CFI_NONE;
		return true;
	}
	return section->is_debug_frame ? debug_entry(size == UINT32_MAX, ret)
				       : eh_entry(section, ret);
}

/* ---- CIE */

/* The data that the letters of an augmentation after its "z" announce. */
static bool read_augmentation(const struct cfi_section *section, struct bytes data,
			      const char *letters, struct cfi_cie *cie)
{
	uint8_t encoding;
	uint64_t personality;

	for (; *letters; letters++) {
		switch (*letters) {
		case 'R': /* how addresses in FDEs are written */
			if (!bytes_u8(&data, &cie->encoding))
				return false;
			break;
		case 'L': /* where language data is, not our matter */
			if (!bytes_u8(&data, &encoding))
				return false;
			break;
		case 'P':
			if (!bytes_u8(&data, &encoding) ||
			    !cfi_pointer(section, &data, encoding & 0x7f, &personality))
				return false;
			break;
		case 'S':
			cie->is_signal = true;
			break;
		case 'B': /* aarch64: the other key signs return addresses */
		case 'G': /* aarch64: the stack is tagged */
			break;
		default: /* of others nothing is known, but how long they are */
			return true;
		}
	}
	return true;
}

/* "" or "z...": for others it is not known how to read on. "eh" was GCC 2's. */
static bool read_version(struct bytes *in, struct cfi_cie *cie, uint8_t *ret_version,
			 const char **ret_letters)
{
	uint8_t version, address_size = 8;
	size_t length;

	if (!bytes_u8(in, &version) || (version != 1 && version != 3 && version != 4))
		return false;
	length = bytes_string(in, ret_letters);
	if (!bytes_skip(in, length + 1))
		return false;
	if (version == 4 && (!bytes_u8(in, &address_size) || !bytes_u8(in, &cie->segment_size)))
		return false;
	if (strcmp(*ret_letters, "eh") == 0 && !bytes_skip(in, 8))
		return false;
	*ret_version = version;
	return address_size == 8 &&
	       (!**ret_letters || **ret_letters == 'z' || strcmp(*ret_letters, "eh") == 0);
}

static bool read_ra(struct bytes *in, uint8_t version, struct cfi_cie *cie)
{
	uint64_t ra;

	if (version == 1)
		return bytes_u8(in, &cie->ra) && cie->ra < CFI_REGISTERS;
	if (!leb128_unsigned(in, &ra) || ra >= CFI_REGISTERS)
		return false;
	cie->ra = (uint8_t)ra;
	return true;
}

bool cfi_cie_read(const struct cfi_section *section, uint32_t offset, struct cfi_cie *ret)
{
	struct cfi_entry entry;
	struct bytes data;
	const char *letters;
	uint64_t next, size;
	uint8_t version;

	*ret = (struct cfi_cie){0};
	if (!cfi_entry_at(section, offset, &entry, &next) || entry.kind != CFI_CIE ||
	    !read_version(&entry.body, ret, &version, &letters) ||
	    !leb128_unsigned(&entry.body, &ret->code_align) ||
	    !leb128_signed(&entry.body, &ret->data_align) || !read_ra(&entry.body, version, ret))
		return false;
	if (*letters == 'z') {
		ret->has_augmentation = true;
		if (!leb128_unsigned(&entry.body, &size) || !bytes_part(&entry.body, size, &data) ||
		    !read_augmentation(section, data, letters + 1, ret))
			return false;
	}
	ret->program = entry.body;
	return bytes_left(&ret->program) <= CFI_CIE_PROGRAM_MAX;
}

/* ---- FDE */

bool cfi_fde_read(const struct cfi_section *section, const struct cfi_entry *entry,
		  const struct cfi_cie *cie, struct cfi_fde *ret)
{
	struct bytes in = entry->body;
	uint64_t length, size;

	if (!bytes_skip(&in, cie->segment_size) ||
	    !cfi_pointer(section, &in, cie->encoding, &ret->start) ||
	    !pointer_number(&in, cie->encoding & 0x07, &length) ||
	    __builtin_add_overflow(ret->start, length, &ret->end))
		return false;
	if (cie->has_augmentation && (!leb128_unsigned(&in, &size) || !bytes_skip(&in, size)))
		return false;
	ret->cie = entry->cie;
	ret->program = in;
	return bytes_left(&in) <= CFI_FDE_PROGRAM_MAX;
}
