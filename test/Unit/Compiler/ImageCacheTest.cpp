//===- ImageCacheTest.cpp - Images that were made before ------------------===//
//
// Names of files, and what is not the cache's in its folder. The rest is tried
// between processes, by test/Python/cache.test.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/ImageCache.h"
#include "fuse/Runtime/Image.h"
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace fuse;
namespace fs = std::filesystem;

namespace {

TEST(ImageCacheTest, KeysTellWherePartsEnd) {
  EXPECT_EQ(ImageCache::keyOf({"ab", "c"}), ImageCache::keyOf({"ab", "c"}));
  EXPECT_NE(ImageCache::keyOf({"ab", "c"}), ImageCache::keyOf({"a", "bc"}));
  EXPECT_NE(ImageCache::keyOf({"ab", "c"}), ImageCache::keyOf({"abc"}));
}

class ImageCacheFolder : public ::testing::Test {
protected:
  void SetUp() override {
    folder =
        fs::temp_directory_path() / ("fuse-cache-" + std::to_string(getpid()));
    fs::remove_all(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  fs::path put(const fs::path &name, size_t bytes, int hoursAgo) {
    fs::path path = folder / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << std::string(bytes, 'x');
    fs::last_write_time(path, fs::file_time_type::clock::now() -
                                  std::chrono::hours(hoursAgo));
    return path;
  }

  fs::path folder;
};

TEST_F(ImageCacheFolder, HasFilesOfOthers) {
  std::string digits(62, '0');
  fs::path others[] = {
      // Too short a name, no digits, another folder's, and in none.
      put("ab/ab12345678.fuse", 5000, 9),
      put("ab/ab" + std::string(62, 'x') + ".fuse", 5000, 9),
      put("ab/cd" + digits + ".fuse", 5000, 9),
      put("abc/ab" + digits + ".fuse", 5000, 9),
      // Nobody was killed there.
      put("ab/notes.tmp", 10, 9), put("ab/.fuse-notes", 10, 9)};
  fs::path left = put("ab/.fuse-1.tmp", 10, 9),
           begun = put("ab/.fuse-2.tmp", 10, 0);
  ImageCache cache(folder.string(), 1000);
  cache.keep(ImageCache::keyOf({"graph"}), "image");
  for (const fs::path &other : others)
    EXPECT_TRUE(fs::exists(other)) << other;
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(begun));
}

TEST_F(ImageCacheFolder, IsForItsUserOnly) {
  ImageCache cache(folder.string(), 1000);
  std::string key = ImageCache::keyOf({"graph"});
  cache.keep(key, "image");
  fs::path made = folder / key.substr(0, 2);
  ASSERT_TRUE(fs::exists(made / (key + ".fuse")));
  EXPECT_EQ(fs::status(made).permissions() &
                (fs::perms::group_all | fs::perms::others_all),
            fs::perms::none);
}

TEST_F(ImageCacheFolder, HasWhatWasUsedLast) {
  auto keyed = [&](char c) { return std::string(64, c); };
  fs::path oldest = put("aa/" + keyed('a') + ".fuse", 400, 3),
           older = put("bb/" + keyed('b') + ".fuse", 400, 2);
  ImageCache cache(folder.string(), 1000);
  // No more than there is room for.
  cache.keep(keyed('c'), std::string(150, 'x'));
  EXPECT_TRUE(fs::exists(oldest));
  cache.keep(keyed('d'), std::string(150, 'x'));
  EXPECT_FALSE(fs::exists(oldest));
  EXPECT_TRUE(fs::exists(older));
  // Larger than all of it.
  cache.keep(keyed('e'), std::string(1001, 'x'));
  EXPECT_FALSE(fs::exists(folder / "ee"));
  EXPECT_TRUE(fs::exists(older));
}

TEST_F(ImageCacheFolder, KnowsWhatIsUsed) {
  std::string key(64, 'a'), bytes = serializeImage(Image());
  ImageCache cache(folder.string(), 100000);
  cache.keep(key, bytes);
  fs::path kept = folder / "aa" / (key + ".fuse");
  auto old = fs::file_time_type::clock::now() - std::chrono::hours(9);
  fs::last_write_time(kept, old);
  EXPECT_EQ(cache.find(key), bytes);
  EXPECT_GT(fs::last_write_time(kept), old + std::chrono::hours(8));
}

} // namespace
