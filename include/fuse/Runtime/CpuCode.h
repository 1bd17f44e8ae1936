//===- CpuCode.h - a compiled graph for processors --------------*- C++ -*-===//
//
// The part of an Image that runs where there is no GPU: an object file for one
// level of x86-64, and the plan that says which of its functions run on which
// buffers. Sizes that are not known when it is made are expressions.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_RUNTIME_CPUCODE_H
#define FUSE_RUNTIME_CPUCODE_H

#include "fuse/Runtime/HostPlan.h"
#include "fuse/Runtime/SizeExpression.h"

#include <string_view>

namespace fuse {

/// What code asks of a processor: the levels that the ABI of x86-64 defines.
enum class CpuLevel : uint8_t {
  V1, ///< x86-64: vectors of 128 bits.
  V2, ///< x86-64-v2: SSE4.2.
  V3, ///< x86-64-v3: AVX2 and FMA, vectors of 256 bits.
  V4, ///< x86-64-v4: AVX-512.
};

/// "x86-64-v3".
std::string_view levelName(CpuLevel level);
Result<CpuLevel> parseCpuLevel(std::string_view name);
/// The highest level that this processor has; an error where it is no x86-64.
Result<CpuLevel> cpuLevelOfThisMachine();

struct CpuBuffer {
  PlanBuffer::Kind kind = PlanBuffer::Kind::Intermediate;
  /// Which of the inputs, outputs or constants it is.
  uint32_t number = 0;
  ElementType type = ElementType::F32;
  std::vector<SizeExpression> shape;
};

struct CpuLaunch {
  /// The kernel, as the graph's compiler calls it, and its function.
  std::string name, symbol;
  /// "model.mlir:12", and how the kernel is divided.
  std::string location, schedule;
  /// Numbers of buffers: what the kernel reads, then what it writes.
  std::vector<uint32_t> buffers;
  uint32_t numOutputs = 0;
  std::vector<SizeExpression> grid;
  /// For each thread.
  uint64_t workspaceBytes = 0;
  /// As ImageLaunch has them.
  SizeExpression dotFlops = 0;
};

/// An output that no launch writes.
struct CpuCopy {
  /// A buffer, and the number of an output.
  uint32_t from = 0, output = 0;
};

struct CpuCode {
  CpuLevel level = CpuLevel::V1;
  /// An ELF file that can be relocated.
  std::string object;
  std::vector<CpuBuffer> buffers;
  std::vector<HostBuffer> constants;
  std::vector<CpuLaunch> launches;
  std::vector<CpuCopy> copies;
};

/// Code streams to whole lines of the caches, so outputs have to start at one.
inline constexpr uint32_t cpuOutputAlignment = HostBuffer::alignment;

/// Whether everything refers to what is there, but for expressions, of which
/// only numbers are looked at; `inputs` and `outputs` are the numbers of
/// arguments and results.
Status checkCpuCode(const CpuCode &code, size_t inputs, size_t outputs);

/// Whether the runtime can load an object: what it calls has to be there.
Status checkObjectCode(std::string_view bytes);

} // namespace fuse

#endif // FUSE_RUNTIME_CPUCODE_H
