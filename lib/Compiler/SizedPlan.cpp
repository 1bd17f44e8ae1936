//===- SizedPlan.cpp - a plan for arguments of certain sizes --------------===//
//
// Every expression becomes a number, and whatever was required of them is
// checked.
//
//===----------------------------------------------------------------------===//

#include "LaunchPlan.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;

SizeExpression LaunchPlan::Launch::numBlocks() const {
  // No size is so large that a 0 does not count.
  if (llvm::is_contained(grid, SizeExpression(0)))
    return 0;
  SizeExpression product = 1;
  for (const SizeExpression &extent : grid)
    product = product * extent;
  return product;
}

SizeExpression LaunchPlan::dotFlops(size_t launch) const {
  std::optional<uint64_t> block = blockFlops[launch];
  if (!block || *block == 0 || !llvm::isUInt<63>(*block))
    return 0;
  return SizeExpression(static_cast<int64_t>(*block)) *
         launches[launch].numBlocks();
}

static RuntimeError badInput(std::string message) {
  return RuntimeError(ErrorCode::BadInput, std::move(message));
}

/// Inputs are what they have to be.
static Status checkInputs(const LaunchPlan &plan,
                          const SizeBindings &bindings) {
  for (const LaunchPlan::Buffer &buffer : plan.buffers) {
    if (buffer.kind != PlanBuffer::Kind::Input)
      continue;
    std::string name = "input " + std::to_string(buffer.number);
    const std::vector<int64_t> &found = bindings.shapes[buffer.number];
    Result<std::vector<int64_t>> needed = evaluateAll(buffer.shape, bindings);
    if (!needed)
      return std::move(needed.takeError()).withContext(name);
    if (found == *needed)
      continue;
    // Sizes that all are numbers say no more than these.
    std::string numbers = formatShape(*needed), why = formatShape(buffer.shape);
    return badInput(name + " has the shape " + formatShape(found) + ", but " +
                    numbers + (why == numbers ? "" : " (" + why + ")") +
                    " is needed");
  }
  return checkRequirements(plan.requirements, bindings);
}

namespace {

class Sizer {
public:
  Sizer(const LaunchPlan &plan, const SizeBindings &bindings)
      : plan(plan), bindings(bindings) {}

  Status run();

  SizedPlan sized;

private:
  Status sizeBuffers();
  Status sizeLaunch(const LaunchPlan::Launch &launch);
  PlanStep describe(size_t number) const;

  const LaunchPlan &plan;
  const SizeBindings &bindings;
};

} // namespace

Status Sizer::sizeBuffers() {
  for (const LaunchPlan::Buffer &buffer : plan.buffers) {
    Result<std::vector<int64_t>> shape = evaluateShape(buffer.shape, bindings);
    if (!shape)
      return shape.takeError();
    if (buffer.kind == PlanBuffer::Kind::Input)
      sized.inputs.push_back({buffer.type, *shape});
    PlanBuffer &own = sized.host.buffers.emplace_back();
    own.kind = buffer.kind;
    own.number = buffer.number;
    own.type = buffer.type;
    own.shape = std::move(*shape);
  }
  for (size_t number : plan.outputs)
    sized.outputs.push_back(
        {sized.host.buffers[number].type, sized.host.buffers[number].shape});
  return Status::success();
}

Status Sizer::sizeLaunch(const LaunchPlan::Launch &launch) {
  Result<std::vector<int64_t>> grid = evaluateAll(launch.grid, bindings);
  if (!grid)
    return grid.takeError();
  PlanLaunch own;
  own.buffers = launch.buffers;
  own.numOutputs = launch.numOutputs;
  own.grid = std::move(*grid);
  return addLaunch(sized.host, std::move(own));
}

PlanStep Sizer::describe(size_t number) const {
  const PlanLaunch &launch = sized.host.launches[number];
  PlanStep step = plan.steps[number];
  step.grid = launch.grid;
  size_t numInputs = launch.buffers.size() - launch.numOutputs;
  llvm::SmallSet<size_t, 8> counted;
  llvm::raw_string_ostream result(step.result);
  llvm::ListSeparator separator;
  for (auto [i, at] : llvm::enumerate(launch.buffers)) {
    const PlanBuffer &buffer = sized.host.buffers[at];
    if (i >= numInputs) {
      result << separator << "tensor<";
      for (int64_t size : buffer.shape)
        result << size << "x";
      result << typeName(buffer.type) << ">";
      step.stored.push_back({{buffer.type, buffer.shape},
                             buffer.kind == PlanBuffer::Kind::Output});
    }
    Result<size_t> bytes = requiredBytes(buffer.type, buffer.shape);
    // What cannot be counted cannot run either, and is refused later.
    if (bytes && counted.insert(at).second)
      (i < numInputs ? step.bytesRead : step.bytesWritten) += *bytes;
  }
  if (plan.blockFlops[number])
    step.dotFlops = llvm::SaturatingMultiply<uint64_t>(
        *plan.blockFlops[number], static_cast<uint64_t>(*launch.numBlocks()));
  return step;
}

Status Sizer::run() {
  if (Status status = checkInputs(plan, bindings); !status)
    return status;
  if (Status status = sizeBuffers(); !status)
    return status;
  for (const LaunchPlan::Launch &launch : plan.launches)
    if (Status status = sizeLaunch(launch); !status)
      return status;
  sized.host.copies = plan.copies;
  for (size_t number = 0; number < plan.launches.size(); ++number)
    sized.steps.push_back(describe(number));
  return placeIntermediates(sized.host);
}

Result<SizedPlan> LaunchPlan::bind(ArrayRef<ArgumentShape> shapes) const {
  SizeBindings bindings;
  for (const ArgumentShape &shape : shapes)
    bindings.shapes.emplace_back(shape.begin(), shape.end());
  Sizer sizer(*this, bindings);
  if (Status status = sizer.run(); !status)
    return status.takeError();
  return std::move(sizer.sized);
}
