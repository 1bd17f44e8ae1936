//===- SessionFiles.cpp - what fuse-run writes beside its report ----------===//

#include "Session.h"
#include "fuse/Runtime/File.h"
#include "fuse/Runtime/Npy.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace fuse;

/// A folder to write to, made if it is not there.
static Status makeFolder(StringRef path) {
  if (std::error_code failed = llvm::sys::fs::create_directories(path))
    return RuntimeError(ErrorCode::Output,
                        (path + ": cannot be made: " + failed.message()).str());
  return Status::success();
}

std::string Session::outputName(size_t number) {
  auto name = entry.getResultAttrOfType<StringAttr>(number, "fuse.name");
  return name ? name.str() : std::to_string(number);
}

Result<size_t> Session::outputNumber(StringRef text, StringRef option) {
  size_t number;
  if (!text.getAsInteger(10, number) && number < entry.getNumResults())
    return number;
  for (number = 0; number < entry.getNumResults(); ++number)
    if (outputName(number) == text)
      return number;
  return error(ErrorCode::BadUsage,
               "--" + option + " names output '" + text + "', but @" +
                   report.entry + " has " + llvm::Twine(entry.getNumResults()) +
                   (entry.getNumResults() == 1 ? " output" : " outputs") +
                   " and none of that name");
}

/// Every name has to be one of an output, and of another one than the others.
template <typename T>
Status Session::checkOutputNames(const llvm::StringMap<T> &map,
                                 StringRef option) {
  llvm::DenseSet<size_t> seen;
  for (StringRef name : map.keys()) {
    auto number = outputNumber(name, option);
    if (!number)
      return number.takeError();
    if (!seen.insert(*number).second)
      return error(ErrorCode::BadUsage, "--" + option +
                                            " is given twice for output '" +
                                            outputName(*number) +
                                            "', by its name and by its number");
  }
  return Status::success();
}

/// Finds what is wrong with the command line before anything takes time.
Status Session::checkOutputs() {
  if (Status status = checkOutputNames(options.outputs, "output"); !status)
    return status;
  if (Status status = checkOutputNames(options.expected, "expect"); !status)
    return status;
  if (Status status = checkOutputNames(options.outputLayouts, "output-layout");
      !status)
    return status;
  for (const auto &output : options.outputs)
    if (Status status = checkWritable(output.second); !status)
      return status;
  for (const std::string *file :
       {&options.image, &options.profile, &options.fused.formation.reportFile})
    if (!file->empty())
      if (Status status = checkWritable(*file); !status)
        return status;
  for (const std::string *folder :
       {&options.saveInputs, &options.saveOutputs, &options.dumpStages})
    if (!folder->empty())
      if (Status status = makeFolder(*folder); !status)
        return status;
  return Status::success();
}

/// Finds what would be written over what has been written.
Status Session::checkFiles() {
  if (options.file != "-")
    files.keep(options.file);
  auto addOutput = [&](size_t number, const std::string &path) {
    return files.add(path, "output '" + outputName(number) + "'");
  };
  if (!options.saveInputs.empty())
    for (const Argument &argument : arguments)
      if (argument.data)
        if (Status status =
                files.add(options.saveInputs + "/" + argument.name + ".npy",
                          "argument '" + argument.name + "'");
            !status)
          return status;
  for (auto [path, content] :
       {std::pair(&options.image, "the image"),
        std::pair(&options.profile, "the timeline"),
        std::pair(&options.fused.formation.reportFile, "the fusion report")})
    if (!path->empty())
      if (Status status = files.add(*path, content); !status)
        return status;
  for (size_t i = 0; i < entry.getNumResults(); ++i)
    for (const auto &output : options.outputs)
      if (auto number = outputNumber(output.first(), "output");
          number && *number == i)
        if (Status status = addOutput(i, output.second); !status)
          return status;
  if (!options.saveOutputs.empty())
    for (size_t i = 0; i < entry.getNumResults(); ++i)
      if (Status status =
              addOutput(i, options.saveOutputs + "/" + fileOfOutput(i));
          !status)
        return status;
  return Status::success();
}

/// An output without a name is outN, and so is one whose name another file of
/// the folder has.
std::string Session::fileOfOutput(size_t number) {
  std::string plain = "out" + std::to_string(number), name = outputName(number);
  bool isNamed = name != std::to_string(number);
  bool isTaken = false;
  for (size_t other = 0; other < entry.getNumResults(); ++other)
    isTaken |= other != number && name == "out" + std::to_string(other);
  // A folder has many names.
  if (llvm::sys::fs::equivalent(options.saveInputs, options.saveOutputs))
    for (const Argument &argument : arguments)
      isTaken |= argument.data && argument.name == name;
  return (isNamed && !isTaken ? name : plain) + ".npy";
}

Status Session::saveInputs() {
  if (options.saveInputs.empty())
    return Status::success();
  for (const Argument &argument : arguments)
    if (argument.data)
      if (Status status =
              writeNpy(options.saveInputs + "/" + argument.name + ".npy",
                       *argument.data);
          !status)
        return status;
  return Status::success();
}

Status Session::saveOutputs(ArrayRef<HostBuffer> outputs) {
  for (const auto &output : options.outputs) {
    auto number = outputNumber(output.first(), "output");
    if (!number)
      return number.takeError();
    if (Status status = writeNpy(output.second, outputs[*number]); !status)
      return status;
  }
  if (options.saveOutputs.empty())
    return Status::success();
  for (auto [i, output] : llvm::enumerate(outputs))
    if (Status status =
            writeNpy(options.saveOutputs + "/" + fileOfOutput(i), output);
        !status)
      return status;
  return Status::success();
}
