#!/usr/bin/env bash
# Configures and builds fuse. `build.sh --help` says how.
set -euo pipefail

usage() {
  cat <<'END'
usage: tools/dev/build.sh [--build-dir DIR] [--with-ptxas] [--no-setup]
                          [--target NAME] [-DNAME=VALUE]...

Installs what is missing (see setup.sh), configures and builds.

  --build-dir DIR  the build folder (default: build)
  --with-ptxas     download NVIDIA's ptxas if there is none (see setup.sh)
  --no-setup       install nothing, check nothing
  --target NAME    build this and what it needs; else everything
  -DNAME=VALUE     passed to CMake
END
}

fail() {
  echo "error: $1" >&2
  exit 1
}

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=build
setup=1
setup_options=()
cmake_options=()
target=all
while [ $# -gt 0 ]; do
  case $1 in
    --build-dir)
      [ $# -ge 2 ] || fail "--build-dir needs a folder"
      build=$2
      shift
      ;;
    --with-ptxas) setup_options+=(--with-ptxas) ;;
    --no-setup) setup= ;;
    --target)
      [ $# -ge 2 ] || fail "--target needs a name"
      target=$2
      shift
      ;;
    -D?*) cmake_options+=("$1") ;;
    -h | --help) usage && exit ;;
    *) fail "unknown option '$1', see --help" ;;
  esac
  shift
done

if [ -n "$setup" ]; then
  tools/dev/setup.sh --build-dir "$build" "${setup_options[@]}"
fi
cmake -G Ninja -S . -B "$build" --log-level=NOTICE \
  -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
  -DMLIR_DIR=/usr/lib/llvm-22/lib/cmake/mlir \
  "${cmake_options[@]}"
cmake --build "$build" --target "$target"
