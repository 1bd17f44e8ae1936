#!/bin/sh
# with-pkg-config.sh PREFIX PACKAGE SOURCE PROGRAM: builds with what pkg-config says.
set -eu
folder=$(dirname "$(find "$1" -name fuse.pc)")
export PKG_CONFIG_PATH="$folder"
case $3 in
*.c) set -- "$@" clang-22 -std=c11 -pedantic ;;
*) set -- "$@" clang++-22 -std=c++17 ;;
esac
package=$2 source=$3 program=$4
shift 4
flags=$(pkg-config --cflags --libs "$package")
# shellcheck disable=SC2086 # words are what is wanted
"$@" -Wall -Wextra -Werror "$source" $flags -Wl,-rpath,"$(pkg-config --variable=libdir fuse)" -o "$program"
