#!/bin/bash
# modules.sh - what is told of modules and their files: tephra info --modules, hatched frames
# shellcheck source=tests/support/golden.sh
build_capture=$(realpath "${BUILD_CAPTURE:-./tests/support/build_capture}") || exit 99
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

command -v gcc >/dev/null || { echo '1..0 # SKIP there is no gcc'; exit 0; }

# Programs with build IDs of our own, so that what is told is the same on each machine
program()
{
	printf 'int hot(int n) { return n * 3; }\nint main(void) { return hot(1); }\n' >"$1.c"
	gcc -g -O0 "-Wl,--build-id=0x$2" -o "$1" "$1.c" || exit 99
	rm "$1.c"
}
address()
{
	nm "$1" | sed -n "s/^0*\([0-9a-f]*\) T $2\$/\1/p"
}
right=1111111111111111111111111111111111111111
wrong=2222222222222222222222222222222222222222
program app "$right"
program other "$wrong"
hot=$(address app hot)
"$build_capture" --at "$hot" --id "$right" --samples 5 /opt/app --samples 3 /opt/lib/liba.so \
	--id '' --samples 2 /opt/lib/libb.so --id "$wrong" --samples 4 /opt/lib/libc.so >perf.data || exit 99

given=(--symbols=given --binary=app=app --binary=liba.so=other --binary=libb.so=app
	--binary=libc.so=app --accept-mismatch=libc.so)

expect table 0 info --modules "${given[@]}" perf.data
expect csv 0 info --modules --format=csv "${given[@]}" perf.data
expect json 0 info --modules --format=json "${given[@]}" perf.data
expect none 0 info --modules --symbols=no perf.data
expect script 0 info --modules run.script
is_json info --modules --format=json "${given[@]}" perf.data

# ---- a profile tells the same, without the files

"$tephra" import -q "${given[@]}" perf.data -o run.tephra || exit 99
for format in table csv json; do
	equal "a profile tells the same as its capture: $format" \
		info --modules --format=$format "${given[@]}" perf.data -- info --modules --format=$format run.tephra
done

# ---- pictures

# marked: the name and the hatch of each frame that has one
marked()
{
	sed -n 's/.*class="..\( [xy]\)\{0,1\}".*<title>\([^<]*\)<.*/\1 \2/p; s/.*<text class="key"[^>]*>\([^<]*\)<.*/\1/p'
}
filter=marked
expect flame 0 flame --by=none "${given[@]}" perf.data
filter=painted
expect paint-status 0 flame -q --by=none --paint=status "${given[@]}" perf.data
filter=
# the legend of a table that is walked in has the hatches of the whole tree, which it does not draw
run flame -q --view=table "${given[@]}" perf.data
[ "$status" = 0 ] && ! grep -q '^<rect class=".. [xy]"' out/out &&
	grep -q "^key-x	named by a file" out/out && grep -q "^key-y	no name" out/out &&
	[ "$(grep -c '^<pattern id="[xy]u[0-3]"' out/out)" = 8 ]
report $? 'a table has the legend of what can be walked to' out/err
equal 'a profile has the same picture' flame "${given[@]}" perf.data -- flame run.tephra
equal 'the same capture gives the same bytes' flame "${given[@]}" perf.data -- flame "${given[@]}" perf.data

"$tephra" flame -q --symbols=given --binary=app=app --binary=liba.so=app perf.data >out/plain.svg
! grep -q 'pattern\|class=".. [xy]"' out/plain.svg
report $? 'where no name is doubted nothing is hatched'

finish
