//===- fuse-c/Fuse.hpp - run compiled graphs, in C++ ------------*- C++ -*-===//
//
// The functions of Fuse.h with destructors, and with exceptions in place of
// codes. Header only: nothing of it is in the library. C++17.
//
//   fuse::Image image = fuse::Image::read("model.fuse");
//   fuse::Program program(image, fuse::Device::cuda());
//   fuse::Plan plan(program, {x});
//   plan.run({x}, {y}, stream);
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_C_FUSE_HPP
#define FUSE_C_FUSE_HPP

#include "fuse-c/Fuse.h"

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fuse {

/// What went wrong, as fuse_last_error says it.
class Error : public std::runtime_error {
public:
  Error(FuseStatus status, const char *message)
      : std::runtime_error(message), code(status) {}
  FuseStatus status() const { return code; }

private:
  FuseStatus code;
};

/// Throws unless a call went well.
inline void check(FuseStatus status) {
  if (status != FUSE_OK)
    throw Error(status, fuse_last_error());
}

/// A handle that is closed when it goes.
template <class Raw, FuseStatus (*Destroy)(Raw)> class Handle {
public:
  Handle() = default;
  explicit Handle(Raw raw) : raw(raw) {}
  Handle(Handle &&other) noexcept : raw(std::exchange(other.raw, nullptr)) {}
  Handle &operator=(Handle &&other) noexcept {
    std::swap(raw, other.raw);
    return *this;
  }
  ~Handle() {
    if (raw)
      Destroy(raw);
  }
  /// For functions of Fuse.h; stays with this object.
  Raw get() const { return raw; }

protected:
  /// Where a function of Fuse.h puts what it makes.
  Raw *place() { return &raw; }

private:
  Raw raw = nullptr;
};

/// Refuses a library of another version than this header's, once.
inline void checkAbi() {
  static const FuseStatus status = fuse_check_abi(FUSE_ABI_VERSION);
  if (status != FUSE_OK)
    check(fuse_check_abi(FUSE_ABI_VERSION));
}

class Image : public Handle<FuseImage, fuse_image_destroy> {
public:
  using Handle::Handle;

  static Image read(const std::string &path) {
    checkAbi();
    Image image;
    check(fuse_image_read(path.c_str(), image.place()));
    return image;
  }
  static Image parse(const void *bytes, size_t size) {
    checkAbi();
    Image image;
    check(fuse_image_parse(bytes, size, image.place()));
    return image;
  }
  void write(const std::string &path) const {
    check(fuse_image_write(get(), path.c_str()));
  }

  std::string name() const {
    const char *text = nullptr;
    check(fuse_image_name(get(), &text));
    return text;
  }
  std::string describe() const {
    size_t size = 0;
    check(fuse_image_describe(get(), nullptr, 0, &size));
    std::string text(size, '\0');
    check(fuse_image_describe(get(), text.data(), size, &size));
    text.resize(size - 1);
    return text;
  }
  /// What the compiler warned of or remarked.
  std::vector<std::string> diagnostics() const {
    size_t number = 0;
    check(fuse_image_count_diagnostics(get(), &number));
    std::vector<std::string> texts;
    for (size_t i = 0; i < number; ++i) {
      const char *text = nullptr;
      check(fuse_image_diagnostic(get(), i, &text));
      texts.push_back(text);
    }
    return texts;
  }
  size_t count(FuseArgumentKind kind) const {
    size_t number = 0;
    check(fuse_image_count(get(), kind, &number));
    return number;
  }
  FuseArgument argument(FuseArgumentKind kind, size_t number) const {
    FuseArgument argument = {};
    argument.struct_bytes = sizeof(argument);
    check(fuse_image_argument(get(), kind, number, &argument));
    return argument;
  }
  /// How a size follows from those of the inputs, such as "in0.size(0)".
  std::string size(FuseArgumentKind kind, size_t number,
                   size_t dimension) const {
    const char *text = nullptr;
    check(fuse_image_size(get(), kind, number, dimension, &text));
    return text;
  }
};

class Device : public Handle<FuseDevice, fuse_device_destroy> {
public:
  using Handle::Handle;

  /// -1: the one that the environment names, or the first.
  static Device cuda(int32_t ordinal = -1) { return open(FUSE_CUDA, ordinal); }
  /// -1: as many threads as there are processors.
  static Device cpu(int32_t threads = -1) { return open(FUSE_CPU, threads); }

  /// Whose memory an address is in: the kind and the number of the device.
  static std::pair<FuseDeviceKind, int32_t> find(const void *address) {
    checkAbi();
    std::pair<FuseDeviceKind, int32_t> found;
    check(fuse_device_find(address, &found.first, &found.second));
    return found;
  }

  std::string name() const {
    const char *text = nullptr;
    check(fuse_device_name(get(), &text));
    return text;
  }
  void wait(void *stream = nullptr) const {
    check(fuse_device_wait(get(), stream));
  }

private:
  static Device open(FuseDeviceKind kind, int32_t ordinal) {
    checkAbi();
    Device device;
    check(fuse_device_open(kind, ordinal, device.place()));
    return device;
  }
};

class Program : public Handle<FuseProgram, fuse_program_destroy> {
public:
  using Handle::Handle;
  Program(const Image &image, const Device &device) {
    check(fuse_program_load(image.get(), device.get(), place()));
  }
};

using Arrays = std::vector<FuseArray>;

class Plan : public Handle<FusePlan, fuse_plan_destroy> {
public:
  using Handle::Handle;
  Plan(const Program &program, const Arrays &inputs,
       const std::vector<int64_t> &scalars = {}) {
    check(fuse_plan_create(program.get(), inputs.data(), inputs.size(),
                           scalars.data(), scalars.size(), place()));
  }

  uint64_t workspaceBytes() const {
    uint64_t bytes = 0;
    check(fuse_plan_workspace_bytes(get(), &bytes));
    return bytes;
  }
  FuseArgument output(size_t number) const {
    FuseArgument argument = {};
    argument.struct_bytes = sizeof(argument);
    check(fuse_plan_output(get(), number, &argument));
    return argument;
  }
  void run(const Arrays &inputs, const Arrays &outputs,
           void *stream = nullptr) const {
    check(fuse_plan_run(get(), inputs.data(), inputs.size(), outputs.data(),
                        outputs.size(), stream));
  }
};

class Call : public Handle<FuseCall, fuse_call_destroy> {
public:
  using Handle::Handle;
  Call(const Plan &plan, const Arrays &inputs, const Arrays &outputs) {
    check(fuse_call_create(plan.get(), inputs.data(), inputs.size(),
                           outputs.data(), outputs.size(), place()));
  }

  void launch(void *stream = nullptr) const {
    check(fuse_call_launch(get(), stream));
  }
};

} // namespace fuse

#endif // FUSE_C_FUSE_HPP
