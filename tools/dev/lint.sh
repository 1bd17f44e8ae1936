#!/usr/bin/env bash
# Checks format and style. `lint.sh --help` says how.
set -euo pipefail

usage() {
  cat <<'END'
usage: tools/dev/lint.sh [--all] [--build-dir DIR] [FILE]...

Checks the format of all files, the scripts with shellcheck, the Python package
with mypy, and the C++ files named (from the root) with clang-tidy; without
names, those that this branch changed.
Needs a build (tools/dev/build.sh), for generated headers and compile commands.

  --all            clang-tidy on all C++ files
  --build-dir DIR  the build folder (default: build)
END
}

fail() {
  echo "error: $1" >&2
  exit 1
}

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=build
all=
files=()
while [ $# -gt 0 ]; do
  case $1 in
    --all) all=1 ;;
    --build-dir)
      [ $# -ge 2 ] || fail "--build-dir needs a folder"
      build=$2
      shift
      ;;
    -h | --help) usage && exit ;;
    -*) fail "unknown option '$1', see --help" ;;
    *) files+=("$1") ;;
  esac
  shift
done

tools/dev/setup.sh --lint --build-dir "$build"
[ -e "$build/compile_commands.json" ] ||
  fail "$build has no compile_commands.json, run tools/dev/build.sh first"

# What this branch has done since it left the main one, new files included.
changed_files() {
  local base
  base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD)
  git diff --name-only --diff-filter=d "$base"
  git ls-files --others --exclude-standard
}

if [ -n "$all" ]; then
  mapfile -t files < <(find lib tools test -name '*.cpp')
elif [ ${#files[@]} = 0 ]; then
  mapfile -t files < <(changed_files | grep '\.cpp$' || true)
fi

status=0
tools/dev/format.sh --check || status=1
shellcheck tools/dev/*.sh .ci/run || status=1
mypy --config-file tools/python/pyproject.toml --cache-dir "$build/mypy" \
  tools/python/fuse || status=1
if [ ${#files[@]} != 0 ]; then
  printf '%s\0' "${files[@]}" |
    xargs -0 -P "$(nproc)" -n 1 clang-tidy-22 -p "$build" --quiet \
      --warnings-as-errors='*' || status=1
fi
[ $status = 0 ] && echo "no complaints"
exit $status
