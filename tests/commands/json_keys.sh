#!/bin/sh
# json_keys.sh - schema/README.md names every key that the commands print as JSON, and no other
set -u
tephra=${TEPHRA:-./tephra}
source=${srcdir:-.}
sample=$source/samples/relay/relay.perf-script.txt.gz

command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not installed'; exit 0; }
echo 1..4
number=0
for command in fold top tree info; do
	number=$((number + 1))
	"$tephra" "$command" -q --format=json "$sample" | python3 -c '
import json, re, sys
command, page = sys.argv[1:]
told = open(page).read().split("## %s --format=json" % command)[1].split("\n## ")[0]
if "CSV has" in told: told = told.split("CSV has")[0]
told += open(page).read().split("## fold")[1].split("\n## ")[0] if "as above" in told else ""
told += open(page).read().split("## top")[1].split("\n## ")[0] if command == "tree" else ""
known = set(re.findall(r"`([a-z_]+)`", told))
found = set()
def walk(value, is_free):
    if isinstance(value, dict):
        for key, item in value.items():
            if not is_free: found.add(key)
            walk(item, key == "meta")
    elif isinstance(value, list):
        for item in value[:50]: walk(item, False)
walk(json.load(sys.stdin), False)
for key in sorted(found - known): print("#", command, "prints", key, "which schema/README.md does not name")
rows = re.findall(r"^\| ((?:`[a-z_]+`(?:, )?)+) \|", open(page).read().split("## %s --format=json" % command)[1].split("\n## ")[0], re.M)
heads = set(re.findall(r"`([a-z_]+)`", " ".join(rows)))
for key in sorted(heads - found): print("#", "schema/README.md names", key, "which", command, "does not print")
sys.exit(bool(found - known or heads - found))
' "$command" "$source/schema/README.md" && echo "ok $number - ${command}_prints_the_keys_that_are_told" ||
		echo "not ok $number - ${command}_prints_the_keys_that_are_told"
done
