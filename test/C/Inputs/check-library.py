"""Whether the runtime's library is as small and as alone as it is promised."""
import glob
import os
import subprocess
import sys

library, = glob.glob(os.path.join(sys.argv[1], "lib*", "**", "libfuse.so.1"), recursive=True)
assert os.path.getsize(library) <= 1 << 20, os.path.getsize(library)
assert not glob.glob(os.path.join(sys.argv[1], "**", "*compiler*.so*"), recursive=True)
needed = subprocess.run(["llvm-readelf", "--needed-libs", library], capture_output=True, text=True, check=True).stdout
assert "LLVM" not in needed and "MLIR" not in needed and "cuda" not in needed, needed
symbols = subprocess.run(["llvm-nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
names = [line.split()[-1].split("@")[0] for line in symbols.splitlines()]
strange = [name for name in names if not name.startswith("fuse_") and name != "FUSE_1"]
assert names and not strange, strange
