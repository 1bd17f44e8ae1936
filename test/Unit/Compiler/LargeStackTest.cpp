//===- LargeStackTest.cpp - work that recurses ----------------------------===//

#include "fuse/Compiler/LargeStack.h"
#include "gtest/gtest.h"

#include <atomic>
#include <vector>

using namespace fuse;

TEST(LargeStack, EachNumberIsWorkedOnOnce) {
  for (size_t count : {0, 1, 3, 1000}) {
    std::vector<std::atomic<int>> times(count);
    forEachOnLargeStacks(count, [&](size_t number) { ++times[number]; });
    for (const std::atomic<int> &each : times)
      EXPECT_EQ(each, 1);
  }
}

TEST(LargeStack, WorkMayTakeAllOfAStack) {
  // More than the 8 MiB that a thread has if nobody asks for more.
  auto fill = [](size_t bytes) {
    auto deepen = [](auto &self, size_t left) -> size_t {
      volatile char frame[4096] = {};
      frame[left % sizeof(frame)] = 1;
      return left < sizeof(frame)
                 ? frame[0]
                 : self(self, left - sizeof(frame)) + frame[left % 4096];
    };
    return deepen(deepen, bytes);
  };
  std::atomic<size_t> done = 0;
  Status status = runOnLargeStack([&] {
    forEachOnLargeStacks(4, [&](size_t) { done += fill(64 << 20) > 0; });
  });
  EXPECT_TRUE(bool(status));
  EXPECT_EQ(done, 4u);
}
