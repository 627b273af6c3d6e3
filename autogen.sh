#!/bin/sh
# autogen.sh - make 'configure' from configure.ac
set -e
cd "$(dirname "$0")"
mkdir -p build-aux
exec autoreconf --install --force
