#!/bin/bash
# two_machines.sh - recorded in one system, named in another one that lacks what ran, by what fetch-list prints
#
# usage: tests/chroot/two_machines.sh <system.tar> <folder> [<other libc.so.6>]
#
# As root, in a build folder; perf and gcc are those of this machine. system.tar is what
# debootstrap makes (Debian 12 as this machine has it). Both systems are made in <folder>, which
# must not be there, and taken away. The other libc, of another point release, is the one that the
# second machine has. SECONDS_RECORDED (20) of work are recorded.
set -eu -o pipefail
export LC_ALL=C
unset DEBUGINFOD_URLS

[ $# -ge 2 ] && [ ! -e "$2" ] || {
	sed -n '4,10s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
system=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
other_libc=${3:+$(realpath "$3")}
source=$(realpath "$(dirname "$0")")
tephra=$(realpath "${TEPHRA:-./tephra}")
seconds=${SECONDS_RECORDED-20}
libc=usr/lib/x86_64-linux-gnu/libc.so.6
work=/srv/incident # of both machines
capture=$work/perf.data

leave()
{
	for mounted in proc dev/shm dev host program; do
		for machine in box laptop; do
			umount -q "$folder/$machine/$mounted" 2>/dev/null || :
		done
	done
	mountpoint -q "$folder/box/host" || mountpoint -q "$folder/laptop/host" ||
		mountpoint -q "$folder/box/dev" || mountpoint -q "$folder/laptop/dev" ||
		rm -rf --one-file-system "$folder"
}
trap leave EXIT
trap 'exit 99' HUP INT TERM

# make_machine <name>: /host is this machine, for perf and tephra alone
make_machine()
{
	mkdir "$folder/$1"
	tar -xf "$system" -C "$folder/$1"
	mkdir -p "$folder/$1"/{host,program,srv/app,srv/incident,usr/lib/debug}
	mount -t proc proc "$folder/$1/proc"
	mount --bind /dev "$folder/$1/dev"
	mount -t tmpfs tmpfs "$folder/$1/dev/shm"
	mount --bind -o ro / "$folder/$1/host"
	mount --bind -o ro "$(dirname "$tephra")" "$folder/$1/program"
}

# on <machine> <word>...
on()
{
	local machine=$1
	shift
	chroot "$folder/$machine" /usr/bin/env -i HOME=$work PATH=/usr/bin:/bin "$@"
}

# of_host <machine> <program> <word>...: a program of this machine, with its own libraries
of_host()
{
	local machine=$1 program=$2
	shift 2
	chroot "$folder/$machine" /host/usr/bin/env -i HOME=$work \
		/host/lib64/ld-linux-x86-64.so.2 --inhibit-cache --library-path \
		/host/usr/lib/x86_64-linux-gnu "$program" "$@"
}

# build <option>...: into /srv/app of the box, stripped, the debug files where packages put them
build()
{
	local place=$folder/box/srv/app file ident
	local flags=(-O2 -g -fno-omit-frame-pointer -Wl,--build-id "$@")
	rm -rf "$place" && mkdir -p "$place"
	gcc "${flags[@]}" -DIS_LIBRARY -shared -fPIC -Wl,-soname,libwork.so "$source/app.c" -o "$place/libwork.so"
	gcc "${flags[@]}" "$source/app.c" "$place/libwork.so" -lm -Wl,-rpath,/srv/app -o "$place/app"
	for file in app libwork.so; do
		ident=$(readelf -n "$place/$file" | sed -n 's/.*Build ID: //p')
		mkdir -p "$folder/box/usr/lib/debug/.build-id/${ident:0:2}"
		objcopy --only-keep-debug "$place/$file" \
			"$folder/box/usr/lib/debug/.build-id/${ident:0:2}/${ident:2}.debug"
		strip "$place/$file"
	done
}

# debug_package <file>: its debug file, if this machine has it
debug_package()
{
	local ident
	ident=$(readelf -n "$folder/box/$1" | sed -n 's/.*Build ID: //p')
	local file=usr/lib/debug/.build-id/${ident:0:2}/${ident:2}.debug
	[ -f "/$file" ] || return 0
	mkdir -p "$folder/box/${file%/*}"
	cp "/$file" "$folder/box/$file"
}

tephra()
{
	of_host laptop "/program/$(basename "$tephra")" "$@"
}

# what fetch-list prints, done as it says
fetch()
{
	rm -rf "$folder/laptop$work/perf.data.symbols"
	tephra fetch-list "$capture" | tee "$folder/printed" | sed 's/^/    /'
	grep -qF "tephra fetch-list --format=sh -o fetch.sh $capture" "$folder/printed"
	tephra fetch-list --format=sh -o $work/fetch.sh "$capture"
	cp "$folder/laptop$work/fetch.sh" "$folder/box$work/"
	rm -f "$folder/box$work/perf.data.symbols.tar"
	on box sh -c "cd $work && sh fetch.sh"
	tar -xf "$folder/box$work/perf.data.symbols.tar" -C "$folder/laptop$work"
	tephra flame -o $work/picture.svg "$capture"
}

# ask <statement>: of the capture as it is named now
ask()
{
	tephra import -q -o $work/asked.tephra "$capture"
	tephra sql --format=csv $work/asked.tephra "$1" | tail -n +2
	rm -f "$folder/laptop$work/asked.tephra"
}

# named: "<named> of <all> user samples"
named()
{
	ask "SELECT sum(leaf NOT LIKE '[%'), count(*) FROM sample_named WHERE leaf_origin <> 'kernel'"
}

modules()
{
	ask "SELECT path, status, detail FROM module WHERE status <> 'not looked for' AND origin <> 'kernel'" |
		sed 's/^/    /'
}

make_machine box
make_machine laptop
[ -z "$other_libc" ] || cp "$other_libc" "$folder/laptop/$libc"
build
for file in "$libc" usr/lib/x86_64-linux-gnu/libm.so.6 usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2; do
	debug_package "$file"
done

echo "Recording $seconds s in the first system ..."
of_host box /host/usr/bin/perf record -q -F 99 -g -o "$capture" -- /srv/app/app "$seconds"
cp "$folder/box$capture" "$folder/laptop$work/"
IFS=, read -r before all <<<"$(named)"
echo "In the second, as it comes: $before of $all user samples named"
modules

echo "What fetch-list prints:"
fetch
IFS=, read -r after all <<<"$(named)"
echo "Then: $after of $all user samples named"
modules
status=0
[ $((after * 100)) -ge $((all * 99)) ] || { echo "not ok: less than 99 %"; status=1; }

echo "Everything is built anew on the first, and fetched again:"
rm -rf "$folder/box/usr/lib/debug/.build-id"
build -DOTHER
[ -z "$other_libc" ] || cp "$other_libc" "$folder/box/$libc"
fetch | grep 'files in' || echo "not ok: fetching failed"
IFS=, read -r swapped all <<<"$(named)"
echo "Then: $swapped of $all user samples named"
modules
if tephra fold "$capture" | grep _other; then
	echo "not ok: names of the other build"
	status=1
fi
# libc and the program are not those that ran: not a name of theirs
wrong=$(ask "SELECT count(*) FROM sample_named JOIN module ON module.path = leaf_module
	WHERE leaf NOT LIKE '[%' AND (path LIKE '/srv/app/%'
	OR path LIKE '%/libc.so.6' AND ${other_libc:+1 OR }0)")
echo "Of the replaced files: $wrong samples named"
[ "$wrong" = 0 ] || { echo "not ok: a replaced file names"; status=1; }
exit $status
