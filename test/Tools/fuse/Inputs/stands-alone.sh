# What the executable and the compiler's library in the build folder $1 need, and that the former runs the examples in
# $2 without any environment.
set -eu
fuse=$1/bin/fuse
examples=$2

for file in "$fuse" "$1/lib/libfuse-compiler.so"; do
  needed=$(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^ld-linux' | sort | xargs)
  echo "${file##*/} needs: $needed"
done

env -i "$fuse" fuse-run "$examples/P1.mlir" --fill=integers:-4:4 --verify=exact | grep 'verify: right'
env -i "$fuse" fuse-opt "$examples/A2.mlir" --fuse-decompose | grep fuse.reduce
