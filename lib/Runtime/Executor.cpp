//===- Executor.cpp - run a plan on the threads of this machine -----------===//
//
// Launches run one after the other; the blocks of one are spread over the
// threads.
//
//===----------------------------------------------------------------------===//

#include "fuse/Runtime/Executor.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

using namespace fuse;

std::vector<int64_t> fuse::describeMemRef(const void *data,
                                          std::span<const int64_t> shape) {
  auto address = static_cast<int64_t>(reinterpret_cast<intptr_t>(data));
  std::vector<int64_t> descriptor = {address, address, 0};
  descriptor.insert(descriptor.end(), shape.begin(), shape.end());
  descriptor.resize(descriptor.size() + shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    descriptor[3 + shape.size() + dim] = stride;
    stride *= shape[dim];
  }
  return descriptor;
}

static uint64_t addSaturating(uint64_t a, uint64_t b) {
  return a > std::numeric_limits<uint64_t>::max() - b
             ? std::numeric_limits<uint64_t>::max()
             : a + b;
}

Result<std::unique_ptr<Executor>>
Executor::create(HostPlan plan, std::shared_ptr<ThreadPool> pool,
                 uint64_t outputBytes) {
  unsigned numThreads = pool->numThreads();
  size_t workspaceBytes = 0;
  for (const PlanLaunch &launch : plan.launches)
    workspaceBytes = std::max(workspaceBytes, launch.workspaceBytes);

  uint64_t needed = addSaturating(plan.intermediateBytes, outputBytes);
  for (unsigned thread = 0; thread < numThreads; ++thread)
    needed = addSaturating(needed, workspaceBytes);
  std::optional<uint64_t> available = availableMemory();
  if (available && needed > *available)
    return RuntimeError(ErrorCode::Unsupported,
                        "running the kernels needs " + formatBytes(needed) +
                            " (" + formatBytes(outputBytes) + " of outputs, " +
                            formatBytes(plan.intermediateBytes) +
                            " of intermediate results, " +
                            formatBytes(workspaceBytes) + " for each of " +
                            std::to_string(numThreads) + " threads), but " +
                            formatBytes(*available) + " are available");

  auto bytesOf = [](size_t bytes) {
    return HostBuffer::allocate(ElementType::I8, {static_cast<int64_t>(bytes)});
  };
  Result<HostBuffer> intermediates = bytesOf(plan.intermediateBytes);
  if (!intermediates)
    return std::move(intermediates.takeError())
        .withContext("the intermediate results");
  // NaN in every float: what a kernel forgets to write must be seen.
  std::memset(intermediates->data(), 0xFF, intermediates->sizeInBytes());
  std::vector<HostBuffer> workspaces;
  for (unsigned thread = 0; thread < numThreads; ++thread) {
    Result<HostBuffer> workspace = bytesOf(workspaceBytes);
    if (!workspace)
      return std::move(workspace.takeError())
          .withContext("the workspace of thread " + std::to_string(thread));
    std::memset(workspace->data(), 0xFF, workspace->sizeInBytes());
    workspaces.push_back(std::move(*workspace));
  }
  return std::unique_ptr<Executor>(
      new Executor(std::move(plan), std::move(pool), std::move(*intermediates),
                   std::move(workspaces)));
}

Status Executor::launch(const PlanLaunch &launch,
                        std::span<std::vector<int64_t>> descriptors) {
  std::optional<int64_t> numBlocks = launch.numBlocks();
  if (!numBlocks)
    return RuntimeError(ErrorCode::Unsupported,
                        "a grid of " + formatShape(launch.grid) +
                            " has more blocks than 64 bits count");
  std::vector<void *> buffers;
  for (size_t number : launch.buffers)
    buffers.push_back(descriptors[number].data());

  // Some parts for each thread: blocks need not take equally long.
  constexpr int64_t partsPerThread = 8;
  int64_t grain = *numBlocks / (partsPerThread * pool->numThreads());
  auto work = [&](int64_t begin, int64_t end, unsigned thread) {
    HostBuffer &workspace = workspaces[thread];
    std::vector<int64_t> descriptor =
        describeMemRef(workspace.data(), workspace.shape());
    void *workspacePointer = descriptor.data();
    std::vector<void *> arguments;
    arguments.reserve(buffers.size() + launch.grid.size() + 3);
    for (void *&buffer : buffers)
      arguments.push_back(&buffer);
    arguments.push_back(&begin);
    arguments.push_back(&end);
    for (const int64_t &extent : launch.grid)
      arguments.push_back(const_cast<int64_t *>(&extent));
    arguments.push_back(&workspacePointer);
    launch.function(arguments.data());
  };
  return pool->parallelFor(0, *numBlocks, grain, work);
}

Status Executor::run(std::span<const HostBuffer *const> inputs,
                     std::span<HostBuffer> outputs,
                     std::vector<LaunchTime> *times) {
  std::vector<const void *> read;
  for (const HostBuffer *input : inputs)
    read.push_back(input->data());
  std::vector<void *> written;
  for (HostBuffer &output : outputs)
    written.push_back(output.data());
  return runOn(read, written, times);
}

Status Executor::runOn(std::span<const void *const> inputs,
                       std::span<void *const> outputs,
                       std::vector<LaunchTime> *times) {
  auto *arena = static_cast<std::byte *>(intermediates.data());
  std::vector<const void *> addresses;
  std::vector<std::vector<int64_t>> descriptors;
  for (const PlanBuffer &buffer : hostPlan.buffers) {
    const void *address = nullptr;
    switch (buffer.kind) {
    case PlanBuffer::Kind::Input:
      address = inputs[buffer.number];
      break;
    case PlanBuffer::Kind::Output:
      address = outputs[buffer.number];
      break;
    case PlanBuffer::Kind::Constant:
      address = (*hostPlan.constants)[buffer.number].data();
      break;
    case PlanBuffer::Kind::Intermediate:
      address = arena + buffer.offset;
      break;
    }
    addresses.push_back(address);
    descriptors.push_back(describeMemRef(address, buffer.shape));
  }

  if (times)
    times->clear();
  auto began = std::chrono::steady_clock::now();
  for (const PlanLaunch &step : hostPlan.launches) {
    auto start = std::chrono::steady_clock::now();
    if (Status status = launch(step, descriptors); !status)
      return status;
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    if (times)
      times->push_back(
          {std::chrono::duration<double>(start - began).count(), took.count()});
  }
  for (const PlanCopy &copy : hostPlan.copies) {
    const PlanBuffer &from = hostPlan.buffers[copy.from];
    // Shapes were counted when the plan was made.
    std::memcpy(outputs[copy.output], addresses[copy.from],
                *requiredBytes(from.type, from.shape));
  }
  return Status::success();
}
