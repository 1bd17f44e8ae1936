// Files of data that are not exactly the array that is needed.

// DEFINE: %{npy} = %python %S/Inputs/npy.py %t/x.npy
// DEFINE: %{fails} = %S/Inputs/fails.sh 3 %t.log fuse-run %s --input=x=%t/x.npy

// RUN: rm -rf %t && mkdir -p %t/folder.npy
// RUN: %{npy} '<f4' 2x3 1 2 3 && fuse-run %s --input=x=%t/x.npy --output=0=%t/y.npy > /dev/null

// RUN: %{npy} '<f8' 2x3 && %{fails} --output=0=%t/y.npy | FileCheck %s --check-prefix=TYPE
// TYPE: fuse-run: error: '{{.*}}x.npy': the elements are '<f8' (f64), but '<f4' (f32) is needed
// RUN: %{npy} '>f4' 2x3 && %{fails} | FileCheck %s --check-prefix=ENDIAN
// ENDIAN: fuse-run: error: '{{.*}}x.npy': the elements are big-endian '>f4', but little-endian '<f4' (f32) is needed
// RUN: %{npy} '<f4' 2x3 --order=True && %{fails} | FileCheck %s --check-prefix=ORDER
// ORDER: fuse-run: error: '{{.*}}x.npy': the elements are in column-major order (fortran_order), but row-major order is needed
// RUN: %{npy} '<f4' 6 && %{fails} | FileCheck %s --check-prefix=RANK
// RANK: fuse-run: error: argument 'x' has type tensor<?x3xf32>, but {{.*}}x.npy has shape 6
// RUN: %{npy} '<f4' 3x2 && %{fails} | FileCheck %s --check-prefix=SIZE
// SIZE: fuse-run: error: argument 'x' has type tensor<?x3xf32>, but {{.*}}x.npy has shape 3x2
// RUN: %{npy} '<f4' 2x3 && %{fails} --shape=x:4x3 | FileCheck %s --check-prefix=SHAPE
// SHAPE: fuse-run: error: argument 'x': --shape says 4x3, but {{.*}}x.npy has shape 2x3
// RUN: %{npy} '<f4' 2x3 --cut=1 && %{fails} | FileCheck %s --check-prefix=DATA
// DATA: fuse-run: error: '{{.*}}x.npy': the data is truncated: found 23 bytes, needed 24 for shape 2x3 of f32
// RUN: %{npy} '<f4' 2x3 --add=1 && %{fails} | FileCheck %s --check-prefix=TRAILING
// TRAILING: fuse-run: error: '{{.*}}x.npy': the data has trailing bytes: found 25 bytes, needed 24 for shape 2x3 of f32
// RUN: for n in 0 3 6 8 9; do %{npy} '<f4' 2x3 --head=$n && %{fails} | FileCheck %s --check-prefix=HEADER || exit 1; done
// RUN: %{npy} '<f4' 2x3 --head=40 && %{fails} | FileCheck %s --check-prefix=HEADER
// HEADER: fuse-run: error: '{{.*}}x.npy': the header is truncated: found {{[0-9]+}} byte{{s?}}, needed {{[0-9]+}} bytes
// RUN: cp %s %t/x.npy && %{fails} | FileCheck %s --check-prefix=MAGIC
// MAGIC: fuse-run: error: '{{.*}}x.npy': found '// Fil' at the start, needed the magic string of an .npy file
// RUN: rm %t/x.npy && %{fails} | FileCheck %s --check-prefix=MISSING
// MISSING: fuse-run: error: cannot open '{{.*}}x.npy': No such file or directory
// RUN: ln -s folder.npy %t/x.npy && %{fails} | FileCheck %s --check-prefix=FOLDER
// FOLDER: fuse-run: error: '{{.*}}x.npy' is a directory, but a regular file is needed
// RUN: rm %t/x.npy && mkfifo %t/x.npy && %{fails} | FileCheck %s --check-prefix=PIPE
// PIPE: fuse-run: error: '{{.*}}x.npy' is a pipe, but a regular file is needed

// What was written before is still there.
// RUN: %python %S/Inputs/npy.py --show %t/y.npy | FileCheck %s --check-prefix=KEPT
// KEPT: <f4 (2, 3) [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]

func.func @f(%x: tensor<?x3xf32> {fuse.name = "x"}) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}
