//===- CascadeNumericsTest.cpp - cascades on numbers ----------------------===//
//
// Runs loops block by block, as a kernel would, on random data and with blocks
// of random sizes, and compares with the reductions done one after the other.
// This finds wrong algebra, whatever its text looks like.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "GraphTest.h"
#include "fuse/Analysis/Cascade.h"
#include "fuse/Analysis/Separation.h"
#include <cmath>

using namespace mlir;
using namespace fuse;

namespace {

/// What reductions are, by a table that outlives it.
auto valuesOf(const LoopPath::Table &table) {
  return [&table](const Element *reduction) { return table.lookup(reduction); };
}

/// A loop that carries accumulators, and the statistics on their path.
class Loop {
public:
  Loop(const Algebra &algebra, ArrayRef<const Element *> reductions,
       CascadeOptions options, bool isPilot)
      : algebra(algebra), vars(reductions.front()->boundVars()) {
    options.freezesMeans = isPilot;
    for (const Element *reduction : reductions) {
      bool needs = llvm::any_of(members, [&](const Element *other) {
        return containsAny(reduction, other);
      });
      if (!needs) {
        insert(Accumulator::plain(reduction));
        members.push_back(reduction);
        continue;
      }
      OrRefusal<Cascade> cascade =
          deriveCascade(algebra, reduction, members, cascaded, options);
      if (!cascade) {
        refusal = cascade.reason();
        return;
      }
      for (const Accumulator &accumulator : cascade->accumulators)
        insert(accumulator);
      for (const Element *statistic : cascade->moving())
        if (!llvm::is_contained(moving, statistic))
          moving.push_back(statistic);
      members.push_back(reduction);
      cascaded.push_back(reduction);
      cascades.push_back(*cascade);
    }
    // What others are around comes first.
    SmallVector<Accumulator> ordered;
    for (bool isPlain : {true, false})
      for (const Accumulator &accumulator : accumulators)
        if (accumulator.isPlain() == isPlain)
          ordered.push_back(accumulator);
    accumulators = std::move(ordered);
    if (isPilot)
      pilots = findPilots(algebra, accumulators, moving);
  }

  /// Runs it, and leaves the values of all members in the evaluator.
  void run(Evaluator &evaluator, ArrayRef<std::vector<Evaluator::Point>> blocks,
           const Evaluator::Point &at) {
    LoopPath::Table oldSlots = makeSlots(), newSlots = makeSlots(), frozen;
    for (const Element *sum : pilots)
      frozen[sum] = slotLike(sum);
    LoopPath before(algebra, oldSlots, moving, vars, frozen),
        after(algebra, newSlots, moving, vars, frozen);
    for (const Accumulator &accumulator : accumulators)
      evaluator.known[oldSlots[accumulator.reduction]] =
          Evaluator::identityOf(combineOf(accumulator.reduction));

    bool isFirst = true;
    for (const auto &block : blocks) {
      for (const Accumulator &accumulator : accumulators) {
        if (!accumulator.isPlain() && isFirst)
          freeze(evaluator, newSlots, frozen, at);
        if (!accumulator.isPlain())
          isFirst = false;
        const Element *reduction = accumulator.reduction;
        const Element *body = after.at(algebra.bodyOf(reduction));
        const Element *moved = correct(
            algebra, accumulator, valuesOf(oldSlots),
            [&](const Element *e) { return before.at(e); },
            [&](const Element *e) { return after.at(e); });
        evaluator.known[newSlots[reduction]] = evaluator.reduceOver(
            reduction, body, block, evaluator.evaluate(moved, at), at);
      }
      for (const Accumulator &accumulator : accumulators)
        evaluator.known[oldSlots[accumulator.reduction]] =
            evaluator.known.lookup(newSlots[accumulator.reduction]);
    }
    finish(evaluator, oldSlots, before, at);
  }

  std::string refusal;
  SmallVector<Cascade> cascades;
  SmallVector<Accumulator> accumulators;
  SmallVector<const Element *> members, cascaded, moving, pilots;

private:
  void insert(const Accumulator &accumulator) {
    if (llvm::none_of(accumulators, [&](const Accumulator &known) {
          return known.reduction == accumulator.reduction;
        }))
      accumulators.push_back(accumulator);
  }

  const Element *slotLike(const Element *reduction) {
    return algebra.getContext().slot(reduction->type(), reduction->freeVars());
  }

  LoopPath::Table makeSlots() {
    LoopPath::Table slots;
    for (const Accumulator &accumulator : accumulators)
      slots[accumulator.reduction] = slotLike(accumulator.reduction);
    return slots;
  }

  /// The means of the first block.
  void freeze(Evaluator &evaluator, const LoopPath::Table &slots,
              const LoopPath::Table &frozen, const Evaluator::Point &at) {
    for (auto [sum, pilot] : frozen) {
      const Element *count = countNeededBy(algebra, moving, vars);
      const Element *mean = algebra.div(
          slots.lookup(sum),
          algebra.max(slots.lookup(count), algebra.one(count->type())));
      evaluator.known[pilot] = evaluator.evaluate(mean, at);
    }
  }

  /// From the path's end to the true statistics, then what was deferred.
  void finish(Evaluator &evaluator, const LoopPath::Table &slots,
              const LoopPath &end, const Evaluator::Point &at) {
    LoopPath::Table statistics;
    for (const Accumulator &accumulator : accumulators)
      if (accumulator.isPlain())
        statistics[accumulator.reduction] = slots.lookup(accumulator.reduction);
    llvm::DenseMap<const Element *, double> values;
    for (const Accumulator &accumulator : accumulators)
      values[accumulator.reduction] =
          evaluator.evaluate(correct(
                                 algebra, accumulator, valuesOf(slots),
                                 [&](const Element *e) { return end.at(e); },
                                 [&](const Element *e) {
                                   return algebra.substitute(e, statistics);
                                 }),
                             at);
    for (auto [reduction, value] : values)
      evaluator.known[reduction] = value;
    for (const Cascade &cascade : cascades)
      evaluator.known[cascade.reduction] =
          evaluator.evaluate(cascade.result, at);
  }

  const Algebra &algebra;
  VarSet vars;
};

class CascadeNumericsTest : public GraphTest {
protected:
  /// Cuts the loop's values into blocks, some of which may be empty.
  std::vector<std::vector<Evaluator::Point>> cut(ArrayRef<IndexVar> vars) {
    std::vector<Evaluator::Point> points = Evaluator::pointsOf(vars);
    std::vector<std::vector<Evaluator::Point>> blocks;
    size_t begin = 0;
    while (begin < points.size()) {
      size_t size = random() % 5 + (blocks.empty() ? 1 : 0);
      size_t end = std::min(points.size(), begin + size);
      blocks.emplace_back(points.begin() + begin, points.begin() + end);
      begin = end;
    }
    return blocks;
  }

  /// Compares the loop of `element`'s outermost reduction with the reductions
  /// themselves.
  void check(const Element *element, const CascadeOptions &options = {},
             bool isPilot = false) {
    SmallVector<const Element *> reductions = loopOf(element);
    Loop loop(algebra, reductions, options, isPilot);
    ASSERT_EQ(loop.refusal, "");
    ASSERT_FALSE(loop.cascades.empty());
    if (isPilot)
      ASSERT_FALSE(loop.pilots.empty());
    for (unsigned seed = 0; seed < 12; ++seed) {
      Evaluator expected(seed), actual(seed);
      Evaluator::Point at;
      for (const IndexVar &var : reductions.back()->freeVars())
        at[var] = random() % var.size.getNumber();
      SmallVector<double> wanted;
      for (const Element *reduction : reductions)
        wanted.push_back(expected.evaluate(reduction, at));
      // The same data, whatever the order in which they are asked for.
      actual = expected;
      loop.run(actual, cut(reductions.front()->boundVars()), at);
      for (auto [reduction, number] : llvm::zip(reductions, wanted)) {
        double got = actual.known.lookup(reduction);
        if (std::isnan(number))
          EXPECT_TRUE(std::isnan(got));
        else if (got != number) // Infinities are equal and have no distance.
          EXPECT_NEAR(got, number, 1e-9 * (1 + std::abs(number)))
              << seed << "\n"
              << text(reduction);
      }
    }
  }

  static std::string text(const Element *element) {
    std::string result;
    llvm::raw_string_ostream os(result);
    os << *element;
    return result;
  }

  std::mt19937 random{7};
};

} // namespace

TEST_F(CascadeNumericsTest, Softmax) {
  check(demand(R"(
    func.func @f(%x: tensor<3x17xf32>, %v: tensor<17x5xf32>) -> tensor<3x5xf32> {
      %p = fuse.softmax %x dim 1 : tensor<3x17xf32>
      %o = fuse.matmul %p, %v : tensor<3x17xf32>, tensor<17x5xf32> -> tensor<3x5xf32>
      return %o : tensor<3x5xf32>
    })"));
}

TEST_F(CascadeNumericsTest, SquareAttentionWithMask) {
  check(demand(R"(
    func.func @f(%q: tensor<9x9xf32>, %k: tensor<9x9xf32>, %v: tensor<9x9xf32>) -> tensor<9x9xf32> {
      %kt = fuse.transpose %k [1, 0] : tensor<9x9xf32>
      %s = fuse.matmul %q, %kt : tensor<9x9xf32>, tensor<9x9xf32> -> tensor<9x9xf32>
      %i = fuse.iota dim 0 : tensor<9x9xi32>
      %j = fuse.iota dim 1 : tensor<9x9xi32>
      %keep = arith.cmpi slt, %j, %i : tensor<9x9xi32>
      %never = arith.constant dense<0xFF800000> : tensor<9x9xf32>
      %m = arith.select %keep, %s, %never : tensor<9x9xi1>, tensor<9x9xf32>
      %p = fuse.softmax %m dim 1 : tensor<9x9xf32>
      %o = fuse.matmul %p, %v : tensor<9x9xf32>, tensor<9x9xf32> -> tensor<9x9xf32>
      return %o : tensor<9x9xf32>
    })"));
}

TEST_F(CascadeNumericsTest, SoftmaxWithBaseTwoAndTemperature) {
  // The temperature is data, and multiplies what moves.
  check(demand(R"(
    func.func @f(%x: tensor<3x17xf32>, %t: tensor<f32>) -> tensor<3xf32> {
      %wide = fuse.broadcast %t dims [] : tensor<f32> -> tensor<3x17xf32>
      %square = arith.mulf %wide, %wide : tensor<3x17xf32>
      %m = fuse.reduce min %x dims [1] : tensor<3x17xf32>
      %b = fuse.broadcast %m dims [0] : tensor<3xf32> -> tensor<3x17xf32>
      %d = arith.subf %b, %x : tensor<3x17xf32>
      %e = math.exp2 %d : tensor<3x17xf32>
      %s = arith.mulf %e, %square : tensor<3x17xf32>
      %o = fuse.reduce sum %s dims [1] : tensor<3x17xf32>
      return %o : tensor<3xf32>
    })"));
}

static const char *const kLayerNormLinear = R"(
  func.func @f(%x: tensor<3x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %w: tensor<16x5xbf16>) -> tensor<3x5xf32> {
    %n = fuse.layer_norm %x scale %g shift %b eps 1.0e-2 : tensor<3x16xf32>, tensor<16xf32>, tensor<16xf32>
    %h = arith.truncf %n : tensor<3x16xf32> to tensor<3x16xbf16>
    %o = fuse.matmul %h, %w : tensor<3x16xbf16>, tensor<16x5xbf16> -> tensor<3x5xf32>
    return %o : tensor<3x5xf32>
  })";

TEST_F(CascadeNumericsTest, LayerNormLinear) {
  check(demand(kLayerNormLinear));
}

TEST_F(CascadeNumericsTest, LayerNormLinearWithPilot) {
  check(demand(kLayerNormLinear), {}, /*isPilot=*/true);
}

TEST_F(CascadeNumericsTest, LayerNormLinearDeferred) {
  CascadeOptions options;
  options.allowDeferShift = true;
  check(demand(kLayerNormLinear), options);
}

TEST_F(CascadeNumericsTest, OverTwoVariables) {
  // The dimension that a collapse made is run over by two variables.
  check(demand(R"(
    func.func @f(%x: tensor<2x3x5xf32>, %w: tensor<15x4xf32>) -> tensor<2x4xf32> {
      %y = fuse.collapse %x dims [1, 2] : tensor<2x3x5xf32>
      %m = fuse.reduce mean %y dims [1] : tensor<2x15xf32>
      %b = fuse.broadcast %m dims [0] : tensor<2xf32> -> tensor<2x15xf32>
      %d = arith.subf %y, %b : tensor<2x15xf32>
      %o = fuse.matmul %d, %w : tensor<2x15xf32>, tensor<15x4xf32> -> tensor<2x4xf32>
      return %o : tensor<2x4xf32>
    })"));
}

TEST_F(CascadeNumericsTest, ThirdAndFourthMoments) {
  for (const char *body :
       {"%p = arith.mulf %s, %d : tensor<3x16xf32>",
        "%p = arith.mulf %s, %s : tensor<3x16xf32>",
        // A power of the mean alone has derivatives that do not vary.
        "%u = arith.mulf %b, %b : tensor<3x16xf32>\n"
        "%t = arith.mulf %u, %b : tensor<3x16xf32>\n"
        "%q = arith.mulf %x, %b : tensor<3x16xf32>\n"
        "%p = arith.addf %q, %t : tensor<3x16xf32>"})
    check(demand(std::string(R"(
      func.func @f(%x: tensor<3x16xf32>) -> tensor<3xf32> {
        %m = fuse.reduce mean %x dims [1] : tensor<3x16xf32>
        %b = fuse.broadcast %m dims [0] : tensor<3xf32> -> tensor<3x16xf32>
        %d = arith.subf %x, %b : tensor<3x16xf32>
        %s = arith.mulf %d, %d : tensor<3x16xf32>
        )") + body +
                 R"(
        %o = fuse.reduce sum %p dims [1] : tensor<3x16xf32>
        return %o : tensor<3xf32>
      })"));
}

//===----------------------------------------------------------------------===//
// Random bodies
//===----------------------------------------------------------------------===//

namespace {

/// Grows expressions of x[j], y[j], of a maximum, a sum and a mean over j.
class RandomBodies : public CascadeNumericsTest {
protected:
  void SetUp() override {
    const Element *sum = demand(R"(
      func.func @f(%x: tensor<2x11xf32>, %y: tensor<11xf32>) -> tensor<2xf32> {
        %b = fuse.broadcast %y dims [1] : tensor<11xf32> -> tensor<2x11xf32>
        %d = arith.mulf %x, %b : tensor<2x11xf32>
        %o = fuse.reduce sum %d dims [1] : tensor<2x11xf32>
        return %o : tensor<2xf32>
      })");
    vars.assign(sum->boundVars().begin(), sum->boundVars().end());
    x = sum->operands()[0]->operands()[0];
    y = sum->operands()[0]->operands()[1];
    type = x->type();
    total = elements.reduce(CombineKind::Sum, vars, x);
    largest = elements.reduce(CombineKind::Max, vars, x);
    mean = algebra.div(total, algebra.sizeOf(vars, type));
  }

  const Element *leaf() {
    switch (random() % 6) {
    case 0:
      return y;
    case 1:
      return mean;
    case 2:
      return largest;
    case 3:
      return algebra.number(type, static_cast<int>(random() % 5) - 2);
    case 4:
      return elements.load(y->tensor(), {Index(AffineIndex{3, {}})});
    default:
      return x;
    }
  }

  const Element *grow(unsigned depth) {
    if (depth == 0)
      return leaf();
    const Element *a = grow(depth - 1), *b = grow(random() % depth);
    switch (random() % 10) {
    case 0:
      return algebra.mul(a, algebra.exp(algebra.sub(x, largest)));
    case 1:
      return algebra.add(a, b);
    case 2:
      return algebra.sub(a, b);
    case 3:
    case 4:
      return algebra.mul(a, b);
    case 5:
      return algebra.neg(a);
    case 6:
      return algebra.div(a, algebra.add(algebra.mul(b, b), algebra.one(type)));
    case 7:
      return algebra.exp(algebra.mul(a, algebra.number(type, 0.5)));
    default:
      return algebra.select(
          algebra.compare(arith::CmpIPredicate::slt, algebra.position(vars[0]),
                          algebra.number(IntegerType::get(&context, 64), 6)),
          a, b);
    }
  }

  Evaluator::Point somewhere() {
    Evaluator::Point at;
    for (const IndexVar &var : x->freeVars())
      at[var] = random() % var.size.getNumber();
    return at;
  }

  VarSet vars;
  Type type;
  const Element *x, *y, *total, *largest, *mean;
};

} // namespace

TEST_F(RandomBodies, SeparatedTermsSumToTheBody) {
  unsigned numSeparable = 0;
  SmallVector<const Element *> statistics = {total, largest};
  for (unsigned i = 0; i < 3000; ++i) {
    const Element *body = grow(1 + random() % 4);
    Separation separation(algebra, vars, statistics);
    std::optional<SmallVector<Term>> terms = separation.separate(body);
    if (!terms)
      continue;
    ++numSeparable;
    Evaluator evaluator(i);
    Evaluator::Point at = somewhere();
    double sum = 0, size = 1;
    for (const Term &term : *terms) {
      if (term.varying)
        EXPECT_FALSE(containsAny(term.varying, statistics));
      if (term.statistic)
        EXPECT_FALSE(variesWithAny(term.statistic, vars));
      double product =
          (term.varying ? evaluator.evaluate(term.varying, at) : 1) *
          (term.statistic ? evaluator.evaluate(term.statistic, at) : 1);
      sum += product;
      size += std::abs(product);
    }
    double wanted = evaluator.evaluate(body, at);
    if (std::isfinite(size))
      ASSERT_NEAR(sum, wanted, 1e-9 * size) << text(body);
  }
  // Not everything is separable, but the test should say something.
  EXPECT_GT(numSeparable, 1000u);
}

TEST_F(RandomBodies, CorrectedAccumulatorsAreRecomputedOnes) {
  std::map<StringRef, unsigned> numOf;
  for (unsigned i = 0; i < 8000; ++i) {
    const Element *body = grow(1 + random() % 4);
    const Element *sum = elements.reduce(CombineKind::Sum, vars, body);
    SmallVector<const Element *> reductions = loopOf(sum);
    if (reductions.size() < 2)
      continue;
    bool isPilot = i % 2 == 0;
    Loop loop(algebra, reductions, {}, isPilot);
    if (!loop.refusal.empty() || loop.moving.empty())
      continue;
    for (const Accumulator &accumulator : loop.accumulators)
      if (!accumulator.isPlain())
        ++numOf[isPilot && !loop.pilots.empty()
                    ? "pilot"
                    : StringRef(accumulator.correction->name)];
    Evaluator evaluator(i);
    Evaluator::Point at = somewhere();
    double wanted = evaluator.evaluate(sum, at);
    loop.run(evaluator, cut(vars), at);
    double got = evaluator.known.lookup(sum);
    if (std::abs(wanted) < 1e12)
      ASSERT_NEAR(got, wanted, 1e-7 * (1 + std::abs(wanted))) << text(sum);
  }
  for (StringRef name : {"exponential", "polynomial", "pilot"})
    EXPECT_GT(numOf[name], 50u) << name.str();
}
