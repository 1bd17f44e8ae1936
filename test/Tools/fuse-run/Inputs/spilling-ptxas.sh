#!/bin/sh
# A ptxas that says of the kernels of its Nth call what line N of $FAKE_PTXAS/says
# says: a part of their names, the bytes that they spill, and whether their
# products wait; or that it fails. It counts its calls in $FAKE_PTXAS/calls.
[ "$1" = --version ] && echo "release 13.0, V13.0.88" && exit
while [ $# -gt 0 ]; do
  case $1 in
    --output-file) echo machine code > "$2"; shift ;;
    *.ptx) source=$1 ;;
  esac
  shift
done
echo called >> "$FAKE_PTXAS/calls"
said=$(sed -n "$(wc -l < "$FAKE_PTXAS/calls")p" "$FAKE_PTXAS/says")
[ "$said" = fails ] && exit 1
awk -v said="$said" '
  BEGIN { split(said, words, " ") }
  /\.entry/ {
    sub(/.*\.entry /, ""); sub(/\(.*/, "")
    is_meant = words[1] != "" && index($0, words[1])
    bytes = is_meant ? words[2] : 0
    if (is_meant && words[3] != "")
      printf "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized in the function \x27%s\x27\n", $0
    printf "ptxas info    : Compiling entry function \x27%s\x27 for \x27sm_90a\x27\n", $0
    printf "    0 bytes stack frame, %d bytes spill stores, %d bytes spill loads\n", bytes, bytes
    printf "ptxas info    : Used 255 registers\n"
  }' "$source"
