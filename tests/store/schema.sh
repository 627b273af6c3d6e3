#!/bin/sh
# schema.sh - schema/README.md names the tables and columns of a profile, and its queries run
# shellcheck source=tests/support/tap.sh
. "$(dirname "$0")/../support/tap.sh" || exit 99

tephra=${TEPHRA:-./tephra}
source=${srcdir:-.}
page=$source/schema/README.md

"$tephra" import -q -o "$folder/relay.tephra" "$source/samples/relay/relay.perf-script.txt.gz" || exit 99

# sql <statement>: rows without their head
sql()
{
	"$tephra" sql --format=csv "$folder/relay.tephra" "$1" | tr -d '\r' | tail -n +2
}

# page_tables: "table column" of each row of the tables below "## Tables"
page_tables()
{
	awk '
		/^## / { is_tables = $0 == "## Tables" }
		is_tables && /^### / { table = $2 }
		is_tables && /^\| `/ {
			split($0, cell, "|")
			nr = split(cell[2], name, "`")
			for (i = 2; i <= nr; i += 2)
				print table, name[i]
		}' "$page"
}

# page_views: "view column" of the rows below "## Views"
page_views()
{
	awk '
		/^## / { is_views = $0 == "## Views" }
		is_views && /^\| `/ {
			split($0, word, "`")
			nr = split(word[4], column, " ")
			for (i = 1; i <= nr; i++)
				print word[2], column[i]
		}' "$page"
}

columns_of()
{
	sql "SELECT m.name || ' ' || c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
		WHERE m.type = '$1' ORDER BY m.rowid, c.cid" | tr -d '"'
}

columns_of table | sort >"$folder/columns"
page_tables | sort | diff "$folder/columns" - >"$folder/diff"
check $? 'the tables and their columns are those of schema/README.md' "$folder/diff"
columns_of view | sort >"$folder/columns"
page_views | sort | diff "$folder/columns" - >"$folder/diff"
check $? 'the views and their columns are those of schema/README.md' "$folder/diff"
[ "$(page_tables | wc -l)" -gt 60 ] && [ "$(page_views | wc -l)" -gt 40 ]
check $? 'there are as many of them as there should be'

[ "$(sql 'PRAGMA application_id')" = "$(printf '%d' 0x54455048)" ] &&
	grep -q '`application_id` is "TEPH" (0x54455048)' "$page"
check $? 'the application_id is the one of schema/README.md'
[ "$(sql 'PRAGMA user_version')" = "$(ls "$source"/schema/*.sql | wc -l)" ]
check $? 'user_version is the number of files in schema/'

# query <n>: the text of the n-th display of SQL
query()
{
	awk -v wanted="$1" '
		/^```sql$/ { nr++; is_sql = 1; next }
		/^```$/ { is_sql = 0 }
		is_sql && nr == wanted' "$page"
}

# Queries that may give no row of a clean capture: what was odd in the input.
queries=$(grep -c '^```sql$' "$page")
[ "$queries" = 10 ]
check $? "there are ten queries ($queries)"
at=0
while [ "$at" -lt "$queries" ]; do
	at=$((at + 1))
	query $at >"$folder/query"
	"$tephra" sql --format=csv "$folder/relay.tephra" - <"$folder/query" >"$folder/rows" 2>"$folder/err"
	check $? "query $at runs: $(head -n 1 "$folder/query")" "$folder/err"
	if grep -q 'FROM note' "$folder/query"; then
		[ "$(wc -l <"$folder/rows")" -ge 1 ]
	else
		[ "$(wc -l <"$folder/rows")" -gt 1 ]
	fi
	check $? "query $at gives rows" "$folder/rows"
	command -v sqlite3 >/dev/null || continue
	# the two do not quote the same cells
	sqlite3 -readonly -csv "$folder/relay.tephra" <"$folder/query" 2>&1 | tr -d '\r"' >"$folder/shell"
	tail -n +2 "$folder/rows" | tr -d '\r"' | diff "$folder/shell" - >"$folder/diff"
	check $? "query $at gives the same in the sqlite3 shell" "$folder/diff"
done

# The answers to the five questions of a stranger
answers()
{
	sql "$(query 5)" | head -n 1
	sql "$(query 7)" | sort
	sql "$(query 8)"
}
answers >"$folder/answers"
cat >"$folder/expected" <<END
worker-2,848,24.4
application,1274
kernel,969
library,1231
message_classify,1147
END
diff "$folder/expected" "$folder/answers" >"$folder/diff"
check $? 'the answers in schema/README.md are what the queries give' "$folder/diff"

echo "1..$nr"
