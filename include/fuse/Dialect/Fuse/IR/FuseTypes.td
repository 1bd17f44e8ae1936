//===- FuseTypes.td - which tensors a graph is made of -----*- tablegen -*-===//
//
// Constraints on operands and results. Their summaries are what a user reads
// in "operand #0 must be ...".
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_IR_FUSETYPES_TD
#define FUSE_DIALECT_FUSE_IR_FUSETYPES_TD

include "mlir/IR/OpBase.td"

/// A ranked tensor without an encoding: layouts belong to later stages.
class Fuse_TensorOf<list<Type> elements, string summary>
    : Type<And<[RankedTensorOf<elements>.predicate,
                CPred<"!::llvm::cast<::mlir::RankedTensorType>($_self)"
                      ".getEncoding()">]>,
           summary, "::mlir::RankedTensorType">;

defvar Fuse_Floats = [F8E4M3FN, BF16, F16, F32, F64];
defvar Fuse_Integers = [I1, I8, I16, I32, I64, Index];

def Fuse_Tensor : Fuse_TensorOf<!listconcat(Fuse_Floats, Fuse_Integers),
    "ranked tensor of f8E4M3FN, bf16, f16, f32, f64, i1, i8, i16, i32, i64 or "
    "index values">;
def Fuse_FloatTensor : Fuse_TensorOf<Fuse_Floats,
    "ranked tensor of f8E4M3FN, bf16, f16, f32 or f64 values">;
/// f8E4M3FN is for storage and for products; nothing else computes in it.
def Fuse_MathTensor : Fuse_TensorOf<[BF16, F16, F32, F64],
    "ranked tensor of bf16, f16, f32 or f64 values">;
def Fuse_SumTensor : Fuse_TensorOf<[F32, F64],
    "ranked tensor of f32 or f64 values">;
def Fuse_NumberTensor
    : Fuse_TensorOf<[BF16, F16, F32, F64, I8, I16, I32, I64, Index],
    "ranked tensor of bf16, f16, f32, f64, i8, i16, i32, i64 or index values">;
def Fuse_IndexTensor : Fuse_TensorOf<[I8, I16, I32, I64, Index],
    "ranked tensor of i8, i16, i32, i64 or index values">;
def Fuse_BoolTensor : Fuse_TensorOf<[I1], "ranked tensor of i1 values">;

#endif // FUSE_DIALECT_FUSE_IR_FUSETYPES_TD
