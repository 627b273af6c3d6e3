#!/bin/sh
# arm64.sh - every row of real arm64 libraries is what libdw says it is: 'make unwind-arm64'
#
# Their Debian packages are fetched from the machine's own mirror, through an apt folder of its
# own: nothing is installed, no architecture is added. ARM64_FOLDER keeps what was fetched.
# No test of 'make check', which asks no network; tests/unwind/test_built.sh is its short form.

set -u
export LC_ALL=C

packages='libc6 libstdc++6 libgcc-s1 libpython3.11 libssl3 libsqlite3-0 libglib2.0-0 libxml2 libgnutls30
libgcrypt20 libperl5.36 libjemalloc2 libx265-199 librsvg2-2 libpng16-16 zlib1g libz3-4 libgtk-3-0'
suite=${ARM64_SUITE-bookworm}
mirror=${ARM64_MIRROR-$(sed -nE 's/^URIs: *([^ ]*debian)$/\1/p; s/^deb [^h]*(http[^ ]*debian) .*/\1/p' \
	/etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)}
keys=/usr/share/keyrings/debian-archive-keyring.gpg
compare=$(pwd)/tests/unwind/compare_rules
folder=${ARM64_FOLDER-$(mktemp -d)} || exit 99
[ "${ARM64_FOLDER-}" ] || trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM

for tool in apt-get dpkg-deb; do
	command -v "$tool" >/dev/null || { echo "arm64.sh: there is no $tool" >&2; exit 77; }
done
[ "$mirror" ] || { echo "arm64.sh: no Debian mirror is known: set ARM64_MIRROR" >&2; exit 77; }

# ---- an apt of its own
mkdir -p "$folder/apt/etc/apt/apt.conf.d" "$folder/apt/etc/apt/preferences.d" \
	"$folder/apt/etc/apt/trusted.gpg.d" "$folder/apt/var/lib/apt/lists/partial" \
	"$folder/apt/var/cache/apt/archives/partial" "$folder/packages" "$folder/root" || exit 99
: >"$folder/apt/status"
echo "deb [arch=arm64 signed-by=$keys] $mirror $suite main" >"$folder/apt/etc/apt/sources.list"
cat >"$folder/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "";
Acquire::Languages "none";
Dir "$folder/apt";
Dir::State::status "$folder/apt/status";
END
export APT_CONFIG="$folder/apt.conf"

cd "$folder/packages" || exit 99
if [ -z "$(ls)" ]; then
	apt-get update -qq || exit 99
	for package in $packages; do
		apt-get download -qq "$package" || echo "arm64.sh: $package is left out" >&2
	done
fi
for package in *.deb; do
	dpkg-deb -x "$package" "$folder/root" || exit 99
done

# ---- every library that has code
status=0
find "$folder/root" -type f -name '*.so*' -size +16k | sort >"$folder/files"
while read -r file; do
	head -c 4 "$file" | grep -q ELF || continue
	"$compare" "$file" || status=1
done <"$folder/files" >"$folder/rows"
sed "s|^$folder/root||" "$folder/rows"
sed -nE 's/.* ([0-9]+) rows: .* ([0-9]+) differences$/\1 \2/p' "$folder/rows" |
	awk '{ rows += $1; differences += $2 }
		END { print NR " files, " rows " rows, " differences " differences"; exit NR < 10 }' ||
	status=1
exit $status
