#!/usr/bin/env bash
# Builds the extension citus out of its source and installs it into a Postgres of this machine; downloads nothing.
#
#   sudo bench/citus/build.sh SOURCE [PG_CONFIG]
#
# SOURCE is a folder with the source (github.com/citusdata/citus, tried: tag v13.2.2), which stays as it is. PG_CONFIG is the
# pg_config of the Postgres (tried: 15.20 of Debian 12). It takes two minutes on two cores. Debian's packages for it:
# build-essential flex postgresql-15 postgresql-server-dev-15 libicu-dev libkrb5-dev liblz4-dev libpam0g-dev libreadline-dev
# libselinux1-dev libssl-dev libxml2-dev libxslt1-dev libzstd-dev zlib1g-dev. Prints the folder of programs that
# `npm run test:citus` and `npm run bench:scaleout` take as BIN.
set -euo pipefail

source=${1:?the folder of the source of citus}
pg_config=${2:-pg_config}

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cp -r "$source/." "$build"
cd "$build"
# A copy without time stamps may look older than configure.ac, and make would call autoconf.
touch configure

# Postgres declares a function of this name since 15.9, which citus 13.2.2 makes by itself for all versions before 16.
if grep -qrw have_createdb_privilege "$("$pg_config" --includedir-server)"; then
  grep -rlw have_createdb_privilege src --include='*.[ch]' |
    xargs --no-run-if-empty sed -i 's/\bhave_createdb_privilege\b/citus_have_createdb_privilege/g'
fi

{
  PG_CONFIG=$pg_config ./configure --without-libcurl
  # The code for just-in-time compilation takes longer than all else, and is not needed.
  make -j"$(nproc)" with_llvm=no extension
  make with_llvm=no install-extension
} > build.log 2>&1 || { tail -n 40 build.log >&2; exit 1; }
"$pg_config" --bindir
