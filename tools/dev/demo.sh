#!/usr/bin/env bash
# Builds fuse and runs its main job once. `demo.sh --help` says how.
set -euo pipefail

usage() {
  cat <<'END'
usage: tools/dev/demo.sh [--build-dir DIR] [--with-ptxas] [--no-setup]
                         [-DNAME=VALUE]...

Builds the tools (options as for build.sh), then compiles an example, runs it,
checks the result against the reference and measures it.
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
tools/dev/build.sh --build-dir "$build" --target fuse "${options[@]}"

# The main job:
"$build/bin/fuse-run" docs/examples/M3.mlir --fill=integers:-2:2 --verify=exact --bench --samples=5
