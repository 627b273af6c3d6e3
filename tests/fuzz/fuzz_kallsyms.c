/* fuzz_kallsyms.c - any bytes as a list of kernel functions */
#include <stdlib.h>

#include "symbols/kallsyms.h"
#include "tests/fuzz/replay.h"
#include "tests/fuzz/spill.h"

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
	struct kallsyms kallsyms;
	struct error *err = kallsyms_read(&kallsyms, spill(at, size));

	if (err) {
		error_free(err);
		return 0;
	}
	for (size_t i = 0; i < kallsyms.nr; i++) {
		const struct kallsyms_symbol *symbol = &kallsyms.list[i];

		kallsyms_cut(&kallsyms, symbol->lo + (i & 0xff));
		if (symbol->lo < symbol->hi && kallsyms_find(&kallsyms, symbol->lo) != symbol)
			abort();
		if (!kallsyms_name(&kallsyms, symbol)[0])
			abort();
	}
	kallsyms_release(&kallsyms);
	return 0;
}
