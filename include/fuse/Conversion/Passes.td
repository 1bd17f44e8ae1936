//===- Passes.td - conversions between dialects ------------*- tablegen -*-===//
//
// Lowerings: from our dialects to upstream's, and from what upstream cannot
// lower as we need it to what it can.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_CONVERSION_PASSES_TD
#define FUSE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFuseToLinalg : Pass<"convert-fuse-to-linalg"> {
  let summary = "lower a graph op by op, nothing fused: the reference meaning";
  let description = [{
    Afterwards no op or attribute of the `fuse` dialect and no pointwise op on
    tensors is left, and every constant whose elements are all one number is a
    `linalg.fill`. Each op becomes one loop nest or one move of its own and
    stores its whole result. The pass is the judge of everything that fuses, so
    it shares no code with it, chooses nothing and folds nothing.

    Composites must have been decomposed, and kernels dissolved.
    (example: test/Conversion/FuseToLinalg/convert-fuse-to-linalg.mlir)
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ConvertFuseToTile : Pass<"convert-fuse-to-tile", "::mlir::ModuleOp"> {
  let summary = "turn kernels of graph ops into kernels of tiles";
  let description = [{
    Afterwards there is no `fuse.kernel`: each has become one `tile.kernel` and
    its `tile.launch`, or two of both where its schedule splits a reduction. The
    loop nest is derived from what the kernel computes, element by element, and
    from its schedule, whose missing parts are chosen here. Blocks merge in a
    cluster only with `has-clusters`, and else by a second launch.
    (example: test/Conversion/FuseToTile/reductions.mlir)
  }];
  let options = [
    Option<"hasClusters", "has-clusters", "bool", /*default=*/"true",
           "Whether blocks can form clusters.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::fuse::tile::TileDialect"
  ];
}

def ExpandByteCasts : Pass<"arith-expand-byte-casts"> {
  let summary = "make floats of bytes by permutations, for a GPU";
  let description = [{
    An instruction that makes a float of an integer takes as long as eight others.
    Bytes come four at a time, so casts of vectors of them to f32, f16 and bf16
    put each into the low bits of a float whose last bit counts 1, and take off
    what that float was: two instructions for each number, and exact. Other casts
    stay.
    (example: test/Conversion/ExpandByteCasts/expand-byte-casts.mlir)
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::vector::VectorDialect"
  ];
}

def ExpandIntegerCasts : Pass<"arith-expand-integer-casts"> {
  let summary = "round integers to narrow floats once";
  let description = [{
    Afterwards no `arith.sitofp` or `arith.uitofp` of scalars or vectors gives a
    float of 8 or 16 bits: the integer becomes an f64, or an f32 if it has 24 bits at most,
    which is then rounded. By way of f32, as upstream does it for all, 33685505 becomes
    another bf16 than the nearest.
    (example: test/Conversion/ExpandIntegerCasts/expand-integer-casts.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandMath : Pass<"math-expand-vectors"> {
  let summary = "compute functions of vectors of f32 by polynomials";
  let description = [{
    exp, exp2, expm1, log, log1p, log2, tanh, erf, erfc, asin and acos of f32,
    and of what is narrower, become polynomials on vectors, with an error of up
    to 5 units in the last place; to the logarithms, numbers below the least
    normal one are that one, and to exp, results below it are 0. All other
    functions stay as they are.
    (example: test/Conversion/ExpandMath/expand-math.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandFunctions : Pass<"math-expand-functions"> {
  let summary = "compute every function of floats by arithmetic";
  let description = [{
    Afterwards there are no functions of f32 or f64, scalars or vectors, but
    those that processors have instructions for: the square root and its
    inverse, rounding, absolute values, signs, and a product with a sum. Nor is
    there an `arith.remf`, or a `math.ipowi` of integers. docs/Math.md says how
    large the errors are. With `ops` only those ops are computed so.
    (example: test/Conversion/ExpandMath/expand-functions.mlir)
  }];
  let options = [
    ListOption<"ops", "ops", "std::string",
               "the names of the ops; all by default">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def SplitVectors : Pass<"math-split-vectors"> {
  let summary = "compute a few elements at a time";
  let description = [{
    Pointwise ops on long vectors become ops on short ones. One part goes all the
    way through a chain of ops before the next one begins, so that what is
    needed in between takes few registers; not beyond an op that may be a
    barrier, unless that has the attribute `tile.parts_pass`, nor a loop. A load
    with the attribute `tile.ahead = n` is such a part, too, and goes before the
    n-th op with the attribute `tile.piece` before whoever needs it.
    (example: test/Conversion/ExpandMath/split-vectors.mlir)
  }];
  let options = [
    Option<"elements", "elements", "int64_t", "8",
           "how many elements a vector may have">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def CheckMathForNVVM : Pass<"math-check-for-nvvm"> {
  let summary = "refuse functions that have no code for GPUs";
  let description = [{
    Fails at the first op of `math`, or `arith.remf`, that is no instruction of a
    GPU, and names it: there is no library to call, and LLVM would end the
    process.
    (example: test/Conversion/ExpandMath/check-math-for-nvvm.mlir)
  }];
}

def ExpandCopySign : Pass<"math-expand-copysign"> {
  let summary = "take signs of narrow floats from their bits";
  let description = [{
    Afterwards no `math.copysign` is of floats of 8 or 16 bits, or of vectors of
    them: the bit of the sign is set, or it is not.
    (example: test/Conversion/ExpandMath/expand-copysign.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def KeepPowers : Pass<"math-keep-powers"> {
  let summary = "leave powers to the library, for a CPU";
  let description = [{
    Afterwards no `math.powf` with an exponent that varies has `fastmath<afn>`. Where the
    exponent was an integer LLVM would make `llvm.powi` of it, for which there is no
    function, and of vectors no code.
    (example: test/Conversion/ExpandMath/keep-powers.mlir)
  }];
}

def ExpandMathForNVVM : Pass<"math-expand-for-nvvm"> {
  let summary = "compute functions of f32 by instructions of a GPU";
  let description = [{
    exp and exp2 of f32 become `ex2.approx.ftz` of what is left when a whole
    number has been taken off the exponent, with an error of up to 2 units in the
    last place over the whole range.

    An op of f32 that says `fastmath<afn>` becomes the instruction that is
    nearest to it: exp, exp2, log, log2, log10, powf, tanh, sin, cos, tan and
    rsqrt. docs/Math.md says what that loses.

    Of quotients `1 / (1 + 2^y)` with the attribute `tile.paired` two neighbours
    in a vector are computed by one reciprocal, that of the product of their
    denominators. It is 0 below the least normal number, as by itself, and where y
    is NaN.
    (example: test/Conversion/ExpandMath/expand-math-for-nvvm.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandNarrowCasts : Pass<"arith-expand-narrow-casts"> {
  let summary = "cast to and from f16, bf16 and f8E4M3FN with integer arithmetic";
  let description = [{
    LLVM has no 8-bit floats, and for the 16-bit ones it calls functions that
    not every machine has. Afterwards no `arith.extf` or `arith.truncf` of
    scalars or vectors has a float of 8 or 16 bits on either side: the casts are
    done on bits. `native-f16` and `native-bf16` leave those between f16 or bf16
    and f32 to the processor. Narrow floats are chosen and repeated as their bits, too.

    Casts that may be left out where one undoes the other lose this permission: all
    users of a number have the same.

    Rounding is to nearest even, once, whatever type the number comes in. What
    is too large becomes infinity, or 448 in f8E4M3FN, which has none: NVIDIA's
    chips do the same. NaN becomes a quiet NaN.
    (example: test/Conversion/ExpandNarrowCasts/expand-narrow-casts.mlir)
  }];
  let options = [
    Option<"nativeF16", "native-f16", "bool", /*default=*/"false",
           "the processor casts between f16 and f32">,
    Option<"nativeBF16", "native-bf16", "bool", /*default=*/"false",
           "the processor casts between bf16 and f32">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def ExpandDivisions : Pass<"arith-expand-divisions"> {
  let summary = "make divisions of integers total";
  let description = [{
    Afterwards no division of integers, or of vectors of them, traps. By 0, and of the least integer
    by -1, the result is some number; `arith` leaves it undefined, and a wrong
    input must not end the program. Divisions that round up or down are
    expanded into others.
    (example: test/Conversion/ExpandDivisions/expand-divisions.mlir)
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FreezeUndefined : Pass<"llvm-freeze-undefined"> {
  let summary = "let what LLVM leaves undefined be some number";
  let description = [{
    Afterwards a shift by more bits than there are, and a cast of a float that the integer type does not hold, give
    some number, the same to all who read it. LLVM may otherwise take it that they do not happen, and leave out what
    keeps a gather by such an index inside of its table. Casts to integers of fewer than 32 bits go by way of 32.
    (example: test/Conversion/FreezeUndefined/freeze-undefined.mlir)
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def MemRefCopyToLinalg : Pass<"memref-copy-to-linalg"> {
  let summary = "copy buffers by loops";
  let description = [{
    Afterwards there is no `memref.copy`. Upstream lowers one between buffers of
    different strides to a call of a support library that we do not need
    otherwise.
    (example: test/Conversion/MemRefCopyToLinalg/memref-copy-to-linalg.mlir)
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def ConvertTileToNVVM : Pass<"convert-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "lower placed kernels to what one thread of a GPU does";
  let description = [{
    Afterwards every `tile.kernel` is an `llvm.func` of the same name in the
    module `fuse_kernels`, made of `llvm`, `nvvm`, `scf`, `arith`, `math` and
    `vector`. A tile has become one vector: the thread's share, with an element
    for each register of the layout.

    Parameters are, for each memory, its address, aligned to 16 bytes, and its
    dynamic sizes as i64; then the extents of the grid but the first, as i32;
    then a tensor map for each copy and each staged store of the copy engine, by value.
    Blocks are counted by `blockIdx.x`, the last dimension of the grid running
    fastest. A kernel that walks has the first extent, too, and the attribute
    `tile.walks`. `nvvm.reqntid` says how many threads a block has, and the attribute
    `tile.shared` how many bytes of dynamic shared memory.

    With `early`, kernels that need little shared memory wait themselves for those
    that were launched before them, and let those behind them begin; so they may
    begin before their turn. They have the attribute `tile.waits`. Before they
    wait they ask the second cache for what they load outside of loops, if its
    place depends on the block. Kernels with roles that do not walk and have a
    processor's memory to themselves do so, too, when their barriers are ready. They
    ask for the rows that they read behind their loops before that, and all kernels
    with roles for what the engine has to know of memory.

    Positions that are compared, as by a causal mask, are a difference that a
    thread computes once, compared with a constant for each of its registers, if
    the kernel's attribute `tile.farthest` says how far from 0 any of them is.

    `fuse_kernels` says by its attribute `tile.chip` for which `chip` all that is.
    A kernel whose attribute `tile.cluster` does not divide its grid is refused.
    Where blocks collect what others of a cluster have, all of their threads meet
    before and behind what they write to each other, those that load included.

    With `rounds`, `tile.round` and copies that round are one instruction for each
    number, and else arithmetic on bits, as of `tile-expand-rounds`.

    What launches kernels must have been taken out before.
    (example: test/Conversion/TileToNVVM/convert-tile-to-nvvm.mlir)
  }];
  let options = [
    Option<"early", "early", "bool", "false",
           "the chip can begin a kernel before those before it have ended">,
    Option<"rounds", "rounds", "bool", "false",
           "the chip has an instruction that rounds to tf32">,
    Option<"chip", "chip", "std::string", "\"\"",
           "for which GPU kernels were laid out and staged, if it is known">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ConvertTileToVector : Pass<"convert-tile-to-vector", "::mlir::ModuleOp"> {
  let summary = "lower kernels to functions of vector code, for a CPU";
  let description = [{
    Afterwards every `tile.kernel` is a `func.func` of the same name, made of
    `scf`, `arith`, `math`, `vector` and `memref`. Its arguments are the
    kernel's memory (i1 as i8), the first block and the one behind the last,
    by number, the number of blocks in each dimension of the grid, of which the
    last runs fastest, and a workspace of at least as many bytes as the attribute
    `tile.workspace` says, aligned to 64. A workspace must not be shared between
    calls that run at the same time.

    Tiles are not held as such. Dots, reductions, what loops carry, and what is
    expensive and needed more than once lie in the workspace; everything else is
    evaluated a vector at a time, where it is needed.

    An output of at least `stream-bytes` bytes is written past the caches where
    vectors are aligned and fill lines, so that no line is read before it is
    written; such a function ends with a fence. Memory has to be aligned to 64
    bytes. The default is what an output needs so that this is faster even if it
    is read again at once. A loop that reads nothing but the workspace asks for
    the lines of its output instead, some time before it writes them.

    What launches kernels must have been taken out before.
    (example: test/Conversion/TileToVector/convert-tile-to-vector.mlir)
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
           "the width of the target's vectors: 128, 256 or 512">,
    Option<"streamBytes", "stream-bytes", "int64_t", /*default=*/"32 << 20",
           "the size from which on outputs are written past the caches; 0: none">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // FUSE_CONVERSION_PASSES_TD
