#!/bin/sh
# embed.sh - print files as rows { "name", "text" } of a C table
set -e
for file in "$@"; do
	printf '{ "%s",\n' "$(basename "$file")"
	od -An -v -tx1 "$file" | sed 's/ /\\x/g; s/.*/"&"/'
	printf '},\n'
done
