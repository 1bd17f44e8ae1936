# The relocatable executable $1 needs nothing but glibc, runs the examples in $2 without any environment, and is
# small enough to be sent around.
set -eu
fuse=$1
examples=$2

needed=$(ldd "$fuse" | sed 's/^[[:space:]]*//; s/ .*//; s,.*/,,' | sort | tr '\n' ' ')
echo "needs: $needed"
case $needed in
"ld-linux-x86-64.so.2 libc.so.6 libm.so.6 linux-vdso.so.1 ") ;;
*) echo "needs more than glibc" && exit 1 ;;
esac

env -i "$fuse" fuse-run "$examples/P1.mlir" --fill=integers:-4:4 --verify=exact | grep 'verify: right'
env -i "$fuse" fuse-opt "$examples/A2.mlir" --fuse-decompose | grep -q fuse.reduce

bytes=$(gzip -c "$fuse" | wc -c)
echo "compressed: $bytes bytes"
[ "$bytes" -le 40000000 ]
