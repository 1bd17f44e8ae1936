//===- Nest.cpp - a kernel as a loop nest of tiles ------------------------===//
//
// Tile sizes, and printing.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Nest.h"

using namespace mlir;
using namespace fuse;

int64_t TileSizes::sizeOf(const IndexVar &var) const {
  auto known = sizes.find(key(var));
  if (known != sizes.end())
    return known->second;
  if (!var.size.isNumber())
    return byDefault;
  return std::max<int64_t>(1, std::min(byDefault, var.size.getNumber()));
}

namespace {

class NestPrinter {
public:
  NestPrinter(const KernelNest &kernel, llvm::raw_ostream &os)
      : kernel(kernel), os(os) {}

  void print(const Nest &nest) {
    os << "grid(";
    llvm::interleaveComma(nest.grid, os, [&](const IndexVar &var) {
      os << var << ":" << kernel.sizes.sizeOf(var);
    });
    os << ")";
    if (nest.chunk)
      os << " chunks " << nest.chunk->size;
    os << "\n";
    print(nest.body, 2);
  }

private:
  void print(const std::vector<Statement> &statements, unsigned indent);
  void printTile(TileId tile) {
    os << "t" << tile << "[";
    llvm::interleaveComma(kernel.tiles[tile].axes, os);
    os << "]";
  }
  void printOperands(const Statement &statement) {
    os << "(";
    llvm::interleaveComma(statement.operands, os,
                          [&](TileId tile) { os << "t" << tile; });
    os << ")";
  }
  void printIndex(ArrayRef<AffineIndex> index) {
    os << "[";
    llvm::interleaveComma(index, os);
    os << "]";
  }
  void printCompute(const Statement &statement);
  void printLoop(const NestLoop &loop, unsigned indent);

  const KernelNest &kernel;
  llvm::raw_ostream &os;
};

} // namespace

void NestPrinter::printCompute(const Statement &statement) {
  const Element *element = statement.element;
  printTile(statement.result);
  os << " = ";
  switch (element->kind()) {
  case ElementKind::Pointwise:
    os << element->pointwise().stripDialect();
    printOperands(statement);
    return;
  case ElementKind::Reduce:
  case ElementKind::Dot:
    if (element->kind() == ElementKind::Dot)
      os << "dot";
    else
      os << stringifyCombineKind(element->combine());
    os << "{";
    llvm::interleaveComma(element->boundVars(), os);
    os << "}";
    printOperands(statement);
    return;
  case ElementKind::Load:
  case ElementKind::Constant:
  case ElementKind::Position:
  case ElementKind::Extent:
  case ElementKind::Slot:
    element->printShort(os);
    if (!statement.operands.empty())
      printOperands(statement);
    return;
  }
}

void NestPrinter::printLoop(const NestLoop &loop, unsigned indent) {
  os << "for ";
  llvm::interleaveComma(loop.vars, os, [&](const IndexVar &var) {
    os << var << ":" << kernel.sizes.sizeOf(var);
  });
  if (loop.chunks > 1)
    os << " chunk of " << loop.chunks;
  for (const NestBound &bound : loop.bounds) {
    os << " where " << bound.var << (bound.isUpper ? " < " : " >= ");
    if (bound.computed)
      os << "t" << *bound.computed;
    else
      os << bound.affine;
  }
  os << " carry(";
  llvm::interleaveComma(loop.carried, os, [&](const CarriedTile &carried) {
    printTile(carried.inside);
  });
  os << ")\n";
  print(loop.body, indent + 2);
  os.indent(indent) << "yield (";
  llvm::interleaveComma(loop.carried, os, [&](const CarriedTile &carried) {
    os << "t" << carried.next << " -> t" << carried.result;
  });
  os << ")";
}

void NestPrinter::print(const std::vector<Statement> &statements,
                        unsigned indent) {
  for (const Statement &statement : statements) {
    os.indent(indent);
    switch (statement.kind) {
    case Statement::Kind::Compute:
    case Statement::Kind::Reduce:
      printCompute(statement);
      break;
    case Statement::Kind::Mask:
      printTile(statement.result);
      os << " = mask{";
      llvm::interleaveComma(statement.vars, os);
      os << "}";
      printOperands(statement);
      break;
    case Statement::Kind::Store:
      os << "store " << statement.target;
      printIndex(statement.index);
      printOperands(statement);
      break;
    case Statement::Kind::StorePart:
      os << "store part " << statement.target;
      printIndex(statement.index);
      printOperands(statement);
      break;
    case Statement::Kind::LoadPart:
      printTile(statement.result);
      os << " = load part " << statement.target;
      printIndex(statement.index);
      break;
    case Statement::Kind::Loop:
      printLoop(*statement.loop, indent);
      break;
    }
    os << "\n";
  }
}

void KernelNest::print(llvm::raw_ostream &os) const {
  for (const Nest &nest : nests)
    NestPrinter(*this, os).print(nest);
  for (const std::string &note : notes)
    os << "note: " << note << "\n";
}
