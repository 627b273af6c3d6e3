#!/bin/sh
# docs.sh - manual pages and README say what the program does: commands, options, examples, output
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/support/tap.sh" || exit 99

tephra=$(realpath "${TEPHRA:-./tephra}") || exit 99
source=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd) || exit 99
pages=$source/src/commands

# ---- manual pages and the tables of the program

# man_options <page>: its long options as --list-options writes them, "=" where a value is needed
man_options()
{
	sed -n 's/^\.It //p' "$1" | tr ',' '\n' |
		sed -nE 's/.*Fl -([a-z-]+) Ns = Ns .*/--\1=/p; t
			s/.*Fl -([a-z-]+)( .*)?$/--\1/p' | sort
}

check_page()
{
	page=$pages/tephra-$1.1
	"$tephra" "$1" --list-options | sort >"$folder/options"
	man_options "$page" | diff "$folder/options" - >"$folder/diff"
	check $? "tephra-$1(1) has the options of tephra $1 --list-options" "$folder/diff"

	sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "$page" | tr '\n' ' ' |
		grep -q "\.Nm tephra \.Cm $1 "
	check $? "tephra-$1(1) has tephra $1 in its SYNOPSIS"

	summary=$("$tephra" --help | sed -n "s/^  $1  *//p")
	grep -qxF ".Nd $summary" "$page"
	check $? "tephra-$1(1) is named with the words of tephra --help"
}

lint()
{
	name=$(basename "$1")
	if ! command -v mandoc >/dev/null; then
		skip "$name has no fault that mandoc finds" "mandoc is missing"
		return
	fi
	mandoc -T lint -W warning "$1" >"$folder/lint" 2>&1
	check $? "$name has no fault that mandoc finds" "$folder/lint"
}

"$tephra" --list-commands >"$folder/commands"
sed -n 's/^\.It Xr tephra-\([a-z-]*\) 1$/\1/p' "$pages/tephra.1" |
	diff "$folder/commands" - >"$folder/diff"
check $? "tephra(1) lists the commands, in their order" "$folder/diff"
while read -r command; do
	check_page "$command"
done <"$folder/commands"
for page in "$pages"/*.1; do
	lint "$page"
done

# ---- completion

if command -v bash >/dev/null; then
	bash >"$folder/completed" 2>&1 <<-END
		compopt() { :; }
		. "$pages/tephra.bash"
		COMP_WORDS=("$tephra" fl) COMP_CWORD=1 && _tephra && echo "\${COMPREPLY[@]}"
		COMP_WORDS=("$tephra" flame --wi) COMP_CWORD=2 && _tephra && echo "\${COMPREPLY[@]}"
	END
	printf 'flame\n--width=\n' | cmp -s - "$folder/completed"
	check $? "bash completes commands and options" "$folder/completed"
	bash >"$folder/completed" 2>&1 <<-END
		compopt() { :; }
		. "$pages/tephra.bash"
		while read -r command; do
			"$tephra" "\$command" --list-options | sort >"$folder/options"
			COMP_WORDS=("$tephra" "\$command" --) COMP_CWORD=2 && _tephra
			printf '%s\n' "\${COMPREPLY[@]}" | sort | diff "$folder/options" - || echo "of \$command"
		done <"$folder/commands"
	END
	! [ -s "$folder/completed" ]
	check $? "bash completes the options of every command" "$folder/completed"
else
	skip "bash completes commands and options" "bash is missing"
fi

# ---- examples

# In a folder of their own, with tephra in the path, and a perf that answers with the sample.
mkdir "$folder/bin" "$folder/work"
ln -s "$tephra" "$folder/bin/tephra"
# a copy, for 'tephra FILE' draws beside the capture
cp -R "$source/samples" "$folder/work/samples"
chmod -R u+w "$folder/work/samples"
ln -s samples/relay/relay.perf-script.txt.gz "$folder/work/relay.perf-script.txt.gz"
ln -s samples/relay/relay.perf.data.zst "$folder/work/relay.perf.data.zst"
cat >"$folder/bin/perf" <<END
#!/bin/sh
exec gzip -dc "$source/samples/relay/relay.perf-script.txt.gz"
END
chmod +x "$folder/bin/perf"

# What asks a question may be answered with no.
run()
{
	(cd "$folder/work" && PATH="$folder/bin:$PATH" sh -c "$1") \
		>"$folder/stdout" 2>"$folder/stderr" </dev/null || [ $? = 1 ]
}

# Examples of a page are its displays that begin with "$ ".
man_examples()
{
	sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/s/^\.Dl \$ //p' "$1"
}

for page in "$pages"/*.1; do
	man_examples "$page" >"$folder/examples"
	[ -s "$folder/examples" ]
	check $? "$(basename "$page") has examples"
	while read -r command; do
		run "$command"
		check $? "$(basename "$page"): $command" "$folder/stderr"
	done <"$folder/examples"
done

# ---- README.md: "    $ command", and below it lines of its output; "..." stands for others

# lines_missing: the lines of standard input that the command did not print
lines_missing()
{
	while IFS= read -r line; do
		[ "$line" = ... ] || grep -qxF -e "$line" "$folder/stdout" ||
			printf 'not printed: %s\n' "$line"
	done
}

# readme_commands: the commands of all displays
readme_commands()
{
	sed -n 's/^    \$ //p' "$source/README.md"
}

# readme_output <n>: what is shown of the output of the n-th command
readme_output()
{
	awk -v wanted="$1" '
		/^    \$ / { nr++; is_shown = 1; next }
		!/^    / { is_shown = 0 }
		is_shown && nr == wanted { print substr($0, 5) }' "$source/README.md"
}

readme_commands >"$folder/examples"
[ -s "$folder/examples" ]
check $? "README.md has examples"
at=0
while IFS= read -r command; do
	at=$((at + 1))
	run "$command"
	check $? "README.md: $command" "$folder/stderr"
	readme_output $at >"$folder/shown"
	[ -s "$folder/shown" ] || continue
	lines_missing <"$folder/shown" >"$folder/missing"
	! [ -s "$folder/missing" ]
	check $? "README.md: that output is shown as it is" "$folder/missing"
done <"$folder/examples"

# Each kind of note
sed -n 's/^NOTE([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$source/src/model/notes.def" >"$folder/kinds"
while read -r kind; do
	grep -q "^\.It Cm .*$kind" "$source/src/commands/tephra-info.1" || echo "there is no $kind"
done <"$folder/kinds" >"$folder/missing"
[ -s "$folder/kinds" ] && ! [ -s "$folder/missing" ]
check $? "tephra-info(1) says what each kind of note is" "$folder/missing"

# Each kind of finding
sed -n 's/^AUDIT([A-Z_]*, "\([a-z-]*\)", \([A-Z]*\),.*/\1 Pq \L\2/p' "$source/src/analysis/audit.def" >"$folder/kinds"
while read -r kind; do
	grep -qxF ".It Cm $kind" "$source/src/commands/tephra-audit.1" || echo "there is no $kind"
done <"$folder/kinds" >"$folder/missing"
[ -s "$folder/kinds" ] && ! [ -s "$folder/missing" ]
check $? "tephra-audit(1) says what each kind of finding is, and its verdict" "$folder/missing"

# Links into the tree, and the folders and files of the map
{
	tr ')' '\n' <"$source/README.md" | sed -nE 's/.*\]\(([^:#]+)$/\1/p'
	sed -nE 's/^\| .([a-zA-Z/._]+).[, |].*/\1/p' "$source/README.md" | grep /
} >"$folder/links"
while read -r link; do
	[ -e "$source/$link" ] || echo "there is no $link"
done <"$folder/links" >"$folder/missing"
! [ -s "$folder/missing" ]
check $? "README.md: its links and the folders of its map are there" "$folder/missing"

echo "1..$nr"
