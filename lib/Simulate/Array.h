//===- Array.h - tiles and scalars as numbers -------------------*- C++ -*-===//
//
// What a simulated value is: its elements one behind the other. Floats of up to
// 32 bits are held as float, so that the loops over them are plain ones; what
// is narrower is rounded after every op. Integers are held as int64_t, with
// their sign, but truth values as 0 and 1.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_SIMULATE_ARRAY_H
#define FUSE_LIB_SIMULATE_ARRAY_H

#include "fuse/Runtime/ElementType.h"
#include "mlir/IR/BuiltinTypes.h"
#include <memory>
#include <variant>

namespace fuse::simulate {

/// The element type of a tile, or a scalar's own type, and a tile's sizes.
struct ArrayType {
  ElementType element = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;

  /// Absent for what no tile holds.
  static std::optional<ArrayType> of(mlir::Type type);
  size_t numElements() const;
};

class Array {
public:
  /// All zero.
  explicit Array(const ArrayType &type);

  ElementType type() const { return arrayType.element; }
  llvm::ArrayRef<int64_t> shape() const { return arrayType.shape; }
  size_t size() const { return count; }

  /// The elements, if they are held as `T`.
  template <typename T> T *getIf() {
    auto *elements = std::get_if<std::vector<T>>(&data);
    return elements ? elements->data() : nullptr;
  }
  template <typename T> const T *getIf() const {
    return const_cast<Array *>(this)->getIf<T>();
  }
  template <typename T> T *get() {
    assert(getIf<T>() && "elements are held in another way");
    return getIf<T>();
  }
  template <typename T> const T *get() const {
    return const_cast<Array *>(this)->get<T>();
  }

  /// Calls `function` with a pointer to the elements, of its type.
  template <typename F> decltype(auto) visit(F function) {
    if (float *floats = getIf<float>())
      return function(floats);
    if (double *doubles = getIf<double>())
      return function(doubles);
    return function(get<int64_t>());
  }

  /// Rounds what has been computed to what the element type can hold: floats to
  /// nearest even, integers by leaving out their high bits.
  void normalise();
  /// Fills in what nobody should read: NaN, or a pattern.
  void spoil();
  /// The one number of an array that has one element of an integer type.
  int64_t integer() const { return *get<int64_t>(); }

private:
  ArrayType arrayType;
  size_t count;
  std::variant<std::vector<float>, std::vector<double>, std::vector<int64_t>>
      data;
};

using ArrayPtr = std::shared_ptr<const Array>;

/// The bits that an integer of this type has.
unsigned integerBits(ElementType type);

/// Copies `count` elements of memory, the first at `offset` and then `step`
/// apart, to an array from `at` on. The memory holds the array's element type.
void loadRun(Array &to, size_t at, const void *memory, int64_t offset,
             int64_t step, int64_t count);
/// The other way round.
void storeRun(const Array &from, size_t at, void *memory, int64_t offset,
              int64_t step, int64_t count);

/// The distance between neighbours along each axis.
llvm::SmallVector<int64_t, 4> stridesOf(llvm::ArrayRef<int64_t> shape);

} // namespace fuse::simulate

#endif // FUSE_LIB_SIMULATE_ARRAY_H
