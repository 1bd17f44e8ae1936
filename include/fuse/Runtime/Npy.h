//===- Npy.h - read and write .npy files ------------------------*- C++ -*-===//
//
// Arguments come from and results go to numpy's own file format, versions 1.0
// to 3.0. Reading is strict: whatever is not exactly the array that was asked
// for is an error, never a conversion.
//
//===----------------------------------------------------------------------===//
//
//   i1    i8    i16   i32   i64,index  f16   f32   f64   bf16       f8E4M3FN
//   |b1   |i1   <i2   <i4   <i8        <f2   <f4   <f8   <V2, |V2   <V1, |V1
//
// The format has no names for the last two. Python's ml_dtypes saves them as
// opaque bytes of the same size (`<V2`), and so does fuse; in Python,
// `np.load(path).view(ml_dtypes.bfloat16)` reads them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_NPY_H
#define FUSE_RUNTIME_NPY_H

#include "fuse/Runtime/Buffer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuse {

/// What a file says about its array, not yet judged but for its form.
struct NpyHeader {
  std::string descr; ///< numpy's name of the element type, for example "<f4".
  bool isFortranOrder = false;
  std::vector<int64_t> shape; ///< Never negative.
  uint64_t dataOffset = 0;    ///< Where the elements start, in bytes.
};

/// Parses the header at the start of `bytes`, which may or may not go on with
/// the data. Errors do not name a file.
Result<NpyHeader> parseNpyHeader(std::string_view bytes);

/// Reads a regular file that holds one array of `expected` elements in
/// row-major order, of any shape. Errors name the file. No more memory is
/// allocated than the file is long.
Result<HostBuffer> readNpy(const std::string &path, ElementType expected);

/// Writes the array so that `path` holds either what it held before or all of
/// it, even if the disk is full or the machine stops: into a file beside it,
/// which then takes its name. What is no regular file (a pipe, a terminal) is
/// written to as it is. Errors name the file.
Status writeNpy(const std::string &path, const HostBuffer &buffer);

} // namespace fuse

#endif // FUSE_RUNTIME_NPY_H
