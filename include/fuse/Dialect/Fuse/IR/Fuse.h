//===- Fuse.h - the graph dialect -------------------------------*- C++ -*-===//
//
// The dialect, its attributes and its ops. Include this and nothing below it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSE_DIALECT_FUSE_IR_FUSE_H
#define FUSE_DIALECT_FUSE_IR_FUSE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fuse/Dialect/Fuse/IR/FuseSchedule.h"

#include "fuse/Dialect/Fuse/IR/FuseDialect.h.inc"
#include "fuse/Dialect/Fuse/IR/FuseInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fuse/Dialect/Fuse/IR/FuseAttrs.h.inc"

#define GET_OP_CLASSES
#include "fuse/Dialect/Fuse/IR/FuseOps.h.inc"

#endif // FUSE_DIALECT_FUSE_IR_FUSE_H
