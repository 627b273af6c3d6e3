#!/bin/bash
# json_keys.sh - schema/README.md names every key that the commands print as JSON, and no other
set -u
export LC_ALL=C
tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
build_capture=$(realpath "${BUILD_CAPTURE:-./tests/support/build_capture}") || exit 99
source=$(cd "${srcdir:-.}" && pwd) || exit 99
page=$source/schema/README.md
sample=$source/samples/relay/relay.perf-script.txt.gz

command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not installed'; exit 0; }
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 99
nr=0

# keys <heading> <words>: the JSON that tephra prints has the keys of that part of the page
keys()
{
	local heading=$1
	shift
	nr=$((nr + 1))
	"$tephra" "$@" 2>err | python3 "$folder/keys.py" "$heading" "$page" &&
		echo "ok $nr - $heading: the keys that are told are printed" ||
		echo "not ok $nr - $heading: the keys that are told are printed"
	sed 's/^/# /' err
}

# Of a part: names in the first column of its table must be printed; names anywhere in it may be.
cat >keys.py <<'END'
import json, re, sys

heading, page = sys.argv[1], open(sys.argv[2]).read()
parts = {part.split("\n", 1)[0].replace(" --format=json", ""): part.split("\n", 1)[1]
         for part in page.split("\n## ") if "\n" in part}
rows = parts[heading].split("\nCSV has")[0]
told = rows
if "as above" in rows:
    told += parts["fold"] + (parts["top"] if heading == "tree" else "")
    told += parts["info"] if heading == "info --modules" else ""
known = set(re.findall(r"`([a-z_0-9-]+)`", told))
heads = set()
for row in re.findall(r"^\| ((?:`[a-z_0-9-]+`(?:, )?)+) \|", rows, re.M):
    heads |= set(re.findall(r"`([a-z_0-9-]+)`", row))
found = set()

def walk(value, is_free):
    if isinstance(value, dict):
        for key, item in value.items():
            if not is_free:
                found.add(key)
            walk(item, key in ("meta", "record_types", "fields"))
    elif isinstance(value, list):
        for item in value[:50]:
            walk(item, False)

text = sys.stdin.read()
try:
    values = [json.loads(text)]
except ValueError:
    values = [json.loads(line) for line in text.splitlines()]
for value in values[:200]:
    walk(value, False)
for key in sorted(found - known):
    print("#", heading, "prints", key, "which schema/README.md does not name")
for key in sorted(heads - found):
    print("#", "schema/README.md names", key, "which", heading, "does not print")
sys.exit(bool(found - known or heads - found or not found))
END

keys diff diff -q --format=json "$sample@+0..+1" "$sample@+1..+2"
for command in fold top tree info samples; do
	keys $command $command -q --format=json "$sample"
done

keys record-plan record-plan --suspect=cpu --format=json
keys look look --no-picture --format=json "$sample"
keys audit audit --format=json "$sample"

"$tephra" import -q "$source/samples/relay/lab/cpu/counters.csv" -o lab.tephra || exit 99
keys align align --format=json lab.tephra

id=1111111111111111111111111111111111111111
"$build_capture" --id $id /opt/app --id '' /opt/lib.so >run.data || exit 99
keys order order --format=json "$source/samples/relay/lab/cpu/counters.csv"
keys fetch-list fetch-list --symbols=no --format=json run.data
if command -v gcc >/dev/null; then
	printf 'int hot(int n) { return n * 3; }\nint main(void) { return hot(1); }\n' >app.c
	gcc -g -Wl,--build-id=0x$id -o app app.c && gcc -o other app.c || exit 99
	hot=$(nm app | sed -n 's/^0*\([0-9a-f]*\) T hot$/\1/p')
	"$build_capture" --id $id --at "$hot" /opt/app /opt/other --id '' /opt/lib.so >run.data || exit 99
	given=(--symbols=given --binary=app=app --binary=other=other --binary=lib.so=app)
	keys 'info --modules' info --modules --format=json "${given[@]}" run.data
	keys info info --format=json "${given[@]}" run.data
	echo "$hot" >list
	keys 'symbolize --addresses' symbolize --addresses=list --binary=app --format=json
	"$tephra" import -q "${given[@]}" run.data -o run.tephra || exit 99
	keys samples samples --format=json run.tephra
else
	echo '# there is no gcc: no names that come from files'
fi
echo "1..$nr"
