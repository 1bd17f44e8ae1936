#!/bin/sh
# with-pkg-config.sh PREFIX SOURCE PROGRAM: builds with what pkg-config says.
set -eu
folder=$(dirname "$(find "$1" -name fuse.pc)")
export PKG_CONFIG_PATH="$folder"
# shellcheck disable=SC2046 # words are what is wanted
clang++-22 -std=c++17 "$2" $(pkg-config --cflags --libs fuse) -Wl,-rpath,"$(pkg-config --variable=libdir fuse)" -o "$3"
