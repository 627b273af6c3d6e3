/* cfi_world.c - files with call-frame information, opened for a test */
#include "tests/test.h"

#include "tests/support/cfi_builder.h"

#include "base/error.h"
#include "base/mem.h"

void cfi_world_file(const struct cfi_kind *kind, struct cfi_world *ret)
{
	struct error *err;

	*ret = (struct cfi_world){.rules = NULL};
	cfi_file_build(kind, &ret->bytes);
	err = elf_file_read(ret->bytes.bytes, ret->bytes.size, &ret->file);
	if (err)
		fail_msg("%s", error_text(err));
}

void cfi_world_open(const struct cfi_kind *kind, struct cfi_world *ret)
{
	struct error *err;

	cfi_world_file(kind, ret);
	err = rules_open(&ret->file, NULL, &ret->rules);
	if (err)
		fail_msg("%s", error_text(err));
}

void cfi_world_of(struct cfi_builder *builder, struct cfi_world *ret)
{
	cfi_world_open(&(struct cfi_kind){.eh_frame = &builder->bytes}, ret);
	cfi_builder_release(builder);
}

void cfi_world_close(struct cfi_world *world)
{
	rules_close(world->rules);
	elf_file_close(&world->file);
	text_release(&world->bytes);
}
