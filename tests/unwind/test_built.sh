#!/bin/sh
# test_built.sh - of built files of many kinds every row is what libdw says it is
#
# What is not installed is left out. RULES_FILES: more files to be compared.

set -u
export LC_ALL=C
unset DEBUGINFOD_URLS

programs=$(cd "${srcdir:-.}/tests/unwind/programs" && pwd) || exit 99
compare=$(pwd)/tests/unwind/compare_rules
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
nr=0
cd "$folder" || exit 99

# compare <title> [--debug-frame] <file>
compare()
{
	nr=$((nr + 1))
	title=$1
	shift
	if "$compare" "$@" >out 2>&1; then
		echo "ok $nr - $title"
		sed "s|^[^:]*/|# |; s|^[^#]|# &|" out
	else
		echo "not ok $nr - $title"
		sed 's/^/# /' out
	fi
}

# has <tool>...: or says what is missing
has()
{
	for tool; do
		command -v "$tool" >/dev/null && continue
		echo "# $title: left out, there is no $tool"
		return 1
	done
}

# build <title> <compiler> <argument>...: makes ./program, and compares it
build()
{
	title=$1
	shift
	has "$1" || return 0
	if "$@" -w -o program 2>err; then
		compare "$title" program
	else
		echo "# $title: left out, it is not built: $(head -n 1 err)"
	fi
}

# rows <title> <sed expression>: the last file compared had such rows
rows()
{
	nr=$((nr + 1))
	if grep -qE "$2" out; then
		echo "ok $nr - $1"
	else
		echo "not ok $nr - $1"
		sed 's/^/# /' out
	fi
}

# ---- compilers, linkers, options
source=$programs/frames.c
for compiler in gcc clang; do
	for options in -O0 -O2 -Os "-O2 -fno-omit-frame-pointer" "-O3 -mavx2" \
		"-O2 -mno-red-zone -fPIC -shared" \
		"-O2 -static"; do
		# shellcheck disable=SC2086 # several words
		build "$compiler $options" $compiler $options "$source"
	done
	for linker in bfd gold lld mold; do
		build "$compiler, linked by $linker" $compiler -O2 -fuse-ld=$linker "$source"
	done
done
build "gcc -O2 -mavx2, realigned stacks" gcc -O2 -mavx2 -mpreferred-stack-boundary=4 "$source"
rows "realigned stacks need no evaluation" ' 0 expr.* [1-9][0-9]* from a base'
build "gcc, a .plt with branch protection" gcc -O2 -Wl,-z,ibtplt "$source"
build "gcc, no table of functions" gcc -O2 -Wl,--no-eh-frame-hdr "$source"
build "gcc, .plt with expressions" gcc -O2 -Wl,-z,lazy -fcf-protection=none "$source"
rows "a .plt has a rule of its own" ' 1 plt'

# ---- hand-written code
build "hand-written x86-64" gcc -nostdlib -shared "$programs/assembled.s"
rows "expressions, signals and ends are among it" ' [1-9][0-9]* expr, [1-9][0-9]* end'
build "hand-written x86-64, by clang and lld" clang -nostdlib -shared -fuse-ld=lld "$programs/assembled.s"

# ---- .debug_frame, as it is and packed
debug="-O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables"
for packing in none zlib zlib-gnu; do
	for version in 3 5; do
		title=".debug_frame of DWARF $version, compressed: $packing"
		# shellcheck disable=SC2086
		gcc $debug -gdwarf-$version -gz=$packing -w -o program "$source" 2>err || continue
		compare "$title" --debug-frame program
		objcopy --only-keep-debug program program.debug &&
			compare "$title, in a file of its own" --debug-frame program.debug
	done
done

# ---- aarch64
title="aarch64"
if has clang ld.lld; then
	target=--target=aarch64-linux-gnu
	for options in "-O2 -mbranch-protection=standard" "-O0" \
		"-O2 -mbranch-protection=pac-ret+leaf+b-key -fno-omit-frame-pointer"; do
		# shellcheck disable=SC2086
		clang $target $options -fPIC -w -ffreestanding -fasynchronous-unwind-tables \
			-c -o frames.o \
			"$programs/frames_arm64.c" &&
			ld.lld -shared --eh-frame-hdr -o program frames.o &&
			compare "aarch64, clang $options" program
	done
	clang $target -c -o assembled.o "$programs/assembled_arm64.s" &&
		ld.lld -shared --eh-frame-hdr -o program assembled.o &&
		compare "hand-written aarch64" program
fi

# ---- files of this machine
for file in $(ldd "$compare" 2>/dev/null | sed -n 's|.* \(/[^ ]*\) (.*|\1|p') ${RULES_FILES-}; do
	compare "$(basename "$file")" "$file"
done

echo "1..$nr"
