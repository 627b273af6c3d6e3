/* vmstat.h - what vmstat -t prints */
#pragma once

extern const struct importer importer_vmstat;
