/* assets.h - style sheets and scripts that travel in a picture */
#pragma once

/* The text of a file of renderers/assets, "" where there is none of that name. */
const char *asset_text(const char *name);
