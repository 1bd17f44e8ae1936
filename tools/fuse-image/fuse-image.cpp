//===- fuse-image.cpp - what is in an Image -------------------------------===//
//
// Prints the contract, the plan and the code's properties, and writes the code
// itself to files.
//
//===----------------------------------------------------------------------===//

#include "../fuse/Tools.h"
#include "fuse/Pipeline/ValueParser.h"
#include "fuse/Runtime/File.h"
#include "fuse/Runtime/Image.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace fuse;

static constexpr StringLiteral overview =
    R"(fuse-image: what is in an image

Prints the contract of the arguments, the plan, and for each kernel where it
was written and what ptxas said of it. FILE is - for the standard input.

Exit status: 0 it is an image; 2 the command line is wrong; 3 it is none;
4 it is larger than the memory of this machine; 6 a file cannot be written.
)";

static Status writeCode(const Image &image, StringRef folder) {
  if (std::error_code failed = sys::fs::create_directories(folder))
    return RuntimeError(
        ErrorCode::Output,
        (folder + ": cannot be made: " + failed.message()).str());
  auto write = [&](const Twine &name, std::string_view bytes) {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    return writeFile(path.str().str(), {&bytes, 1});
  };
  for (const auto &[i, module] : enumerate(image.modules)) {
    // What a file calls itself is no path.
    std::string name = "module" + std::to_string(i) + "." + module.chip.str();
    if (Status status = write(name + ".ptx", module.ptx); !status)
      return status;
    for (const ImageCubin &cubin : module.cubins)
      if (Status s =
              write(name + "." + cubin.chip.str() + ".cubin", cubin.code);
          !s)
        return s;
  }
  for (const CpuCode &code : image.cpus)
    if (Status s = write(StringRef(levelName(code.level)) + ".o", code.object);
        !s)
      return s;
  return Status::success();
}

static Result<Image> read(const std::string &file) {
  if (file != "-")
    return readImage(file);
  Result<std::string> bytes = readInput(file);
  if (!bytes)
    return bytes.takeError();
  return parseImage(*bytes);
}

int fuse::runFuseImage(int argc, char **argv) {
  cl::OptionCategory category("Options of fuse-image");
  cl::opt<std::string> file(cl::Positional, cl::desc("FILE"),
                            cl::cat(category));
  NameOption extract(
      "extract", cl::value_desc("folder"), cl::cat(category),
      cl::desc("write PTX, cubins and object files to a folder"));
  cl::HideUnrelatedOptions(category);
  if (!parseCommandLine(argc, argv, "fuse-image", overview, category))
    return exitUsage;
  auto fail = [](const RuntimeError &error) {
    errs() << "fuse-image: error: " << error.message() << "\n";
    return statusFor(error.code());
  };
  if (file.empty())
    return fail(
        RuntimeError(ErrorCode::BadUsage, "needs a FILE; --help says more"));
  Result<Image> image = read(file);
  if (!image)
    return fail(image.error());
  if (!extract.empty())
    if (Status status = writeCode(*image, extract); !status)
      return fail(status.error());
  // Whoever called this looks at what became of it.
  outs() << describe(*image);
  return exitRight;
}
