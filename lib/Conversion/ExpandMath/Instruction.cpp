//===- Instruction.cpp - an instruction of a GPU on each element ----------===//

#include "Expansions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fuse;

Value fuse::instruction(FloatBuilder &b, StringRef name, ValueRange operands) {
  auto onElements = [&](ValueRange elements) -> Value {
    std::string text = (name + " $0").str(), constraints = "=f";
    for (size_t number = 1; number <= elements.size(); ++number) {
      text += ", $" + std::to_string(number);
      constraints += ",f";
    }
    return LLVM::InlineAsmOp::create(
               b, b.getF32Type(), elements, text + ";", constraints,
               /*has_side_effects=*/false,
               /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
               /*asm_dialect=*/{}, /*operand_attrs=*/{})
        .getResult(0);
  };
  auto type = dyn_cast<VectorType>(operands.front().getType());
  if (!type)
    return onElements(operands);
  auto parts = llvm::map_to_vector(operands, [&](Value operand) {
    return vector::ToElementsOp::create(b, operand);
  });
  SmallVector<Value> made;
  for (int64_t at = 0; at < type.getNumElements(); ++at)
    made.push_back(onElements(llvm::map_to_vector(
        parts, [&](auto part) -> Value { return part.getResult(at); })));
  return vector::FromElementsOp::create(b, type, made);
}
