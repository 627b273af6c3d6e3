#!/bin/sh
# embed.sh - print files as rows { "name", "text" } of a C table
set -e
for file in "$@"; do
	case $file in
	# These travel in every picture: without indent, comment lines and empty lines.
	*.css | *.js) bare='s/^[ 	]*//; /^\/\*.*\*\/$/d; /^\/\*/,/\*\/$/d; /^$/d' ;;
	*) bare= ;;
	esac
	printf '{ "%s",\n' "$(basename "$file")"
	sed "$bare" "$file" | od -An -v -tx1 | sed 's/ /\\x/g; s/.*/"&"/'
	printf '},\n'
done
