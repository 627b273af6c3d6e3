#!/bin/sh
# order_short.sh - three incidents of samples/relay/lab, run now: read as what they are

source=${srcdir:-.}
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not installed'; exit 0; }
PYTHONDONTWRITEBYTECODE=1 exec python3 "$source/tests/bench/order_campaign.py" "${TEPHRA:-./tephra}" tests/support/relay-lab \
	"$source/samples/relay/lab/capture.sh" --short
