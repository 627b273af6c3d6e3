/* svg_read.h - whose picture a file is */
#pragma once

enum svg_writer {
	SVG_BY_TEPHRA,
	SVG_BY_OTHERS, /* or no SVG at all */
	SVG_UNKNOWN,   /* libxml2 cannot be loaded */
};

/* Reads no further than to the root element. The file is read from where it stands, left open. */
enum svg_writer svg_read_writer(int fd);
