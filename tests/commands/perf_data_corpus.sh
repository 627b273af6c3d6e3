#!/bin/sh
# perf_data_corpus.sh - recordings of many perfs, as they lie in a folder "shared" beside the checkout, a line each

set -u
export LC_ALL=C.UTF-8

tephra=${TEPHRA:-./tephra}
source=${srcdir:-.}
corpus=${TEPHRA_SHARED:-$source/../shared}/corpus/perfdata

command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not installed'; exit 0; }
[ -f "$corpus/SUMMARY.jsonl" ] || { echo '1..0 # SKIP there is no folder "shared" beside the checkout'; exit 0; }
PYTHONDONTWRITEBYTECODE=1 exec python3 "$source/tests/support/perf_data_corpus.py" "$tephra" "$corpus"
