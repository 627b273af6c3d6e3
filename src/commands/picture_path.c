/* picture_path.c - where a picture goes that was given no name: beside its input */
#include "commands/picture_path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "renderers/svg_read.h"

void picture_path_add(struct text *path, const char *operand)
{
	text_addf(path, "%s.svg", strcmp(operand, "-") == 0 ? "tephra" : operand);
}

const char *picture_path_refusal(const char *path)
{
	static const char *const refusals[] = {
		[SVG_BY_TEPHRA] = NULL,
		[SVG_BY_OTHERS] = "is there already and was not written by tephra",
		[SVG_UNKNOWN] = "is there already, and who wrote it cannot be read without libxml2 "
				"(" XML_LIBRARY_NAME ")",
	};
	enum svg_writer writer;
	struct stat status = {0};
	int fd;

	if (stat(path, &status) != 0 && errno == ENOENT)
		return NULL;
	fd = S_ISREG(status.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return refusals[SVG_BY_OTHERS];
	writer = svg_read_writer(fd);
	close(fd);
	return refusals[writer];
}
