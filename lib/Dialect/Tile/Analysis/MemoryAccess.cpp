//===- MemoryAccess.cpp - how a tile lies in memory -----------------------===//
//
// Divisibility of indices, strides, and the width of vectors.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Tile/Analysis/MemoryAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace fuse::tile;

static int64_t capped(int64_t divisor) {
  if (divisor == 0)
    return maxDivisor;
  return std::min(std::abs(divisor), maxDivisor);
}

static int64_t gcdOf(int64_t a, int64_t b) {
  // What stands for 0 may be no multiple of the other.
  if (a == maxDivisor || b == maxDivisor)
    return std::min(a, b);
  return std::gcd(a, b);
}

static int64_t product(int64_t a, int64_t b) {
  return a > maxDivisor / b ? maxDivisor : a * b;
}

static PromiseAttr promiseOf(Value memory) {
  return cast<KernelOp>(memory.getParentBlock()->getParentOp())
      .promiseOf(memory);
}

static int64_t sizeDivisorOf(TypedValue<MemRefType> memory, unsigned dim) {
  if (!memory.getType().isDynamicDim(dim))
    return capped(memory.getType().getDimSize(dim));
  ArrayRef<int64_t> multiples = promiseOf(memory).getMultiples();
  return multiples.empty() ? 1 : multiples[dim];
}

int64_t fuse::tile::divisorOf(Value index) {
  APInt number;
  if (matchPattern(index, m_ConstantInt(&number)))
    return capped(number.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument == loop.getInductionVar())
      return gcdOf(divisorOf(loop.getLowerBound()), divisorOf(loop.getStep()));
    return 1;
  }
  Operation *op = index.getDefiningOp();
  auto both = [&] {
    return gcdOf(divisorOf(op->getOperand(0)), divisorOf(op->getOperand(1)));
  };
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp,
          arith::MinUIOp, arith::MaxUIOp>(op))
    return both();
  if (isa<arith::MulIOp>(op))
    return product(divisorOf(op->getOperand(0)), divisorOf(op->getOperand(1)));
  if (auto size = dyn_cast<memref::DimOp>(op)) {
    auto memory = cast<TypedValue<MemRefType>>(size.getSource());
    std::optional<int64_t> dim = size.getConstantIndex();
    return dim ? sizeDivisorOf(memory, *dim) : 1;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return gcdOf(divisorOf(select.getTrueValue()),
                 divisorOf(select.getFalseValue()));
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return divisorOf(op->getOperand(0));
  if (isa<arith::RemUIOp, arith::RemSIOp>(op))
    return both();
  return 1;
}

/// How deep expressions of positions are looked into.
static constexpr unsigned kDepth = 8;
static int64_t mostOf(Value index, unsigned depth);

static int64_t leastOf(Value index, unsigned depth) {
  constexpr int64_t unknown = std::numeric_limits<int64_t>::min();
  constexpr int64_t large = int64_t(1) << 31;
  APInt number;
  if (matchPattern(index, m_ConstantInt(&number)))
    return number.getSExtValue();
  if (depth == 0)
    return unknown;
  if (auto loop = scf::getForInductionVarOwner(index))
    return leastOf(loop.getLowerBound(), depth - 1);
  Operation *op = index.getDefiningOp();
  if (isa_and_nonnull<arith::RemUIOp>(op))
    return 0;
  if (isa_and_nonnull<arith::MaxSIOp, arith::AddIOp, arith::MulIOp>(op)) {
    int64_t a = leastOf(op->getOperand(0), depth - 1),
            c = leastOf(op->getOperand(1), depth - 1);
    if (isa<arith::MaxSIOp>(op))
      return std::max(a, c);
    // Sums and products of what is not negative, and no more than that: so that
    // nothing wraps around either.
    bool isSmall = mostOf(op->getOperand(0), depth - 1) < large &&
                   mostOf(op->getOperand(1), depth - 1) < large;
    if (a < 0 || c < 0 || !isSmall)
      return unknown;
    return isa<arith::AddIOp>(op) ? a + c : a * c;
  }
  return unknown;
}

static int64_t mostOf(Value index, unsigned depth) {
  constexpr int64_t unknown = std::numeric_limits<int64_t>::max();
  APInt number;
  if (matchPattern(index, m_ConstantInt(&number)))
    return number.getSExtValue();
  if (depth == 0)
    return unknown;
  Operation *op = index.getDefiningOp();
  if (auto rest = dyn_cast_or_null<arith::RemUIOp>(op))
    if (matchPattern(rest.getRhs(), m_ConstantInt(&number)) &&
        number.isStrictlyPositive())
      return number.getSExtValue() - 1;
  if (auto least = dyn_cast_or_null<arith::MinSIOp>(op))
    return std::min(mostOf(least.getLhs(), depth - 1),
                    mostOf(least.getRhs(), depth - 1));
  if (auto most = dyn_cast_or_null<arith::MaxSIOp>(op))
    return std::max(mostOf(most.getLhs(), depth - 1),
                    mostOf(most.getRhs(), depth - 1));
  // Beyond this nothing is known, and nothing overflows below.
  constexpr int64_t large = int64_t(1) << 31;
  auto known = [&](Value operand) -> std::optional<int64_t> {
    int64_t most = mostOf(operand, depth - 1);
    return most < large && most > -large ? std::optional(most) : std::nullopt;
  };
  if (auto loop = scf::getForInductionVarOwner(index)) {
    std::optional<int64_t> end = known(loop.getUpperBound());
    return end ? *end - 1 : unknown;
  }
  if (auto sum = dyn_cast_or_null<arith::AddIOp>(op)) {
    auto a = known(sum.getLhs()), c = known(sum.getRhs());
    return a && c ? *a + *c : unknown;
  }
  if (isa_and_nonnull<arith::MulIOp, arith::DivUIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&number)) &&
      number.isStrictlyPositive() && number.slt(large)) {
    auto a = known(op->getOperand(0));
    bool isProduct = isa<arith::MulIOp>(op);
    if (!a || *a < 0 ||
        (!isProduct && leastOf(op->getOperand(0), depth - 1) < 0))
      return unknown;
    return isProduct ? *a * number.getSExtValue() : *a / number.getSExtValue();
  }
  if (auto difference = dyn_cast_or_null<arith::SubIOp>(op)) {
    // What a loop counts from 0 on only makes it less.
    scf::ForOp loop = scf::getForInductionVarOwner(difference.getRhs());
    if (loop && matchPattern(loop.getLowerBound(), m_ConstantInt(&number)) &&
        number.isNonNegative())
      return mostOf(difference.getLhs(), depth - 1);
  }
  return unknown;
}

int64_t fuse::tile::leastOf(Value index) { return ::leastOf(index, kDepth); }

int64_t fuse::tile::mostOf(Value index) { return ::mostOf(index, kDepth); }

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The largest power of two that divides a number; 0 for 0.
static uint64_t powerIn(uint64_t number) { return number & (~number + 1); }

/// Of two powers of two, or 0, which all of them divide.
static uint64_t smaller(uint64_t a, uint64_t b) {
  return a == 0 || b == 0 ? a | b : std::min(a, b);
}

void ElementSum::add(Value index, uint64_t factor) {
  Operation *op = index.getDefiningOp();
  APInt number;
  if (matchPattern(index, m_ConstantInt(&number))) {
    constant += factor * static_cast<uint64_t>(number.getSExtValue());
  } else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    add(op->getOperand(0), factor);
    add(op->getOperand(1), isa<arith::AddIOp>(op) ? factor : ~factor + 1);
  } else if (isa_and_nonnull<arith::MulIOp>(op) &&
             matchPattern(op->getOperand(1), m_ConstantInt(&number))) {
    add(op->getOperand(0),
        factor * static_cast<uint64_t>(number.getSExtValue()));
  } else if (isa_and_nonnull<arith::RemUIOp>(op) &&
             matchPattern(op->getOperand(1), m_ConstantInt(&number)) &&
             number.isPowerOf2()) {
    multiple = smaller(multiple, powerIn(factor * number.getZExtValue()));
    add(op->getOperand(0), factor);
  } else {
    terms[index] += factor;
  }
}

ElementSum ElementSum::modulo(uint64_t power) const {
  ElementSum rest;
  for (auto [value, factor] : terms)
    if (factor * static_cast<uint64_t>(divisorOf(value)) % power != 0)
      rest.terms[value] = factor % power;
  rest.constant = constant % power;
  rest.multiple = power;
  return rest;
}

uint64_t ElementSum::power() const {
  uint64_t all = smaller(multiple, powerIn(constant));
  for (auto [value, factor] : terms)
    all =
        smaller(all, powerIn(factor * static_cast<uint64_t>(divisorOf(value))));
  return all;
}

bool ElementSum::operator==(const ElementSum &other) const {
  return constant == other.constant && multiple == other.multiple &&
         terms.size() == other.terms.size() &&
         llvm::all_of(terms, [&](const auto &term) {
           auto it = other.terms.find(term.first);
           return it != other.terms.end() && it->second == term.second;
         });
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

unsigned fuse::tile::elementBytes(Type element) {
  return element.isIndex()
             ? 8
             : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

bool fuse::tile::isConstantAlong(Value tile, unsigned axis) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return false;
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    ArrayRef<int64_t> dims = broadcast.getDims();
    const int64_t *at = llvm::find(dims, static_cast<int64_t>(axis));
    return at == dims.end() ||
           isConstantAlong(broadcast.getSource(), at - dims.begin());
  }
  if (auto iota = dyn_cast<IotaOp>(op))
    return iota.getCoefficients()[axis] == 0;
  if (auto load = dyn_cast<LoadOp>(op)) {
    MemoryAccess access = MemoryAccess::of(load);
    for (unsigned dim = 0, rank = access.indices.size(); dim < rank; ++dim)
      if (access.coefficient(dim, axis) != 0)
        return false;
    return !llvm::is_contained(access.axes, static_cast<int64_t>(axis));
  }
  DenseElementsAttr elements;
  if (matchPattern(op, m_Constant(&elements)))
    return elements.isSplat();
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isa<RankedTensorType>(operand.getType()) ||
                  isConstantAlong(operand, axis);
         });
}

template <typename Op> static ValueRange startsOf(Op op) {
  if constexpr (std::is_same_v<Op, LoadOp> || std::is_same_v<Op, StoreOp>)
    return op.getStarts();
  return {};
}

template <typename Op>
static MemoryAccess accessOf(Op op, RankedTensorType tile, bool isGuarded,
                             ArrayRef<int64_t> gathered,
                             bool isDisjoint = false) {
  return {op,           op.getMemory(), op.getIndices(), op.getAxisMap(),
          startsOf(op), op.getLimits(), op.getAxes(),    tile,
          isGuarded,    gathered,       isDisjoint};
}

MemoryAccess MemoryAccess::of(LoadOp op) {
  return accessOf(op, op.getResult().getType(), op.getGuarded(), {},
                  op.getDisjoint());
}

MemoryAccess MemoryAccess::of(GatherOp op) {
  return accessOf(op, op.getResult().getType(), /*isGuarded=*/true,
                  op.getDims());
}

MemoryAccess MemoryAccess::of(StoreOp op) {
  return accessOf(op, op.getSource().getType(), /*isGuarded=*/false, {});
}

MemoryAccess MemoryAccess::of(CopyOp op) {
  return accessOf(op, op.getTile(), op.getGuarded(), {}, op.getDisjoint());
}

MemoryAccess MemoryAccess::of(Operation *op) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return of(copy);
  if (auto load = dyn_cast<LoadOp>(op))
    return of(load);
  if (auto gather = dyn_cast<GatherOp>(op))
    return of(gather);
  return of(cast<StoreOp>(op));
}

int64_t MemoryAccess::coefficient(unsigned dim, unsigned axis) const {
  // Linear, and 0 where no axis is: the difference to the origin.
  SmallVector<Attribute> unit;
  Builder b(map.getContext());
  for (unsigned i = 0; i < map.getNumDims(); ++i)
    unit.push_back(b.getIndexAttr(i == axis));
  SmallVector<Attribute> result;
  (void)map.getSubMap({dim}).constantFold(unit, result);
  return cast<IntegerAttr>(result.front()).getInt();
}

int64_t MemoryAccess::alignment() const {
  return promiseOf(memory).getAlignment();
}

int64_t MemoryAccess::sizeDivisor(unsigned dim) const {
  return sizeDivisorOf(memory, dim);
}

std::optional<int64_t> MemoryAccess::stride(unsigned dim) const {
  if (std::optional<ArrayRef<int64_t>> strides = stridesOf(memory.getType())) {
    if (ShapedType::isDynamic((*strides)[dim]))
      return std::nullopt;
    return (*strides)[dim];
  }
  int64_t product = 1;
  for (int64_t size : memory.getType().getShape().drop_front(dim + 1)) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    product *= size;
  }
  return product;
}

int64_t MemoryAccess::strideDivisor(unsigned dim) const {
  if (std::optional<int64_t> known = stride(dim))
    return capped(*known);
  unsigned rank = indices.size();
  if (stridesOf(memory.getType())) {
    int64_t bytes = elementBytes(tile.getElementType());
    return dim + 1 == rank ? 1 : std::max<int64_t>(1, alignment() / bytes);
  }
  int64_t divisor = 1;
  for (unsigned inner = dim + 1; inner < rank; ++inner)
    divisor = product(divisor, sizeDivisor(inner));
  return divisor;
}

int64_t MemoryAccess::stepDivisor(unsigned axis) const {
  int64_t divisor = maxDivisor;
  for (unsigned dim = 0, rank = map.getNumResults(); dim < rank; ++dim)
    if (int64_t factor = coefficient(dim, axis); factor != 0)
      divisor = gcdOf(divisor, product(capped(factor), strideDivisor(dim)));
  return divisor;
}

std::optional<int64_t> MemoryAccess::step(unsigned axis) const {
  int64_t sum = 0;
  for (unsigned dim = 0, rank = map.getNumResults(); dim < rank; ++dim) {
    int64_t factor = coefficient(dim, axis);
    if (factor == 0)
      continue;
    std::optional<int64_t> distance = stride(dim);
    if (!distance)
      return std::nullopt;
    sum += factor * *distance;
  }
  return sum;
}

std::optional<unsigned> MemoryAccess::fastAxis() const {
  if (map.getNumResults() == 0 ||
      llvm::is_contained(gathered, map.getNumResults() - 1))
    return std::nullopt;
  for (unsigned axis = 0, rank = tile.getRank(); axis < rank; ++axis)
    if (tile.getDimSize(axis) != 1 && step(axis) == 1)
      return axis;
  return std::nullopt;
}

SmallVector<unsigned> MemoryAccess::order() const {
  auto key = [&](unsigned axis) {
    std::optional<int64_t> distance = step(axis);
    // What repeats the tile last, and before it what nobody knows.
    if (!distance)
      return std::numeric_limits<int64_t>::max() - 1;
    return *distance == 0 ? std::numeric_limits<int64_t>::max()
                          : std::abs(*distance);
  };
  auto axes = llvm::to_vector(llvm::seq<unsigned>(tile.getRank()));
  // Of equal ones the last, which is the inner one in most tiles.
  llvm::sort(axes, [&](unsigned a, unsigned c) {
    return std::pair(key(a), c) < std::pair(key(c), a);
  });
  return axes;
}

std::optional<ElementSum> MemoryAccess::origin() const {
  ElementSum sum;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    std::optional<int64_t> distance = stride(dim);
    if (!distance)
      return std::nullopt;
    sum.add(index, static_cast<uint64_t>(*distance));
  }
  return sum;
}

int64_t MemoryAccess::vectorWidth() const {
  int64_t width = alignedWidth();
  std::optional<unsigned> fast = fastAxis();
  for (ValueRange edges : {starts, limits})
    for (auto [edge, axis] : llvm::zip_first(edges, axes))
      if (axis == fast)
        width = gcdOf(width, divisorOf(edge));
  return int64_t(1) << llvm::countr_zero(static_cast<uint64_t>(width));
}

bool MemoryAccess::isPlain() const {
  // What is behind rows that are apart, only who made them knows.
  return isa<LoadOp, StoreOp>(op) && !isGuarded &&
         (!stridesOf(memory.getType()) || hasGapsOfItsOwn(memory.getType()));
}

int64_t MemoryAccess::copyWidth() const {
  return !isGuarded && starts.empty() && hasGapsOfItsOwn(memory.getType())
             ? alignedWidth()
             : vectorWidth();
}

bool MemoryAccess::isOneRow() const {
  std::optional<unsigned> fast = fastAxis();
  return isPlain() && fast && tile.getDimSize(*fast) == tile.getNumElements();
}

int64_t MemoryAccess::raggedWidth(int64_t most) const {
  int64_t whole = std::min(vectorWidth(), most);
  if (!isPlain())
    return whole;
  // They are read in words, and the end of the memory is looked for in one row.
  constexpr int64_t leastBytes = 4;
  int64_t width = std::min(alignedWidth(), most);
  bool hasWords = width * elementBytes(tile.getElementType()) >= leastBytes;
  std::optional<int64_t> rest = restOf(width);
  return hasWords && rest && (*rest == 0 || isOneRow()) ? width : whole;
}

std::optional<int64_t> MemoryAccess::restOf(int64_t width) const {
  if (hasGapsOfItsOwn(memory.getType()))
    return rowsOfItsOwn(memory.getType()) % width == 0 ? std::optional(0)
                                                       : std::nullopt;
  int64_t twos = 0;
  for (unsigned dim = 0, rank = indices.size(); dim < rank; ++dim)
    twos += llvm::countr_zero(static_cast<uint64_t>(sizeDivisor(dim)));
  if (int64_t(1) << std::min<int64_t>(twos, 62) >= width)
    return 0;
  if (!memory.getType().hasStaticShape())
    return std::nullopt;
  return memory.getType().getNumElements() % width;
}

/// Of vectors that need not be inside or outside as a whole.
int64_t MemoryAccess::alignedWidth() const {
  std::optional<unsigned> fast = fastAxis();
  if (!fast)
    return 1;
  if (auto gather = dyn_cast<GatherOp>(op))
    for (Value positions : gather.getPositions())
      if (!isConstantAlong(positions, *fast))
        return 1;
  int64_t bytes = elementBytes(tile.getElementType());
  // Everything that an address is made of has to be a multiple of the width.
  constexpr int64_t widest = 16;
  int64_t divisor = std::max<int64_t>(1, std::min(alignment(), widest) / bytes);
  auto require = [&](int64_t other) {
    divisor = gcdOf(divisor, capped(other));
  };
  require(tile.getDimSize(*fast));
  std::optional<ElementSum> first = gathered.empty() ? origin() : std::nullopt;
  if (first) {
    uint64_t power = first->power();
    require(power == 0 ? 0 : std::min<uint64_t>(power, maxDivisor));
  }
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (first)
      break;
    bool isGathered = llvm::is_contained(gathered, static_cast<int64_t>(dim));
    int64_t known = isGathered ? 1 : divisorOf(index);
    require(product(known, strideDivisor(dim)));
  }
  for (unsigned axis = 0, rank = tile.getRank(); axis < rank; ++axis)
    if (axis != *fast && tile.getDimSize(axis) != 1)
      require(stepDivisor(axis));
  if (isGuarded) {
    // A vector must not begin inside of a row and end outside, nor cross it.
    unsigned last = map.getNumResults() - 1;
    require(sizeDivisor(last));
    require(divisorOf(indices.back()));
    for (unsigned axis = 0, rank = tile.getRank(); axis < rank; ++axis)
      if (axis != *fast && tile.getDimSize(axis) != 1)
        require(coefficient(last, axis));
    for (unsigned dim = 0; dim < last; ++dim)
      if (coefficient(dim, *fast) != 0)
        return 1;
  }
  return int64_t(1) << llvm::countr_zero(static_cast<uint64_t>(divisor));
}

int64_t MemoryAccess::cutWidth() const {
  constexpr int64_t chunkBytes = 16;
  std::optional<unsigned> fast = fastAxis();
  int64_t bytes = elementBytes(tile.getElementType());
  if (!isa<LoadOp>(op) || !fast || isGuarded || !starts.empty() ||
      bytes >= chunkBytes || alignment() < chunkBytes ||
      stridesOf(memory.getType()))
    return 0;
  int64_t width = chunkBytes / bytes;
  if (tile.getDimSize(*fast) % width != 0)
    return 0;
  // The memory is one row of whole chunks.
  return restOf(width) == 0 ? width : 0;
}

int64_t fuse::tile::asyncWidth(const MemoryAccess &access,
                               const Layout &threads,
                               const SharedLayout &shared) {
  constexpr int64_t leastBytes = 4, mostBytes = 16;
  std::optional<unsigned> fast = access.fastAxis();
  Type element = access.tile.getElementType();
  if (!fast || element.isInteger(1))
    return 0;
  unsigned bytes = elementBytes(element);
  int64_t width = std::min<int64_t>(
      {access.copyWidth(), threads.contiguity(*fast), mostBytes / bytes});
  // What follows each other in memory has to do so in shared memory.
  auto isWhole = [](const VectorAccess &vector) {
    return llvm::all_of(llvm::enumerate(vector.registers), [&](auto at) {
      return at.value() == vector.registers.front() + at.index();
    });
  };
  for (; width * bytes >= leastBytes; width /= 2)
    if (auto vectors = vectorAccesses(threads, shared, width);
        vectors && llvm::all_of(*vectors, isWhole))
      return width;
  return 0;
}
