//===- ForgedImageTest.cpp - Images that nobody's compiler made -----------===//
//
// One field or a few of an Image are another number, text or list, and the
// checksum fits. What the reader takes must be safe up to where machine code
// begins: to print, to load, to bind sizes to, to prepare. Code is left as it
// is, and only kernels of tests run. What is random is so by a seed.
//
//===----------------------------------------------------------------------===//

#include "Cuda/FakeCuda.h"
#include "ImageFormat.h"
#include "fuse/Runtime/Cpu/Program.h"
#include "fuse/Runtime/File.h"

#include <algorithm>
#include <limits>

using namespace fuse;

namespace {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint32_t operator()(uint32_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((state >> 33) % bound);
  }
  bool isOneOf(uint32_t many) { return (*this)(many) == 0; }

private:
  uint64_t state;
};

/// An archive that goes through the fields of an Image and changes about one
/// of `rarity`.
class Forger {
public:
  Forger(uint64_t seed, uint32_t rarity) : random(seed), rarity(rarity) {}

  template <class T> void number(T &value) {
    if (random.isOneOf(rarity))
      value = other(value);
  }
  void flag(bool &value) { value ^= random.isOneOf(rarity); }
  template <class E> void choice(E &value, E last) {
    if (random.isOneOf(rarity))
      value = static_cast<E>(random(static_cast<uint32_t>(last) + 1));
  }
  void text(std::string &value) {
    if (isCode(value) || !random.isOneOf(rarity))
      return;
    const std::string others[] = {
        "",  "../" + value, value + '\0',           value + "\n\x1b[31m",
        "0", "out",         std::string(1000, 'x'), "\xff\xfe"};
    value = others[random(std::size(others))];
  }
  template <class T> void list(std::vector<T> &values) {
    if (random.isOneOf(rarity))
      changeLength(values);
    for (T &value : values)
      transfer(*this, value);
  }
  void expression(SizeExpression &value) {
    std::vector<SizeExpression::Step> steps(value.steps().begin(),
                                            value.steps().end());
    list(steps);
    // What is no expression cannot be made; the bytes of one are flipped in
    // ImageFileTest.
    if (auto made = SizeExpression::fromSteps(std::move(steps)))
      value = std::move(*made);
  }
  void constants(std::vector<HostBuffer> &values) {
    if (random.isOneOf(rarity) && !values.empty())
      values.pop_back();
    if (random.isOneOf(rarity))
      values.push_back(makeBuffer({int64_t(random(5))}, {1}));
  }

private:
  template <class T> T other(T value) {
    constexpr T most = std::numeric_limits<T>::max();
    const T others[] = {0,
                        1,
                        T(value + 1),
                        T(value - 1),
                        T(uint64_t(value) * 2),
                        T(value / 2),
                        most,
                        T(most / 2 + 1),
                        std::numeric_limits<T>::min(),
                        T(uint64_t(1) << random(sizeof(T) * 8)),
                        T(random(16)),
                        T(-1)};
    return others[random(std::size(others))];
  }
  template <class T> void changeLength(std::vector<T> &values) {
    switch (random(4)) {
    case 0:
      return values.clear();
    case 1:
      if (!values.empty())
        values.pop_back();
      return;
    case 2:
      // That has data, which are not copied.
      if constexpr (!std::is_same_v<T, CpuCode>)
        if (!values.empty())
          values.push_back(T(values[random(uint32_t(values.size()))]));
      return;
    default:
      values.emplace_back();
    }
  }
  /// PTX, a cubin or an object.
  static bool isCode(std::string_view text) {
    return text.starts_with(".version") ||
           text.starts_with("\x7f"
                            "ELF") ||
           text.starts_with("cubin");
  }

  Random random;
  uint32_t rarity;
};

/// What the reader makes of a forged `image`, if it takes it.
std::optional<Image> forge(Image image, uint64_t seed) {
  Forger forger(seed, /*rarity=*/seed % 3 == 0 ? 20 : 150);
  transfer(forger, image);
  std::string bytes = serializeImage(image);
  Result<Image> read = parseImage(bytes);
  if (!read) {
    EXPECT_NE(read.error().message(), "");
    return std::nullopt;
  }
  EXPECT_EQ(serializeImage(*read), bytes);
  EXPECT_FALSE(describe(*read).empty());
  return std::move(*read);
}

/// Sizes that an Image takes, or would have taken before.
std::vector<SizeBindings> someSizes(const Image &image,
                                    const SizeBindings &before) {
  SizeBindings own;
  for (uint32_t input : image.inputs()) {
    std::vector<int64_t> &shape = own.shapes.emplace_back();
    for (const SizeExpression &size : image.buffers[input].shape)
      shape.push_back(size.constant().value_or(8));
  }
  own.scalars.assign(image.scalars.size(), 3);
  return {before, own};
}

//===----------------------------------------------------------------------===//
// On a processor
//===----------------------------------------------------------------------===//

/// Whatever is launched has memory of its own size at a place of its own.
void expectSound(const HostPlan &plan) {
  for (const PlanBuffer &buffer : plan.buffers)
    if (buffer.kind == PlanBuffer::Kind::Intermediate) {
      EXPECT_LE(buffer.bytes, plan.intermediateBytes);
      EXPECT_LE(buffer.offset, plan.intermediateBytes - buffer.bytes);
    }
  for (const PlanLaunch &launch : plan.launches) {
    EXPECT_NE(launch.function, nullptr);
    EXPECT_TRUE(launch.numBlocks());
    EXPECT_LE(launch.numOutputs, launch.buffers.size());
    for (size_t buffer : launch.buffers)
      EXPECT_LT(buffer, plan.buffers.size());
  }
  for (const PlanCopy &copy : plan.copies)
    EXPECT_LT(copy.from, plan.buffers.size());
}

#ifdef __x86_64__

/// x of n -> a -> y, n being open, by kernels that a C compiler made.
Image makeCpuImage() {
  using Kind = ImageBuffer::Kind;
  using PlanKind = PlanBuffer::Kind;
  Image image;
  image.producer = "a test";
  image.name = "scale";
  SizeExpression n = SizeExpression::size(0, 0);
  image.buffers = {makeImageBuffer(Kind::Input, 0, "x", {n}),
                   makeImageBuffer(Kind::Output, 0, "y", {n}),
                   makeImageBuffer(Kind::Output, 1, "w", {4})};
  CpuCode &code = image.cpus.emplace_back();
  code.level = CpuLevel::V1;
  Result<std::string> object = readFile(KERNELS);
  EXPECT_TRUE(object);
  code.object = object ? *object : "";
  code.buffers = {{PlanKind::Input, 0, ElementType::F32, {n}},
                  {PlanKind::Output, 0, ElementType::F32, {n}},
                  {PlanKind::Intermediate, 0, ElementType::F32, {n * 2, 4}},
                  {PlanKind::Intermediate, 0, ElementType::F32, {n, 3}},
                  {PlanKind::Constant, 0, ElementType::F32, {4}}};
  code.constants.push_back(makeBuffer({4}, {1, 2, 3, 4}));
  code.launches = {
      {"first", "fuse_packed_scale", "a.mlir:1", "", {0, 2}, 1, {n}, 0, n * 8},
      {"second", "fuse_packed_scale", "", "", {2, 3}, 1, {ceilDiv(n, 4), 2}},
      {"third", "fuse_packed_scale", "", "#s", {3, 1}, 1, {n}, 64}};
  code.copies = {{4, 1}};
  return image;
}

TEST(ForgedImageTest, ProcessorsAreAskedForNothingThatIsNotThere) {
  Image image = makeCpuImage();
  Status status = checkImage(image);
  ASSERT_TRUE(status) << status.error().message();
  auto pool = ThreadPool::create(2);
  ASSERT_TRUE(pool);
  std::shared_ptr<ThreadPool> shared = std::move(*pool);
  size_t numBound = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(seed);
    std::optional<Image> read = forge(makeCpuImage(), seed);
    if (!read)
      continue;
    auto own = std::make_shared<const Image>(std::move(*read));
    auto program = CpuProgram::load(own, shared);
    if (!program)
      continue;
    for (const SizeBindings &sizes : someSizes(*own, {{{8}}, {}, 0})) {
      auto executor = (*program)->bind(sizes);
      if (!executor)
        continue;
      ++numBound;
      expectSound((*executor)->plan());
    }
  }
  // Else the test would say nothing.
  EXPECT_GT(numBound, 500u);
}

#endif

//===----------------------------------------------------------------------===//
// On a GPU
//===----------------------------------------------------------------------===//

class ForgedImageOnGpu : public FakeCuda {};

TEST_F(ForgedImageOnGpu, MemoryIsThereForWhateverIsLaunched) {
  // How many parameters a kernel has is in its code.
  driver->kernels.clear();
  driver->anyKernel = [](const fake::Launch &) {};
  auto device = open();
  ASSERT_TRUE(device);
  size_t numRun = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(seed);
    std::optional<Image> read = forge(makeTestImage(), seed);
    if (!read)
      continue;
    auto own = std::make_shared<const Image>(std::move(*read));
    auto program = CudaProgram::load(own, device);
    if (!program)
      continue;
    for (SizeBindings &bindings : someSizes(*own, sizes(8))) {
      auto executor = (*program)->bind(bindings);
      if (!executor)
        continue;
      std::vector<HostBuffer> buffers;
      for (uint32_t input : own->inputs()) {
        auto buffer = HostBuffer::allocate(own->buffers[input].type,
                                           (*executor)->bufferShapes()[input]);
        if (buffer)
          buffers.push_back(std::move(*buffer));
      }
      std::vector<const HostBuffer *> inputs(buffers.size());
      std::ranges::transform(buffers, inputs.begin(),
                             [](const HostBuffer &each) { return &each; });
      if ((*executor)->runOn(inputs))
        ++numRun;
    }
    driver->launches.clear();
    driver->maps.clear();
  }
  EXPECT_GT(numRun, 300u);
}

} // namespace
