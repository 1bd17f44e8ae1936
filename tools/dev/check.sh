#!/usr/bin/env bash
# Builds fuse and runs all of its tests. `check.sh --help` says how.
set -euo pipefail

usage() {
  cat <<'END'
usage: tools/dev/check.sh [--build-dir DIR] [--with-ptxas] [--no-setup]
                          [-DNAME=VALUE]...

Builds (options as for build.sh) and runs all tests.
END
}

fail() {
  echo "error: $1" >&2
  exit 1
}

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=build
options=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage && exit ;;
    --build-dir)
      [ $# -ge 2 ] || fail "--build-dir needs a folder"
      build=$2
      shift
      ;;
    *) options+=("$1") ;;
  esac
  shift
done

tools/dev/build.sh --build-dir "$build" "${options[@]}"
# Two at a time, though lit takes all processors: some tests have one thread,
# and all have an end at which there is less to do.
ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel 2
