//===- ProgramTest.cpp - an Image on a device -----------------------------===//
//
// Which code is loaded where, and what is said when none can be.
//
//===----------------------------------------------------------------------===//

#include "Cuda/ModuleLoader.h"
#include "FakeCuda.h"

using namespace fuse;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

using ProgramTest = FakeCuda;

/// One launch for two chips: 'scale_tma' for sm_90a, the others for sm_80.
Image makeImageForTwo() {
  Image image = makeTestImage();
  ImageModule &portable = image.modules.emplace_back();
  portable.name = "portable";
  portable.ptx = ".version 7.0\n.target sm_80\n";
  portable.chip = {8, 0, ChipFeatures::Portable};
  portable.ptxVersion = {7, 0};
  portable.cubins.push_back(
      {{8, 0, ChipFeatures::Portable}, {12, 4}, "cubin for 80"});
  portable.cubins.push_back(
      {{8, 6, ChipFeatures::Portable}, {12, 4}, "cubin for 86"});
  for (size_t i = 1; i < image.kernels.size(); ++i)
    image.kernels[i].module = 1;
  return image;
}

TEST_F(ProgramTest, MachineCodeComesFirst) {
  auto program = load();
  ASSERT_TRUE(program);
  EXPECT_THAT(driver->loaded, ElementsAre("cubin for 90a"));
  EXPECT_THAT(program->origins(), ElementsAre("cubin for sm_90a"));
}

TEST_F(ProgramTest, TheBestFittingMachineCodeIsTaken) {
  driver->major = 8;
  driver->minor = 9;
  auto program = load(makeImageForTwo());
  ASSERT_TRUE(program);
  EXPECT_THAT(program->origins(),
              ElementsAre("not loaded: it is for sm_90a", "cubin for sm_86"));
  driver->loaded.clear();
  driver->minor = 0;
  program = load(makeImageForTwo());
  EXPECT_THAT(driver->loaded, ElementsAre("cubin for 80"));
}

TEST_F(ProgramTest, OtherwiseTheDriverAssembles) {
  auto program = load(makeImageForTwo());
  ASSERT_TRUE(program);
  EXPECT_THAT(driver->loaded,
              ElementsAre("cubin for 90a", HasSubstr(".target sm_80")));
  EXPECT_EQ(program->origins()[1], "PTX for sm_80, assembled by the driver");
}

TEST_F(ProgramTest, MachineCodeThatIsRefusedIsReplaced) {
  driver->badCode = "cubin";
  auto program = load();
  ASSERT_TRUE(program);
  EXPECT_THAT(driver->loaded, ElementsAre(HasSubstr(".target sm_90a")));
}

TEST_F(ProgramTest, AnotherChipIsRefused) {
  driver->major = 10;
  EXPECT_EQ(loadError(), "launch 'scale' has code for sm_90a, but the device "
                         "is sm_100 'Fake GPU'");
  // Code for one chip runs on no later one; PTX for all does.
  auto program = load(makeImageForTwo());
  ASSERT_TRUE(program);
  EXPECT_THAT(driver->loaded, ElementsAre(HasSubstr(".target sm_80")));
  driver->major = 7;
  EXPECT_EQ(loadError(makeImageForTwo()),
            "launch 'scale' has code for sm_90a, sm_80, but the device is "
            "sm_70 'Fake GPU'");
}

TEST_F(ProgramTest, AnAssemblersLogIsShown) {
  driver->failures["cuModuleLoadDataEx"] = 218;
  driver->log = "ptxas application ptx input, line 9; error: Unknown symbol\n";
  Image image = makeTestImage();
  image.modules[0].cubins.clear();
  EXPECT_EQ(loadError(std::move(image)),
            "module 'kernels' cannot be loaded on sm_90 'Fake GPU': PTX for "
            "sm_90a, assembled by the driver: CUDA_ERROR_INVALID_PTX: ptxas "
            "application ptx input, line 9; error: Unknown symbol");
  // What was tried before is told, too.
  driver->log.clear();
  EXPECT_EQ(loadError(), "module 'kernels' cannot be loaded on sm_90 'Fake "
                         "GPU': cubin for sm_90a: CUDA_ERROR_INVALID_PTX; PTX "
                         "for sm_90a, assembled by the driver: "
                         "CUDA_ERROR_INVALID_PTX");
}

TEST_F(ProgramTest, AnOldDriverIsToldWhatIsNeeded) {
  Image image = makeTestImage();
  image.modules[0].ptxVersion = {8, 6};
  image.modules[0].ptx = ".version 8.6\n.target sm_90a\n";
  image.modules[0].cubins[0].toolkit = {13, 0};
  EXPECT_EQ(loadError(std::move(image)),
            "module 'kernels' cannot be loaded on sm_90 'Fake GPU': cubin for "
            "sm_90a: it needs a driver for CUDA 13.0 or newer, but this one is "
            "for CUDA 12.4; PTX for sm_90a: PTX 8.6 needs a driver for CUDA "
            "12.7 or newer, but this one is for CUDA 12.4");
  // Within a major version machine code runs on older drivers.
  image = makeTestImage();
  image.modules[0].cubins[0].toolkit = {12, 9};
  EXPECT_TRUE(load(std::move(image)));
  // PTX is what is left if only the cubin is too new.
  image = makeTestImage();
  image.modules[0].cubins[0].toolkit = {13, 0};
  auto program = load(std::move(image));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->origins()[0], "PTX for sm_90a, assembled by the driver");
}

TEST_F(ProgramTest, VersionsOfPtxCameWithVersionsOfCuda) {
  EXPECT_EQ(cudaNeededForPtx({6, 5}).str(), "10.0");
  EXPECT_EQ(cudaNeededForPtx({7, 8}).str(), "11.8");
  EXPECT_EQ(cudaNeededForPtx({8, 0}).str(), "12.0");
  EXPECT_EQ(cudaNeededForPtx({8, 5}).str(), "12.5");
  EXPECT_EQ(cudaNeededForPtx({8, 6}).str(), "12.7");
  EXPECT_EQ(cudaNeededForPtx({8, 8}).str(), "12.9");
  EXPECT_EQ(cudaNeededForPtx({9, 1}).str(), "13.1");
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

TEST_F(ProgramTest, KernelsAreFoundAndLoaded) {
  auto program = load();
  ASSERT_TRUE(program);
  for (const char *name : {"scale_tma", "scale", "shift", "finish"})
    EXPECT_TRUE(driver->kernels[name].isLoaded) << name;
  EXPECT_EQ(driver->kernels["scale_tma"].dynamicSharedBytes, 100000);
  EXPECT_EQ(driver->kernels["scale_tma"].allowsLargeClusters, 0);
  program.reset();
  driver->kernels.erase("finish");
  EXPECT_EQ(loadError(), "module 'kernels' has no kernel 'finish'");
}

TEST_F(ProgramTest, OneFunctionMayBeTwoKernels) {
  Image image = makeTestImage();
  image.kernels[2].dynamicSharedBytes = 60000;
  image.kernels[3].dynamicSharedBytes = 50000;
  auto program = load(std::move(image));
  ASSERT_TRUE(program);
  EXPECT_EQ(driver->kernels["shift"].dynamicSharedBytes, 60000);
}

TEST_F(ProgramTest, WhatDoesNotFitTheDeviceIsRefused) {
  driver->kernels["scale_tma"].sharedBytes = 140000;
  EXPECT_EQ(loadError(),
            "kernel 'scale_tma' from model.mlir:12:8 needs 240000 bytes of "
            "shared memory, but the device has 232448 for a block");
  driver->kernels["scale_tma"].sharedBytes = 0;
  driver->kernels["scale_tma"].threadsPerBlock = 96;
  EXPECT_EQ(loadError(),
            "kernel 'scale_tma' from model.mlir:12:8 is launched with 128 "
            "threads in a block, but with its registers at most 96 fit");
  Image image = makeTestImage();
  image.kernels[1].threads = {1, 1, 128};
  driver->kernels["scale_tma"].threadsPerBlock = 1024;
  EXPECT_EQ(loadError(std::move(image)),
            "kernel 'scale' from model.mlir:12:8 has 128 threads in dimension "
            "2, but the device takes at most 64");
}

TEST_F(ProgramTest, ClustersNeedAChipAndADriver) {
  Image image = makeTestImage();
  image.kernels[0].cluster = {16, 1, 1};
  ASSERT_TRUE(load(std::move(image)));
  EXPECT_EQ(driver->kernels["scale_tma"].allowsLargeClusters, 1);

  image = makeImageForTwo();
  image.kernels[1].cluster = {2, 1, 1};
  driver->major = 8;
  EXPECT_EQ(loadError(std::move(image)),
            "kernel 'scale' from model.mlir:12:8 needs clusters of blocks, but "
            "sm_80 'Fake GPU' has none");

  ASSERT_TRUE(driver->isClean());
  use(FAKE_DRIVER_OLD);
  driver->driverVersion = 12000;
  EXPECT_EQ(loadError(),
            "kernel 'scale_tma' from model.mlir:12:8 needs clusters of blocks, "
            "and so a driver for CUDA 11.8 or newer, but this one is for CUDA "
            "12.0");
}

TEST_F(ProgramTest, EveryCallCanFail) {
  const std::pair<const char *, const char *> calls[] = {
      {"cuModuleGetFunction",
       "kernel 'scale_tma' from model.mlir:12:8 cannot be found in module "
       "'kernels'"},
      {"cuFuncLoad",
       "kernel 'scale_tma' from model.mlir:12:8 cannot be loaded"},
      {"cuFuncGetAttribute",
       "kernel 'scale_tma' from model.mlir:12:8 does not say what it needs"},
      {"cuFuncSetAttribute",
       "kernel 'scale_tma' from model.mlir:12:8 cannot be given what it "
       "needs"},
      {"cuStreamCreate", "no stream can be made"},
      {"cuMemcpyHtoDAsync_v2", "copying to the device failed"},
  };
  for (auto [function, message] : calls) {
    driver->failures = {{function, 1}};
    EXPECT_EQ(loadError(), std::string(message) + ": CUDA_ERROR_INVALID_VALUE");
    EXPECT_TRUE(driver->isClean()) << function;
  }
}

TEST_F(ProgramTest, ConstantsNeedMemory) {
  driver->memoryBytes = 100;
  EXPECT_EQ(loadError(), "constant 0 needs 256 bytes, but the device has 100 "
                         "bytes free");
}

TEST_F(ProgramTest, AWrongImageIsRefused) {
  Image image = makeTestImage();
  image.copies.clear();
  EXPECT_EQ(loadError(std::move(image)),
            "buffer 8 'same' is an output that nothing writes");
}

} // namespace
