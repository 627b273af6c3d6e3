/* dies.c - the entries of one unit in the order of the file, most of them only passed over */
#include "symbols/dies.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/leb128.h"
#include "base/mem.h"
#include "symbols/units.h"

#define SIZE_UNKNOWN (UINT32_MAX - 1) /* a form that is in no standard */

void dies_release(struct dies *dies)
{
	free(dies->abbrevs.abbrevs);
	free(dies->abbrevs.attrs);
	*dies = (struct dies){0};
}

enum {
	OFFSET = 0xf0, /* 4 or 8 bytes, as the unit is written */
	ADDRESS,
	REFERENCE, /* an address in DWARF 2, an offset since */
	VARIES,
	NOTHING, /* no bytes: 0 stands for a form that is not in the table */
};

static const uint8_t form_sizes[] = {
	[DW_FORM_flag_present] = NOTHING,
	[DW_FORM_implicit_const] = NOTHING,
	[DW_FORM_data1] = 1,
	[DW_FORM_ref1] = 1,
	[DW_FORM_flag] = 1,
	[DW_FORM_strx1] = 1,
	[DW_FORM_addrx1] = 1,
	[DW_FORM_data2] = 2,
	[DW_FORM_ref2] = 2,
	[DW_FORM_strx2] = 2,
	[DW_FORM_addrx2] = 2,
	[DW_FORM_strx3] = 3,
	[DW_FORM_addrx3] = 3,
	[DW_FORM_data4] = 4,
	[DW_FORM_ref4] = 4,
	[DW_FORM_strx4] = 4,
	[DW_FORM_addrx4] = 4,
	[DW_FORM_ref_sup4] = 4,
	[DW_FORM_data8] = 8,
	[DW_FORM_ref8] = 8,
	[DW_FORM_ref_sig8] = 8,
	[DW_FORM_ref_sup8] = 8,
	[DW_FORM_data16] = 16,
	[DW_FORM_addr] = ADDRESS,
	[DW_FORM_ref_addr] = REFERENCE,
	[DW_FORM_strp] = OFFSET,
	[DW_FORM_line_strp] = OFFSET,
	[DW_FORM_sec_offset] = OFFSET,
	[DW_FORM_strp_sup] = OFFSET,
	[DW_FORM_string] = VARIES,
	[DW_FORM_block] = VARIES,
	[DW_FORM_block1] = VARIES,
	[DW_FORM_block2] = VARIES,
	[DW_FORM_block4] = VARIES,
	[DW_FORM_exprloc] = VARIES,
	[DW_FORM_sdata] = VARIES,
	[DW_FORM_udata] = VARIES,
	[DW_FORM_ref_udata] = VARIES,
	[DW_FORM_strx] = VARIES,
	[DW_FORM_addrx] = VARIES,
	[DW_FORM_loclistx] = VARIES,
	[DW_FORM_rnglistx] = VARIES,
	[DW_FORM_indirect] = VARIES,
};

/* GNU's forms stand far from the others. */
static unsigned form_size_code(unsigned form)
{
	switch (form) {
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return VARIES;
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return OFFSET;
	default:
		return form < ARRAY_NR(form_sizes) ? form_sizes[form] : 0;
	}
}

/* The bytes of an attribute of that form, or DIE_SIZE_VARIES, or SIZE_UNKNOWN. */
static uint32_t form_size(const struct dies *dies, unsigned form)
{
	unsigned code = form_size_code(form);

	switch (code) {
	case 0:
		return SIZE_UNKNOWN;
	case NOTHING:
		return 0;
	case VARIES:
		return DIE_SIZE_VARIES;
	case ADDRESS:
		return dies->address_size;
	case REFERENCE:
		return dies->version <= 2 ? dies->address_size : dies->offset_size;
	case OFFSET:
		return dies->offset_size;
	default:
		return code;
	}
}

static bool skip_string(struct bytes *bytes)
{
	const unsigned char *end = memchr(bytes->at, '\0', bytes_left(bytes));

	if (!end)
		return false;
	bytes->at = end + 1;
	return true;
}

static bool skip_varying(struct bytes *bytes, unsigned form)
{
	uint64_t size;
	uint8_t size1;
	uint16_t size2;
	uint32_t size4;

	switch (form) {
	case DW_FORM_string:
		return skip_string(bytes);
	case DW_FORM_block1:
		return bytes_u8(bytes, &size1) && bytes_skip(bytes, size1);
	case DW_FORM_block2:
		return bytes_u16(bytes, &size2) && bytes_skip(bytes, size2);
	case DW_FORM_block4:
		return bytes_u32(bytes, &size4) && bytes_skip(bytes, size4);
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return leb128_unsigned(bytes, &size) && bytes_skip(bytes, size);
	default:
		return leb128_skip(bytes);
	}
}

/* DW_FORM_indirect: the form stands in the entry. Only one step of it, as no more makes sense. */
static bool resolve_form(struct bytes *bytes, uint64_t *form)
{
	if (*form != DW_FORM_indirect)
		return true;
	return leb128_unsigned(bytes, form) && *form != DW_FORM_indirect &&
	       *form != DW_FORM_implicit_const;
}

static bool skip_attr(struct dies *dies, unsigned declared)
{
	uint64_t form = declared;
	uint32_t size;

	if (!resolve_form(&dies->bytes, &form) || form > UINT16_MAX)
		return false;
	size = form_size(dies, (unsigned)form);
	if (size == SIZE_UNKNOWN)
		return false;
	if (size == DIE_SIZE_VARIES)
		return skip_varying(&dies->bytes, (unsigned)form);
	return bytes_skip(&dies->bytes, size);
}

bool dies_skip(struct dies *dies, const struct die *die)
{
	const struct die_abbrev *abbrev = die->abbrev;
	const struct die_attr *attr;

	if (!abbrev)
		return true;
	if (abbrev->size != DIE_SIZE_VARIES)
		return bytes_skip(&dies->bytes, abbrev->size);
	attr = &dies->abbrevs.attrs[abbrev->attrs];
	for (unsigned i = 0; i < abbrev->attrs_nr; i++) {
		if (!skip_attr(dies, attr[i].form))
			return false;
	}
	return true;
}

/* ---- abbreviations */

static void abbrev_count(const struct dies *dies, struct die_abbrev *abbrev,
			 const struct die_attr *attr)
{
	uint32_t size = form_size(dies, attr->form);

	if (attr->name == DW_AT_low_pc || attr->name == DW_AT_ranges)
		abbrev->has_pc = true;
	abbrev->attrs_nr++;
	if (size >= SIZE_UNKNOWN || abbrev->size == DIE_SIZE_VARIES)
		abbrev->size = DIE_SIZE_VARIES;
	else
		abbrev->size += size;
}

/* Attributes up to the pair of zeroes. What does not fit 16 bits is nothing that we know. */
static bool abbrev_read_attrs(struct dies *dies, struct bytes *in, struct die_abbrev *abbrev)
{
	struct die_abbrevs *abbrevs = &dies->abbrevs;
	uint64_t name, form;

	for (;;) {
		struct die_attr attr = {0};

		if (!leb128_unsigned(in, &name) || !leb128_unsigned(in, &form) ||
		    form > UINT16_MAX || abbrevs->attrs_nr == ATTRS_MAX)
			return false;
		if (form == DW_FORM_implicit_const && !leb128_signed(in, &attr.constant))
			return false;
		if (!name && !form)
			return true;
		if (abbrev->attrs_nr == UINT16_MAX)
			return false;
		attr.name = name > UINT16_MAX ? 0 : (uint16_t)name;
		attr.form = (uint16_t)form;
		GROW(abbrevs->attrs, abbrevs->attrs_nr + 1, abbrevs->attrs_alloc);
		abbrevs->attrs[abbrevs->attrs_nr++] = attr;
		abbrev_count(dies, abbrev, &attr);
	}
}

static bool abbrev_read(struct dies *dies, struct bytes *in, uint64_t code)
{
	struct die_abbrevs *abbrevs = &dies->abbrevs;
	struct die_abbrev abbrev = {.code = code, .attrs = (uint32_t)abbrevs->attrs_nr};
	uint8_t has_children;
	uint64_t tag;

	if (!leb128_unsigned(in, &tag) || !bytes_u8(in, &has_children) ||
	    abbrevs->abbrevs_nr == ABBREVS_MAX)
		return false;
	abbrev.tag = tag > UINT16_MAX ? 0 : (uint16_t)tag;
	abbrev.has_children = has_children != 0;
	if (!abbrev_read_attrs(dies, in, &abbrev))
		return false;
	GROW(abbrevs->abbrevs, abbrevs->abbrevs_nr + 1, abbrevs->abbrevs_alloc);
	abbrevs->abbrevs[abbrevs->abbrevs_nr++] = abbrev;
	return true;
}

static int compare_abbrevs(const void *a, const void *b)
{
	const struct die_abbrev *left = a, *right = b;

	if (left->code != right->code)
		return left->code < right->code ? -1 : 1;
	return left->attrs < right->attrs ? -1 : left->attrs > right->attrs;
}

static bool abbrevs_read(struct dies *dies, struct bytes in)
{
	struct die_abbrevs *abbrevs = &dies->abbrevs;
	bool is_sorted = true;
	uint64_t code;

	abbrevs->abbrevs_nr = 0;
	abbrevs->attrs_nr = 0;
	/* The last list of a section may lack its end. */
	while (bytes_left(&in) && leb128_unsigned(&in, &code) && code) {
		if (!abbrev_read(dies, &in, code))
			return false;
		is_sorted &= code == abbrevs->abbrevs_nr;
	}
	if (!is_sorted)
		qsort(abbrevs->abbrevs, abbrevs->abbrevs_nr, sizeof(*abbrevs->abbrevs),
		      compare_abbrevs);
	return abbrevs->abbrevs_nr > 0;
}

static const struct die_abbrev *abbrev_find(const struct die_abbrevs *abbrevs, uint64_t code)
{
	size_t first = 0, nr = abbrevs->abbrevs_nr;

	/* Compilers number them 1, 2, 3 ... */
	if (code <= nr && abbrevs->abbrevs[code - 1].code == code)
		return &abbrevs->abbrevs[code - 1];
	while (nr > 1) {
		size_t half = nr / 2;

		if (abbrevs->abbrevs[first + half].code <= code)
			first += half;
		nr -= half;
	}
	return nr && abbrevs->abbrevs[first].code == code ? &abbrevs->abbrevs[first] : NULL;
}

/* ---- the walk */

static bool sizes_are_sound(const struct unit_body *body)
{
	return (body->address_size == 4 || body->address_size == 8) &&
	       (body->offset_size == 4 || body->offset_size == 8);
}

bool dies_start(struct dies *dies, const struct unit_body *body)
{
	const struct debug_sections *sections = body->sections;
	struct die_abbrevs *abbrevs = &dies->abbrevs;
	struct bytes in = debug_section_from(&sections->abbrev, body->abbrev, sections->is_swapped);

	if (!sizes_are_sound(body) || body->begin > body->end || body->end > sections->info.size)
		return false;
	dies->info = sections->info.at;
	dies->header = body->header;
	dies->version = (uint8_t)body->version;
	dies->address_size = body->address_size;
	dies->offset_size = body->offset_size;
	dies->bytes = (struct bytes){sections->info.at + body->begin, sections->info.at + body->end,
				     sections->is_swapped};
	if (abbrevs->at && abbrevs->at == in.at && abbrevs->version == dies->version &&
	    abbrevs->address_size == dies->address_size &&
	    abbrevs->offset_size == dies->offset_size)
		return true;
	abbrevs->at = NULL;
	if (!in.at || !abbrevs_read(dies, in))
		return false;
	abbrevs->at = in.at;
	abbrevs->version = dies->version;
	abbrevs->address_size = dies->address_size;
	abbrevs->offset_size = dies->offset_size;
	return true;
}

enum dies_step dies_next(struct dies *dies, struct die *ret)
{
	uint64_t code;

	ret->offset = (uint64_t)(dies->bytes.at - dies->info);
	if (!bytes_left(&dies->bytes))
		return DIES_END;
	if (!leb128_unsigned(&dies->bytes, &code))
		return DIES_DAMAGED;
	ret->abbrev = NULL;
	if (!code)
		return DIES_ENTRY;
	ret->abbrev = abbrev_find(&dies->abbrevs, code);
	return ret->abbrev ? DIES_ENTRY : DIES_DAMAGED;
}

/* ---- what is read of them */

enum value_kind {
	VALUE_CONSTANT,
	VALUE_ADDRESS,
	VALUE_UNIT_REFERENCE, /* counts from the unit's head */
	VALUE_REFERENCE,      /* counts from the section's start */
	VALUE_OTHER,	      /* an index, an offset, another file's reference: passed over */
};

static enum value_kind value_kind(unsigned form)
{
	switch (form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		return VALUE_CONSTANT;
	case DW_FORM_addr:
		return VALUE_ADDRESS;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		return VALUE_UNIT_REFERENCE;
	case DW_FORM_ref_addr:
		return VALUE_REFERENCE;
	default:
		return VALUE_OTHER;
	}
}

static bool read_sized(struct bytes *bytes, uint32_t size, uint64_t *ret)
{
	uint8_t size1;
	uint16_t size2;
	uint32_t size4;

	switch (size) {
	case 1:
		return bytes_u8(bytes, &size1) && (*ret = size1, true);
	case 2:
		return bytes_u16(bytes, &size2) && (*ret = size2, true);
	case 4:
		return bytes_u32(bytes, &size4) && (*ret = size4, true);
	case 8:
		return bytes_u64(bytes, ret);
	default:
		return false;
	}
}

/* Takes the attribute; *ret is untouched where the kind is VALUE_OTHER. */
static bool read_attr(struct dies *dies, const struct die_attr *attr, uint64_t *form, uint64_t *ret)
{
	uint32_t size;

	*form = attr->form;
	if (!resolve_form(&dies->bytes, form) || *form > UINT16_MAX)
		return false;
	if (*form == DW_FORM_implicit_const) {
		*ret = (uint64_t)attr->constant;
		return true;
	}
	if (value_kind((unsigned)*form) == VALUE_OTHER)
		return skip_attr(dies, (unsigned)*form);
	if (*form == DW_FORM_sdata)
		return leb128_signed(&dies->bytes, (int64_t *)ret);
	size = form_size(dies, (unsigned)*form);
	if (size == DIE_SIZE_VARIES)
		return leb128_unsigned(&dies->bytes, ret);
	return read_sized(&dies->bytes, size, ret);
}

static void take_reference(const struct dies *dies, enum value_kind kind, uint64_t value,
			   uint64_t *ret)
{
	if (kind == VALUE_REFERENCE)
		*ret = value;
	else if (kind == VALUE_UNIT_REFERENCE && __builtin_add_overflow(dies->header, value, ret))
		*ret = 0;
}

/* high_pc is an address in DWARF 2 and 3 and may be the size instead since DWARF 4. */
static void take_attr(const struct dies *dies, unsigned name, enum value_kind kind, uint64_t value,
		      struct die_facts *ret, bool *is_size)
{
	switch (name) {
	case DW_AT_low_pc:
		ret->low = value;
		ret->has_low = kind == VALUE_ADDRESS;
		ret->has_pc_indirect |= kind != VALUE_ADDRESS;
		break;
	case DW_AT_high_pc:
		ret->high = value;
		*is_size = kind == VALUE_CONSTANT;
		ret->has_pc_indirect |= kind != VALUE_ADDRESS && kind != VALUE_CONSTANT;
		break;
	case DW_AT_ranges:
		ret->has_pc_indirect = true;
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		take_reference(dies, kind, value, &ret->origin);
		break;
	case DW_AT_call_file:
		ret->call_file = kind == VALUE_CONSTANT ? value : 0;
		break;
	case DW_AT_call_line:
		ret->call_line = kind == VALUE_CONSTANT && value < UINT32_MAX ? (uint32_t)value : 0;
		break;
	default:
		break;
	}
}

static bool is_wanted(unsigned name)
{
	return name == DW_AT_low_pc || name == DW_AT_high_pc || name == DW_AT_ranges ||
	       name == DW_AT_abstract_origin || name == DW_AT_specification ||
	       name == DW_AT_call_file || name == DW_AT_call_line;
}

bool dies_facts(struct dies *dies, const struct die *die, struct die_facts *ret)
{
	const struct die_attr *attr = &dies->abbrevs.attrs[die->abbrev->attrs];
	bool is_size = false;

	*ret = (struct die_facts){0};
	for (unsigned i = 0; i < die->abbrev->attrs_nr; i++, attr++) {
		uint64_t form, value = 0;

		if (!is_wanted(attr->name)) {
			if (!skip_attr(dies, attr->form))
				return false;
			continue;
		}
		if (!read_attr(dies, attr, &form, &value))
			return false;
		take_attr(dies, attr->name, value_kind((unsigned)form), value, ret, &is_size);
	}
	if (is_size && __builtin_add_overflow(ret->low, ret->high, &ret->high))
		ret->high = 0;
	return true;
}
