//===- File.cpp - files that are whole or not there -----------------------===//
//
// A new file is made beside the old one and takes its name when it is complete.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/File.h"
#include "fuse/Runtime/Buffer.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

using namespace fuse;

std::string fuse::describeErrno(int error) {
  return std::generic_category().message(error);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static RuntimeError cannotRead(const std::string &path, int error) {
  return RuntimeError(ErrorCode::BadInput,
                      "cannot open '" + path + "': " + describeErrno(error));
}

static const char *describeKind(mode_t mode) {
  return S_ISDIR(mode)    ? "a directory"
         : S_ISFIFO(mode) ? "a pipe"
         : S_ISSOCK(mode) ? "a socket"
                          : "a device";
}

Result<OpenedFile> fuse::openRegularFile(const std::string &path) {
  // Without waiting, for a pipe that nobody writes to would never open.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info;
  if (!file || ::fstat(file.get(), &info) != 0)
    return cannotRead(path, errno);
  if (!S_ISREG(info.st_mode))
    return RuntimeError(ErrorCode::BadInput,
                        "'" + path + "' is " + describeKind(info.st_mode) +
                            ", but a regular file is needed");
  return OpenedFile{std::move(file), static_cast<uint64_t>(info.st_size)};
}

Result<size_t> fuse::readFully(int fd, void *data, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t count = ::read(fd, static_cast<char *>(data) + done, size - done);
    if (count == 0)
      break;
    if (count > 0)
      done += count;
    else if (errno != EINTR)
      return RuntimeError(ErrorCode::BadInput,
                          "cannot read: " + describeErrno(errno));
  }
  return done;
}

Result<std::string> fuse::readFile(const std::string &path) {
  Result<OpenedFile> file = openRegularFile(path);
  if (!file)
    return file.takeError();
  if (std::optional<uint64_t> available = availableMemory();
      available && file->size > *available)
    return RuntimeError(ErrorCode::Unsupported,
                        "'" + path + "' has " + formatBytes(file->size) +
                            ", but " + formatBytes(*available) +
                            " of memory are available");
  std::string bytes(file->size, '\0');
  Result<size_t> count =
      readFully(file->descriptor.get(), bytes.data(), bytes.size());
  if (!count)
    return std::move(count.takeError()).withContext("'" + path + "'");
  bytes.resize(*count);
  return bytes;
}

/// Waits until there is something to read.
static void waitForData(int fd) {
  pollfd waiting = {fd, POLLIN, 0};
  ::poll(&waiting, 1, /*timeout=*/-1);
}

/// Nothing tells how much comes of a pipe, so it has a bound.
static constexpr uint64_t kMostOfPipe = uint64_t(1) << 30;

/// Gives whoever is going to write to a pipe with a name the time to begin.
static void waitForWriter(int fd) {
  constexpr int milliseconds = 2000;
  pollfd waiting = {fd, POLLIN, 0};
  ::poll(&waiting, 1, milliseconds);
}

static Result<std::string> readStream(int fd, uint64_t most) {
  std::string bytes;
  while (true) {
    constexpr size_t piece = 1 << 20;
    size_t before = bytes.size();
    std::optional<uint64_t> available;
    if (before + piece > bytes.capacity())
      available = availableMemory();
    if (before >= most || (available && 2 * before > *available))
      return RuntimeError(ErrorCode::Unsupported,
                          "has more than " + formatBytes(before) +
                              ", which only a regular file may have");
    bytes.resize(before + piece);
    ssize_t count = ::read(fd, bytes.data() + before, piece);
    int error = errno;
    bytes.resize(before + std::max<ssize_t>(count, 0));
    if (count == 0)
      return bytes;
    if (count < 0 && error == EAGAIN)
      waitForData(fd);
    else if (count < 0 && error != EINTR)
      return RuntimeError(ErrorCode::BadInput,
                          "cannot read: " + describeErrno(error));
  }
}

Result<std::string> fuse::readInput(const std::string &path) {
  bool isStandard = path == "-";
  std::string name = isStandard ? "the standard input" : "'" + path + "'";
  // Without waiting, for a pipe that nobody writes to would never open.
  Descriptor file(
      isStandard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info;
  if (!file || ::fstat(file.get(), &info) != 0)
    return cannotRead(path, errno);
  bool isRegular = S_ISREG(info.st_mode);
  if (isRegular && !isStandard)
    return readFile(path);
  char first;
  // What a device has never ends, but for a terminal's, or it is nothing at
  // all.
  bool isEndless = (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) &&
                   !::isatty(file.get()) && ::read(file.get(), &first, 1) > 0;
  // Who starts a process may give it a socket to read.
  bool isOther =
      S_ISDIR(info.st_mode) || (S_ISSOCK(info.st_mode) && !isStandard);
  if (isEndless || isOther)
    return RuntimeError(ErrorCode::BadInput,
                        name + " is " + describeKind(info.st_mode) +
                            ", but a file or a pipe is needed");
  if (S_ISFIFO(info.st_mode) && !isStandard)
    waitForWriter(file.get());
  Result<std::string> bytes =
      readStream(file.get(), isRegular ? std::numeric_limits<uint64_t>::max()
                                       : kMostOfPipe);
  if (!bytes)
    return std::move(bytes.takeError()).withContext(name);
  return bytes;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Yields errno.
static int writeFully(int fd, const void *data, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count =
        ::write(fd, static_cast<const char *>(data) + done, size - done);
    if (count > 0)
      done += count;
    else if (count == 0)
      return EIO;
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

static RuntimeError cannotWrite(const std::string &path, int error,
                                const char *during = "") {
  return RuntimeError(ErrorCode::Output, "cannot write '" + path + "': " +
                                             during + describeErrno(error));
}

/// Yields errno.
static int writePieces(int fd, std::span<const std::string_view> pieces) {
  for (std::string_view piece : pieces)
    if (int error = writeFully(fd, piece.data(), piece.size()))
      return error;
  return 0;
}

/// The standard streams by their names: opening those anew would write over the
/// start of a file that the shell redirected them to.
static std::optional<int> standardStream(std::string_view path) {
  if (path == "/dev/stdout" || path == "/dev/fd/1")
    return STDOUT_FILENO;
  if (path == "/dev/stderr" || path == "/dev/fd/2")
    return STDERR_FILENO;
  return std::nullopt;
}

static Status writeStraight(const std::string &path, int fd,
                            std::span<const std::string_view> pieces) {
  Descriptor file(fd);
  if (!file)
    return cannotWrite(path, errno);
  int error = writePieces(file.get(), pieces);
  int closeError = file.close();
  if (error || closeError)
    return cannotWrite(path, error ? error : closeError);
  return Status::success();
}

static std::string folderOf(const std::string &path) {
  return path.substr(0, path.rfind('/') + 1);
}

/// Calls `create` with names beside `target` until it takes one that nobody
/// has; yields what it does, -1 and errno if there is none.
template <class Create>
static int createBeside(const std::string &target, std::string &temporary,
                        Create create) {
  std::string stem =
      folderOf(target) + ".fuse-" + std::to_string(::getpid()) + "-";
  for (int attempt = 0; attempt < 1000; ++attempt) {
    temporary = stem + std::to_string(attempt) + ".tmp";
    int made = create(temporary.c_str());
    if (made >= 0 || errno != EEXIST)
      return made;
  }
  return -1;
}

namespace {

/// A new file in the folder of `target`, which takes its place when it is
/// complete. It has no name before, so that whoever is killed leaves nothing;
/// but not all file systems can do that.
class Successor {
public:
  explicit Successor(const std::string &target)
      : target(target), file(createNameless(target)) {
    if (!file)
      file = Descriptor(createNamed());
  }
  ~Successor() {
    if (!temporary.empty())
      ::unlink(temporary.c_str());
  }

  /// Without one errno says why.
  explicit operator bool() const { return bool(file); }
  int get() const { return file.get(); }
  int takePlace();

private:
  static std::string linkTo(int fd) {
    return "/proc/self/fd/" + std::to_string(fd);
  }
  static Descriptor createNameless(const std::string &target);
  int createNamed();
  int giveName();

  const std::string &target;
  Descriptor file;
  std::string temporary;
};

} // namespace

Descriptor Successor::createNameless(const std::string &target) {
  std::string folder = folderOf(target);
  Descriptor made(::open(folder.empty() ? "." : folder.c_str(),
                         O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666));
  // That is how it gets a name.
  bool canBeNamed = made && ::access(linkTo(made.get()).c_str(), F_OK) == 0;
  return canBeNamed ? std::move(made) : Descriptor(-1);
}

/// Not mkstemp, whose files only their owner can read.
int Successor::createNamed() {
  int made = createBeside(target, temporary, [](const char *name) {
    return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  });
  if (made < 0)
    temporary.clear();
  return made;
}

/// Yields errno.
int Successor::giveName() {
  if (!temporary.empty())
    return 0;
  std::string link = linkTo(file.get());
  int made = createBeside(target, temporary, [&](const char *name) {
    return ::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
  });
  if (made == 0)
    return 0;
  temporary.clear();
  return errno;
}

/// Yields errno.
int Successor::takePlace() {
  int error = giveName();
  int closeError = file.close();
  if (error || closeError)
    return error ? error : closeError;
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return errno;
  temporary.clear();
  return 0;
}

/// `mode` is that of the file to be replaced, if there is one.
static Status writeAndRename(const std::string &path, const std::string &target,
                             std::optional<mode_t> mode,
                             std::span<const std::string_view> pieces) {
  Successor file(target);
  if (!file)
    return cannotWrite(path, errno, "cannot create a file beside it: ");

  int error = writePieces(file.get(), pieces);
  if (!error && mode && ::fchmod(file.get(), *mode) != 0)
    error = errno;
  // Without this a crash after the rename could leave an empty file. Some file
  // systems know nothing of it (EINVAL).
  if (!error && ::fsync(file.get()) != 0 && errno != EINVAL)
    error = errno;
  if (!error)
    error = file.takePlace();
  return error ? Status(cannotWrite(path, error)) : Status::success();
}

Status fuse::checkWritable(const std::string &path) {
  if (standardStream(path))
    return Status::success();
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return cannotWrite(path, EISDIR);
    if (::access(path.c_str(), W_OK) != 0)
      return cannotWrite(path, errno);
    return Status::success();
  }
  if (errno != ENOENT || path.empty())
    return cannotWrite(path, errno);
  size_t slash = path.rfind('/');
  std::string folder =
      slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (::access(folder.c_str(), W_OK) != 0)
    return cannotWrite(path, errno, "cannot create a file beside it: ");
  return Status::success();
}

Status fuse::writeFile(const std::string &path,
                       std::span<const std::string_view> pieces) {
  if (std::optional<int> stream = standardStream(path))
    return writeStraight(path, ::fcntl(*stream, F_DUPFD_CLOEXEC, 0), pieces);

  struct stat info;
  if (::stat(path.c_str(), &info) != 0) {
    if (errno != ENOENT || path.empty())
      return cannotWrite(path, errno);
    return writeAndRename(path, path, /*mode=*/std::nullopt, pieces);
  }
  if (!S_ISREG(info.st_mode))
    return writeStraight(path, ::open(path.c_str(), O_WRONLY | O_CLOEXEC),
                         pieces);

  // A name can be given away even if the file is protected from writing.
  if (::access(path.c_str(), W_OK) != 0)
    return cannotWrite(path, errno);
  // Through links: the file is replaced, not the link that leads to it.
  std::unique_ptr<char, decltype(&std::free)> resolved(
      ::realpath(path.c_str(), nullptr), &std::free);
  if (!resolved)
    return cannotWrite(path, errno);
  return writeAndRename(path, resolved.get(), info.st_mode & 07777, pieces);
}
