/* schema.c - is a picture what schema/flamegraph.rng says? */
#include "tests/support/schema.h"

#include <libxml/relaxng.h>
#include <stdio.h>
#include <stdlib.h>

static xmlRelaxNG *schema;

static void read_schema(void)
{
	const char *source = getenv("srcdir");
	char path[4096];
	xmlRelaxNGParserCtxt *parser;

	snprintf(path, sizeof(path), "%s/schema/flamegraph.rng", source ? source : ".");
	parser = xmlRelaxNGNewParserCtxt(path);
	schema = parser ? xmlRelaxNGParse(parser) : NULL;
	xmlRelaxNGFreeParserCtxt(parser);
	if (!schema) {
		fprintf(stderr, "'%s' is no schema\n", path);
		exit(99);
	}
}

bool schema_accepts(struct _xmlDoc *document)
{
	xmlRelaxNGValidCtxt *validator;
	int status;

	if (!schema)
		read_schema();
	validator = xmlRelaxNGNewValidCtxt(schema);
	status = xmlRelaxNGValidateDoc(validator, document);
	xmlRelaxNGFreeValidCtxt(validator);
	return status == 0;
}

void schema_forget(void)
{
	xmlRelaxNGFree(schema);
	schema = NULL;
	xmlRelaxNGCleanupTypes();
}
