#!/bin/bash
# fetch_list.sh - tephra fetch-list: what is missing, and a script that brings it, whatever paths hold
# shellcheck source=tests/support/golden.sh
build_capture=$(realpath "${BUILD_CAPTURE:-./tests/support/build_capture}") || exit 99
. "${srcdir:-.}/tests/support/golden.sh" || exit 99

relay=$source/samples/relay/relay.perf.data.zst
cp "$relay" relay.data || exit 99
export read_only=1 # the log of the machine that tests is left alone
id=0123456789abcdef0123456789abcdef01234567

expect table 0 fetch-list --symbols=no relay.data
expect csv 0 fetch-list --symbols=no --format=csv relay.data
expect json 0 fetch-list --symbols=no --format=json relay.data
expect sh 0 fetch-list --symbols=no --format=sh relay.data
expect comm 0 fetch-list --symbols=no --comm worker-2 relay.data
expect named 0 fetch-list run.script
expect help 0 fetch-list --help
is_json fetch-list --symbols=no --format=json relay.data
says "'none.data': No such file or directory" fetch-list none.data
says 'is selected; left out by --comm 3474' fetch-list --symbols=no --comm nobody relay.data

mkdir 'a folder' && cp relay.data "a folder/it's 1.data" && cp relay.data -- -x.data && cp relay.data x:y.data
expect quoted 0 fetch-list --symbols=no "a folder/it's 1.data"
expect dash 0 fetch-list --symbols=no -- -x.data
expect colon 0 fetch-list --symbols=no x:y.data

"$tephra" import -q --symbols=no relay.data -o relay.tephra || exit 99
expect stored 0 fetch-list relay.tephra
run fetch-list --symbols=no --format=sh - <relay.data
[ "$status" = 0 ] && grep -qxF "bundle='./capture.symbols'" out/out
report $? 'of standard input the bundle is called capture.symbols' out/out

# ---- the script, with paths that somebody has thought out

tree=$folder/tree
mkdir "$tree" || exit 99
names=("it's" 'two  blanks' $'line\nfeed' '-rf' '$(touch pwned)' '`touch pwned`' ';touch pwned;' '"double"'
	'back\slash' $'\xff\xfe' '*' '~' '#' "'" 'a&b' $'tab\there' '${IFS}' '!!' '%s%n' $'cr\rlf')
paths=()
for name in "${names[@]}"; do
	mkdir -p -- "$tree/$name" || exit 99
	printf 'of %s' "$name" >"$tree/$name/$name" || exit 99
	paths+=("$tree/$name/$name")
done
"$build_capture" --id "$id" "${paths[@]}" "$tree/gone" >hostile.data || exit 99
"$tephra" fetch-list -q --symbols=no --format=sh hostile.data -o fetch.sh || exit 99

for shell in sh dash 'busybox sh' 'bash --posix'; do
	command -v "${shell%% *}" >/dev/null || { skip "$shell reads the script" "there is no ${shell%% *}"; continue; }
	rm -rf box && mkdir box && cd box || exit 99
	# shellcheck disable=SC2086
	HOME=$folder $shell ../fetch.sh >../out/out 2>../out/err
	status=$?
	cd ..
	[ "$status" = 0 ] && [ "$(ls -A box)" = hostile.data.symbols.tar ] && [ ! -e pwned ] &&
		[ "$(grep -c 'not here, or not to be read' out/err)" = 1 ] &&
		grep -qF "20 files in ./hostile.data.symbols.tar, 1 not to be had" out/out
	report $? "$shell runs the script, which leaves nothing but the tar" out/out out/err
done

tar -xf box/hostile.data.symbols.tar || exit 99
bad=0
for path in "${paths[@]}"; do
	cmp -s -- "$path" "hostile.data.symbols/root$path" || { bad=1; printf '%q\n' "$path" >>out/lacking; }
done
: >>out/lacking
report $bad 'the tar holds each file under its own path' out/lacking
grep -q '^kernel=Linux' hostile.data.symbols/facts && grep -q '^realtime_s=[0-9.]*$' hostile.data.symbols/facts
report $? 'and facts of the machine' hostile.data.symbols/facts

"$tephra" info --series --format=csv hostile.data.symbols/proc.log >out/series 2>out/err
grep -q '^,"cpu{mode=""steal"",cpu=""all""}",cpu.steal,' out/series
report $? 'and what its CPUs counted, as counters' out/series out/err hostile.data.symbols/proc.log
rm -rf box && mkdir box && (cd box && log_s=1 pid=$$ sh ../fetch.sh && tar -xf hostile.data.symbols.tar) >out/out 2>out/err
moments=$(grep -cx '[0-9.]*' box/hostile.data.symbols/proc.log)
[ "$moments" -ge 2 ] && "$tephra" import -q box/hostile.data.symbols/proc.log -o counted.tephra 2>>out/err &&
	"$tephra" counters counted.tephra 2>>out/err | grep -q '^cpu{mode="idle",cpu="all"} *per second '
report $? 'for as long as is asked for, a moment each second' out/err box/hostile.data.symbols/proc.log
(cd box && rm -rf hostile* && log_s=soon sh ../fetch.sh) >out/out 2>out/err
[ -f box/hostile.data.symbols.tar ] && grep -qF "log_s takes seconds, not 'soon'" out/err
report $? 'what is no time is said, and everything else is brought' out/out out/err

if command -v shellcheck >/dev/null; then
	shellcheck -e SC2016 fetch.sh >out/lint 2>&1
	report $? 'shellcheck finds nothing' out/lint
else
	skip 'shellcheck finds nothing' 'there is no shellcheck'
fi

# ---- a path that leads out of the bundle, an ID that is none

"$build_capture" --id "$id" "$tree/../escaped" "$tree/x/.." /a/..b /..c >out.data || exit 99
echo secret >escaped
"$tephra" fetch-list -q --symbols=no --format=sh out.data -o fetch.sh || exit 99
rm -rf box && mkdir box && (cd box && sh ../fetch.sh) >out/out 2>out/err
[ "$(grep -c 'left out, the path has ".." in it' out/err)" = 2 ] && [ "$(grep -c 'not here' out/err)" = 2 ] &&
	grep -q '^0 files in' out/out && [ "$(ls -A box)" = out.data.symbols.tar ]
report $? 'a path that leads elsewhere is named, and not copied' out/out out/err

if command -v sqlite3 >/dev/null; then
	"$tephra" import -q --symbols=no out.data -o out.tephra || exit 99
	sqlite3 out.tephra "UPDATE module SET build_id = '../../x; touch pwned #'"
	run fetch-list out.tephra
	! grep -q debuginfod-find out/out
	report $? 'what is no build ID is not typed into a command' out/out
	"$tephra" fetch-list -q --format=sh out.tephra -o fetch.sh && ! grep -q 'pwned' fetch.sh
	report $? 'nor into the script' fetch.sh
else
	skip 'what is no build ID is not typed into a command' 'there is no sqlite3'
fi

# ---- the maps of runtimes

map=/tmp/perf-$$.map
echo '1000 10 made' >"$map"
"$build_capture" "$map" >jit.data || exit 99
"$tephra" fetch-list -q --symbols=no --format=sh jit.data -o fetch.sh || exit 99
rm -rf box && mkdir box && (cd box && sh ../fetch.sh && tar -xf jit.data.symbols.tar) >out/out 2>out/err
cmp -s "$map" "box/jit.data.symbols/perf-$$.map"
report $? 'a perf map is brought under its own name' out/out out/err
rm -f "$map"

# ---- the way back: unpacked beside the profile, the files name it

if command -v gcc >/dev/null; then
	mkdir opt
	echo 'int hot(int n) { return n * 3; } int main(void) { return hot(1); }' >app.c
	gcc -g -O0 -Wl,--build-id=0x$id -o opt/app app.c || exit 99
	hot=$(nm opt/app | sed -n 's/^0*\([0-9a-f]*\) T hot$/\1/p')
	"$build_capture" --id "$id" --at "$hot" "$folder/opt/app" >run.data || exit 99
	"$tephra" import -q --symbols=no run.data -o run.tephra || exit 99
	# what it prints is what is typed
	"$tephra" fetch-list -q run.tephra | sed -n 's/^#   \(tephra\|sh\|tar\) /\1 /p' >commands
	sed -i "s|^tephra|'$tephra'|; s/ *# there.*//" commands
	mkdir here && mv run.tephra here && cd here || exit 99
	sed -n 1p ../commands | sh -e >../out/out 2>../out/err && sed -n 2p ../commands | sh -e >>../out/out 2>>../out/err
	cd .. && mv opt gone && cd here || exit 99
	sed -n '3,$p' ../commands | sed 's/symbolize/symbolize --symbols=given/' | sh -e >>../out/out 2>>../out/err
	cd .. || exit 99
	[ "$(wc -l <commands)" = 4 ] && "$tephra" fold here/run.tephra | grep -qxF 'app;hot 1000000'
	report $? 'the commands that it prints name the profile, typed as they stand' commands out/out out/err
	run info --format=csv here/run.tephra
	grep -q '^recorded,machine.kernel,Linux' out/out
	report $? 'and the facts of the machine are in it' out/out
else
	skip 'the commands that it prints name the profile' 'there is no gcc'
fi

finish
