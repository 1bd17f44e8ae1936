//===- ProgramTest.cpp - Images on this processor -------------------------===//
//
// Kernels that a C compiler made, and what can be wrong with them.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Cpu/Program.h"
#include "Checksum.h"
#include "Cpu/ObjectLoader.h"
#include "TestImage.h"
#include "fuse/Runtime/File.h"
#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <thread>

#include <elf.h>

using namespace fuse;
using ::testing::HasSubstr;

namespace {

std::string kernels() {
  Result<std::string> bytes = readFile(KERNELS);
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : "";
}

/// x of 8 -> y of 8, z of 2 and a copy of the constant.
Image makeCpuImage() {
  using Kind = ImageBuffer::Kind;
  Image image;
  image.producer = "a test";
  image.name = "scale";
  image.buffers = {makeImageBuffer(Kind::Input, 0, "x", {8}),
                   makeImageBuffer(Kind::Output, 0, "y", {8}),
                   makeImageBuffer(Kind::Output, 1, "z", {2}),
                   makeImageBuffer(Kind::Output, 2, "w", {4})};
  CpuCode &code = image.cpus.emplace_back();
  code.level = CpuLevel::V1;
  code.object = kernels();
  using PlanKind = PlanBuffer::Kind;
  code.buffers = {{PlanKind::Input, 0, ElementType::F32, {8}},
                  {PlanKind::Output, 0, ElementType::F32, {8}},
                  {PlanKind::Output, 1, ElementType::F32, {2}},
                  {PlanKind::Intermediate, 0, ElementType::F32, {8}},
                  {PlanKind::Constant, 0, ElementType::F32, {4}}};
  code.constants.push_back(makeBuffer({4}, {1, 2, 3, 4}));
  code.launches = {
      {"scale", "fuse_packed_scale", "a.mlir:1", "", {0, 3}, 1, {8}, 0},
      {"scale", "fuse_packed_scale", "a.mlir:1", "", {3, 1}, 1, {8}, 64},
      {"count", "fuse_packed_count", "", "#s", {2}, 1, {}, 0}};
  code.copies = {{4, 2}};
  return image;
}

std::shared_ptr<ThreadPool> makePool(unsigned numThreads) {
  auto pool = ThreadPool::create(numThreads);
  EXPECT_TRUE(pool) << pool.error().message();
  return std::move(*pool);
}

/// makeCpuImage for any number of rows of 4: x and y of n, w of as many as
/// that, to which the constant is copied.
Image makeOpenImage() {
  Image image = makeCpuImage();
  SizeExpression n = SizeExpression::size(0, 0);
  for (uint32_t buffer : {0, 1})
    image.buffers[buffer].shape = {n};
  CpuCode &code = image.cpus[0];
  for (uint32_t buffer : {0, 1, 3})
    code.buffers[buffer].shape = {n};
  for (uint32_t launch : {0, 1})
    code.launches[launch].grid = {n};
  return image;
}

SizeBindings sizes(int64_t rows) {
  SizeBindings bindings;
  bindings.shapes = {{rows}};
  return bindings;
}

std::string loadError(Image image) {
  auto program = CpuProgram::load(
      std::make_shared<const Image>(std::move(image)), makePool(1));
  EXPECT_FALSE(program);
  return program ? "" : program.error().message();
}

#ifdef __x86_64__

size_t countThreads() {
  std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(CpuProgramTest, SeveralHaveTheSameThreads) {
  auto image = std::make_shared<const Image>(makeCpuImage());
  std::shared_ptr<ThreadPool> pool = makePool(3);
  size_t before = countThreads();
  std::vector<std::shared_ptr<CpuProgram>> programs;
  for (int i = 0; i < 20; ++i) {
    auto program = CpuProgram::load(image, pool);
    ASSERT_TRUE(program) << program.error().message();
    programs.push_back(std::move(*program));
  }
  EXPECT_EQ(countThreads(), before);
  EXPECT_EQ(programs.back()->numThreads(), 3u);
}

TEST(CpuProgramTest, Runs) {
  auto program = CpuProgram::load(std::make_shared<const Image>(makeCpuImage()),
                                  makePool(2));
  ASSERT_TRUE(program) << program.error().message();
  auto executor = (*program)->bind(sizes(8));
  ASSERT_TRUE(executor) << executor.error().message();
  HostBuffer x = makeBuffer({8}), y = makeBuffer({8}), z = makeBuffer({2}),
             w = makeBuffer({4});
  const void *inputs[] = {x.data()};
  void *outputs[] = {y.data(), z.data(), w.data()};
  for (int run = 1; run <= 2; ++run) {
    ASSERT_TRUE((*executor)->run(inputs, outputs));
    const double factors[] = {3, 4, 6, 8};
    for (size_t i = 0; i < 8; ++i)
      EXPECT_EQ(loadAsDouble(ElementType::F32, y.data(), i),
                double(i) * factors[i % 4] * factors[i % 4]);
    // Two threads count in the same place, and may lose some.
    EXPECT_LE(loadAsDouble(ElementType::F32, z.data(), 0), 16 * run);
    EXPECT_GT(loadAsDouble(ElementType::F32, z.data(), 1), 1000);
    EXPECT_EQ(loadAsDouble(ElementType::F32, w.data(), 3), 4);
  }
  EXPECT_GE((*executor)->workspaceBytes(), 32u + 2 * 64);
}

TEST(CpuProgramTest, OneRunsAllSizes) {
  auto program = CpuProgram::load(
      std::make_shared<const Image>(makeOpenImage()), makePool(2));
  ASSERT_TRUE(program) << program.error().message();
  std::weak_ptr<CpuProgram> watched = *program;
  for (int64_t rows : {8, 0, 1, 64, 8}) {
    auto executor = (*program)->bind(sizes(rows));
    ASSERT_TRUE(executor) << executor.error().message();
    HostBuffer x = makeBuffer({rows}), y = makeBuffer({rows}),
               z = makeBuffer({2}), w = makeBuffer({4});
    const void *inputs[] = {x.data()};
    void *outputs[] = {y.data(), z.data(), w.data()};
    ASSERT_TRUE((*executor)->run(inputs, outputs));
    const double factors[] = {3, 4, 6, 8};
    for (int64_t i = 0; i < rows; ++i)
      EXPECT_EQ(loadAsDouble(ElementType::F32, y.data(), i),
                double(i) * factors[i % 4] * factors[i % 4]);
    EXPECT_EQ(loadAsDouble(ElementType::F32, w.data(), 3), 4);
  }
  // Those of the same sizes have the same memory, as long as it is there.
  auto a = (*program)->bind(sizes(5)), b = (*program)->bind(sizes(5)),
       c = (*program)->bind(sizes(6));
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(*a, *b);
  EXPECT_NE(*a, *c);
  // Whoever runs needs the code.
  program->reset();
  EXPECT_FALSE(watched.expired());
  *a = *b = *c = nullptr;
  EXPECT_TRUE(watched.expired());
}

TEST(CpuProgramTest, SixteenThreadsRunItAtTheirSizes) {
  Image image = makeOpenImage();
  // Of what all threads count in the same place nothing is asked.
  image.cpus[0].launches.pop_back();
  image.cpus[0].buffers[2] = image.cpus[0].buffers[4];
  image.cpus[0].copies.push_back({4, 1});
  image.buffers[2].shape = {4};
  auto program = CpuProgram::load(
      std::make_shared<const Image>(std::move(image)), makePool(3));
  ASSERT_TRUE(program) << program.error().message();
  std::vector<std::thread> threads;
  for (int64_t thread = 0; thread < 16; ++thread)
    threads.emplace_back([&, thread] {
      for (int64_t round = 0; round < 30; ++round) {
        int64_t rows = (thread + round) % 5;
        auto executor = (*program)->bind(sizes(rows));
        ASSERT_TRUE(executor) << executor.error().message();
        HostBuffer x = makeBuffer({rows}), y = makeBuffer({rows}),
                   z = makeBuffer({4}), w = makeBuffer({4});
        const void *inputs[] = {x.data()};
        void *outputs[] = {y.data(), z.data(), w.data()};
        ASSERT_TRUE((*executor)->run(inputs, outputs));
        const double factors[] = {9, 16, 36, 64};
        for (int64_t i = 0; i < rows; ++i)
          EXPECT_EQ(loadAsDouble(ElementType::F32, y.data(), i),
                    double(i) * factors[i]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

std::string bindError(Image image, int64_t rows) {
  auto program = CpuProgram::load(
      std::make_shared<const Image>(std::move(image)), makePool(1));
  EXPECT_TRUE(program) << program.error().message();
  auto executor = (*program)->bind(sizes(rows));
  EXPECT_FALSE(executor);
  return executor ? "" : executor.error().message();
}

// Whatever a file says, nothing is written outside of an argument.
TEST(CpuProgramTest, SizesThatDoNotFitAreRefused) {
  EXPECT_EQ(bindError(makeCpuImage(), 9),
            "input 0 'x' has the shape 9, but its size 0 has to be 8");
  SizeExpression n = SizeExpression::size(0, 0);
  Image image = makeOpenImage();
  image.cpus[0].buffers[1].shape = {n + 1};
  EXPECT_EQ(bindError(std::move(image), 5),
            "the code for x86-64: it has 6 of f32 for output 0 'y', but 5 of "
            "f32 is needed");
  image = makeOpenImage();
  image.cpus[0].buffers[3].shape = {n - 8};
  EXPECT_EQ(bindError(std::move(image), 5),
            "the code for x86-64: a tensor would have the shape -3");
  image = makeOpenImage();
  image.cpus[0].launches[0].grid = {n - 8};
  EXPECT_EQ(bindError(std::move(image), 5),
            "the code for x86-64: launch 'scale': a grid of -3 cannot be "
            "launched");
  image = makeOpenImage();
  image.cpus[0].launches[0].grid = {n * 0};
  EXPECT_EQ(bindError(std::move(image), 5),
            "the code for x86-64: launch 'scale': no blocks would run to write "
            "an output of shape 5");
  image = makeOpenImage();
  image.buffers[3].shape = {2};
  EXPECT_EQ(bindError(std::move(image), 5),
            "the code for x86-64: it has 4 of f32 for output 2 'w', but 2 of "
            "f32 is needed");
  EXPECT_THAT(bindError(makeOpenImage(), int64_t(1) << 62),
              HasSubstr("input 0 'x': a buffer of shape 4611686018427387904 of "
                        "f32 needs more than 8.0 EiB"));
}

TEST(CpuProgramTest, TheBestCodeIsChosen) {
  Result<CpuLevel> own = cpuLevelOfThisMachine();
  ASSERT_TRUE(own);
  Image image = makeCpuImage();
  Image other = makeCpuImage();
  other.cpus[0].level = CpuLevel::V2;
  image.cpus.push_back(std::move(other.cpus[0]));
  auto program = CpuProgram::load(
      std::make_shared<const Image>(std::move(image)), makePool(1));
  ASSERT_TRUE(program) << program.error().message();
  EXPECT_EQ((*program)->code().level, std::min(*own, CpuLevel::V2));
  if (*own == CpuLevel::V4)
    return;
  image = makeCpuImage();
  image.cpus[0].level = CpuLevel::V4;
  EXPECT_THAT(loadError(std::move(image)),
              HasSubstr("'scale' has code for x86-64-v4, but this processor is "
                        "a x86-64"));
}

#endif // __x86_64__

TEST(CpuProgramTest, WhatIsMissingIsNamed) {
  EXPECT_THAT(loadError(makeTestImage()),
              HasSubstr("'chain' has no code for processors, but this"));
  Image image = makeCpuImage();
  image.cpus[0].launches[0].symbol = "fuse_packed_none";
  EXPECT_EQ(loadError(std::move(image)),
            "the object code has no function 'fuse_packed_none'");
}

TEST(CpuCodeTest, LevelsHaveNames) {
  Result<CpuLevel> level = parseCpuLevel("x86-64-v3");
  ASSERT_TRUE(level);
  EXPECT_EQ(*level, CpuLevel::V3);
  EXPECT_EQ(levelName(*level), "x86-64-v3");
  Result<CpuLevel> none = parseCpuLevel("sparc");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message(),
            "'sparc' is no level of processors: there are x86-64, x86-64-v2, "
            "x86-64-v3 and x86-64-v4");
}

TEST(CpuCodeTest, PlansThatMeanNothingAreRefused) {
  EXPECT_TRUE(checkImage(makeCpuImage()));
  auto expect = [](auto change, const char *message) {
    Image image = makeCpuImage();
    change(image.cpus[0]);
    Status status = checkImage(image);
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message(),
                HasSubstr("the code for x86-64: " + std::string(message)));
  };
  expect([](CpuCode &c) { c.buffers[0].number = 1; },
         "buffer 0: it has the number 1 of its kind, but there are 1");
  expect([](CpuCode &c) { c.buffers[3].shape = {-1}; }, "buffer 3: ");
  expect([](CpuCode &c) { c.buffers[4].shape = {5}; },
         "buffer 4: its data are another array");
  expect([](CpuCode &c) { c.buffers[0].shape = {9}; },
         "it has 9 of f32 for buffer 0 'x', which is another array");
  expect([](CpuCode &c) { c.launches[0].symbol = ""; },
         "launch 'scale': it has no function");
  expect([](CpuCode &c) { c.launches[0].numOutputs = 3; },
         "launch 'scale': it has no function, or more outputs than buffers");
  expect([](CpuCode &c) { c.launches[0].buffers[0] = 9; },
         "launch 'scale': it asks for buffer 9, but there are 5");
  expect([](CpuCode &c) { std::swap(c.launches[0], c.launches[1]); },
         "launch 'scale': it reads buffer 3, which nothing has written");
  expect([](CpuCode &c) { c.launches[0].buffers[1] = 4; },
         "launch 'scale': it writes buffer 4, which is an input or constant");
  expect([](CpuCode &c) { c.launches[0].grid = {-1}; },
         "launch 'scale': its grid is -1");
  expect([](CpuCode &c) { c.buffers[3].shape = {SizeExpression::size(1, 0)}; },
         "'in1.size(0)' asks for a size that no input has");
  expect([](CpuCode &c) { c.buffers[0].shape = {SizeExpression::size(0, 0)}; },
         "it has in0.size(0) of f32 for buffer 0 'x', which is another array");
  expect([](CpuCode &c) { c.launches[0].grid = {SizeExpression::scalar(0)}; },
         "launch 'scale': 'scalar0' asks for a scalar, but there are 0");
  expect(
      [](CpuCode &c) {
        c.launches[0].grid = {SizeExpression::multiprocessors()};
      },
      "launch 'scale': 'multiprocessors' depends on the device");
  expect([](CpuCode &c) { c.copies[0].from = 7; }, "a copy is of what is not");
  expect([](CpuCode &c) { c.copies[0].from = 3; },
         "a copy is of a buffer that nothing has written");
  expect([](CpuCode &c) { c.copies.clear(); }, "nothing writes output 2");
  Image twice = makeCpuImage();
  Image other = makeCpuImage();
  twice.cpus.push_back(std::move(other.cpus[0]));
  Status status = checkImage(twice);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(), "the code for x86-64 is there twice");
}

TEST(CpuCodeTest, GoesThroughBytes) {
  std::string bytes = serializeImage(makeCpuImage());
  Result<Image> image = parseImage(bytes);
  ASSERT_TRUE(image) << image.error().message();
  EXPECT_EQ(serializeImage(*image), bytes);
  EXPECT_EQ(image->cpus[0].launches[2].schedule, "#s");
  EXPECT_THAT(describe(*image), HasSubstr("code for x86-64"));
}

TEST(CpuCodeTest, EveryFlippedByteIsRefused) {
  std::string bytes = serializeImage(makeOpenImage());
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_FALSE(parseImage(changed)) << i;
  }
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

std::string objectError(std::string_view bytes) {
  auto object = LoadedObject::load(bytes);
  EXPECT_FALSE(object);
  return object ? "" : object.error().message();
}

TEST(ObjectLoaderTest, FunctionsAreFound) {
  auto object = LoadedObject::load(kernels());
  ASSERT_TRUE(object) << object.error().message();
  EXPECT_TRUE((*object)->find("fuse_packed_scale"));
  EXPECT_FALSE((*object)->find("fuse_packed_none"));
  EXPECT_FALSE((*object)->find("blocks_run"));
}

TEST(ObjectLoaderTest, WhatIsNoObjectIsRefused) {
  EXPECT_EQ(objectError(""), "the object code is malformed: it has 0 bytes");
  EXPECT_EQ(objectError(std::string(100, 'x')),
            "the object code is malformed: it is no 64-bit ELF file");
  std::string bytes = kernels();
  bytes[16] = 3;
  EXPECT_EQ(objectError(bytes), "the object code is malformed: it is no "
                                "relocatable file for x86-64");
}

TEST(ObjectLoaderTest, CallsOfOtherFunctionsAreRefused) {
  std::string bytes = kernels();
  size_t at = bytes.find(std::string_view("\0memset", 8));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 1] = 'x';
  EXPECT_EQ(objectError(bytes), "the object code calls 'xemset', which the "
                                "runtime does not have");
}

// Nothing is run, so whatever is read may only lead to an error or an object.
TEST(ObjectLoaderTest, DamageDoesNoHarm) {
  std::string bytes = kernels();
  for (size_t size = 0; size < bytes.size(); size += 7)
    (void)LoadedObject::load(std::string_view(bytes).substr(0, size));
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int value : {0x00, 0x7F, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      (void)LoadedObject::load(changed);
    }
}

/// An object of these sections behind one without a type.
std::string makeObject(std::vector<Elf64_Shdr> sections, std::string data) {
  sections.insert(sections.begin(), Elf64_Shdr{});
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_shoff = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<uint16_t>(sections.size());
  size_t start = sizeof header + sections.size() * sizeof(Elf64_Shdr);
  for (size_t i = 1; i < sections.size(); ++i)
    sections[i].sh_offset += start;
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
  bytes.append(reinterpret_cast<const char *>(sections.data()),
               sections.size() * sizeof(Elf64_Shdr));
  return bytes + data;
}

Elf64_Shdr makeSection(uint32_t type, uint64_t offset, uint64_t size,
                       uint64_t flags = 0) {
  Elf64_Shdr section = {};
  section.sh_type = type;
  section.sh_offset = offset;
  section.sh_size = size;
  section.sh_flags = flags;
  section.sh_link = 1;
  return section;
}

// Each of these would take seconds, or all of the memory, for a small object.
TEST(ObjectLoaderTest, NamesThatAreEndsOfEachOtherAreCounted) {
  constexpr size_t length = 4000;
  std::string data = std::string(length, 'x') + '\0';
  for (uint32_t i = 0; i < length; ++i) {
    Elf64_Sym symbol = {};
    symbol.st_name = i;
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = 3;
    data.append(reinterpret_cast<const char *>(&symbol), sizeof symbol);
  }
  std::string bytes = makeObject(
      {makeSection(SHT_STRTAB, 0, length + 1),
       makeSection(SHT_SYMTAB, length + 1, length * sizeof(Elf64_Sym)),
       makeSection(SHT_NOBITS, 0, 16, SHF_ALLOC)},
      data);
  EXPECT_EQ(objectError(bytes),
            "the object code is malformed: its names take more than " +
                std::to_string(16 * bytes.size()) + " bytes");
}

TEST(ObjectLoaderTest, SectionsDoNotOverlap) {
  std::string data(1000, '\0');
  EXPECT_EQ(objectError(makeObject(
                std::vector(100, makeSection(SHT_RELA, 0, data.size())), data)),
            "the object code is malformed: its sections overlap");
}

// Their offsets mean nothing, whoever refers to them.
TEST(ObjectLoaderTest, SectionsWithoutBytesAreNotRead) {
  std::string bytes = kernels();
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (uint32_t type : {SHT_NULL, SHT_NOBITS})
    for (size_t i = 0; i < header.e_shnum; ++i) {
      std::string changed = bytes;
      char *at = changed.data() + header.e_shoff + i * sizeof(Elf64_Shdr);
      Elf64_Shdr section;
      std::memcpy(&section, at, sizeof section);
      section.sh_type = type;
      section.sh_offset = uint64_t(1) << 61;
      std::memcpy(at, &section, sizeof section);
      (void)LoadedObject::load(changed);
    }
}

} // namespace
