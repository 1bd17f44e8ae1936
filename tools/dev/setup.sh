#!/usr/bin/env bash
# Installs what building fuse needs on Debian 12. `setup.sh --help` says how.
set -euo pipefail

usage() {
  cat <<'END'
usage: tools/dev/setup.sh [--lint] [--with-ptxas] [--build-dir DIR]

Installs the Debian packages that building and testing need. Does nothing, and
needs neither root nor a network, when all of them are there.

  --lint           clang-format, clang-tidy, shellcheck and mypy too
  --with-ptxas     download NVIDIA's ptxas into DIR/ptxas, unless there is one
                   (under NVIDIA's CUDA license; 40 MB from PyPI)
  --build-dir DIR  the build folder (default: build)

FUSE_IGNORE_TOOLKIT=1 in the environment: as if no ptxas were installed (used by
a test of --with-ptxas).
END
}

fail() {
  echo "error: $1" >&2
  exit 1
}

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=build
lint=
with_ptxas=
while [ $# -gt 0 ]; do
  case $1 in
    --lint) lint=1 ;;
    --with-ptxas) with_ptxas=1 ;;
    --build-dir)
      [ $# -ge 2 ] || fail "--build-dir needs a folder"
      build=$2
      shift
      ;;
    -h | --help) usage && exit ;;
    *) fail "unknown option '$1', see --help" ;;
  esac
  shift
done

# clang brings libstdc++ and binutils; lit and FileCheck are in llvm-22-tools.
# LLVM's archives need zlib and zstd; the last two are for tests.
packages=(
  cmake ninja-build ccache clang-22 lld-22
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
  libgtest-dev libgmock-dev zlib1g-dev libzstd-dev
  pkg-config python3-numpy
)
if [ -n "$lint" ]; then
  packages+=(clang-format-22 clang-tidy-22 shellcheck git mypy)
fi

# The newest ptxas of the CUDA release that fuse is developed with.
ptxas_wheel=nvidia-cuda-nvcc==13.0.88

ptxas_path() {
  local candidate
  if [ -n "${FUSE_IGNORE_TOOLKIT:-}" ]; then
    candidate=$build/ptxas/bin/ptxas
    [ ! -x "$candidate" ] || echo "$candidate"
    return
  fi
  for candidate in "${FUSE_PTXAS:-}" "${CUDA_HOME:+$CUDA_HOME/bin/ptxas}" \
    "$(command -v ptxas || true)" /usr/local/cuda/bin/ptxas \
    /usr/local/cuda-*/bin/ptxas /opt/cuda/bin/ptxas "$build/ptxas/bin/ptxas"; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      echo "$candidate"
      return
    fi
  done
}

if [ -n "$with_ptxas" ] && [ -z "$(ptxas_path)" ] &&
  ! python3 -m pip --version >/dev/null 2>&1; then
  packages+=(python3-pip ca-certificates)
fi

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    is_installed "$package" || echo "$package"
  done
}

# Networks fail now and then: two more tries, for what only downloads.
retry() {
  local try
  for try in 1 2 3; do
    if "$@"; then
      return
    fi
    [ "$try" = 3 ] || sleep $((try * 5))
  done
  return 1
}

install_missing() {
  local as_root=() get candidate
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      fail "not root and no sudo; as root, run:
  apt-get update && apt-get install --no-install-recommends -y $*"
    as_root=(sudo)
  fi
  get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300)
  echo "installing: $*"
  retry "${get[@]}" -o APT::Update::Error-Mode=any update ||
    echo "warning: going on with the package lists that apt has" >&2
  candidate=$(apt-cache policy libmlir-22-dev | sed -n 's/^ *Candidate: //p')
  case $candidate in
    '' | '(none)')
      fail "apt has no LLVM 22; on Debian 12 it is in the suite bookworm-security (main)"
      ;;
  esac
  get+=(install --no-install-recommends -y)
  retry "${get[@]}" --download-only "$@" >/dev/null ||
    fail "downloading packages failed (apt's message is above)"
  "${get[@]}" "$@" >/dev/null ||
    fail "installing packages failed (apt's message is above)"
}

download_ptxas() {
  local folder
  folder=$(mktemp -d)
  # shellcheck disable=SC2064 # the folder as it is now
  trap "rm -rf '$folder'" EXIT
  echo "downloading ptxas ($ptxas_wheel)"
  python3 -m pip download -q --no-deps --only-binary :all: \
    -d "$folder" "$ptxas_wheel" ||
    fail "downloading $ptxas_wheel failed (pip's message is above)"
  mkdir -p "$build/ptxas/bin"
  python3 - "$folder"/*.whl "$build/ptxas/bin" <<'END'
import pathlib, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
name, = [n for n in wheel.namelist() if n.endswith("/bin/ptxas")]
ptxas = pathlib.Path(sys.argv[2], "ptxas")
ptxas.write_bytes(wheel.read(name))
ptxas.chmod(0o755)
END
}

command -v dpkg-query >/dev/null || fail "this is not a Debian system; fuse needs:
  ${packages[*]}
and build.sh --no-setup builds without this check"
mapfile -t missing < <(missing_packages)
if [ ${#missing[@]} != 0 ]; then
  install_missing "${missing[@]}"
fi
if [ -n "$with_ptxas" ]; then
  [ -n "$(ptxas_path)" ] || download_ptxas
  echo "ptxas: $(ptxas_path)"
fi
