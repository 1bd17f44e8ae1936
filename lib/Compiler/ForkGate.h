//===- ForkGate.h - no fork while others compile ----------------*- C++ -*-===//
//
// A fork copies locks as they are, and threads not at all. LLVM has locks for
// the whole process, so a child of a process in which another thread compiles
// could wait for one that nobody will ever open. Forks wait for who compiles.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_LIB_COMPILER_FORKGATE_H
#define FUSE_LIB_COMPILER_FORKGATE_H

namespace fuse {

/// While there is one, other threads' forks wait.
class WithoutForks {
public:
  WithoutForks();
  ~WithoutForks();
  WithoutForks(const WithoutForks &) = delete;
  WithoutForks &operator=(const WithoutForks &) = delete;
};

} // namespace fuse

#endif // FUSE_LIB_COMPILER_FORKGATE_H
