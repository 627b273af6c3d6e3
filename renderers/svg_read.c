/* svg_read.c - whose picture a file is */
#include "renderers/svg_read.h"

#include <stdbool.h>
#include <string.h>

#include "renderers/xml_library.h"

/* Comments and such that may stand before the root element; tephra writes none. */
#define BEFORE_ROOT_MAX 16

static bool is_text(const xmlChar *text, const char *expected)
{
	return text && strcmp((const char *)text, expected) == 0;
}

static bool is_at_root(const struct xml_library *xml, xmlTextReader *reader)
{
	for (int i = 0; i < BEFORE_ROOT_MAX && xml->xmlTextReaderRead(reader) == 1; i++)
		if (xml->xmlTextReaderNodeType(reader) == XML_READER_TYPE_ELEMENT)
			return true;
	return false;
}

/* As svg.c begins its documents: no other program's root has this class. */
static bool is_our_root(const struct xml_library *xml, xmlTextReader *reader)
{
	return is_text(xml->xmlTextReaderConstLocalName(reader), "svg") &&
	       is_text(xml->xmlTextReaderConstNamespaceUri(reader), "http://www.w3.org/2000/svg") &&
	       xml->xmlTextReaderMoveToAttribute(reader, (const xmlChar *)"class") == 1 &&
	       is_text(xml->xmlTextReaderConstValue(reader), "tephra");
}

enum svg_writer svg_read_writer(int fd)
{
	const struct xml_library *xml = xml_library_load();
	xmlTextReader *reader;
	bool is_ours;

	if (!xml)
		return SVG_UNKNOWN;
	reader = xml->xmlReaderForFd(fd, NULL, NULL,
				     XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	if (!reader)
		return SVG_UNKNOWN;
	is_ours = is_at_root(xml, reader) && is_our_root(xml, reader);
	xml->xmlFreeTextReader(reader);
	return is_ours ? SVG_BY_TEPHRA : SVG_BY_OTHERS;
}
