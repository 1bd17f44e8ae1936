//===- Element.cpp - one element of a graph, as an expression -------------===//
//
// Making expressions unique, and printing them.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Element.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fuse;

bool Element::liesAlong(ArrayRef<IndexVar> vars) const {
  return kind() == ElementKind::Load && !indices().empty() &&
         llvm::any_of(indices().back().affine.terms, [&](const auto &term) {
           return llvm::is_contained(vars, term.first);
         });
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

AffineIndex AffineIndex::of(IndexVar var, int64_t coefficient) {
  AffineIndex index;
  if (coefficient != 0)
    index.terms.push_back({var, coefficient});
  return index;
}

AffineIndex AffineIndex::operator+(const AffineIndex &other) const {
  AffineIndex sum;
  sum.constant = constant + other.constant;
  const auto *a = terms.begin(), *b = other.terms.begin();
  while (a != terms.end() || b != other.terms.end()) {
    if (b == other.terms.end() || (a != terms.end() && a->first < b->first)) {
      sum.terms.push_back(*a++);
      continue;
    }
    if (a == terms.end() || b->first < a->first) {
      sum.terms.push_back(*b++);
      continue;
    }
    if (int64_t coefficient = a->second + b->second)
      sum.terms.push_back({a->first, coefficient});
    ++a;
    ++b;
  }
  return sum;
}

AffineIndex AffineIndex::operator*(int64_t factor) const {
  AffineIndex product;
  product.constant = constant * factor;
  if (factor != 0)
    for (auto [var, coefficient] : terms)
      product.terms.push_back({var, coefficient * factor});
  return product;
}

std::optional<std::pair<AffineIndex, AffineIndex>>
AffineIndex::split(int64_t inner) const {
  AffineIndex outer, rest;
  outer.constant = constant / inner;
  rest.constant = constant % inner;
  if (inner < 1 || constant < 0)
    return std::nullopt;
  // The largest that the rest can become.
  int64_t top = rest.constant;
  for (auto [var, coefficient] : terms) {
    if (coefficient % inner == 0) {
      outer.terms.push_back({var, coefficient / inner});
      continue;
    }
    if (!var.size.isNumber() || coefficient < 0)
      return std::nullopt;
    rest.terms.push_back({var, coefficient});
    top += coefficient * std::max<int64_t>(var.size.getNumber() - 1, 0);
  }
  if (top >= inner)
    return std::nullopt;
  return std::pair(outer, rest);
}

//===----------------------------------------------------------------------===//
// Making expressions
//===----------------------------------------------------------------------===//

static void profile(llvm::FoldingSetNodeID &id, const IndexVar &var) {
  id.AddBoolean(var.size.isNumber());
  id.AddInteger(var.size.isNumber() ? var.size.getNumber()
                                    : var.size.getSymbol());
  id.AddInteger(var.level);
  id.AddInteger(var.place);
}

void Element::Profile(llvm::FoldingSetNodeID &id) const {
  id.AddInteger(static_cast<unsigned>(elementKind));
  id.AddPointer(elementType.getAsOpaquePointer());
  for (const Element *operand : args)
    id.AddPointer(operand);
  id.AddPointer(source.getAsOpaquePointer());
  id.AddInteger(static_cast<unsigned>(where.size()));
  for (const Index &index : where) {
    id.AddPointer(index.computed);
    id.AddInteger(index.affine.constant);
    id.AddInteger(static_cast<unsigned>(index.affine.terms.size()));
    for (const auto &[var, coefficient] : index.affine.terms) {
      profile(id, var);
      id.AddInteger(coefficient);
    }
  }
  id.AddPointer(attribute ? attribute.getAsOpaquePointer() : nullptr);
  id.AddBoolean(size.isNumber());
  id.AddInteger(size.isNumber() ? size.getNumber() : size.getSymbol());
  id.AddInteger(slot);
  id.AddPointer(opName ? opName->getAsOpaquePointer() : nullptr);
  id.AddPointer(opAttributes ? opAttributes.getAsOpaquePointer() : nullptr);
  for (const IndexVar &var : bound)
    profile(id, var);
  id.AddInteger(static_cast<unsigned>(combineKind));
  id.AddInteger(static_cast<unsigned>(productPrecision));
}

using ElementTrait = llvm::FoldingSetTrait<Element>;

bool ElementTrait::Equals(const Element &element,
                          const llvm::FoldingSetNodeID &id, unsigned hash,
                          llvm::FoldingSetNodeID &scratch) {
  if (element.hash != hash)
    return false;
  element.Profile(scratch);
  return scratch == id;
}

unsigned ElementTrait::ComputeHash(const Element &element,
                                   llvm::FoldingSetNodeID &) {
  return element.hash;
}

template <typename Set, typename T>
static void insertSorted(Set &set, T value) {
  auto *at = llvm::lower_bound(set, value);
  if (at == set.end() || *at != value)
    set.insert(at, value);
}

const Element *ElementContext::unique(Element &&element) {
  llvm::FoldingSetNodeID id;
  element.Profile(id);
  void *place = nullptr;
  if (const Element *known = elements.FindNodeOrInsertPos(id, place))
    return known;

  element.hash = id.ComputeHash();
  llvm::SmallDenseSet<const Element *, 16> seen;
  for (const Element *operand : element.args) {
    for (const IndexVar &var : operand->free)
      insertSorted(element.free, var);
    for (const Element *inner : operand->inside)
      if (seen.insert(inner).second)
        element.inside.push_back(inner);
  }
  for (const Index &index : element.where)
    for (const auto &term : index.affine.terms)
      insertSorted(element.free, term.first);
  llvm::erase_if(element.free, [&](const IndexVar &var) {
    return llvm::is_contained(element.bound, var);
  });
  element.number = owned.size();
  owned.push_back(std::make_unique<Element>(std::move(element)));
  Element *made = owned.back().get();
  if (made->isReduction())
    made->inside.push_back(made);
  elements.InsertNode(made, place);
  return made;
}

const Element *ElementContext::load(Value tensor, ArrayRef<Index> indices) {
  Element element;
  element.elementKind = ElementKind::Load;
  element.elementType =
      cast<RankedTensorType>(tensor.getType()).getElementType();
  element.source = tensor;
  for (const Index &index : indices) {
    element.where.push_back(index);
    if (index.computed)
      element.args.push_back(index.computed);
  }
  return unique(std::move(element));
}

const Element *ElementContext::constant(TypedAttr value) {
  Element element;
  element.elementKind = ElementKind::Constant;
  element.elementType = value.getType();
  element.attribute = value;
  return unique(std::move(element));
}

const Element *ElementContext::position(const AffineIndex &index, Type type) {
  Element element;
  element.elementKind = ElementKind::Position;
  element.elementType = type;
  element.where.push_back(index);
  return unique(std::move(element));
}

const Element *ElementContext::extent(Size size, Type type) {
  Element element;
  element.elementKind = ElementKind::Extent;
  element.elementType = type;
  element.size = size;
  return unique(std::move(element));
}

const Element *ElementContext::slot(Type type, ArrayRef<IndexVar> vars) {
  Element element;
  element.elementKind = ElementKind::Slot;
  element.elementType = type;
  element.slot = ++numSlots;
  for (const IndexVar &var : vars)
    insertSorted(element.free, var);
  return unique(std::move(element));
}

/// Attributes that say what is so without them. An op that a user wrote and one
/// that an analysis makes have to be one expression.
static DictionaryAttr dropDefaults(DictionaryAttr attributes) {
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attribute : attributes) {
    auto floats = dyn_cast<arith::FastMathFlagsAttr>(attribute.getValue());
    if (floats && floats.getValue() == arith::FastMathFlags::none)
      continue;
    auto integers =
        dyn_cast<arith::IntegerOverflowFlagsAttr>(attribute.getValue());
    if (integers && integers.getValue() == arith::IntegerOverflowFlags::none)
      continue;
    kept.push_back(attribute);
  }
  return kept.size() == attributes.size()
             ? attributes
             : DictionaryAttr::get(attributes.getContext(), kept);
}

const Element *ElementContext::pointwise(OperationName name,
                                         DictionaryAttr attributes, Type type,
                                         ArrayRef<const Element *> operands) {
  Element element;
  element.elementKind = ElementKind::Pointwise;
  element.elementType = type;
  element.opName = name;
  // No attributes are one thing, however they are written.
  element.opAttributes =
      attributes ? dropDefaults(attributes) : DictionaryAttr::get(context);
  element.args.assign(operands.begin(), operands.end());
  return unique(std::move(element));
}

const Element *ElementContext::reduce(CombineKind kind, ArrayRef<IndexVar> vars,
                                      const Element *body) {
  Element element;
  element.elementKind = ElementKind::Reduce;
  element.elementType = body->type();
  element.combineKind = kind;
  element.bound.assign(vars.begin(), vars.end());
  element.args.push_back(body);
  return unique(std::move(element));
}

const Element *ElementContext::dot(ArrayRef<IndexVar> vars, const Element *lhs,
                                   const Element *rhs, Type type,
                                   Precision precision) {
  Element element;
  element.elementKind = ElementKind::Dot;
  element.elementType = type;
  element.productPrecision = precision;
  element.bound.assign(vars.begin(), vars.end());
  element.args = {lhs, rhs};
  return unique(std::move(element));
}

const Element *
ElementContext::withOperands(const Element *element,
                             ArrayRef<const Element *> operands) {
  if (element->operands() == operands)
    return element;
  switch (element->kind()) {
  case ElementKind::Load: {
    SmallVector<Index> indices(element->indices());
    const Element *const *next = operands.begin();
    for (Index &index : indices)
      if (index.computed)
        index = Index(*next++);
    return load(element->tensor(), indices);
  }
  case ElementKind::Pointwise:
    return pointwise(element->pointwise(), element->pointwiseAttributes(),
                     element->type(), operands);
  case ElementKind::Reduce:
    return reduce(element->combine(), element->boundVars(), operands.front());
  case ElementKind::Dot:
    return dot(element->boundVars(), operands[0], operands[1], element->type(),
               element->precision());
  case ElementKind::Constant:
  case ElementKind::Position:
  case ElementKind::Extent:
  case ElementKind::Slot:
    break;
  }
  llvm_unreachable("leaves have no operands");
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

llvm::raw_ostream &fuse::operator<<(llvm::raw_ostream &os,
                                    const IndexVar &var) {
  if (var.level == IndexVar::kOutput)
    return os << "o" << var.place;
  return os << "r" << var.size << "_" << var.level;
}

llvm::raw_ostream &fuse::operator<<(llvm::raw_ostream &os,
                                    const AffineIndex &index) {
  bool isFirst = true;
  auto printSign = [&](bool isNegative) {
    if (!isFirst)
      os << (isNegative ? " - " : " + ");
    else if (isNegative)
      os << "-";
    isFirst = false;
  };
  for (auto [var, coefficient] : index.terms) {
    printSign(coefficient < 0);
    if (coefficient != 1 && coefficient != -1)
      os << llvm::AbsoluteValue(coefficient) << " * ";
    os << var;
  }
  if (index.constant != 0 || isFirst) {
    printSign(index.constant < 0);
    os << llvm::AbsoluteValue(index.constant);
  }
  return os;
}

/// A tensor as IR would name it: by its argument, or by the op that made it.
static void printTensor(Value tensor, llvm::raw_ostream &os) {
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto name = function ? function.getArgAttrOfType<StringAttr>(
                               argument.getArgNumber(), "fuse.name")
                         : StringAttr();
    if (name)
      os << name.getValue();
    else
      os << "arg" << argument.getArgNumber();
    return;
  }
  os << "<" << tensor.getDefiningOp()->getName() << ">";
}

namespace {

/// Prints an expression as a list of definitions. What is shared is printed
/// once: as one nested expression, an attention layer would fill a book.
class Printer {
public:
  explicit Printer(llvm::raw_ostream &os) : os(os) {}

  /// Prints what defines `element`, unless it is short enough to be repeated.
  void define(const Element *element) {
    if (isLeaf(element) || names.contains(element))
      return;
    for (const Element *operand : element->operands())
      define(operand);
    unsigned name = names.size();
    names[element] = name;
    os << "  %" << name << " = ";
    spell(element);
    os << "\n";
  }

  void refer(const Element *element) {
    if (isLeaf(element))
      spell(element);
    else
      os << "%" << names.lookup(element);
  }

private:
  static bool isLeaf(const Element *element) {
    return element->operands().empty();
  }

  void spell(const Element *element) {
    switch (element->kind()) {
    case ElementKind::Load:
      printTensor(element->tensor(), os);
      os << "[";
      llvm::interleaveComma(element->indices(), os, [&](const Index &index) {
        if (index.computed)
          refer(index.computed);
        else
          os << index.affine;
      });
      os << "]";
      return;
    case ElementKind::Constant:
      element->constant().print(os, /*elideType=*/true);
      return;
    case ElementKind::Position:
      os << element->position();
      return;
    case ElementKind::Extent:
      os << "extent " << element->extent();
      return;
    case ElementKind::Slot:
      os << "slot" << element->slotNumber();
      return;
    case ElementKind::Pointwise:
      os << element->pointwise().stripDialect();
      printPredicate(element);
      break;
    case ElementKind::Reduce:
      os << stringifyCombineKind(element->combine());
      break;
    case ElementKind::Dot:
      os << "dot";
      break;
    }
    if (element->isReduction()) {
      os << "{";
      llvm::interleaveComma(element->boundVars(), os);
      os << "}";
    }
    os << "(";
    llvm::interleaveComma(element->operands(), os,
                          [&](const Element *operand) { refer(operand); });
    os << ")";
  }

  void printPredicate(const Element *element) {
    // Both kinds are integers to MLIR; the op tells what they mean.
    auto how = element->pointwiseAttributes().getAs<IntegerAttr>("predicate");
    if (!how)
      return;
    TypeID op = element->pointwise().getTypeID();
    if (op == TypeID::get<arith::CmpIOp>())
      os << " "
         << arith::stringifyCmpIPredicate(
                static_cast<arith::CmpIPredicate>(how.getInt()));
    else if (op == TypeID::get<arith::CmpFOp>())
      os << " "
         << arith::stringifyCmpFPredicate(
                static_cast<arith::CmpFPredicate>(how.getInt()));
  }

  llvm::raw_ostream &os;
  llvm::DenseMap<const Element *, unsigned> names;
};

} // namespace

void Element::print(llvm::raw_ostream &os) const {
  Printer printer(os);
  printer.define(this);
  os << "  ";
  printer.refer(this);
  os << "\n";
}
