/* origins.c - from an instance to its declaration, and the strings on the way */
#include "symbols/origins.h"

#include <dwarf.h>

static bool leads_to_alt(Dwarf_Attribute *attr)
{
	switch (dwarf_whatform(attr)) {
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_strp_sup:
		return true;
	default:
		return false;
	}
}

const char *origin_string(Dwarf_Die *die, unsigned attribute, bool has_alt)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr(die, attribute, &attr) || (!has_alt && leads_to_alt(&attr)))
		return NULL;
	return dwarf_formstring(&attr);
}

bool origin_next(Dwarf_Die *die, bool has_alt, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
	    !dwarf_attr(die, DW_AT_specification, &attr))
		return false;
	return (has_alt || !leads_to_alt(&attr)) && dwarf_formref_die(&attr, ret);
}

const char *origin_name(const Dwarf_Die *die, bool has_alt)
{
	Dwarf_Die at = *die;

	for (unsigned i = 0; i < ORIGINS_MAX; i++) {
		const char *name = origin_string(&at, DW_AT_name, has_alt);

		if (name || !origin_next(&at, has_alt, &at))
			return name;
	}
	return NULL;
}
