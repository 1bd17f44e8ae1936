//===- ThreadPoolTest.cpp - a fixed number of threads that share work -----===//
//
// Every element is done once, whatever the number of threads and the grain.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/ThreadPool.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace fuse;
using ::testing::HasSubstr;

namespace {

std::unique_ptr<ThreadPool> makePool(unsigned numThreads) {
  auto pool = ThreadPool::create(numThreads);
  EXPECT_TRUE(pool) << pool.error().message();
  return std::move(*pool);
}

TEST(ThreadPoolTest, EveryElementIsDoneOnce) {
  for (unsigned numThreads : {1u, 2u, 7u}) {
    auto pool = makePool(numThreads);
    EXPECT_EQ(pool->numThreads(), numThreads);
    for (int64_t size : {0, 1, 2, 63, 1000})
      for (int64_t grain : {-1, 0, 1, 3, 64, 5000}) {
        std::vector<std::atomic<int>> counts(size);
        Status status = pool->parallelFor(
            10, 10 + size, grain, [&](int64_t begin, int64_t end, unsigned) {
              EXPECT_LT(begin, end);
              EXPECT_LE(end - begin, std::max<int64_t>(grain, 1));
              for (int64_t i = begin; i < end; ++i)
                ++counts[i - 10];
            });
        ASSERT_TRUE(status);
        for (const std::atomic<int> &count : counts)
          EXPECT_EQ(count, 1) << numThreads << " threads, " << size
                              << " elements, grain " << grain;
      }
  }
}

TEST(ThreadPoolTest, AnEmptyRangeRunsNothing) {
  auto pool = makePool(2);
  auto never = [](int64_t, int64_t, unsigned) { FAIL(); };
  EXPECT_TRUE(pool->parallelFor(5, 5, 1, never));
  EXPECT_TRUE(pool->parallelFor(5, 3, 1, never));
}

TEST(ThreadPoolTest, ThreadNumbersAreDistinctAndSmall) {
  auto pool = makePool(3);
  std::mutex mutex;
  std::set<std::pair<unsigned, std::thread::id>> seen;
  for (int round = 0; round < 50; ++round)
    ASSERT_TRUE(
        pool->parallelFor(0, 30, 1, [&](int64_t, int64_t, unsigned thread) {
          std::lock_guard lock(mutex);
          EXPECT_LT(thread, 3u);
          seen.insert({thread, std::this_thread::get_id()});
        }));
  // Each number always is the same thread.
  std::set<unsigned> numbers;
  for (auto [number, id] : seen)
    EXPECT_TRUE(numbers.insert(number).second);
}

TEST(ThreadPoolTest, SeveralThreadsWorkAtOnce) {
  auto pool = makePool(4);
  std::atomic<int> arrived = 0;
  // Each part waits for all others: one thread alone would never end.
  ASSERT_TRUE(pool->parallelFor(0, 4, 1, [&](int64_t, int64_t, unsigned) {
    ++arrived;
    while (arrived < 4)
      std::this_thread::yield();
  }));
  EXPECT_EQ(arrived, 4);
}

TEST(ThreadPoolTest, NestedUseIsRefused) {
  for (unsigned numThreads : {1u, 2u}) {
    auto pool = makePool(numThreads);
    auto other = makePool(2);
    std::atomic<int> refused = 0;
    ASSERT_TRUE(pool->parallelFor(0, 8, 1, [&](int64_t, int64_t, unsigned) {
      for (ThreadPool *inner : {pool.get(), other.get()}) {
        Status status = inner->parallelFor(
            0, 8, 1, [](int64_t, int64_t, unsigned) { FAIL(); });
        if (!status && status.error().code() == ErrorCode::BadUsage)
          ++refused;
      }
    }));
    EXPECT_EQ(refused, 16);
    // Afterwards the pool is as good as before.
    std::atomic<int> done = 0;
    ASSERT_TRUE(pool->parallelFor(0, 8, 1,
                                  [&](int64_t, int64_t, unsigned) { ++done; }));
    EXPECT_EQ(done, 8);
  }
}

TEST(ThreadPoolTest, CallersTakeTurns) {
  auto pool = makePool(2);
  std::atomic<int> inside = 0, done = 0;
  auto call = [&] {
    for (int round = 0; round < 100; ++round) {
      std::atomic<int> own = 0;
      ASSERT_TRUE(pool->parallelFor(0, 16, 1, [&](int64_t, int64_t, unsigned) {
        EXPECT_LE(++inside, 2);
        ++own;
        --inside;
      }));
      EXPECT_EQ(own, 16);
      done += own;
    }
  };
  std::thread first(call), second(call);
  first.join();
  second.join();
  EXPECT_EQ(done, 3200);
}

TEST(ThreadPoolTest, ANumberOfThreadsThatMakesNoSenseIsRefused) {
  for (unsigned number : {0u, maxThreads + 1}) {
    auto pool = ThreadPool::create(number);
    ASSERT_FALSE(pool);
    EXPECT_EQ(pool.error().code(), ErrorCode::BadUsage);
    EXPECT_THAT(pool.error().message(),
                HasSubstr("from 1 to 1024 is needed, but " +
                          std::to_string(number) + " was given"));
  }
}

TEST(ThreadPoolTest, TheEnvironmentChoosesTheNumber) {
  ASSERT_EQ(setenv("FUSE_NUM_THREADS", "3", 1), 0);
  auto number = defaultNumThreads();
  ASSERT_TRUE(number);
  EXPECT_EQ(*number, 3u);
  for (const char *text : {"0", "-1", "two", "3x", "1025", "99999999999"}) {
    ASSERT_EQ(setenv("FUSE_NUM_THREADS", text, 1), 0);
    auto wrong = defaultNumThreads();
    ASSERT_FALSE(wrong) << text;
    EXPECT_EQ(wrong.error().code(), ErrorCode::BadUsage);
    EXPECT_THAT(wrong.error().message(),
                HasSubstr("FUSE_NUM_THREADS is '" + std::string(text) + "'"));
  }
  for (bool isEmpty : {true, false}) {
    ASSERT_EQ(isEmpty ? setenv("FUSE_NUM_THREADS", "", 1)
                      : unsetenv("FUSE_NUM_THREADS"),
              0);
    auto found = defaultNumThreads();
    ASSERT_TRUE(found);
    EXPECT_GE(*found, 1u);
  }
}

} // namespace
