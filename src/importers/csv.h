/* csv.h - counters as a table of text: a header, and a line for each moment */
#pragma once

extern const struct importer importer_csv;
