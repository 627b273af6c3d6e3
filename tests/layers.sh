#!/bin/sh
# layers.sh - who may include whom, which calls are not made, and that a file's first line says what it is
#
# Another arrow between folders, or a library at another door, is a line in a table below, and a
# thought about the design before it.

set -u
export LC_ALL=C

source=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd) || exit 99
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
nr=0

# folder: folders whose headers it may include, beside its own
arrows='
src/base
src/model       base
src/importers   base model
src/importers/perf_data   base model importers
src/binaries    base model
src/symbols     base model binaries
src/unwind      base model binaries
src/unwind      base model binaries
src/analysis    base model
src/store       base model schema
src/commands    base model importers binaries symbols unwind analysis store renderers
src             base commands
renderers
'

# header: the only files that may include it
doors='
zlib.h     src/base/unpack.c src/base/crc.c
zstd.h     src/base/pack.c src/base/unpack.c src/base/zstd_stream.c
lzma.h     src/base/unpack.c
libdeflate.h src/symbols/debug_image.c
libelf.h             src/binaries/* src/symbols/* src/unwind/*
gelf.h               src/binaries/* src/symbols/* src/unwind/*
elf.h                src/binaries/* src/symbols/* src/unwind/*
dwarf.h              src/symbols/* src/unwind/*
elfutils/libdw.h     src/symbols/* src/unwind/*
elfutils/libdwelf.h  src/symbols/*
libiberty/demangle.h src/symbols/demangle.c
pthread.h  src/unwind/crew.c src/unwind/files.h
xxhash.h   src/base/map.h src/base/memo.h
libxml/xmlreader.h   renderers/xml_library.h
gsl/gsl_cdf.h        src/analysis/ratio.c
gsl/gsl_randist.h    src/analysis/*
gsl/gsl_rng.h        src/analysis/*
cairo-pdf.h          renderers/cairo_library.h
pango/pangocairo.h   renderers/cairo_library.h
gsl/gsl_sf_psi.h     src/analysis/moderation.c
gsl/gsl_sort.h       src/analysis/*
gsl/gsl_statistics_double.h  src/analysis/*
jansson.h            src/importers/perf_stat_json.c src/importers/prometheus.c
event-parse.h        src/importers/perf_data/tracing.c
nettle/base16.h      src/base/digest.c
nettle/sha2.h        src/base/digest.c
sqlite3.h            src/store/audits.c src/store/captures.c src/store/clock_maps.c src/store/derived.c src/store/facts.c src/store/location_block.c src/store/losses.c src/store/migrate.c src/store/path_weight.c src/store/query.c src/store/rename.c src/store/replay.c src/store/replay_modules.c src/store/replay_names.c src/store/replay_places.c src/store/series_read.c src/store/series_write.c src/store/store.c src/store/value.c src/store/write.c src/store/dumps.c src/store/restack.c src/store/unwindings.c src/store/write_places.c
'

libc='assert.h ctype.h dirent.h dlfcn.h endian.h errno.h fcntl.h float.h getopt.h inttypes.h libgen.h limits.h
locale.h malloc.h math.h poll.h regex.h setjmp.h signal.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h
string.h strings.h sys/file.h sys/mman.h sys/prctl.h sys/resource.h sys/stat.h sys/sysmacros.h sys/types.h sys/wait.h time.h unistd.h
wchar.h'

banned='strcpy|strcat|sprintf|strtok|atoi|setlocale'

# check <file of findings> <sentence>: passes if the file is empty, else shows it
check()
{
	nr=$((nr + 1))
	if [ -s "$1" ]; then
		echo "not ok $nr - $2"
		sed 's/^/# /' "$1"
	else
		echo "ok $nr - $2"
	fi
}

# files <folder>: the C files in it, not in its folders
files()
{
	find "$1" -maxdepth 1 -type f -name '*.[ch]' | sort
}

# includes <file>: line number and header, in its brackets or quotes
includes()
{
	sed -nE '/^[[:blank:]]*#[[:blank:]]*include/{=;s/.*include[[:blank:]]*//p;}' "$1" | paste - -
}

# has <word> <word>...: is the first among the others?
has()
{
	wanted=$1
	shift
	for word; do
		[ "$word" = "$wanted" ] && return
	done
	return 1
}

# check_own <file> <line> <header>: an include of ours
check_own()
{
	layer=${3%%/*}
	# shellcheck disable=SC2086 # a list of words
	has "$layer" "${1%/*}" "$(basename "${1%/*}")" $allowed ||
		echo "$1:$2: \"$3\" is above this folder, or beside it"
}

# check_system <file> <line> <header>
check_system()
{
	# shellcheck disable=SC2086
	has "$3" $libc && return
	set -f # "src/symbols/*" is a word
	may=$(echo "$doors" | sed -n "s|^$3  *||p")
	has "${1%/*}/*" $may && return
	has "$1" $may || echo "$1:$2: <$3> may be included by ${may:-no file yet}"
}

check_includes()
{
	includes "$1" | while read -r line header; do
		case $header in
		\"*\") header=${header#\"}; check_own "$1" "$line" "${header%\"}" ;;
		\<*\>) header=${header#<}; check_system "$1" "$line" "${header%>}" ;;
		*) echo "$1:$line: $header is neither in quotes nor in brackets" ;;
		esac
	done
}

cd "$source" || exit 99
echo "$arrows" | sed '/^$/d' >"$folder/arrows"

while read -r layer allowed; do
	for file in $(files "$layer"); do
		check_includes "$file"
	done >"$folder/found"
	check "$folder/found" "$layer includes ${allowed:-nothing of ours} beside itself, and libraries at their doors"
done <"$folder/arrows"

find src renderers -type d | sort | while read -r layer; do
	[ -n "$(files "$layer")" ] || continue
	grep -q "^$layer\( \|$\)" "$folder/arrows" || echo "$layer has no line in the table of $0"
done >"$folder/found"
check "$folder/found" "each folder with sources stands in the table"

find src renderers -name '*.[ch]' | sort |
	xargs grep -nE "(^|[^[:alnum:]_])($banned)[[:blank:]]*\(" >"$folder/found"
check "$folder/found" "no call of $(echo "$banned" | sed 's/|/, /g')"

find src renderers -name '*.[ch]' | sort | while read -r file; do
	head -n 1 "$file" | grep -q "^/\* $(basename "$file") - .* \*/\$" || echo "$file"
done >"$folder/found"
check "$folder/found" "the first line of each C file is '/* name - what it is */'"

find src renderers tests -name '*.def' -o -name '*.css' -o -name '*.js' -o -name '*.sh' -o \
	-name '*.bash' -o -name '*.py' | sort | while read -r file; do
	head -n 2 "$file" | grep -q "^\(/\*\| \*\|#\) $(basename "$file") - ." || echo "$file"
done >"$folder/found"
check "$folder/found" "the first two lines of each script and table say what it is"

echo "1..$nr"
