/* picture_path.c - where a picture goes that was given no name: beside its input */
#include "commands/picture_path.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

void picture_path_add(struct text *path, const char *operand)
{
	text_addf(path, "%s.svg", strcmp(operand, "-") == 0 ? "tephra" : operand);
}

bool picture_path_is_ours(const char *path)
{
	static const char mark[] = "class=\"tephra\"";
	char head[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, head, sizeof(head));
	close(fd);
	return got > 0 && memmem(head, (size_t)got, mark, strlen(mark));
}
