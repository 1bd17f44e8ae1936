//===- SourceTest.cpp - read a module from a file -------------------------===//
//
// What is refused before a parser sees it, and where it says that the fault is.
//
//===----------------------------------------------------------------------===//

#include "fuse/Compiler/Source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace fuse;
using testing::HasSubstr;
using testing::Optional;
using testing::Pair;

namespace fs = std::filesystem;

static std::string repeat(std::string_view text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

TEST(Nesting, AcceptsWhatPeopleWrite) {
  EXPECT_EQ(findExcessiveNesting(""), std::nullopt);
  EXPECT_EQ(findExcessiveNesting("func.func @f() { return }"), std::nullopt);
  EXPECT_EQ(findExcessiveNesting(repeat("{[(<>)]}", 100000)), std::nullopt);
}

TEST(Nesting, RefusesOneBracketTooMany) {
  for (std::string_view bracket : {"(", "[", "{", "<"}) {
    EXPECT_EQ(findExcessiveNesting(repeat(bracket, maxNesting)), std::nullopt);
    EXPECT_THAT(findExcessiveNesting(repeat(bracket, maxNesting + 1)),
                Optional(Pair(1, maxNesting + 1)));
  }
  // All kinds count together.
  EXPECT_THAT(findExcessiveNesting(repeat("([{<", maxNesting / 4) + "("),
              Optional(Pair(1, maxNesting + 1)));
}

TEST(Nesting, CountsLinesAndColumnsFromOne) {
  EXPECT_THAT(findExcessiveNesting("\n\n  " + repeat("(", maxNesting + 1)),
              Optional(Pair(3, maxNesting + 3)));
  EXPECT_THAT(findExcessiveNesting(repeat("(\n", maxNesting) + "  ("),
              Optional(Pair(maxNesting + 1, 3)));
}

TEST(Nesting, ClosingBracketsThatCloseNothingDoNotCount) {
  EXPECT_THAT(
      findExcessiveNesting(repeat(")", 5000) + repeat("(", maxNesting + 1)),
      Optional(Pair(1, 5000 + maxNesting + 1)));
  // An arrow is no bracket.
  EXPECT_THAT(findExcessiveNesting(repeat("(->", maxNesting + 1)),
              Optional(Pair(1, 3 * maxNesting + 1)));
}

TEST(Nesting, SkipsStringsAndComments) {
  std::string open = repeat("(", 5000);
  EXPECT_EQ(findExcessiveNesting("\"" + open + "\""), std::nullopt);
  EXPECT_EQ(findExcessiveNesting("\"\\\"" + open + "\""), std::nullopt);
  EXPECT_EQ(findExcessiveNesting("// " + open), std::nullopt);
  EXPECT_EQ(findExcessiveNesting("// \"" + open + "\n\""), std::nullopt);
  // A string ends with its line, an escape does not end it.
  EXPECT_NE(findExcessiveNesting("\"\n" + open), std::nullopt);
  EXPECT_NE(findExcessiveNesting("\"\\\\\"" + open), std::nullopt);
  EXPECT_NE(findExcessiveNesting("/ /" + open), std::nullopt);
  // Neither does anything go beyond the end of the text.
  EXPECT_EQ(findExcessiveNesting("\""), std::nullopt);
  EXPECT_EQ(findExcessiveNesting("\"\\"), std::nullopt);
  EXPECT_EQ(findExcessiveNesting("/"), std::nullopt);
  EXPECT_EQ(findExcessiveNesting("-"), std::nullopt);
}

TEST(Nesting, CountsRunsOfMinus) {
  EXPECT_EQ(findExcessiveNesting(repeat("-", maxNesting)), std::nullopt);
  EXPECT_THAT(findExcessiveNesting(repeat("-", maxNesting + 1)),
              Optional(Pair(1, maxNesting + 1)));
  EXPECT_NE(findExcessiveNesting(repeat("- ", maxNesting + 1)), std::nullopt);
  EXPECT_NE(findExcessiveNesting(repeat("-//\n", maxNesting + 1)),
            std::nullopt);
  // A long expression is no deep one.
  EXPECT_EQ(findExcessiveNesting(repeat("- d0", 5000)), std::nullopt);
}

namespace {

class SourceTest : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() /
             ("fuse-source-" + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string write(std::string_view name, std::string_view text) {
    fs::path path = folder / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  static void expectError(const std::string &path, std::string_view text) {
    auto source = readSource(path);
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().code(), ErrorCode::BadInput);
    EXPECT_THAT(source.error().message(), testing::StartsWith(path + ":"));
    EXPECT_THAT(source.error().message(), HasSubstr(std::string(text)));
  }

  fs::path folder;
};

} // namespace

TEST_F(SourceTest, ReadsText) {
  auto source = readSource(write("a.mlir", "module {}\n"));
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->getBuffer(), "module {}\n");
}

// An editor that saves writes over the file, or begins by emptying it.
TEST_F(SourceTest, StaysAsItWasWhenTheFileChanges) {
  std::string text = repeat("// a line of a comment\n", 10000) + "module {}\n";
  std::string path = write("changes.mlir", text);
  auto source = readSource(path);
  ASSERT_TRUE(source);
  write("changes.mlir", "");
  EXPECT_EQ((*source)->getBuffer(), text);
}

TEST_F(SourceTest, SaysWhatIsWrong) {
  expectError((folder / "none.mlir").string(),
              "cannot be read: No such file or directory");
  expectError(folder.string(), "is a directory, but a module is needed");
  expectError(write("empty", ""), "is empty, but a module is needed");
  expectError(write("blank", " \n\t\r\n"), "is empty, but a module is needed");
  expectError(write("deep", "\n" + repeat("(", 2 * maxNesting)),
              "2:1001: brackets or signs nest more than 1000 deep");
}

TEST_F(SourceTest, BytecodeIsNotText) {
  // "MLïR", then what would be brackets if it were text.
  std::string bytes = "ML\xefR" + repeat("(", 2 * maxNesting);
  auto source = readSource(write("bytecode", bytes));
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->getBuffer(), bytes);
}
