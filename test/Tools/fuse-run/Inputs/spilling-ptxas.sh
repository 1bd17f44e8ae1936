#!/bin/sh
# A ptxas that says of a kernel what $FAKE_PTXAS/says has of it: each line has a
# part of its name, the bytes that it spills or that there is no code of it, and
# whether its products wait. When a kernel is assembled for the Nth time, its
# Nth line holds. Each time has a line in $FAKE_PTXAS/calls.
[ "$1" = --version ] && echo "release 13.0, V13.0.88" && exit
while [ $# -gt 0 ]; do
  case $1 in
    --output-file) echo machine code > "$2"; shift ;;
    *.ptx) source=$1 ;;
  esac
  shift
done
kernel=$(sed -n 's/.*\.entry \([^(]*\)(.*/\1/p' "$source")
echo "called: $kernel" >> "$FAKE_PTXAS/calls"
times=$(grep -c -x "called: $kernel" "$FAKE_PTXAS/calls")
said=$(awk -v kernel="$kernel" '$1 != "" && index(kernel, $1)' "$FAKE_PTXAS/says" | sed -n "${times}p")
set -- $said
[ "$2" = fails ] && exit 1
[ -n "$3" ] && echo "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized in the function '$kernel'"
echo "ptxas info    : Compiling entry function '$kernel' for 'sm_90a'"
echo "    0 bytes stack frame, ${2:-0} bytes spill stores, ${2:-0} bytes spill loads"
echo "ptxas info    : Used 255 registers"
