//===- FuseInterfaces.td - what passes ask of graph ops ----*- tablegen -*-===//
//
// Which ops are only words for other ops, and which follow their operands'
// sizes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_IR_FUSEINTERFACES_TD
#define FUSE_DIALECT_FUSE_IR_FUSEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Fuse_CompositeOpInterface : OpInterface<"CompositeOpInterface"> {
  let cppNamespace = "::fuse";
  let description = [{
    An op that is a word for a graph of plain ops. The expansion is its
    definition: there is no other.
  }];
  let methods = [InterfaceMethod<
    /*desc=*/[{
      Builds the graph that the op stands for before it and returns the value
      that replaces its result. The builder's insertion point is at the op.
    }],
    /*retTy=*/"::mlir::Value",
    /*methodName=*/"expandComposite",
    /*args=*/(ins "::mlir::OpBuilder &":$builder)
  >];
}

def Fuse_RefinableOpInterface : OpInterface<"RefinableOpInterface"> {
  let cppNamespace = "::fuse";
  let description = [{
    An op that names sizes of its result: in the result's type, or by operands.
    Where sizes have become known, the op has to follow.
  }];
  let methods = [InterfaceMethod<
    /*desc=*/[{
      Takes over every size that the types and the constant index operands
      determine: result dimensions become static, and operands that gave their
      sizes are dropped. The users of the result are the caller's concern.
      Sizes that contradict each other are left to the verifier.
    }],
    /*retTy=*/"void",
    /*methodName=*/"refineSizes"
  >];
}

#endif // FUSE_DIALECT_FUSE_IR_FUSEINTERFACES_TD
