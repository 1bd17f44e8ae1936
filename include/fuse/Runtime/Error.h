//===- Error.h - errors of the runtime, as values ---------------*- C++ -*-===//
//
// What a runtime function returns when it can fail: a Result<T> or a Status,
// neither of which may be ignored. The runtime knows no LLVM and throws
// nothing; the names keep clear of llvm::Error and llvm::Expected.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_ERROR_H
#define FUSE_RUNTIME_ERROR_H

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace fuse {

/// Whose turn it is to act; a tool maps each to its own exit status.
enum class ErrorCode : uint8_t {
  BadUsage,    ///< The call itself: a wrong flag, a wrong number of arguments.
  BadInput,    ///< A file or value that was given is malformed or does not fit.
  Unsupported, ///< Well formed, but more than fuse or this machine can do.
  Output,      ///< A result could not be written.
  Device,      ///< The device or its driver failed.
};

/// One failure: lower case, saying what was found and what was needed.
class RuntimeError {
public:
  RuntimeError(ErrorCode code, std::string message)
      : errorCode(code), text(std::move(message)) {}

  ErrorCode code() const { return errorCode; }
  const std::string &message() const { return text; }

  /// The same failure with the place it happened at: "<context>: <message>".
  RuntimeError withContext(std::string_view context) && {
    text.insert(0, ": ").insert(0, context);
    return std::move(*this);
  }

private:
  ErrorCode errorCode;
  std::string text;
};

/// A value or the reason why there is none; true when there is a value.
template <class T> class [[nodiscard]] Result {
  static_assert(!std::is_same_v<T, RuntimeError>, "return a Status instead");

public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(RuntimeError error)
      : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }

  T &operator*() & { return value(); }
  const T &operator*() const & { return const_cast<Result *>(this)->value(); }
  T &&operator*() && { return std::move(value()); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &const_cast<Result *>(this)->value(); }

  const RuntimeError &error() const {
    return const_cast<Result *>(this)->failure();
  }
  RuntimeError takeError() { return std::move(failure()); }

private:
  // Not std::get, which throws: this code is also built without exceptions.
  T &value() {
    assert(*this && "no value: check the result before using it");
    return *std::get_if<0>(&state);
  }
  RuntimeError &failure() {
    assert(!*this && "no error: check the result before using it");
    return *std::get_if<1>(&state);
  }

  std::variant<T, RuntimeError> state;
};

/// The outcome of something that yields no value; true on success, as a Result
/// is (and unlike llvm::Error, which is true on failure).
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(RuntimeError error) : failure(std::move(error)) {}

  static Status success() { return Status(); }

  explicit operator bool() const { return !failure; }

  const RuntimeError &error() const {
    assert(failure && "no error: check the status before using it");
    return *failure;
  }
  RuntimeError takeError() {
    assert(failure && "no error: check the status before using it");
    return std::move(*failure);
  }

private:
  std::optional<RuntimeError> failure;
};

} // namespace fuse

#endif // FUSE_RUNTIME_ERROR_H
