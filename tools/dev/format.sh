#!/usr/bin/env bash
# Formats the C++ sources. `format.sh --help` says how.
set -euo pipefail

usage() {
  cat <<'END'
usage: tools/dev/format.sh [--check] [FILE]...

Formats the C++ files named (from the repository's root), or all of them.

  --check  change nothing, fail if a file is not formatted
END
}

fail() {
  echo "error: $1" >&2
  exit 1
}

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mode=(-i)
files=()
while [ $# -gt 0 ]; do
  case $1 in
    --check) mode=(--dry-run --Werror) ;;
    -h | --help) usage && exit ;;
    -*) fail "unknown option '$1', see --help" ;;
    *) files+=("$1") ;;
  esac
  shift
done

command -v clang-format-22 >/dev/null ||
  fail "clang-format-22 not found, 'tools/dev/setup.sh --lint' installs it"
if [ ${#files[@]} = 0 ]; then
  mapfile -t files < <(find include lib tools test -name '*.h' -o -name '*.cpp')
fi
if [ ${#files[@]} != 0 ]; then
  clang-format-22 "${mode[@]}" "${files[@]}"
fi
