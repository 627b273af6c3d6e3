/* assets.c - style sheets and scripts that travel in a picture */
#include "renderers/assets.h"

#include <string.h>

static const struct asset {
	const char *name, *text;
} assets[] = {
#include "renderers/assets.inc"
};

const char *asset_text(const char *name)
{
	for (size_t i = 0; i < sizeof(assets) / sizeof(*assets); i++)
		if (strcmp(assets[i].name, name) == 0)
			return assets[i].text;
	return "";
}
