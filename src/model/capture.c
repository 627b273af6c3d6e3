/* capture.c - everything that samples refer to by id, and what a capture says of itself */
#include "model/capture.h"

void capture_release(struct capture *capture)
{
	names_release(&capture->names);
	modules_release(&capture->modules);
	frames_release(&capture->frames);
	locations_release(&capture->locations);
	stacks_release(&capture->stacks);
	unwindings_release(&capture->unwindings);
	tasks_release(&capture->tasks);
	events_release(&capture->events);
	facts_release(&capture->facts);
	losses_release(&capture->losses);
	clock_ties_release(&capture->ties);
	series_list_release(&capture->series);
	ksymbols_release(&capture->ksymbols);
	counts_release(&capture->record_types);
	*capture = (struct capture){0};
}
