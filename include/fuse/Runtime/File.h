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
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
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
