//===- File.h - files that are whole or not there ---------------*- C++ -*-===//
//
// Writing a file so that nobody ever sees half of it and the old one survives
// whatever goes wrong; and the descriptor that readers share.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_FILE_H
#define FUSE_RUNTIME_FILE_H

#include "fuse/Runtime/Error.h"

#include <cerrno>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace fuse {

/// Closes what it holds, unless it was closed before with a look at the
/// outcome.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(Descriptor &&other) : fd(std::exchange(other.fd, -1)) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(Descriptor &&other) {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Descriptor() { close(); }

  explicit operator bool() const { return fd >= 0; }
  int get() const { return fd; }

  /// Yields errno. EINTR is none: Linux has closed the descriptor even then.
  int close() {
    int closing = std::exchange(fd, -1);
    bool hasFailed = closing >= 0 && ::close(closing) != 0 && errno != EINTR;
    return hasFailed ? errno : 0;
  }

private:
  int fd;
};

/// As strerror, which is not safe to call from two threads.
std::string describeErrno(int error);

/// A file that can be read, and how long it was when it was opened.
struct OpenedFile {
  Descriptor descriptor;
  uint64_t size = 0;
};

/// Refuses what is no regular file. Errors name the file.
Result<OpenedFile> openRegularFile(const std::string &path);

/// Reads until `size` bytes are there or the file ends; yields their number.
Result<size_t> readFully(int fd, void *data, size_t size);

/// Refuses what does not fit into the memory that is available.
Result<std::string> readFile(const std::string &path);

/// Reads a file or a pipe, or the standard input ("-") until it ends. Refuses
/// what never ends: a device that has anything but is no terminal, and a pipe
/// of more than 1 GiB. A pipe that nobody writes to is empty.
Result<std::string> readInput(const std::string &path);

/// Writes the pieces one behind the other. A file that is there is replaced at
/// once, when all has been written: through links, and with its permissions.
/// What is no file, such as a pipe or a device, is written to as it is.
Status writeFile(const std::string &path,
                 std::span<const std::string_view> pieces);

/// Whether `path` looks as if it could be written: what can be found out
/// without touching it, for complaining before a long computation.
Status checkWritable(const std::string &path);

} // namespace fuse

#endif // FUSE_RUNTIME_FILE_H
