/* proc_log.h - logs of /proc/stat, /proc/pressure and cgroups' cpu.stat, with a time before each */
#pragma once

extern const struct importer importer_proc_log;
