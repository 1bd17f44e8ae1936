//===- Children.cpp - judge graphs where a crash does no harm -------------===//
//
// A child says through a pipe when it begins a graph and what came of it, so
// its parent knows what it died of.
//
//===----------------------------------------------------------------------===//

#include "Children.h"
#include "llvm/ADT/StringExtras.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fuse;

namespace {

/// What precedes the two texts of a judgement in a pipe.
struct Header {
  uint64_t number = 0;
  /// A graph, or some schedules of it, were begun; no more is known.
  bool isBegin = false;
  Verdict verdict = Verdict::Right;
  unsigned numSchedules = 0, numRefusedSchedules = 0;
  bool hasLostDevice = false;
  uint64_t textSize = 0, schedulesSize = 0;
};

void writeAll(int pipe, const void *data, size_t size) {
  const char *bytes = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t written = write(pipe, bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    // Nobody is there any more who would read it.
    if (written <= 0)
      _exit(1);
    bytes += written;
    size -= written;
  }
}

struct Child {
  pid_t process = -1;
  int pipe = -1;
  std::string received;
  /// What it has tried last.
  std::string schedules;
  /// The graph it is at, or will begin with.
  uint64_t current = 0;
  bool isBusy = false;
  /// Whether it has ended, and another one is to go on with the next graph.
  bool hasLostDevice = false;
  Clock::time_point deadline;
};

class Children {
public:
  Children(const ChildrenOptions &options, JudgeOne judgeOne,
           llvm::function_ref<void(uint64_t, const Judgement &)> report)
      : options(options), judgeOne(judgeOne), report(report) {}

  void run();

private:
  bool isLeft(uint64_t number) const {
    return number - options.first < options.count && Clock::now() < options.end;
  }
  void start(Child &child, uint64_t number);
  [[noreturn]] void work(int pipe, uint64_t number);
  void read(Child &child);
  void takeMessages(Child &child);
  void bury(Child &child, bool isTooSlow);

  const ChildrenOptions &options;
  JudgeOne judgeOne;
  llvm::function_ref<void(uint64_t, const Judgement &)> report;
  std::vector<Child> children;
};

} // namespace

/// What a child does until nothing is left for it.
void Children::work(int pipe, uint64_t number) {
  // A crash is told by its signal; a printed stack would take seconds.
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
    std::signal(signal, SIG_DFL);
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  for (; isLeft(number); number += options.numJobs) {
    Header begin;
    begin.number = number;
    begin.isBegin = true;
    writeAll(pipe, &begin, sizeof begin);
    Judgement judgement = judgeOne(number, [&](llvm::StringRef schedules) {
      begin.schedulesSize = schedules.size();
      writeAll(pipe, &begin, sizeof begin);
      writeAll(pipe, schedules.data(), schedules.size());
    });
    Header header;
    header.number = number;
    header.verdict = judgement.verdict;
    header.numSchedules = judgement.numSchedules;
    header.numRefusedSchedules = judgement.numRefusedSchedules;
    header.hasLostDevice = judgement.hasLostDevice;
    header.textSize = judgement.text.size();
    header.schedulesSize = judgement.schedules.size();
    writeAll(pipe, &header, sizeof header);
    writeAll(pipe, judgement.text.data(), judgement.text.size());
    writeAll(pipe, judgement.schedules.data(), judgement.schedules.size());
    if (judgement.verdict == Verdict::NoDevice || judgement.hasLostDevice)
      break;
  }
  _exit(0);
}

void Children::start(Child &child, uint64_t number) {
  child = Child();
  child.current = number;
  if (!isLeft(number))
    return;
  int ends[2];
  if (pipe(ends) != 0)
    return;
  child.process = fork();
  if (child.process == 0) {
    close(ends[0]);
    work(ends[1], number);
  }
  close(ends[1]);
  child.pipe = ends[0];
  child.deadline = Clock::now() + options.timeLimit;
}

void Children::takeMessages(Child &child) {
  while (child.received.size() >= sizeof(Header)) {
    Header header;
    std::memcpy(&header, child.received.data(), sizeof header);
    size_t size = sizeof header + header.textSize + header.schedulesSize;
    if (child.received.size() < size)
      return;
    child.current = header.number;
    child.isBusy = header.isBegin;
    child.hasLostDevice = header.hasLostDevice;
    child.deadline = Clock::now() + options.timeLimit;
    child.schedules = child.received.substr(sizeof header + header.textSize,
                                            header.schedulesSize);
    if (!header.isBegin) {
      Judgement judgement;
      judgement.verdict = header.verdict;
      judgement.text = child.received.substr(sizeof header, header.textSize);
      judgement.schedules = child.schedules;
      judgement.numSchedules = header.numSchedules;
      judgement.numRefusedSchedules = header.numRefusedSchedules;
      judgement.hasLostDevice = header.hasLostDevice;
      report(header.number, judgement);
    }
    child.received.erase(0, size);
  }
}

/// A child has ended, or must: the graph it was at is to blame.
void Children::bury(Child &child, bool isTooSlow) {
  if (isTooSlow)
    kill(child.process, SIGKILL);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR)
    ;
  close(child.pipe);
  uint64_t number = child.current;
  bool wasBusy = child.isBusy;
  if (wasBusy) {
    Judgement judgement;
    judgement.verdict = isTooSlow ? Verdict::TimedOut : Verdict::Crashed;
    judgement.schedules = child.schedules;
    if (isTooSlow)
      judgement.text =
          "took more than " + std::to_string(options.timeLimit.count()) + " s";
    else if (WIFSIGNALED(status))
      judgement.text = std::string("died of ") + strsignal(WTERMSIG(status));
    else
      judgement.text =
          "ended with status " + std::to_string(WEXITSTATUS(status));
    report(number, judgement);
  }
  // A child that was not at a graph has done all of its own.
  if (wasBusy || child.hasLostDevice)
    start(child, number + options.numJobs);
  else
    child = Child();
}

void Children::read(Child &child) {
  char bytes[4096];
  ssize_t count = ::read(child.pipe, bytes, sizeof bytes);
  if (count < 0 && errno == EINTR)
    return;
  if (count > 0) {
    child.received.append(bytes, count);
    takeMessages(child);
    return;
  }
  bury(child, /*isTooSlow=*/false);
}

void Children::run() {
  children.resize(options.numJobs);
  for (auto [i, child] : llvm::enumerate(children))
    start(child, options.first + i);
  for (;;) {
    std::vector<pollfd> polled;
    std::vector<size_t> owners;
    for (auto [i, child] : llvm::enumerate(children))
      if (child.process > 0) {
        polled.push_back({child.pipe, POLLIN, 0});
        owners.push_back(i);
      }
    if (polled.empty())
      return;
    if (poll(polled.data(), polled.size(), /*timeout=*/200) < 0 &&
        errno != EINTR)
      return;
    for (auto [entry, owner] : llvm::zip_equal(polled, owners)) {
      if (entry.revents)
        read(children[owner]);
      else if (Clock::now() > children[owner].deadline)
        bury(children[owner], /*isTooSlow=*/true);
    }
  }
}

void fuse::judgeInChildren(
    const ChildrenOptions &options, JudgeOne judgeOne,
    llvm::function_ref<void(uint64_t, const Judgement &)> report) {
  Children(options, judgeOne, report).run();
}
