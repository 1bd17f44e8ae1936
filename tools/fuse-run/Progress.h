//===- Progress.h - say what takes so long ----------------------*- C++ -*-===//
//
// A line on the terminal while something is going on, and nothing where
// standard error is not a terminal.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TOOLS_FUSE_RUN_PROGRESS_H
#define FUSE_TOOLS_FUSE_RUN_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace fuse {

/// Shows `what` and the seconds since, for as long as the object lives and only
/// once that has been a second.
class Progress {
public:
  explicit Progress(std::string what);
  ~Progress();

private:
  void show();

  std::string what;
  std::mutex mutex;
  std::condition_variable ended;
  bool isOver = false;
  std::thread thread;
};

} // namespace fuse

#endif // FUSE_TOOLS_FUSE_RUN_PROGRESS_H
