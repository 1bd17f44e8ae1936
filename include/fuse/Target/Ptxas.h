//===- Ptxas.h - machine code by NVIDIA's assembler -------------*- C++ -*-===//
//
// Runs ptxas, where there is one, and keeps all that it says: how many
// registers a kernel takes, what it spills, and what it warns of. Without ptxas
// an image carries PTX alone, and the driver assembles it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_TARGET_PTXAS_H
#define FUSE_TARGET_PTXAS_H

#include "fuse/Runtime/Error.h"
#include "fuse/Runtime/Image.h"
#include "fuse/Target/GpuChip.h"
#include <vector>

namespace fuse {

/// What ptxas says of one kernel.
struct PtxasKernel {
  std::string name;
  unsigned registers = 0, barriers = 0;
  unsigned sharedBytes = 0, stackBytes = 0;
  unsigned spillStoreBytes = 0, spillLoadBytes = 0;
  /// What it warns of, word by word: "(C7510) Potential Performance Loss: wgmma
  /// ... serialized" among them.
  std::vector<std::string> warnings;
};

struct PtxasResult {
  std::string cubin;
  std::vector<PtxasKernel> kernels;
  /// Warnings that name no kernel.
  std::vector<std::string> warnings;
};

/// The ptxas that is used: what FUSE_PTXAS in the environment names, else the
/// one of CUDA_HOME, of PATH, and of the usual places. Absent if there is none,
/// or if FUSE_PTXAS is "none".
std::optional<std::string> findPtxas();

/// Which one it is.
struct PtxasVersion {
  /// Of the toolkit that it is from.
  CodeVersion toolkit;
  /// All that it says, such as "Cuda compilation tools, release 13.0,
  /// V13.0.88".
  std::string text;
};
Result<PtxasVersion> askPtxasVersion(llvm::StringRef program);
/// Understands the output of `ptxas --version`; 0.0 where it does not.
PtxasVersion parsePtxasVersion(llvm::StringRef text);

/// Assembles `ptx`. `optLevel` is how much it optimises, from 0 to 3.
Result<PtxasResult> runPtxas(llvm::StringRef program, llvm::StringRef ptx,
                             const GpuChip &chip, unsigned optLevel);

/// Understands the output of `ptxas -v`.
void parsePtxasLog(llvm::StringRef log, PtxasResult &result);

} // namespace fuse

#endif // FUSE_TARGET_PTXAS_H
