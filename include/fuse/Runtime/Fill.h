//===- Fill.h - data for inputs that nobody gave ----------------*- C++ -*-===//
//
// Generated inputs. The same specification and seed give the same bits on every
// machine, whatever its standard library.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_FILL_H
#define FUSE_RUNTIME_FILL_H

#include "fuse/Runtime/Buffer.h"

namespace fuse {

/// What to fill a buffer with. The two numbers are bounds (uniform, integers:
/// both included for integers), mean and standard deviation (normal), or the
/// same number twice (constant).
struct FillSpec {
  enum class Kind : uint8_t { Uniform, Normal, Integers, Constant };
  Kind kind = Kind::Uniform;
  double first = -1, second = 1;

  /// Reads `uniform:-1:1`, `normal:0:1`, `integers:-4:4` or a number.
  static Result<FillSpec> parse(std::string_view text);

  /// What `parse` reads as the same.
  std::string str() const;

  /// What suits a type when nothing is said: numbers from -1 to 1 for floats,
  /// from 0 to 7 for integers, either for truth values.
  static FillSpec defaultFor(ElementType type);
};

/// Fills `buffer`; different `seed`s give independent data.
void fill(HostBuffer &buffer, const FillSpec &spec, uint64_t seed);

} // namespace fuse

#endif // FUSE_RUNTIME_FILL_H
