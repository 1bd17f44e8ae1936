#!/bin/sh
# A ptxas that spills where a kernel does not say how many blocks there have to
# be, as the real one does at times; in `always` it spills whatever is said, and
# in `spare` it only saves registers. In `wide` it takes many, and fewer if it is
# told of several blocks; in `wider` it then spills. In `full` it is off by
# some with all registers, and not with eight fewer; in `fuller` with fourteen.
[ "$1" = --version ] && echo "release 13.0, V13.0.88" && exit
while [ $# -gt 0 ]; do
  case $1 in
    --output-file) echo machine code > "$2"; shift ;;
    *.ptx) source=$1 ;;
  esac
  shift
done
awk '
  /\.entry/ { sub(/.*\.entry /, ""); sub(/\(.*/, ""); name = $0; asks = fewer = 0 }
  /\.minnctapersm/ { asks = 1 }
  /\.maxnreg/ { fewer = $2 }
  /^}/ {
    bytes = name ~ /^spare/ || (asks && name != "always") ? 0 : 96
    used = asks ? 200 : 32
    if (name ~ /^wide/) {
      bytes = name == "wider" && asks ? 96 : 0
      used = asks ? 128 : 180
    }
    if (name ~ /^full/) {
      bytes = fewer ? 0 : asks ? 8 : 24
      if (name == "fuller" && fewer != 241)
        bytes = fewer == 245 ? 16 : 8
      used = fewer ? fewer : 255
    }
    printf "ptxas info    : Compiling entry function \x27%s\x27 for \x27sm_90a\x27\n", name
    printf "    0 bytes stack frame, %d bytes spill stores, %d bytes spill loads\n", bytes, bytes
    printf "ptxas info    : Used %d registers\n", used
  }' "$source"
