//===- NestWriter.cpp - write a nest down as tile ops ---------------------===//
//
// One function for each kind of statement.
//
//===----------------------------------------------------------------------===//

#include "NestWriter.h"
#include "fuse/Dialect/Tile/Analysis/GraphCombine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuse;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// Where a part or a result is.
static SmallVector<Index> indicesOf(const Statement &statement) {
  return SmallVector<Index>(statement.index.begin(), statement.index.end());
}

Value NestWriter::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value NestWriter::sizeValue(Size size) {
  return size.isNumber() ? index(size.getNumber()) : symbolOf(size);
}

Value NestWriter::baseOf(const IndexVar &var) {
  for (const auto &[known, base] : llvm::reverse(bases))
    if (known == var)
      return base;
  // What has no loop is in one window.
  return index(0);
}

Value NestWriter::baseOf(const AffineIndex &affine) {
  Value sum;
  for (auto [var, coefficient] : affine.terms) {
    Value term = baseOf(var);
    if (isConstantIntValue(term, 0))
      continue;
    if (coefficient != 1)
      term = builder.createOrFold<arith::MulIOp>(loc, term, index(coefficient));
    sum = sum ? builder.createOrFold<arith::AddIOp>(loc, sum, term) : term;
  }
  if (!sum)
    return index(affine.constant);
  if (affine.constant != 0)
    sum = builder.createOrFold<arith::AddIOp>(loc, sum, index(affine.constant));
  return sum;
}

/// How far from 0 a position may be in any window. The last one begins at most
/// as many windows behind the end as a range has parts.
int64_t NestWriter::boundOf(const AffineIndex &position) const {
  constexpr int64_t mostParts = 1024,
                    unknown = std::numeric_limits<int64_t>::max();
  APInt bound(128, std::abs(position.constant));
  for (const auto &[var, coefficient] : position.terms) {
    if (!var.size.isNumber())
      return unknown;
    int64_t most = var.size.getNumber() + mostParts * windowOf(var);
    bound += APInt(128, std::abs(coefficient)) * APInt(128, most);
  }
  return bound.isSignedIntN(64) ? bound.getSExtValue() : unknown;
}

RankedTensorType NestWriter::typeOf(ArrayRef<IndexVar> axes,
                                    Type elementType) const {
  SmallVector<int64_t> shape;
  for (const IndexVar &var : axes)
    shape.push_back(windowOf(var));
  return RankedTensorType::get(shape, elementType);
}

/// The axes of what is read at these indices, in the order of memory.
SmallVector<IndexVar> NestWriter::axesIn(ArrayRef<Index> indices) const {
  SmallVector<IndexVar> axes;
  for (const Index &at : indices) {
    SmallVector<std::pair<IndexVar, int64_t>> terms(at.affine.terms.begin(),
                                                    at.affine.terms.end());
    llvm::sort(terms, [](const auto &a, const auto &b) {
      return std::pair(-std::abs(a.second), a.first) <
             std::pair(-std::abs(b.second), b.first);
    });
    for (const auto &[var, coefficient] : terms)
      if (isAxis(var) && !llvm::is_contained(axes, var))
        axes.push_back(var);
  }
  return axes;
}

NestWriter::Access NestWriter::accessOf(ArrayRef<Index> indices,
                                        ArrayRef<IndexVar> axes) {
  Access access;
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> dims;
  for (const Index &at : indices) {
    access.indices.push_back(baseOf(at.affine));
    AffineExpr offset = getAffineConstantExpr(0, context);
    for (const auto &[var, coefficient] : at.affine.terms)
      if (const IndexVar *axis = llvm::find(axes, var); axis != axes.end())
        offset = offset +
                 getAffineDimExpr(axis - axes.begin(), context) * coefficient;
    dims.push_back(offset);
  }
  access.map = AffineMap::get(axes.size(), 0, dims, context);
  for (auto [axis, var] : llvm::enumerate(axes)) {
    if (!isRagged(var))
      continue;
    access.limited.push_back(axis);
    if (llvm::is_contained(nest.grid, var))
      access.shared.push_back(axis);
    access.limits.push_back(builder.createOrFold<arith::SubIOp>(
        loc, sizeValue(var.size), baseOf(var)));
  }
  return access;
}

/// Whether an index stays inside of a dimension for all values of its variables
/// that are below their sizes.
static bool staysInside(const AffineIndex &index, Size size) {
  if (index.constant == 0 && index.terms.size() == 1 &&
      index.terms.front().second == 1) {
    Size own = index.terms.front().first.size;
    return own == size || (own.isNumber() && size.isNumber() &&
                           size.getNumber() >= own.getNumber());
  }
  int64_t low = index.constant, high = index.constant;
  for (const auto &[var, coefficient] : index.terms) {
    if (!var.size.isNumber())
      return false;
    int64_t reach =
        coefficient * std::max<int64_t>(var.size.getNumber() - 1, 0);
    (reach < 0 ? low : high) += reach;
  }
  return low >= 0 && size.isNumber() && high < size.getNumber();
}

/// Whether the variables that move along a dimension are as the digits of a
/// number.
static bool hasDigits(const AffineIndex &index) {
  SmallVector<std::pair<IndexVar, int64_t>> terms(index.terms.begin(),
                                                  index.terms.end());
  llvm::sort(terms,
             [](const auto &a, const auto &b) { return a.second < b.second; });
  int64_t below = 1;
  for (const auto &[var, coefficient] : terms) {
    if (coefficient < below)
      return false;
    // Only of the largest digit the size may be anything.
    below = var.size.isNumber() ? coefficient * var.size.getNumber()
                                : std::numeric_limits<int64_t>::max();
  }
  return terms.empty() || index.constant == 0;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

Value NestWriter::splat(TypedAttr number, ArrayRef<IndexVar> axes) {
  RankedTensorType type = typeOf(axes, number.getType());
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, Attribute(number)));
}

/// The tile with exactly these axes, in this order; it has no others.
NestWriter::Tile NestWriter::align(Tile tile, ArrayRef<IndexVar> axes) {
  if (ArrayRef(tile.axes) == axes)
    return tile;
  DenseElementsAttr constant;
  if (matchPattern(tile.value, m_Constant(&constant)) && constant.isSplat())
    return {splat(cast<TypedAttr>(constant.getSplatValue<Attribute>()), axes),
            llvm::to_vector(axes)};
  SmallVector<IndexVar> order;
  SmallVector<int64_t> permutation, dims;
  for (auto [at, var] : llvm::enumerate(axes)) {
    IndexVar *own = llvm::find(tile.axes, var);
    if (own == tile.axes.end())
      continue;
    order.push_back(var);
    permutation.push_back(own - tile.axes.begin());
    dims.push_back(at);
  }
  if (!llvm::is_sorted(permutation))
    tile.value =
        tile::TransposeOp::create(builder, loc, tile.value, permutation);
  if (order.size() != axes.size())
    tile.value = tile::BroadcastOp::create(
        builder, loc, typeOf(axes, getElementTypeOrSelf(tile.value.getType())),
        tile.value, dims);
  return {tile.value, llvm::to_vector(axes)};
}

/// All axes of these tiles, and some more: in the order of the tile that has
/// most of them, the others in front of the first that comes after them.
SmallVector<IndexVar> NestWriter::commonAxes(ArrayRef<TileId> ids,
                                             ArrayRef<IndexVar> more) {
  SmallVector<IndexVar> axes;
  for (TileId id : ids)
    if (tiles[id].axes.size() > axes.size())
      axes = tiles[id].axes;
  auto insert = [&](const IndexVar &var) {
    if (llvm::is_contained(axes, var))
      return;
    axes.insert(
        llvm::find_if(axes, [&](const IndexVar &other) { return var < other; }),
        var);
  };
  for (TileId id : ids)
    llvm::for_each(tiles[id].axes, insert);
  for (const IndexVar &var : more)
    if (isAxis(var))
      insert(var);
  return axes;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void NestWriter::write(ValueRange place) {
  unsigned next = 0;
  if (nest.chunk)
    bases.push_back({*nest.chunk, place[next++]});
  for (const IndexVar &var : nest.grid)
    bases.push_back({var, builder.createOrFold<arith::MulIOp>(
                              loc, place[next++], index(windowOf(var)))});
  write(nest.body);
}

void NestWriter::write(const std::vector<Statement> &statements) {
  for (const Statement &statement : statements) {
    switch (statement.kind) {
    case Statement::Kind::Compute:
      tiles[statement.result] = writeCompute(statement);
      continue;
    case Statement::Kind::Mask:
      tiles[statement.result] = writeMask(statement);
      continue;
    case Statement::Kind::Reduce:
      tiles[statement.result] = statement.element->kind() == ElementKind::Dot
                                    ? writeDot(statement)
                                    : writeReduce(statement);
      continue;
    case Statement::Kind::Store:
      writeStore(statement, memory.roots.at(statement.target));
      continue;
    case Statement::Kind::StorePart:
      if (kernel.mergesInCluster)
        ownParts[statement.target] =
            align(tiles[statement.operands[0]], axesIn(indicesOf(statement)));
      else
        writeStore(statement, memory.parts.at(statement.target));
      continue;
    case Statement::Kind::LoadPart: {
      SmallVector<Index> indices = indicesOf(statement);
      if (kernel.mergesInCluster) {
        int64_t block = *getConstantIntValue(baseOf(indices.front().affine));
        tiles[statement.result] = parts[statement.target][block];
        continue;
      }
      SmallVector<IndexVar> axes = axesIn(indices);
      Access access = accessOf(indices, axes);
      tiles[statement.result] = {
          tile::LoadOp::create(
              builder, loc, typeOf(axes, kernel.tiles[statement.result].type),
              memory.parts.at(statement.target), access.indices, access.map,
              access.limits, access.limited, /*isGuarded=*/false),
          axes};
      continue;
    }
    case Statement::Kind::Loop:
      writeLoop(*statement.loop);
      continue;
    }
  }
}

NestWriter::Tile NestWriter::writeCompute(const Statement &statement) {
  const Element *element = statement.element;
  switch (element->kind()) {
  case ElementKind::Load:
    return writeLoad(statement);
  case ElementKind::Constant:
    return {splat(element->constant(), {}), {}};
  case ElementKind::Position: {
    const AffineIndex &position = element->position();
    SmallVector<IndexVar> axes;
    SmallVector<int64_t> coefficients;
    for (const auto &[var, coefficient] : position.terms)
      if (isAxis(var)) {
        axes.push_back(var);
        coefficients.push_back(coefficient);
      }
    farthest = std::max(farthest, boundOf(position));
    return {tile::IotaOp::create(builder, loc, typeOf(axes, element->type()),
                                 baseOf(position), coefficients),
            axes};
  }
  case ElementKind::Extent:
    return {tile::IotaOp::create(builder, loc, typeOf({}, element->type()),
                                 sizeValue(element->extent()),
                                 ArrayRef<int64_t>()),
            {}};
  case ElementKind::Pointwise:
    return writePointwise(statement);
  case ElementKind::Slot:
  case ElementKind::Reduce:
  case ElementKind::Dot:
    break;
  }
  llvm_unreachable("no statement computes this");
}

NestWriter::Tile NestWriter::writeLoad(const Statement &statement) {
  const Element *element = statement.element;
  ArrayRef<Index> indices = element->indices();
  Value source = memory.inputs.lookup(element->tensor());
  SmallVector<IndexVar> axes = axesIn(indices);
  if (statement.operands.empty()) {
    Access access = accessOf(indices, axes);
    const auto &sizesOfTensor = memory.sizes.find(element->tensor())->second;
    bool isGuarded =
        !llvm::all_of(llvm::zip(indices, sizesOfTensor), [](const auto &dim) {
          return staysInside(std::get<0>(dim).affine, std::get<1>(dim));
        });
    // Shares of windows may start behind the end.
    bool isDisjoint = !kernel.mergesInCluster &&
                      llvm::any_of(access.map.getResults(),
                                   llvm::IsaPred<AffineBinaryOpExpr>) &&
                      llvm::all_of(indices, [](const Index &at) {
                        return hasDigits(at.affine);
                      });
    return {tile::LoadOp::create(builder, loc, typeOf(axes, element->type()),
                                 source, access.indices, access.map,
                                 access.limits, access.limited, isGuarded,
                                 /*starts=*/ValueRange(), isDisjoint,
                                 access.shared),
            axes};
  }
  axes = commonAxes(statement.operands, axes);
  SmallVector<Value> positions;
  SmallVector<int64_t> dims;
  for (auto [dim, at] : llvm::enumerate(indices))
    if (at.computed) {
      dims.push_back(dim);
      positions.push_back(
          align(tiles[statement.operands[positions.size()]], axes).value);
    }
  Access access = accessOf(indices, axes);
  return {tile::GatherOp::create(builder, loc, typeOf(axes, element->type()),
                                 source, access.indices, positions, dims,
                                 access.map, access.limits, access.limited),
          axes};
}

NestWriter::Tile NestWriter::writePointwise(const Statement &statement) {
  const Element *element = statement.element;
  SmallVector<IndexVar> axes = commonAxes(statement.operands);
  OperationState state(loc, element->pointwise());
  for (TileId operand : statement.operands)
    state.operands.push_back(align(tiles[operand], axes).value);
  state.addTypes(typeOf(axes, element->type()));
  state.addAttributes(element->pointwiseAttributes().getValue());
  return {builder.create(state)->getResult(0), axes};
}

NestWriter::Tile NestWriter::writeMask(const Statement &statement) {
  SmallVector<IndexVar> axes = commonAxes(statement.operands, statement.vars);
  SmallVector<Value> limits;
  SmallVector<int64_t> limited;
  for (auto [axis, var] : llvm::enumerate(axes)) {
    if (!llvm::is_contained(statement.vars, var))
      continue;
    limited.push_back(axis);
    limits.push_back(builder.createOrFold<arith::SubIOp>(
        loc, sizeValue(var.size), baseOf(var)));
  }
  Value source = align(tiles[statement.operands[0]], axes).value;
  if (limited.empty())
    return {source, axes};
  return {tile::MaskOp::create(builder, loc, source.getType(), source,
                               /*starts=*/ValueRange(), limits, limited,
                               statement.identity),
          axes};
}

static tile::Precision precisionFor(Precision precision) {
  switch (precision) {
  case Precision::Ieee:
    return tile::Precision::Ieee;
  case Precision::Tf32:
    return tile::Precision::Tf32;
  case Precision::Tf32x3:
    return tile::Precision::Tf32x3;
  }
  llvm_unreachable("all precisions are above");
}

NestWriter::Tile NestWriter::writeReduce(const Statement &statement) {
  const Element *element = statement.element;
  ArrayRef<IndexVar> bound = element->boundVars();
  // A body that does not vary along an axis is there as often all the same.
  SmallVector<IndexVar> axes = commonAxes(statement.operands, bound);
  Value source = align(tiles[statement.operands[0]], axes).value;
  SmallVector<IndexVar> kept;
  SmallVector<int64_t> dims;
  for (auto [axis, var] : llvm::enumerate(axes)) {
    if (llvm::is_contained(bound, var))
      dims.push_back(axis);
    else
      kept.push_back(var);
  }
  if (dims.empty()) {
    // A sum of one element still begins with 0: that of -0 is 0.
    if (element->combine() == CombineKind::Sum &&
        isa<FloatType>(element->type()))
      source = arith::AddFOp::create(
          builder, loc, source,
          splat(cast<TypedAttr>(builder.getZeroAttr(element->type())), axes));
    return {source, axes};
  }
  return {tile::ReduceOp::create(builder, loc,
                                 tile::combineKindFor(element->combine()),
                                 source, dims),
          kept};
}

NestWriter::Tile NestWriter::writeDot(const Statement &statement) {
  const Element *element = statement.element;
  Tile a = tiles[statement.operands[0]], b = tiles[statement.operands[1]];
  // The product whose columns are contiguous where it is stored: the operand
  // with the last axis comes second.
  auto lastOf = [](const Tile &tile, const Tile &other,
                   ArrayRef<IndexVar> bound) {
    std::optional<IndexVar> last;
    for (const IndexVar &var : tile.axes)
      if (!llvm::is_contained(other.axes, var) &&
          !llvm::is_contained(bound, var) && (!last || *last < var))
        last = var;
    return last;
  };
  ArrayRef<IndexVar> bound = element->boundVars();
  std::optional<IndexVar> lastA = lastOf(a, b, bound),
                          lastB = lastOf(b, a, bound);
  if (lastA && lastB && *lastB < *lastA)
    std::swap(a, b);

  SmallVector<IndexVar> batch, rows, columns, contracted;
  for (const IndexVar &var : bound)
    if (isAxis(var))
      contracted.push_back(var);
  for (const IndexVar &var : a.axes)
    if (!llvm::is_contained(bound, var))
      (llvm::is_contained(b.axes, var) ? batch : rows).push_back(var);
  for (const IndexVar &var : b.axes)
    if (!llvm::is_contained(bound, var) && !llvm::is_contained(a.axes, var))
      columns.push_back(var);
  auto join = [](std::initializer_list<ArrayRef<IndexVar>> groups) {
    SmallVector<IndexVar> all;
    for (ArrayRef<IndexVar> group : groups)
      llvm::append_range(all, group);
    return all;
  };
  SmallVector<IndexVar> axes = join({batch, rows, columns});
  Value lhs = align(a, join({batch, rows, contracted})).value;
  Value rhs = align(b, join({batch, contracted, columns})).value;
  Value zero =
      splat(cast<TypedAttr>(builder.getZeroAttr(element->type())), axes);
  auto dot = tile::DotOp::create(builder, loc, zero.getType(), lhs, rhs, zero,
                                 batch.size(), contracted.size(),
                                 precisionFor(element->precision()),
                                 /*atom=*/tile::AtomAttr());
  // A window of one row of many is another thing.
  auto isThin = [&](TileId factor, TileId other) {
    return llvm::all_of(kernel.tiles[factor].axes, [&](const IndexVar &var) {
      return (var.size.isNumber() && var.size.getNumber() == 1) ||
             llvm::is_contained(bound, var) ||
             llvm::is_contained(kernel.tiles[other].axes, var);
    });
  };
  TileId left = statement.operands[0], right = statement.operands[1];
  if (isThin(left, right) || isThin(right, left))
    dot->setAttr("tile.thin", builder.getUnitAttr());
  return {dot, axes};
}

void NestWriter::writeStore(const Statement &statement, Value target) {
  SmallVector<Index> indices = indicesOf(statement);
  SmallVector<IndexVar> axes = axesIn(indices);
  Tile tile = align(tiles[statement.operands[0]], axes);
  Access access = accessOf(indices, axes);
  tile::StoreOp::create(builder, loc, tile.value, target, access.indices,
                        access.map, access.limits, access.limited);
}

//===----------------------------------------------------------------------===//
// Merging in a cluster
//===----------------------------------------------------------------------===//

NestWriter::Parts NestWriter::collectParts() {
  IndexVar shared = *kernel.sharedVar();
  int64_t blocks = nest.chunk->size.getNumber();
  SmallVector<Value> sources;
  SmallVector<int64_t> axes;
  for (const auto &[target, part] : ownParts) {
    sources.push_back(part.value);
    axes.push_back(llvm::find(part.axes, shared) - part.axes.begin());
  }
  auto collect = tile::CollectOp::create(builder, loc, sources, axes, blocks);
  Parts collected;
  for (auto [number, part] : llvm::enumerate(ownParts))
    for (Value share : collect.sharesOf(number))
      collected[part.first].push_back({share, part.second.axes});
  return collected;
}

void NestWriter::writeMerge(ValueRange place, Parts collected) {
  parts = std::move(collected);
  IndexVar shared = *kernel.sharedVar();
  Value block = place.front();
  for (auto [var, at] : llvm::zip_equal(nest.grid, place.drop_front())) {
    Value base = builder.createOrFold<arith::MulIOp>(
        loc, at, index(kernel.sizes.sizeOf(var)));
    if (var == shared)
      base = builder.createOrFold<arith::AddIOp>(
          loc, base,
          builder.createOrFold<arith::MulIOp>(loc, block,
                                              index(windowOf(var))));
    bases.push_back({var, base});
  }
  write(nest.body);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A limit that holds for the whole block: the largest of the limits above, the
/// smallest of those below.
Value NestWriter::writeBound(const NestBound &bound) {
  if (!bound.computed) {
    int64_t reach = 0;
    for (const auto &[var, coefficient] : bound.affine.terms)
      if (bound.isUpper == (coefficient > 0))
        reach += coefficient * (windowOf(var) - 1);
    Value base = baseOf(bound.affine);
    return reach == 0
               ? base
               : builder.createOrFold<arith::AddIOp>(loc, base, index(reach));
  }
  Tile tile = tiles[*bound.computed];
  if (!tile.axes.empty()) {
    SmallVector<int64_t> all =
        llvm::to_vector(llvm::seq<int64_t>(0, tile.axes.size()));
    tile.value = tile::ReduceOp::create(builder, loc,
                                        bound.isUpper ? tile::CombineKind::Max
                                                      : tile::CombineKind::Min,
                                        tile.value, all);
  }
  Value number = tensor::ExtractOp::create(builder, loc, tile.value);
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(),
                                                  number);
}

/// Which part of a variable's range this block has, if it does not have all.
std::optional<NestWriter::Part> NestWriter::partOf(const NestLoop &loop,
                                                   const IndexVar &var) {
  SmallVector<int64_t> parts = loop.partsOf(kernel.sizes);
  size_t place = llvm::find(loop.vars, var) - loop.vars.begin();
  if (parts[place] == 1)
    return std::nullopt;
  // The first that is divided is not taken modulo anything: chunks for which
  // nothing is left begin behind the end.
  Value number = baseOf(*nest.chunk);
  int64_t behind = 1;
  for (int64_t part : ArrayRef(parts).drop_front(place + 1))
    behind *= part;
  if (behind > 1)
    number = builder.createOrFold<arith::DivUIOp>(loc, number, index(behind));
  if (llvm::any_of(ArrayRef(parts).take_front(place),
                   [](int64_t part) { return part > 1; }))
    number =
        builder.createOrFold<arith::RemUIOp>(loc, number, index(parts[place]));
  return Part{number, parts[place]};
}

/// Whether the block has one window of `var`, and that for certain. The last
/// variable has a loop all the same: what loops read is copied ahead.
bool NestWriter::hasOneRound(const NestLoop &loop, const IndexVar &var) const {
  bool isEmpty = var.size.isNumber() && var.size.getNumber() < 1;
  if (loop.chunks == 1 || var == loop.vars.back() || isEmpty)
    return false;
  SmallVector<int64_t> parts = loop.partsOf(kernel.sizes);
  int64_t chunks = 1;
  for (int64_t part : parts)
    chunks *= part;
  size_t place = llvm::find(loop.vars, var) - loop.vars.begin();
  return chunks == loop.chunks && roundsOf(var, kernel.sizes) == parts[place] &&
         llvm::none_of(loop.bounds, [&](const NestBound &bound) {
           return bound.var == var;
         });
}

/// From where to where a loop runs; it begins at a multiple of its window.
std::pair<Value, Value> NestWriter::writeRange(const NestLoop &loop,
                                               const IndexVar &var) {
  Value low = index(0), high = sizeValue(var.size);
  Value step = index(windowOf(var));
  auto least = [&](Value a, Value b) {
    return builder.createOrFold<arith::MinSIOp>(loc, a, b);
  };
  auto most = [&](Value a, Value b) {
    return builder.createOrFold<arith::MaxSIOp>(loc, a, b);
  };
  if (std::optional<Part> part = partOf(loop, var)) {
    Value rounds = builder.createOrFold<arith::CeilDivSIOp>(loc, high, step);
    Value share = builder.createOrFold<arith::CeilDivSIOp>(loc, rounds,
                                                           index(part->count));
    Value width = builder.createOrFold<arith::MulIOp>(loc, share, step);
    low = builder.createOrFold<arith::MulIOp>(loc, part->number, width);
    high = least(high, builder.createOrFold<arith::AddIOp>(loc, low, width));
  }
  for (const NestBound &bound : loop.bounds) {
    if (bound.var != var)
      continue;
    Value limit = writeBound(bound);
    if (bound.isUpper) {
      high = least(high, limit);
      continue;
    }
    Value whole =
        builder.createOrFold<arith::DivSIOp>(loc, most(limit, index(0)), step);
    low = most(low, builder.createOrFold<arith::MulIOp>(loc, whole, step));
  }
  return {low, high};
}

void NestWriter::writeLoop(const NestLoop &loop) {
  SmallVector<SmallVector<IndexVar>> axes;
  SmallVector<Value> values;
  for (const CarriedTile &carried : loop.carried) {
    SmallVector<IndexVar> &own = axes.emplace_back();
    for (const IndexVar &var : kernel.tiles[carried.inside].axes)
      if (isAxis(var))
        own.push_back(var);
    values.push_back(carried.from ? align(tiles[*carried.from], own).value
                                  : splat(carried.initial, own));
  }
  size_t numBases = bases.size();
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<scf::ForOp> loops;
  for (const IndexVar &var : loop.vars) {
    // All rounds one behind the other are no loop.
    bool isRolledOut = loop.roundsAtOnce > 1 && var.size.isNumber() &&
                       var.size.getNumber() == loop.roundsAtOnce;
    if (isRolledOut) {
      bases.push_back({var, index(0)});
      continue;
    }
    auto [low, high] = writeRange(loop, var);
    if (hasOneRound(loop, var)) {
      bases.push_back({var, low});
      continue;
    }
    auto op =
        scf::ForOp::create(builder, loc, low, high,
                           index(windowOf(var) * loop.roundsAtOnce), values);
    values.assign(op.getRegionIterArgs().begin(), op.getRegionIterArgs().end());
    bases.push_back({var, op.getInductionVar()});
    loops.push_back(op);
    builder.setInsertionPointToStart(op.getBody());
    // Without results the loop was given an end already.
    if (!op.getBody()->empty())
      builder.setInsertionPoint(op.getBody()->getTerminator());
  }
  Value first = bases.back().second;
  SmallVector<Value> next(values);
  for (int64_t round = 0; round < loop.roundsAtOnce; ++round) {
    if (round > 0)
      bases.back().second =
          builder.createOrFold<arith::AddIOp>(loc, first, index(round));
    for (auto [carried, value, own] : llvm::zip(loop.carried, next, axes))
      tiles[carried.inside] = {value, own};
    write(loop.body);
    next.clear();
    for (auto [carried, own] : llvm::zip(loop.carried, axes))
      next.push_back(align(tiles[carried.next], own).value);
  }
  for (scf::ForOp op : llvm::reverse(loops)) {
    builder.setInsertionPointToEnd(op.getBody());
    if (!op.getBody()->mightHaveTerminator())
      scf::YieldOp::create(builder, loc, next);
    next.assign(op.getResults().begin(), op.getResults().end());
  }
  bases.resize(numBases);
  for (auto [carried, value, own] : llvm::zip(loop.carried, next, axes))
    tiles[carried.result] = {value, own};
}
