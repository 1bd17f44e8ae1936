//===- Progress.cpp - say what takes so long ------------------------------===//
//
// A thread that wakes up every second.
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include <cstdio>
#include <unistd.h>

using namespace fuse;

Progress::Progress(std::string what) : what(std::move(what)) {
  if (isatty(STDERR_FILENO))
    thread = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard lock(mutex);
    isOver = true;
  }
  ended.notify_one();
  thread.join();
}

void Progress::show() {
  std::unique_lock lock(mutex);
  bool isShown = false;
  for (int seconds = 1;; ++seconds) {
    if (ended.wait_for(lock, std::chrono::seconds(1),
                       [this] { return isOver; }))
      break;
    std::fprintf(stderr, "\r%s: %d s ", what.c_str(), seconds);
    isShown = true;
  }
  // Leaves the line empty for whatever comes next.
  if (isShown)
    std::fprintf(stderr, "\r\033[K");
}
