/* pidstat.h - what pidstat -h prints */
#pragma once

extern const struct importer importer_pidstat;
