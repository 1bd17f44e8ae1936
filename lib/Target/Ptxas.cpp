//===- Ptxas.cpp - machine code by NVIDIA's assembler ---------------------===//
//
// Finding it, running it on files in the folder for temporary ones, and reading
// its log.
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/Ptxas.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace fuse;
using llvm::StringRef;

std::optional<std::string> fuse::findPtxas() {
  using llvm::sys::Process;
  if (std::optional<std::string> named = Process::GetEnv("FUSE_PTXAS");
      named && !named->empty())
    return *named == "none" ? std::nullopt : named;
  llvm::SmallVector<std::string> folders;
  if (std::optional<std::string> home = Process::GetEnv("CUDA_HOME"))
    folders.push_back(*home + "/bin");
  auto findIn = [](llvm::ArrayRef<std::string> folders) {
    llvm::SmallVector<StringRef> paths(folders.begin(), folders.end());
    return llvm::sys::findProgramByName("ptxas", paths);
  };
  if (!folders.empty())
    if (auto found = findIn(folders))
      return *found;
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  if (auto found = findIn({"/usr/local/cuda/bin", "/opt/cuda/bin"}))
    return *found;
  return std::nullopt;
}

/// The number in front of `unit`, as in "12 bytes stack frame".
static unsigned numberBefore(StringRef line, StringRef unit) {
  size_t at = line.find(unit);
  if (at == StringRef::npos)
    return 0;
  StringRef head = line.take_front(at).rtrim();
  StringRef digits =
      head.take_back(head.size() - head.find_last_not_of("0123456789") - 1);
  unsigned number = 0;
  return digits.getAsInteger(10, number) ? 0 : number;
}

/// What a line warns of. Products of a warpgroup that have to wait for each
/// other cost most of their speed, but ptxas calls that an info; its messages
/// about them have the numbers C7500 to C7599.
static std::optional<StringRef> warningIn(StringRef line) {
  StringRef rest = line.trim();
  if (!rest.consume_front("ptxas "))
    return std::nullopt;
  auto [kind, text] = rest.split(':');
  bool isWarning = kind.trim() == "warning";
  text = text.trim();
  return isWarning || text.starts_with("(C75") ? std::optional(text)
                                               : std::nullopt;
}

/// The kernel that a warning names, as in "... in the function 'sums'".
static StringRef kernelIn(StringRef warning) {
  constexpr StringRef before = "function '";
  size_t at = warning.rfind(before);
  return at == StringRef::npos
             ? StringRef()
             : warning.drop_front(at + before.size()).split('\'').first;
}

void fuse::parsePtxasLog(StringRef log, PtxasResult &result) {
  // Warnings may come before anything else is said of their kernel.
  llvm::SmallVector<StringRef> warnings;
  PtxasKernel *kernel = nullptr;
  for (StringRef line : llvm::split(log, '\n')) {
    if (std::optional<StringRef> warning = warningIn(line)) {
      warnings.push_back(*warning);
      continue;
    }
    if (line.contains("Compiling entry function '")) {
      kernel = &result.kernels.emplace_back();
      kernel->name = kernelIn(line).str();
      continue;
    }
    if (!kernel)
      continue;
    if (line.contains("bytes stack frame")) {
      kernel->stackBytes = numberBefore(line, " bytes stack frame");
      kernel->spillStoreBytes = numberBefore(line, " bytes spill stores");
      kernel->spillLoadBytes = numberBefore(line, " bytes spill loads");
    }
    if (line.contains("Used ")) {
      kernel->registers = numberBefore(line, " registers");
      kernel->barriers = numberBefore(line, " barriers");
      kernel->sharedBytes = numberBefore(line, " bytes smem");
    }
  }
  for (StringRef warning : warnings) {
    auto named = llvm::find_if(result.kernels, [&](const PtxasKernel &kernel) {
      return kernel.name == kernelIn(warning);
    });
    (named == result.kernels.end() ? result.warnings : named->warnings)
        .push_back(warning.str());
  }
}

static RuntimeError failed(const llvm::Twine &why) {
  return RuntimeError(ErrorCode::Unsupported, ("ptxas " + why).str());
}

namespace {

/// A file that is gone when this is.
class TemporaryFile {
public:
  static Result<TemporaryFile> create(StringRef suffix) {
    llvm::SmallString<128> path;
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("fuse", suffix, path))
      return failed("needs a temporary file, but: " + error.message());
    return TemporaryFile(path);
  }
  StringRef path() const { return name; }

private:
  explicit TemporaryFile(StringRef path)
      : name(path), remover(std::make_unique<llvm::FileRemover>(path)) {}

  std::string name;
  // A copy of a remover would remove, too.
  std::unique_ptr<llvm::FileRemover> remover;
};

} // namespace

static Result<std::string> readAll(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return failed("left a file that cannot be read: " +
                  buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// Runs a program whose output goes to `log`; yields what it says.
static Result<std::string>
execute(StringRef program, llvm::ArrayRef<StringRef> arguments, StringRef log) {
  std::optional<StringRef> redirects[] = {StringRef(), log, log};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt,
                                         redirects, /*SecondsToWait=*/600,
                                         /*MemoryLimit=*/0, &message);
  Result<std::string> text = readAll(log);
  if (text && status != 0)
    return failed("('" + program + "') failed: " +
                  (message.empty() ? StringRef(*text).trim().str() : message));
  return text;
}

PtxasVersion fuse::parsePtxasVersion(StringRef text) {
  PtxasVersion version;
  version.text = text.trim().str();
  constexpr StringRef before = "release ";
  size_t at = text.find(before);
  if (at == StringRef::npos)
    return version;
  auto [major, rest] = text.drop_front(at + before.size()).split('.');
  StringRef minor = rest.take_while(llvm::isDigit);
  CodeVersion found;
  if (!major.getAsInteger(10, found.major) &&
      !minor.getAsInteger(10, found.minor))
    version.toolkit = found;
  return version;
}

Result<PtxasVersion> fuse::askPtxasVersion(StringRef program) {
  Result<TemporaryFile> log = TemporaryFile::create("log");
  if (!log)
    return log.takeError();
  Result<std::string> text =
      execute(program, {program, "--version"}, log->path());
  if (!text)
    return text.takeError();
  return parsePtxasVersion(*text);
}

Result<PtxasResult> fuse::runPtxas(StringRef program, StringRef ptx,
                                   const GpuChip &chip, unsigned optLevel) {
  Result<TemporaryFile> source = TemporaryFile::create("ptx");
  Result<TemporaryFile> cubin = TemporaryFile::create("cubin");
  Result<TemporaryFile> log = TemporaryFile::create("log");
  for (Result<TemporaryFile> *file : {&source, &cubin, &log})
    if (!*file)
      return file->takeError();
  std::error_code error;
  llvm::raw_fd_ostream out(source->path(), error);
  out << ptx;
  out.close();
  if (!error)
    error = out.error();
  // The stream ends the process where nobody has looked.
  out.clear_error();
  if (error)
    return failed("needs a temporary file, but it cannot be written: " +
                  error.message());

  std::string level = "-O" + std::to_string(optLevel);
  StringRef arguments[] = {program,         "-v",         level,
                           "--gpu-name",    chip.name,    source->path(),
                           "--output-file", cubin->path()};
  Result<std::string> text = execute(program, arguments, log->path());
  if (!text)
    return text.takeError();
  PtxasResult result;
  parsePtxasLog(*text, result);
  Result<std::string> code = readAll(cubin->path());
  if (!code)
    return code.takeError();
  if (code->empty())
    return failed("('" + program + "') left no code for " + chip.name);
  result.cubin = std::move(*code);
  return result;
}
