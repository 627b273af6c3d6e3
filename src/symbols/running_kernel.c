/* running_kernel.c - is the kernel that runs here the recorded one? */
#include "symbols/running_kernel.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"

#define NOTES_MAX 65536

/* ELF notes: u32 name size, description size, type; both padded to 4. GNU, type 3: the build ID. */
static bool next_note(struct bytes *notes, bool *ret_is_id, struct bytes *ret)
{
	uint32_t name_size, size, type;
	struct bytes name;

	if (!bytes_u32(notes, &name_size) || !bytes_u32(notes, &size) || !bytes_u32(notes, &type) ||
	    !bytes_part(notes, name_size, &name) || !bytes_skip(notes, -name_size & 3) ||
	    !bytes_part(notes, size, ret))
		return false;
	*ret_is_id = type == 3 && name_size == 4 && memcmp(name.at, "GNU", 4) == 0;
	return bytes_skip(notes, -size & 3) || !bytes_left(notes);
}

static bool is_hex_of(const struct bytes *id, const char *hex)
{
	if (strlen(hex) != 2 * bytes_left(id))
		return false;
	for (size_t i = 0; i < bytes_left(id); i++) {
		char digits[3];

		snprintf(digits, sizeof(digits), "%02x", id->at[i]);
		if (memcmp(digits, hex + 2 * i, 2) != 0)
			return false;
	}
	return true;
}

bool running_kernel_is(const char *build_id)
{
	unsigned char buffer[NOTES_MAX];
	FILE *file = fopen("/sys/kernel/notes", "re");
	struct bytes notes, id;
	bool is_id;

	if (!file)
		return false;
	notes = (struct bytes){buffer, buffer + fread(buffer, 1, sizeof(buffer), file), false};
	fclose(file);
	while (next_note(&notes, &is_id, &id))
		if (is_id)
			return is_hex_of(&id, build_id);
	return false;
}
