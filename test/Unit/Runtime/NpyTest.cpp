//===- NpyTest.cpp - read and write .npy files ----------------------------===//
//
// Files are put together byte by byte here, so that reading and writing cannot
// agree on a mistake; one is the verbatim output of numpy.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fuse;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace fs = std::filesystem;

static constexpr ElementType allTypes[] = {
    ElementType::I1,   ElementType::I8,       ElementType::I16,
    ElementType::I32,  ElementType::I64,      ElementType::Index,
    ElementType::BF16, ElementType::F8E4M3FN, ElementType::F16,
    ElementType::F32,  ElementType::F64,
};

/// The start of a file, up to and with the dictionary.
static std::string header(std::string_view dictionary, int major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {static_cast<char>(major), '\0'};
  size_t length = dictionary.size();
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i, length >>= 8)
    bytes += static_cast<char>(length & 0xFF);
  return bytes.append(dictionary);
}

static std::string dictionary(std::string_view descr, std::string_view shape,
                              std::string_view order = "False") {
  std::ostringstream text;
  text << "{'descr': '" << descr << "', 'fortran_order': " << order
       << ", 'shape': " << shape << ", }\n";
  return text.str();
}

static HostBuffer makeBuffer(ElementType type, std::vector<int64_t> shape) {
  Result<HostBuffer> buffer = HostBuffer::allocate(type, std::move(shape));
  if (!buffer)
    std::abort();
  for (size_t i = 0; i < buffer->elementCount(); ++i)
    storeInt(type, buffer->data(), i, static_cast<int64_t>(i % 7) - 3);
  return std::move(*buffer);
}

namespace {

class NpyTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/fuse-npy-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    path = (folder / "x.npy").string();
  }
  void TearDown() override { fs::remove_all(folder); }

  void create(std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  std::string contents(const std::string &of) {
    std::ostringstream bytes;
    bytes << std::ifstream(of, std::ios::binary).rdbuf();
    return bytes.str();
  }

  std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    return names;
  }

  void write(const HostBuffer &buffer) {
    Status status = writeNpy(path, buffer);
    EXPECT_TRUE(status) << status.error().message();
  }

  std::string writeError(const std::string &to, const HostBuffer &buffer) {
    Status status = writeNpy(to, buffer);
    if (status)
      return "";
    EXPECT_EQ(status.error().code(), ErrorCode::Output);
    return status.error().message();
  }

  /// Without the path, which every message must start with.
  std::string readError(ElementType type,
                        ErrorCode code = ErrorCode::BadInput) {
    Result<HostBuffer> buffer = readNpy(path, type);
    if (buffer)
      return "";
    EXPECT_EQ(buffer.error().code(), code) << buffer.error().message();
    std::string prefix = "'" + path + "': ";
    EXPECT_THAT(buffer.error().message(), StartsWith(prefix));
    return buffer.error().message().substr(prefix.size());
  }

  std::string readError(std::string_view bytes,
                        ElementType type = ElementType::F32,
                        ErrorCode code = ErrorCode::BadInput) {
    create(bytes);
    return readError(type, code);
  }

  void expectRead(std::string_view bytes, ElementType type,
                  std::vector<int64_t> shape) {
    create(bytes);
    Result<HostBuffer> buffer = readNpy(path, type);
    ASSERT_TRUE(buffer) << buffer.error().message();
    EXPECT_EQ(buffer->shape(), shape);
    EXPECT_EQ(buffer->type(), type);
    std::string_view data = bytes.substr(bytes.size() - buffer->sizeInBytes());
    EXPECT_EQ(std::memcmp(buffer->data(), data.data(), data.size()), 0);
  }

  fs::path folder;
  std::string path;
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

TEST_F(NpyTest, EveryTypeAndRankRoundTrips) {
  for (ElementType type : allTypes)
    for (const std::vector<int64_t> &shape : {std::vector<int64_t>{},
                                              {0},
                                              {1},
                                              {5},
                                              {3, 4},
                                              {0, 4},
                                              {4, 0},
                                              {2, 3, 4},
                                              {2, 0, 4},
                                              {2, 3, 1, 5},
                                              {2, 3, 0, 5}}) {
      HostBuffer buffer = makeBuffer(type, shape);
      write(buffer);
      Result<HostBuffer> back = readNpy(path, type);
      ASSERT_TRUE(back) << back.error().message();
      EXPECT_EQ(back->type(), type);
      EXPECT_EQ(back->shape(), shape);
      ASSERT_EQ(back->sizeInBytes(), buffer.sizeInBytes());
      EXPECT_EQ(std::memcmp(back->data(), buffer.data(), buffer.sizeInBytes()),
                0);
      EXPECT_THAT(files(), ElementsAre("x.npy"));
    }
}

TEST_F(NpyTest, ReadsEveryVersion) {
  for (int major : {1, 2, 3})
    expectRead(header(dictionary("<f4", "(2, 1)"), major) + "abcdefgh",
               ElementType::F32, {2, 1});
}

TEST_F(NpyTest, ReadsEverySpellingOfOpaqueTypes) {
  for (const char *descr : {"|V2", "<V2", "bfloat16"})
    expectRead(header(dictionary(descr, "(2,)")) + "abcd", ElementType::BF16,
               {2});
  for (const char *descr : {"|V1", "<V1"})
    expectRead(header(dictionary(descr, "(2,)")) + "ab", ElementType::F8E4M3FN,
               {2});
}

TEST_F(NpyTest, ReadsWhatPythonWouldParse) {
  for (const char *text :
       {"{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,)}",
        "{'shape': (2,), 'fortran_order': False, 'descr': '<f4'}   \n",
        " \n{ 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 2 , ) , "
        "} \n"})
    expectRead(header(text) + "abcdefgh", ElementType::F32, {2});
}

TEST_F(NpyTest, ParsesHeaders) {
  std::string bytes = header(dictionary(">f4", "(3, 4)", "True"));
  Result<NpyHeader> parsed = parseNpyHeader(bytes + "data");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->descr, ">f4");
  EXPECT_TRUE(parsed->isFortranOrder);
  EXPECT_THAT(parsed->shape, ElementsAre(3, 4));
  EXPECT_EQ(parsed->dataOffset, bytes.size());
}

TEST_F(NpyTest, RefusesOtherFiles) {
  EXPECT_EQ(readError("PK\x03\x04 an .npz is a zip"),
            "found 'PK?? a' at the start, needed the magic string of an .npy "
            "file");
  EXPECT_THAT(readError("x"), HasSubstr("magic"));
}

TEST_F(NpyTest, RefusesTruncatedHeaders) {
  std::string bytes = header(dictionary("<f4", "(2,)"));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THAT(readError(bytes.substr(0, size)),
                StartsWith("the header is truncated: found " +
                           formatBytes(size) + ", needed "));
  EXPECT_THAT(readError(bytes.substr(0, 20)),
              HasSubstr("needed " + formatBytes(bytes.size())));
  bytes = header(dictionary("<f4", "(2,)"), /*major=*/2);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THAT(readError(bytes.substr(0, size)), HasSubstr("truncated"));
}

TEST_F(NpyTest, RefusesAbsurdHeaderLengths) {
  std::string bytes = "\x93NUMPY";
  bytes += {'\2', '\0', '\xFF', '\xFF', '\xFF', '\xFF'};
  EXPECT_EQ(readError(bytes, ElementType::F32, ErrorCode::Unsupported),
            "the header has 4.0 GiB, but at most 1.0 MiB are supported");
}

TEST_F(NpyTest, RefusesOtherVersions) {
  std::string bytes = header(dictionary("<f4", "()")) + "abcd";
  for (auto [major, minor] : {std::pair{0, 0}, {4, 0}, {1, 1}, {255, 255}}) {
    bytes[6] = static_cast<char>(major);
    bytes[7] = static_cast<char>(minor);
    EXPECT_EQ(readError(bytes, ElementType::F32, ErrorCode::Unsupported),
              "found version " + std::to_string(major) + "." +
                  std::to_string(minor) +
                  " of the .npy format, needed 1.0, 2.0 or 3.0");
  }
}

TEST_F(NpyTest, RefusesTruncatedData) {
  std::string bytes = header(dictionary("<f4", "(3, 4)"));
  EXPECT_EQ(readError(bytes + std::string(47, 'x')),
            "the data is truncated: found 47 bytes, needed 48 for shape 3x4 of "
            "f32");
  EXPECT_THAT(readError(bytes), HasSubstr("found 0 bytes, needed 48"));
}

// The check comes before the allocation, which would be refused otherwise.
TEST_F(NpyTest, AllocatesNoMoreThanTheFileHolds) {
  EXPECT_THAT(
      readError(header(dictionary("<f4", "(1048576, 1048576)")) + "abcd"),
      HasSubstr("found 4 bytes, needed 4398046511104"));
}

TEST_F(NpyTest, RefusesTrailingData) {
  EXPECT_EQ(readError(header(dictionary("<f4", "(2,)")) + "abcdefghi"),
            "the data has trailing bytes: found 9 bytes, needed 8 for shape 2 "
            "of f32");
  EXPECT_THAT(readError(header(dictionary("<f4", "(0,)")) + "abcd"),
              HasSubstr("trailing"));
}

TEST_F(NpyTest, RefusesBigEndian) {
  EXPECT_EQ(readError(header(dictionary(">f4", "()")) + "abcd"),
            "the elements are big-endian '>f4', but little-endian '<f4' (f32) "
            "is needed");
}

TEST_F(NpyTest, RefusesColumnMajor) {
  EXPECT_EQ(readError(header(dictionary("<f4", "(1, 1)", "True")) + "abcd"),
            "the elements are in column-major order (fortran_order), but "
            "row-major order is needed");
}

TEST_F(NpyTest, RefusesOtherTypes) {
  auto error = [&](const char *descr, ElementType type) {
    return readError(header(dictionary(descr, "(0,)")), type);
  };
  EXPECT_EQ(error("<f8", ElementType::F32),
            "the elements are '<f8' (f64), but '<f4' (f32) is needed");
  EXPECT_EQ(error("<u4", ElementType::I32),
            "the elements are '<u4' (ui32), but '<i4' (i32) is needed");
  EXPECT_EQ(error("<f2", ElementType::BF16),
            "the elements are '<f2' (f16), but '<V2' (bf16) is needed");
  EXPECT_EQ(error("|V2", ElementType::F16),
            "the elements are '|V2' (bf16), but '<f2' (f16) is needed");
  EXPECT_EQ(error("|u1", ElementType::F8E4M3FN),
            "the elements are '|u1' (ui8), but '<V1' (f8E4M3FN) is needed");
  EXPECT_EQ(error("|u1", ElementType::I1),
            "the elements are '|u1' (ui8), but '|b1' (i1) is needed");
  EXPECT_EQ(error("<i4", ElementType::Index),
            "the elements are '<i4' (i32), but '<i8' (index) is needed");
  EXPECT_EQ(error("|O", ElementType::F32),
            "the elements are '|O' (unknown to MLIR), but '<f4' (f32) is "
            "needed");
}

// No two types share a name, but for i64 and index.
TEST_F(NpyTest, TypesAreNotMistakenForEachOther) {
  for (ElementType written : allTypes)
    for (ElementType expected : allTypes) {
      write(makeBuffer(written, {8}));
      bool isSame = written == expected ||
                    (isInteger(written) && isInteger(expected) &&
                     byteSize(written) == 8 && byteSize(expected) == 8);
      EXPECT_EQ(readError(expected).empty(), isSame)
          << typeName(written) << " as " << typeName(expected);
    }
}

TEST_F(NpyTest, RefusesStructures) {
  EXPECT_EQ(readError(header("{'descr': [('a', '<f4')], 'fortran_order': "
                             "False, 'shape': (1,)}") +
                          "abcd",
                      ElementType::F32, ErrorCode::Unsupported),
            "the elements are structures '[('a', '<f4')], 'fortran_order': "
            "False, ...', but single numbers are needed");
}

TEST_F(NpyTest, RefusesImpossibleShapes) {
  auto error = [&](const char *shape) {
    return readError(header(dictionary("<f4", shape)));
  };
  EXPECT_EQ(error("(-1, 2)"), "the shape has the negative size '-1'");
  EXPECT_THAT(error("(-99999999999999999999,)"), HasSubstr("negative"));
  EXPECT_EQ(error("(99999999999999999999,)"),
            "the shape has the size '99999999999999999999', but at most 63 "
            "bits are needed");
  EXPECT_EQ(error("(4294967296, 4294967296)"),
            "a buffer of shape 4294967296x4294967296 of f32 needs more than "
            "8.0 EiB, the most there can be");
  EXPECT_THAT(error("(0, 9223372036854775807)"), HasSubstr("8.0 EiB"));
  std::string deep = "(";
  for (int i = 0; i < 65; ++i)
    deep += "1, ";
  EXPECT_EQ(readError(header(dictionary("<f4", deep + ")")) + "abcd",
                      ElementType::F32, ErrorCode::Unsupported),
            "the shape has more than 64 dimensions, the most that are "
            "supported");
}

TEST_F(NpyTest, RefusesMalformedHeaders) {
  auto error = [&](std::string_view text) { return readError(header(text)); };
  EXPECT_EQ(error(""), "the header is malformed: found the end at byte 10, "
                       "needed '{'");
  EXPECT_THAT(error("['descr']"), HasSubstr("found '[' at byte 10"));
  EXPECT_EQ(error("{}"), "the header lacks the key 'descr'");
  EXPECT_EQ(error("{'descr': '<f4'}"),
            "the header lacks the key 'fortran_order'");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False}"),
            "the header lacks the key 'shape'");
  EXPECT_EQ(error("{'descr': '<f4', 'descr': '<f4'}"),
            "the header has the key 'descr' twice");
  EXPECT_EQ(error("{'strides': (4,)}"),
            "the header has the unknown key 'strides'");
  EXPECT_EQ(error("{'descr' '<f4'}"), "the header is malformed: found ''' at "
                                      "byte 19, needed ':'");
  EXPECT_THAT(error("{'descr': '<f4}"), HasSubstr("at byte 20 does not end"));
  EXPECT_THAT(error("{'descr': '<f4\\''}"), HasSubstr("contains an escape"));
  EXPECT_THAT(error("{descr: '<f4'}"), HasSubstr("needed a string"));
  EXPECT_THAT(error("{'descr': 4}"), HasSubstr("needed a string"));
  EXPECT_THAT(error("{'descr': '<f4' 'shape': ()}"),
              HasSubstr("needed ',' or '}'"));
  EXPECT_THAT(error("{,}"), HasSubstr("needed a string"));
  EXPECT_THAT(error("{'fortran_order': 0}"),
              HasSubstr("found '0' at byte 28, needed 'True' or 'False'"));
  EXPECT_THAT(error("{'fortran_order': Falsely}"),
              HasSubstr("found 'l' at byte 33, needed ',' or '}'"));
  EXPECT_THAT(error("{'shape': 4}"), HasSubstr("needed '('"));
  EXPECT_THAT(error("{'shape': (4)}"), HasSubstr("found ')' at byte 22, "
                                                 "needed ','"));
  EXPECT_THAT(error("{'shape': (,)}"), HasSubstr("needed a number"));
  EXPECT_THAT(error("{'shape': (2, x)}"), HasSubstr("needed a number"));
  EXPECT_THAT(error("{'shape': (2.0,)}"), HasSubstr("found '.'"));
  EXPECT_THAT(error("{'shape': (2, 3 4)}"), HasSubstr("needed ',' or ')'"));
  EXPECT_THAT(error("{'shape': (2, 3"), HasSubstr("found the end"));
  EXPECT_THAT(error(dictionary("<f4", "()") + "x"),
              HasSubstr("found 'x' at byte 66, needed the end"));
  // Nothing of a file reaches the terminal as it is, nor at any length.
  EXPECT_EQ(error("{'\x1b[2J': 1}"), "the header has the unknown key '?[2J'");
  EXPECT_LT(error("{'" + std::string(5000, 'x') + "': 1}").size(), 100u);
}

// Every proper prefix of a dictionary, and every one with a byte damaged, must
// come back as an error or as a header, never as a crash.
TEST_F(NpyTest, SurvivesDamage) {
  std::string text = dictionary("<f4", "(12, 3)");
  for (size_t i = 0; i < text.size(); ++i) {
    if (Result<NpyHeader> parsed = parseNpyHeader(header(text.substr(0, i)))) {
      EXPECT_THAT(parsed->shape, ElementsAre(12, 3)) << i;
    }
    for (int byte = 0; byte < 256; ++byte) {
      std::string damaged = text;
      damaged[i] = static_cast<char>(byte);
      Result<NpyHeader> parsed = parseNpyHeader(header(damaged));
      if (!parsed)
        continue;
      for (int64_t size : parsed->shape)
        EXPECT_GE(size, 0);
    }
  }
}

TEST_F(NpyTest, RefusesBooleansThatAreNeither) {
  std::string bytes = header(dictionary("|b1", "(3,)"));
  EXPECT_EQ(readError(bytes + std::string("\0\1\2", 3), ElementType::I1),
            "element 2 is the byte 2, but 0 or 1 is needed for i1");
}

TEST_F(NpyTest, RefusesWhatIsNoRegularFile) {
  auto error = [&](const std::string &from) {
    Result<HostBuffer> buffer = readNpy(from, ElementType::F32);
    return buffer ? "" : buffer.error().message();
  };
  EXPECT_EQ(error(path),
            "cannot open '" + path + "': No such file or directory");
  EXPECT_EQ(error(folder.string()), "'" + folder.string() +
                                        "' is a directory, but a regular file "
                                        "is needed");
  // Nobody writes to it; reading must not wait for that.
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(error(path),
            "'" + path + "' is a pipe, but a regular file is needed");
  EXPECT_EQ(error("/dev/zero"),
            "'/dev/zero' is a device, but a regular file is needed");
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

// np.save(path, np.array([[1, 2, 3]], np.int16)) with numpy 2.4.
TEST_F(NpyTest, WritesWhatNumpyWrites) {
  HostBuffer buffer = makeBuffer(ElementType::I16, {1, 3});
  for (size_t i = 0; i < 3; ++i)
    storeInt(ElementType::I16, buffer.data(), i, static_cast<int64_t>(i) + 1);
  write(buffer);
  std::string expected =
      "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 3), }";
  expected.resize(117, ' ');
  EXPECT_EQ(contents(path),
            header(expected + "\n") + std::string("\1\0\2\0\3\0", 6));
}

TEST_F(NpyTest, WritesItsTypesUnderNumpysNames) {
  std::string names;
  for (ElementType type : allTypes) {
    write(makeBuffer(type, {}));
    Result<NpyHeader> parsed = parseNpyHeader(contents(path));
    ASSERT_TRUE(parsed) << parsed.error().message();
    names += parsed->descr + " ";
    EXPECT_EQ(parsed->dataOffset % 64, 0u);
    EXPECT_THAT(parsed->shape, IsEmpty());
  }
  EXPECT_EQ(names, "|b1 |i1 <i2 <i4 <i8 <i8 <V2 <V1 <f2 <f4 <f8 ");
}

TEST_F(NpyTest, HeadersOfAnyLengthAreAligned) {
  std::vector<int64_t> shape;
  for (int rank = 0; rank <= 64; ++rank) {
    write(makeBuffer(ElementType::I8, shape));
    Result<NpyHeader> parsed = parseNpyHeader(contents(path));
    ASSERT_TRUE(parsed) << parsed.error().message();
    EXPECT_EQ(parsed->dataOffset % 64, 0u);
    EXPECT_EQ(parsed->shape, shape);
    shape.push_back(1);
  }
  Status status = writeNpy(path, makeBuffer(ElementType::I8, shape));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "cannot write '" + path +
                "': the shape has 65 dimensions, but at most 64 are supported");
}

TEST_F(NpyTest, ReplacesFiles) {
  create("something else, and longer than what follows" +
         std::string(5000, '.'));
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  write(makeBuffer(ElementType::I8, {4}));
  EXPECT_EQ(contents(path).size(), 128u + 4u);
  EXPECT_THAT(files(), ElementsAre("x.npy"));
  struct stat info;
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
}

TEST_F(NpyTest, NewFilesFollowTheUmask) {
  mode_t before = ::umask(0022);
  write(makeBuffer(ElementType::I8, {4}));
  ::umask(before);
  struct stat info;
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0644u);
}

TEST_F(NpyTest, WritesThroughLinks) {
  create("old");
  std::string link = (folder / "link.npy").string();
  fs::create_symlink("x.npy", link);
  Status status = writeNpy(link, makeBuffer(ElementType::I8, {4}));
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(contents(path).size(), 128u + 4u);
}

TEST_F(NpyTest, NamesFilesWithoutAFolder) {
  fs::path before = fs::current_path();
  fs::current_path(folder);
  Status status = writeNpy("x.npy", makeBuffer(ElementType::I8, {4}));
  fs::current_path(before);
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_THAT(files(), ElementsAre("x.npy"));
}

// A limit on the size of files stands in for a full disk.
TEST_F(NpyTest, KeepsTheOldFileIfTheDiskIsFull) {
  create("old");
  HostBuffer buffer = makeBuffer(ElementType::F32, {1 << 16});
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  for (rlim_t limit : {rlim_t(0), rlim_t(100), rlim_t(128), rlim_t(100000)}) {
    rlimit tight = {limit, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    std::string error = writeError(path, buffer);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(error, "cannot write '" + path + "': File too large");
    EXPECT_EQ(contents(path), "old");
    EXPECT_THAT(files(), ElementsAre("x.npy"));
  }
  std::signal(SIGXFSZ, handler);
}

// By the same limit, which kills where it is not ignored.
TEST_F(NpyTest, LeavesNothingWhenItIsKilled) {
  if (int fd = ::open(folder.c_str(), O_WRONLY | O_TMPFILE, 0666); fd >= 0)
    ::close(fd);
  else
    GTEST_SKIP() << "the file system has no files without a name";
  create("old");
  HostBuffer buffer = makeBuffer(ElementType::F32, {1 << 16});
  pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    rlimit none = {0, 0}, tight = {100000, 100000};
    ::setrlimit(RLIMIT_CORE, &none);
    ::setrlimit(RLIMIT_FSIZE, &tight);
    std::signal(SIGXFSZ, SIG_DFL);
    (void)writeNpy(path, buffer);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(contents(path), "old");
  EXPECT_THAT(files(), ElementsAre("x.npy"));
}

TEST_F(NpyTest, ReportsDevicesThatAreFull) {
  HostBuffer buffer = makeBuffer(ElementType::F32, {4});
  EXPECT_EQ(writeError("/dev/full", buffer),
            "cannot write '/dev/full': No space left on device");
  fs::create_symlink("/dev/full", path);
  EXPECT_EQ(writeError(path, buffer),
            "cannot write '" + path + "': No space left on device");
}

TEST_F(NpyTest, WritesToDevicesAsTheyAre) {
  Status status = writeNpy("/dev/null", makeBuffer(ElementType::F32, {4}));
  EXPECT_TRUE(status) << status.error().message();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(NpyTest, WritesToPipes) {
  HostBuffer buffer = makeBuffer(ElementType::F32, {4});
  write(buffer);
  std::string expected = contents(path);
  fs::remove(path);

  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  write(buffer);
  char bytes[1000];
  ssize_t count = ::read(reader, bytes, sizeof(bytes));
  ::close(reader);
  ASSERT_EQ(count, static_cast<ssize_t>(expected.size()));
  EXPECT_EQ(std::string_view(bytes, count), expected);
  EXPECT_TRUE(fs::is_fifo(path));
}

// Redirected to a file, the standard output has a position of its own: what was
// printed before stays.
TEST_F(NpyTest, WritesToTheStandardOutput) {
  HostBuffer buffer = makeBuffer(ElementType::I8, {4});
  write(buffer);
  std::string expected = contents(path);

  std::fflush(stdout);
  int before = ::dup(STDOUT_FILENO);
  int file = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  ASSERT_GE(::dup2(file, STDOUT_FILENO), 0);
  bool isPrinted = ::write(STDOUT_FILENO, "first ", 6) == 6;
  Status status = writeNpy("/dev/stdout", buffer);
  isPrinted &= ::write(STDOUT_FILENO, " last", 5) == 5;
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  ::close(file);

  EXPECT_TRUE(isPrinted);
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(contents(path), "first " + expected + " last");
}

TEST_F(NpyTest, ReportsPathsThatCannotBeWritten) {
  HostBuffer buffer = makeBuffer(ElementType::I8, {4});
  EXPECT_EQ(writeError(folder.string(), buffer),
            "cannot write '" + folder.string() + "': Is a directory");
  std::string missing = (folder / "no" / "x.npy").string();
  EXPECT_EQ(writeError(missing, buffer),
            "cannot write '" + missing +
                "': cannot create a file beside it: No such file or directory");
  create("a file");
  std::string beneath = path + "/x.npy";
  EXPECT_EQ(writeError(beneath, buffer),
            "cannot write '" + beneath + "': Not a directory");
  EXPECT_THAT(writeError("", buffer), HasSubstr("No such file"));
  EXPECT_THAT(files(), ElementsAre("x.npy"));
}

TEST_F(NpyTest, LeavesProtectedFilesAlone) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "nothing is protected from root";
  create("old");
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  EXPECT_EQ(writeError(path, makeBuffer(ElementType::I8, {4})),
            "cannot write '" + path + "': Permission denied");
  EXPECT_EQ(contents(path), "old");
}

// Names of temporary files that a crashed process of the same id left behind.
TEST_F(NpyTest, StepsAroundForeignTemporaries) {
  std::string stale = ".fuse-" + std::to_string(::getpid()) + "-0.tmp";
  std::ofstream(folder / stale) << "stale";
  write(makeBuffer(ElementType::I8, {4}));
  EXPECT_THAT(files(), testing::UnorderedElementsAre("x.npy", stale));
  EXPECT_EQ(contents((folder / stale).string()), "stale");
}

} // namespace
