//===- Assembly.cpp - pieces of assembly ----------------------------------===//
//
// Several results come as one structure.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"

using namespace mlir;

SmallVector<Value> fuse::tile::assemble(ImplicitLocOpBuilder &b,
                                        const std::string &text,
                                        const std::string &constraints,
                                        ArrayRef<Value> operands,
                                        unsigned numResults) {
  if (numResults == 0) {
    LLVM::InlineAsmOp::create(b, TypeRange(), operands, text, constraints,
                              /*has_side_effects=*/true,
                              /*is_align_stack=*/false,
                              LLVM::tailcallkind::TailCallKind::None,
                              /*asm_dialect=*/{}, /*operand_attrs=*/{});
    return {};
  }
  SmallVector<Type> types(numResults, b.getF32Type());
  auto made = LLVM::InlineAsmOp::create(
      b, LLVM::LLVMStructType::getLiteral(b.getContext(), types), operands,
      text, constraints, /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      /*asm_dialect=*/{}, /*operand_attrs=*/{});
  SmallVector<Value> results;
  for (unsigned i = 0; i < numResults; ++i)
    results.push_back(LLVM::ExtractValueOp::create(b, made.getResult(0), i));
  return results;
}
