/* xml_library.h - libxml2, loaded when an SVG is read and not before */
#pragma once

#include <libxml/xmlreader.h>

/*
 * Linked in the usual way it brings the libraries of ICU and of C++ into each start of the
 * program, which took 2 of 5 ms. These are what is called of it.
 */
/* clang-format off */
#define XML_LIBRARY(function) \
	function(xmlFreeTextReader) \
	function(xmlReaderForFd) \
	function(xmlTextReaderConstLocalName) \
	function(xmlTextReaderConstNamespaceUri) \
	function(xmlTextReaderConstValue) \
	function(xmlTextReaderMoveToAttribute) \
	function(xmlTextReaderNodeType) \
	function(xmlTextReaderRead)
/* clang-format on */

struct xml_library {
#define XML_LIBRARY_MEMBER(name) __typeof__(name) *name;
	XML_LIBRARY(XML_LIBRARY_MEMBER)
#undef XML_LIBRARY_MEMBER
};

/* NULL where it cannot be loaded: there is no file XML_LIBRARY_NAME. It stays loaded. */
const struct xml_library *xml_library_load(void);
