/* details.c - what a sample carries beside time, task and stack: weights, data addresses, pages */
#include "model/details.h"

const char *details_key(enum detail detail)
{
	static const char *const keys[DETAIL_NR] = {
		[DETAIL_WEIGHT] = "weight",
		[DETAIL_WEIGHT_2] = "weight_2",
		[DETAIL_WEIGHT_3] = "weight_3",
		[DETAIL_DATA_ADDRESS] = "data_address",
		[DETAIL_DATA_SOURCE] = "data_source",
		[DETAIL_TRANSACTION] = "transaction",
		[DETAIL_PHYSICAL_ADDRESS] = "physical_address",
		[DETAIL_CGROUP] = "cgroup",
		[DETAIL_DATA_PAGE_SIZE] = "data_page_size_bytes",
		[DETAIL_CODE_PAGE_SIZE] = "code_page_size_bytes",
	};

	return keys[detail];
}
