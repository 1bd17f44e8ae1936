#!/usr/bin/env bash
# Builds fuse and runs all of its tests. `check.sh --help` says how.
set -euo pipefail

usage() {
  cat <<'END'
usage: tools/dev/check.sh [--static] [--build-dir DIR] [--with-ptxas]
                          [--no-setup] [-DNAME=VALUE]...

Builds (options as for build.sh) and runs all tests.

  --static  afterwards the same with the static build, in build-static
END
}

fail() {
  echo "error: $1" >&2
  exit 1
}

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=build
static=
options=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage && exit ;;
    --static) static=1 ;;
    --build-dir)
      [ $# -ge 2 ] || fail "--build-dir needs a folder"
      build=$2
      shift
      ;;
    *) options+=("$1") ;;
  esac
  shift
done

run_tests() {
  # Two at a time, though lit takes all processors: some tests have one thread,
  # and all have an end at which there is less to do.
  ctest --test-dir "$1" --output-on-failure --no-tests=error --parallel 2
}

tools/dev/build.sh --build-dir "$build" "${options[@]}"
run_tests "$build"
if [ -n "$static" ]; then
  tools/dev/build.sh --static --build-dir "$build-static" "${options[@]}"
  run_tests "$build-static"
fi
