/* location_block.c - the derived table location_block: the function of each location */
#include "store/location_block.h"

#include <sqlite3.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/capture.h"
#include "store/store.h"
#include "store/value.h"

/* Locations to a row: enough to make the row's own cost small, few enough for one text. */
#define BLOCK_LOCATIONS 1024

static int insert_block(sqlite3_stmt *insert, const struct locations *locations, uint32_t first,
			int64_t base_function)
{
	CLEANUP(text_release) struct text list = TEXT_INIT;
	uint32_t nr = locations->nr - first;
	int status;

	if (nr > BLOCK_LOCATIONS)
		nr = BLOCK_LOCATIONS;
	/* functions are the locations that are their own symbols */
	value_add_list(&list, locations->symbols + first, nr, base_function);
	sqlite3_bind_text(insert, 3, text_string(&list), (int)list.size, SQLITE_STATIC);
	status = sqlite3_step(insert);
	sqlite3_reset(insert);
	return status == SQLITE_DONE ? SQLITE_OK : status;
}

struct error *location_block_write(struct store *store, const struct capture *capture,
				   int64_t capture_id, int64_t base_location, int64_t base_function)
{
	const struct locations *locations = &capture->locations;
	sqlite3_stmt *insert;
	int status = sqlite3_prepare_v2(store->db, "INSERT INTO location_block VALUES (?, ?, ?)",
					-1, &insert, NULL);

	for (uint32_t i = 0; status == SQLITE_OK && i < locations->nr; i += BLOCK_LOCATIONS) {
		sqlite3_bind_int64(insert, 1, base_location + i);
		sqlite3_bind_int64(insert, 2, capture_id);
		status = insert_block(insert, locations, i, base_function);
	}
	sqlite3_finalize(insert);
	return status == SQLITE_OK ? NULL : store_error(store, status);
}
