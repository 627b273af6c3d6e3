/* fields.c - named values of a tracepoint sample */
#include "model/fields.h"

#include "base/mem.h"

void fields_clear(struct fields *fields)
{
	fields->nr = 0;
	text_clear(&fields->text);
}

void fields_release(struct fields *fields)
{
	free(fields->list);
	text_release(&fields->text);
	*fields = (struct fields){0};
}

static struct field *add(struct fields *fields, const char *name, enum field_kind kind)
{
	GROW(fields->list, fields->nr + 1, fields->alloc);
	fields->list[fields->nr] = (struct field){.name = name, .kind = kind};
	return &fields->list[fields->nr++];
}

void fields_add_number(struct fields *fields, const char *name, uint64_t number, bool is_signed)
{
	add(fields, name, is_signed ? FIELD_SIGNED : FIELD_UNSIGNED)->number = number;
}

void fields_add_text(struct fields *fields, const char *name, const char *at, size_t size,
		     enum field_kind kind)
{
	struct field *field = add(fields, name, kind);

	field->text_begin = fields->text.size;
	field->text_size = size;
	text_add_bytes(&fields->text, at, size);
}

const struct field *fields_find(const struct fields *fields, const char *name)
{
	for (size_t i = 0; i < fields->nr; i++)
		if (strcmp(fields->list[i].name, name) == 0)
			return &fields->list[i];
	return NULL;
}
