//===- Memory.cpp - how much memory there is ------------------------------===//
//
// What the machine has, and what the control groups of this process are allowed
// to take: a container has less than the machine, and who takes more is killed.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Buffer.h"

#include <algorithm>
#include <charconv>
#include <fstream>

using namespace fuse;

static std::optional<uint64_t> parseNumber(std::string_view text) {
  uint64_t number = 0;
  const char *end = text.data() + text.size();
  bool isNumber = std::from_chars(text.data(), end, number).ec == std::errc();
  return isNumber ? std::optional(number) : std::nullopt;
}

/// The number behind `key` and spaces, in a file of such lines; without a key
/// the one that the file begins with.
static std::optional<uint64_t> readNumber(const std::string &path,
                                          std::string_view key = "") {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::string_view rest = line;
    if (!rest.starts_with(key))
      continue;
    rest.remove_prefix(
        std::min(rest.find_first_not_of(' ', key.size()), rest.size()));
    return parseNumber(rest);
  }
  return std::nullopt;
}

namespace {

/// Where a version of control groups has its files, and their names; and what
/// numbers of a group and all that are in it begin with.
struct GroupFiles {
  const char *folder, *limit, *used, *whole;
};

} // namespace

static constexpr GroupFiles unifiedFiles = {"/sys/fs/cgroup", "/memory.max",
                                            "/memory.current", ""};
static constexpr GroupFiles memoryFiles = {"/sys/fs/cgroup/memory",
                                           "/memory.limit_in_bytes",
                                           "/memory.usage_in_bytes", "total_"};

/// What a group may still take, if that is less than is known already; nothing
/// if it has no limit, or is none that can be seen, as those outside of a
/// container.
static std::optional<uint64_t> leftOf(const std::string &group,
                                      const GroupFiles &files,
                                      std::optional<uint64_t> least) {
  std::optional<uint64_t> limit = readNumber(group + files.limit);
  std::optional<uint64_t> used = readNumber(group + files.used);
  if (!limit || !used)
    return std::nullopt;
  // Most have no limit that matters, and this is asked for often.
  if (least && *limit - std::min(*limit, *used) >= *least)
    return std::nullopt;
  uint64_t held = *used;
  // Files that were read count, too, and go when there is need.
  for (const char *kind : {"inactive_file ", "active_file "}) {
    std::optional<uint64_t> bytes =
        readNumber(group + "/memory.stat", std::string(files.whole) + kind);
    held -= std::min(held, bytes.value_or(0));
  }
  return *limit - std::min(*limit, held);
}

/// Of a group of all limits, or of the kinds that are named with commas.
static const GroupFiles *filesOf(const std::string &kinds) {
  if (kinds.empty())
    return &unifiedFiles;
  bool isOfMemory = ("," + kinds + ",").find(",memory,") != std::string::npos;
  return isOfMemory ? &memoryFiles : nullptr;
}

static void takeLess(std::optional<uint64_t> &least,
                     std::optional<uint64_t> other) {
  if (other)
    least = std::min(least.value_or(*other), *other);
}

std::optional<uint64_t> fuse::availableMemory(const std::string &root) {
  std::optional<uint64_t> least =
      readNumber(root + "/proc/meminfo", "MemAvailable:");
  if (least)
    *least *= 1024;
  // As "0::/user.slice" or "4:cpu,memory:/docker/1f".
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos)
      continue;
    const GroupFiles *files =
        filesOf(line.substr(first + 1, second - first - 1));
    if (!files)
      continue;
    // Each is limited by those that it is in.
    std::string group = line.substr(second + 1);
    for (size_t end = group.size(); end != std::string::npos;
         end = group.rfind('/')) {
      group.resize(end);
      takeLess(least, leftOf(root + files->folder + group, *files, least));
    }
  }
  return least;
}
