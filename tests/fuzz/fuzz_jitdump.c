/* fuzz_jitdump.c - any bytes as a jitdump */
#include <stdlib.h>
#include <string.h>

#include "symbols/jitdump.h"
#include "tests/fuzz/replay.h"
#include "tests/fuzz/spill.h"

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t size)
{
	struct jitdump jitdump;
	struct error *err = jitdump_read(&jitdump, spill(at, size));

	if (err) {
		error_free(err);
		return 0;
	}
	for (size_t i = 0; i < jitdump.nr; i++) {
		const struct jitdump_code *code = &jitdump.list[i];
		struct jitdump_place place;

		if (!jitdump_find(&jitdump, code->lo, code->from_ns, &place))
			continue;
		if (code->lo < place.code->lo || code->lo >= place.code->hi)
			abort();
		if (strlen(place.name) + (place.file ? strlen(place.file) : 0) > jitdump.names.size)
			abort();
	}
	jitdump_release(&jitdump);
	return 0;
}
