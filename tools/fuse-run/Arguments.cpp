//===- Arguments.cpp - the data that a graph is run on --------------------===//
//
// A shape is what the type says where that is static, else what --shape says,
// else what the input file has. All three have to agree.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Progress.h"
#include "fuse/Compiler/ImageCompiler.h"
#include "fuse/Runtime/Npy.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fuse;

static RuntimeError error(ErrorCode code, const llvm::Twine &text) {
  return RuntimeError(code, text.str());
}

static FillSpec fillFor(func::FuncOp function, unsigned index, ElementType type,
                        const RunOptions &options) {
  if (options.fill && isFloat(type))
    return *options.fill;
  auto hint = function.getArgAttrOfType<FillAttr>(index, "fuse.fill");
  if (!hint)
    return FillSpec::defaultFor(type);
  return fillSpecOf(hint);
}

/// Checks `shape` against the type, which wins where it is static.
static Status checkShape(RankedTensorType type, const ArgumentShape &shape,
                         StringRef name, StringRef source) {
  if (succeeded(verifyCompatibleShape(type.getShape(), shape)))
    return Status::success();
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return error(ErrorCode::BadInput, "argument '" + name + "' has type " + text +
                                        ", but " + source + " has shape " +
                                        formatShape(shape));
}

static Status bindTensor(Argument &argument, func::FuncOp function,
                         unsigned index, const RunOptions &options) {
  auto type = cast<RankedTensorType>(function.getArgument(index).getType());
  std::optional<ElementType> element = elementTypeFor(type.getElementType());
  if (!element) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return error(ErrorCode::Unsupported,
                 "argument '" + argument.name + "' has type " + text +
                     ", whose elements fuse-run has no data for");
  }
  argument.type = element;
  const ArgumentShape *shape = lookUp(options.shapes, argument.name, index);
  if (shape) {
    if (Status status = checkShape(type, *shape, argument.name, "--shape");
        !status)
      return status;
    argument.shape = *shape;
  }

  const std::string *data = lookUp(options.inputs, argument.name, index);
  if (data && StringRef(*data).ends_with(".npy")) {
    Result<HostBuffer> file = readNpy(*data, *element);
    if (!file)
      return file.takeError();
    ArgumentShape found(file->shape().begin(), file->shape().end());
    if (Status status = checkShape(type, found, argument.name, *data); !status)
      return status;
    if (shape && *shape != found)
      return error(ErrorCode::BadInput,
                   "argument '" + argument.name + "': --shape says " +
                       formatShape(*shape) + ", but " + *data + " has shape " +
                       formatShape(found));
    argument.shape = found;
    argument.origin = *data;
    argument.data = std::move(*file);
    return Status::success();
  }

  if (!shape) {
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        return error(ErrorCode::BadUsage,
                     "argument '" + argument.name + "' has dynamic dimension " +
                         llvm::Twine(dim) + "; give its sizes with --shape=" +
                         argument.name + ":... or a file with --input");
    argument.shape.assign(type.getShape().begin(), type.getShape().end());
  }
  if (!options.image.empty()) {
    argument.origin = "no data";
    return Status::success();
  }
  FillSpec spec = fillFor(function, index, *element, options);
  if (data) {
    Result<FillSpec> parsed = FillSpec::parse(*data);
    if (!parsed) {
      StringRef problem = parsed.error().message();
      return error(
          ErrorCode::BadUsage,
          "--input: argument '" + argument.name + "': " + problem +
              (problem.contains("is neither") ? ", nor a .npy file" : ""));
    }
    spec = *parsed;
  }
  Result<HostBuffer> buffer = HostBuffer::allocate(
      *element,
      std::vector<int64_t>(argument.shape.begin(), argument.shape.end()));
  if (!buffer)
    return std::move(buffer.takeError())
        .withContext("argument '" + argument.name + "'");
  // An own stream for every argument, whatever the others are.
  fill(*buffer, spec, options.seed * 0x10001 + index);
  argument.origin = spec.str();
  argument.data = std::move(*buffer);
  return Status::success();
}

static Status bindIndex(Argument &argument, unsigned index,
                        const RunOptions &options) {
  if (lookUp(options.inputs, argument.name, index))
    return error(ErrorCode::BadUsage,
                 "argument '" + argument.name +
                     "' is an index and has no data; give its value with "
                     "--shape=" +
                     argument.name + ":N");
  const ArgumentShape *shape = lookUp(options.shapes, argument.name, index);
  if (!shape || shape->size() != 1)
    return error(ErrorCode::BadUsage,
                 "argument '" + argument.name +
                     "' is an index; give its value with --shape=" +
                     argument.name + ":N");
  argument.shape = *shape;
  argument.origin = "--shape";
  return Status::success();
}

/// What arguments there are to be named, of many the first ones.
static std::string listNames(const std::vector<Argument> &arguments) {
  constexpr size_t most = 16;
  if (arguments.empty())
    return "; it has none";
  std::string names = "; there are";
  for (const Argument &argument : llvm::ArrayRef(arguments).take_front(most))
    names +=
        (&argument == arguments.data() ? " '" : ", '") + argument.name + "'";
  return arguments.size() > most ? names + ", ..." : names;
}

/// Names on the command line that no argument has.
template <typename Map>
static Status checkNames(const Map &map, StringRef option,
                         func::FuncOp function,
                         const std::vector<Argument> &arguments) {
  llvm::StringSet<> known;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    known.insert(argument.name);
    known.insert(std::to_string(index));
  }
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (argument.name != std::to_string(index) && map.contains(argument.name) &&
        map.contains(std::to_string(index)))
      return error(ErrorCode::BadUsage,
                   "--" + option + " is given twice for argument '" +
                       argument.name + "', by its name and by its number");
  for (StringRef name : map.keys())
    if (!known.contains(name))
      return error(ErrorCode::BadUsage, "--" + option + " names '" + name +
                                            "', but @" + function.getName() +
                                            " has no such argument" +
                                            listNames(arguments));
  return Status::success();
}

Result<std::vector<Argument>> fuse::bindArguments(func::FuncOp function,
                                                  const RunOptions &options) {
  Progress progress("reading and generating data");
  std::vector<Argument> arguments(function.getNumArguments());
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    auto name = function.getArgAttrOfType<StringAttr>(index, "fuse.name");
    argument.name = name ? name.str() : std::to_string(index);
  }
  if (Status status = checkNames(options.shapes, "shape", function, arguments);
      !status)
    return status.takeError();
  if (Status status = checkNames(options.inputs, "input", function, arguments);
      !status)
    return status.takeError();

  if (Status status =
          checkNames(options.layouts, "layout", function, arguments);
      !status)
    return status.takeError();

  for (auto [index, argument] : llvm::enumerate(arguments)) {
    Type type = function.getArgument(index).getType();
    Status status = Status::success();
    if (type.isIndex()) {
      status = bindIndex(argument, index, options);
    } else if (isa<RankedTensorType>(type)) {
      status = bindTensor(argument, function, index, options);
    } else {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      status = error(ErrorCode::Unsupported,
                     "argument '" + argument.name + "' has type " + text +
                         "; only ranked tensors and index can be passed");
    }
    if (!status)
      return status.takeError();
  }
  return arguments;
}
