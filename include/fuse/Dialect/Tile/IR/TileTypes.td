//===- TileTypes.td - types of what is under way -----------*- tablegen -*-===//
//
// What is asynchronous has a type that no other op can read.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_TILE_IR_TILETYPES_TD
#define FUSE_DIALECT_TILE_IR_TILETYPES_TD

include "fuse/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Tile_Type<string name, string typeMnemonic>
    : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_Ring : Tile_Type<"Ring", "ring"> {
  let summary = "slots in shared memory that are filled and read in turn";
  let description = [{
    A ring has a number of *slots*, each of which holds one tile of every *part*.
    What goes through a ring is numbered from 0 on, and number `n` is in slot `n
    mod slots`: so a slot is filled again as soon as its readers are done.

    Example: `!tile.ring<3 x (tensor<2x4xf32, #tile.shared<cell = [2, 4] offset =
    [[0, 1], [0, 2], [1, 1]]>>)>`

    Where loops follow each other, what they read may be of several *kinds*: each
    number is of one of them, and a slot has room for the largest. Parts are
    numbered through all kinds, so those of the second one here are 1 and 2.

    Example: `!tile.ring<3 x (tensor<8xf32, #tile.shared<cell = [8] offset = [[1],
    [2], [4]]>>) or (tensor<2xf32, #tile.shared<cell = [2] offset = [[1]]>>,
    tensor<4xf32, #tile.shared<cell = [4] offset = [[1], [2]]>>)>`
  }];
  let parameters = (ins "int64_t":$slots,
                        ArrayRefParameter<"::mlir::RankedTensorType">:$parts,
                        ArrayRefParameter<"int64_t">:$kinds);
  let builders = [
    TypeBuilder<(ins "int64_t":$slots,
                     "::llvm::ArrayRef<::mlir::RankedTensorType>":$parts), [{
      return $_get($_ctxt, slots, parts, int64_t(parts.size()));
    }]>
  ];
  let extraClassDeclaration = [{
    /// `kinds` says how many parts each kind has.
    int64_t numKinds() const { return getKinds().size(); }
    int64_t firstPartOf(int64_t kind) const;
    int64_t kindOf(int64_t part) const;
    ::llvm::ArrayRef<::mlir::RankedTensorType> partsOf(int64_t kind) const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_Pending : Tile_Type<"Pending", "pending"> {
  let summary = "a sum of products that is still being computed";
  let description = [{
    Only `tile.take`, and the next `tile.dot_issue` onto the same sum, accept it:
    nothing else can touch registers that an instruction in flight writes.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $tile `>`";
}

def Tile_Group : Tile_Type<"Group", "group"> {
  let summary = "the end of what one op has set off";
  let description = [{
    Groups of one role end in the order in which they were issued.
  }];
}

#endif // FUSE_DIALECT_TILE_IR_TILETYPES_TD
