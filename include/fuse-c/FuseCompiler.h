/*===- fuse-c/FuseCompiler.h - compile graphs ------------------*- C -*-===*\
|*                                                                            *|
|* The compiler of fuse for C. It makes images of graphs that are written in  *|
|* MLIR; the runtime (fuse-c/Fuse.h) runs them. It links MLIR and LLVM, which *|
|* nothing that only runs images needs.                                       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FUSE_C_FUSECOMPILER_H
#define FUSE_C_FUSECOMPILER_H

#include "fuse-c/Fuse.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Compiles a module, text or bytecode, to an image. `name` is what places in
 *  it are called in complaints and in the image, such as "model.mlir"; NULL is
 *  "<memory>". `options` are texts, `NAME=VALUE`:
 *
 *    entry=NAME             the function; needed where there are several
 *    chip=sm_80,x86-64-v3   for what to make code: GPUs, levels of x86-64, or
 *                           `cpu`, the level of this machine (the default), or
 *                           `cuda`, the chip of this machine's GPU
 *    shape=x:8x128          the sizes of an argument that has open ones
 *    open-sizes=on|off      whether sizes that the graph leaves open stay open,
 *                           so that the image runs on any: `shape` says which
 *                           to expect then (default: off)
 *    schedule=@kernel:...   as fuse-run's switch
 *    variants=aligned,any   for which arguments in memory kernels of a GPU have
 *                           variants: aligned, pitched, rows, any; all if
 *                           nothing is said
 *    most-kernels=N         as fuse-run's switch
 *    opt-level=0..3         how much to optimise (default: 3)
 *    threads=N              for how many threads to divide code for processors
 *    ptxas=on|off           whether to assemble where there is a ptxas
 *                           (default: on)
 *    cache=on|off           whether to look for the image on disk, and to keep
 *                           it there (default: on), see FUSE_CACHE_DIR
 *
 *  `entry`, `shape` and `schedule` that name nothing are errors. Any number of
 *  threads may compile at a time; a fork waits for them. What the compiler
 *  warned of or remarked is in the image, see fuse_image_diagnostic. */
FUSE_API FuseStatus fuse_compile(const void *source, size_t source_bytes,
                                 const char *name, const char *const *options,
                                 size_t num_options, FuseImage *image);

/** The same for a file. */
FUSE_API FuseStatus fuse_compile_file(const char *path,
                                      const char *const *options,
                                      size_t num_options, FuseImage *image);

/** What made it: "fuse 0.1.0 (LLVM 22.1.8)". */
FUSE_API const char *fuse_compiler_version(void);

#ifdef __cplusplus
}
#endif

#endif /* FUSE_C_FUSECOMPILER_H */
