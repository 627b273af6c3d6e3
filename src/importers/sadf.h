/* sadf.h - what sar recorded, as sadf -d writes it */
#pragma once

extern const struct importer importer_sadf;
