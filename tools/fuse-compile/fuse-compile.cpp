//===- fuse-compile.cpp - from a graph to an Image ------------------------===//
//
// What fuse_compile_file is to programs, with the same options, the same cache
// and the same complaints. Nothing is run, so all sizes are said.
//
//===----------------------------------------------------------------------===//

#include "../fuse/Tools.h"
#include "fuse/Compiler/Source.h"
#include "fuse/Compiler/SourceCompiler.h"
#include "fuse/Runtime/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace fuse;

static constexpr StringLiteral overview =
    R"(fuse-compile: compile a graph to an image

usage: fuse-compile FILE -o IMAGE [--NAME=VALUE ...]

FILE is a module, text or bytecode, or - for standard input; an IMAGE - goes to
standard output. Options:

  --chip=sm_80,x86-64-v3   for what to make code: GPUs, levels of x86-64, cpu (the
                           level of this machine, the default) or cuda (the
                           chip of this machine's GPU)
  --shape=x:8x128          the sizes of an argument that has open ones
  --open-sizes[=on|off]    whether sizes that the graph leaves open stay open,
                           so that the image runs on any, and --shape says
                           which to expect (default: off; alone: on)
  --entry=NAME             the function; needed where there are several
                           (default: the only public one)
  --schedule=@kernel:...   another schedule for a kernel
  --variants=aligned,any   for which arguments in memory kernels have variants
                           (default: aligned,pitched,rows,any)
  --most-kernels=N         how many kernels there may be; 0: as many as pay
                           (default: 0)
  --opt-level=0..3         how much to optimise (default: 3)
  --threads=N              for how many threads to divide code for processors
                           (default: FUSE_NUM_THREADS, else all there are)
  --ptxas=on|off           whether to assemble where there is a ptxas (default:
                           on)
  --cache=on|off           whether to look for the image on disk, and keep it
                           (default: on)

Exit status: 0 the image is written; 2 the command line is wrong; 3 the module
is; 4 the graph is more than fuse can compile; 5 the GPU cannot be asked; 6 the
image cannot be written.
)";

static int fail(const RuntimeError &error) {
  errs() << "fuse-compile: error: " << error.message() << "\n";
  return statusFor(error.code());
}

static int failUsage(const Twine &text) {
  return fail(RuntimeError(ErrorCode::BadUsage, text.str()));
}

/// Before anything is compiled.
static Status checkPlace(StringRef file, StringRef image) {
  if (image == "-") {
    if (outs().is_displayed())
      return RuntimeError(ErrorCode::BadUsage,
                          "an image is nothing to read: send the standard "
                          "output to a file or a program");
    return Status::success();
  }
  if (file != "-" && sys::fs::equivalent(file, image))
    return RuntimeError(
        ErrorCode::BadUsage,
        ("'" + image + "' is the FILE, which would be lost").str());
  return checkWritable(image.str());
}

static Status writeToOutput(StringRef bytes) {
  outs() << bytes;
  outs().flush();
  if (std::error_code error = outs().error()) {
    outs().clear_error();
    return RuntimeError(ErrorCode::Output,
                        "cannot write to the standard output: " +
                            error.message());
  }
  return Status::success();
}

int fuse::runFuseCompile(int argc, char **argv) {
  SmallVector<StringRef> options;
  std::optional<StringRef> file, image;
  for (int i = 1; i < argc; ++i) {
    StringRef argument(argv[i]);
    if (argument == "--help" || argument == "-h") {
      outs() << overview;
      return exitRight;
    }
    if (argument == "--version") {
      printVersion(outs());
      return exitRight;
    }
    if (argument == "-o") {
      if (++i == argc)
        return failUsage("-o needs the name of a file");
      if (image)
        return failUsage("-o is given twice, but one IMAGE is written");
      image = argv[i];
    } else if (argument.consume_front("--")) {
      options.push_back(argument);
    } else if (argument.starts_with("-") && argument != "-") {
      return failUsage("'" + argument + "' is no option; --help lists them");
    } else if (file) {
      return failUsage("one FILE is compiled, but '" + *file + "' and '" +
                       argument + "' were given");
    } else {
      file = argument;
    }
  }
  if (!file || !image)
    return failUsage(Twine("needs ") + (file ? "-o IMAGE" : "a FILE") +
                     "; --help says more");
  Result<SourceOptions> parsed = parseSourceOptions(options);
  if (!parsed)
    return fail(parsed.error());
  if (Status status = checkPlace(*file, *image); !status)
    return fail(status.error());
  auto source = readSource(*file);
  if (!source)
    return fail(source.error());
  // Places in an image do not depend on where it was made.
  StringRef name = *file == "-" ? "<stdin>" : sys::path::filename(*file);
  Result<std::string> bytes =
      compileSource((*source)->getBuffer(), name, *parsed);
  if (!bytes)
    return fail(bytes.error());
  // Of an image that was found in the cache, too.
  Result<Image> made = parseImage(*bytes);
  if (!made)
    return fail(made.error());
  for (const std::string &diagnostic : made->diagnostics)
    errs() << diagnostic << "\n";
  std::string_view piece = *bytes;
  Status written = *image == "-" ? writeToOutput(*bytes)
                                 : writeFile(image->str(), {&piece, 1});
  return written ? exitRight : fail(written.error());
}
