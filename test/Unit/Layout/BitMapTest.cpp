//===- BitMapTest.cpp - linear maps over bits -----------------------------===//

#include "fuse/Layout/BitMap.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace fuse;

namespace {

std::set<Bits> sums(llvm::ArrayRef<Bits> vectors) {
  std::set<Bits> all;
  BitMap map(vectors);
  for (Bits argument = 0; argument != Bits(1) << vectors.size(); ++argument)
    all.insert(map(argument));
  return all;
}

BitVectors randomVectors(std::mt19937 &random) {
  BitVectors vectors(random() % 6);
  for (Bits &vector : vectors)
    vector = random() % 32;
  return vectors;
}

TEST(BitMap, SpansAgainstEnumeration) {
  std::mt19937 random(1);
  for (unsigned i = 0; i != 500; ++i) {
    BitVectors a = randomVectors(random), b = randomVectors(random);
    Span spanA(a), spanB(b);
    std::set<Bits> sumsA = sums(a), sumsB = sums(b);
    EXPECT_EQ(sumsA.size(), size_t(1) << spanA.rank());
    EXPECT_EQ(sums(spanA.basis()), sumsA);
    for (Bits vector = 0; vector != 32; ++vector)
      EXPECT_EQ(spanA.contains(vector), sumsA.count(vector) == 1);

    std::set<Bits> both;
    for (Bits vector : sumsA)
      if (sumsB.count(vector))
        both.insert(vector);
    EXPECT_EQ(sums(intersection(spanA, spanB)), both);

    BitVectors extended(spanA.basis());
    BitVectors added = independent(spanA, b);
    extended.append(added.begin(), added.end());
    EXPECT_EQ(Span(extended).rank(), extended.size());
    EXPECT_TRUE(Span(extended).containsAll(b));
  }
}

TEST(BitMap, EqualSpansHaveEqualBases) {
  EXPECT_EQ(Span({3, 5}).basis(), Span({6, 5, 3}).basis());
  EXPECT_NE(Span({3, 5}).basis(), Span({3, 4}).basis());
}

TEST(BitMap, PreimagesAndKernels) {
  std::mt19937 random(2);
  for (unsigned i = 0; i != 500; ++i) {
    BitVectors images = randomVectors(random);
    BitMap map(images);
    std::set<Bits> reached = sums(images);
    for (Bits value = 0; value != 32; ++value) {
      std::optional<Bits> argument = map.preimage(value);
      ASSERT_EQ(argument.has_value(), reached.count(value) == 1);
      if (argument) {
        EXPECT_EQ(map(*argument), value);
      }
    }
    BitVectors kernel = map.kernel();
    EXPECT_EQ(kernel.size() + map.rank(), images.size());
    EXPECT_EQ(Span(kernel).rank(), kernel.size());
    for (Bits argument : kernel)
      EXPECT_EQ(map(argument), 0u);
    EXPECT_EQ(map.isInjective(), kernel.empty());
  }
}

/// That composing is applying one after the other, and what an inverse is.
void checkComposition(const BitMap &outer, const BitMap &inner) {
  BitMap both = outer.after(inner);
  Bits end = Bits(1) << inner.numInputBits();
  for (Bits argument = 0; argument < end; argument += 1 + argument / 64)
    EXPECT_EQ(both(argument), outer(inner(argument)));
}

void checkInverse(const BitMap &map, unsigned numBits) {
  std::optional<BitMap> inverse = map.rightInverse(numBits);
  ASSERT_EQ(inverse.has_value(), map.rank() == numBits);
  for (Bits value = 0; inverse && value < Bits(1) << numBits;
       value += 1 + value / 64) {
    EXPECT_EQ(map(map.preimage(value).value()), value);
    EXPECT_EQ(map.after(*inverse)(value), value);
  }
}

TEST(BitMap, AllSmallMaps) {
  // Of three bits to three, and each after each.
  std::vector<BitMap> maps;
  for (unsigned code = 0; code != 512; ++code)
    maps.push_back(BitMap({code & 7, code >> 3 & 7, code >> 6}));
  for (const BitMap &outer : maps) {
    checkInverse(outer, 3);
    for (const BitMap &inner : maps)
      checkComposition(outer, inner);
    if (HasFailure())
      return;
  }
}

TEST(BitMap, LargeMapsAtRandom) {
  std::mt19937 random(3);
  unsigned numInverses = 0;
  for (unsigned i = 0; i != 200; ++i) {
    constexpr unsigned numBits = 14;
    auto make = [&](unsigned count) {
      BitVectors images(count);
      for (Bits &image : images)
        image = random() % (1u << numBits);
      return BitMap(images);
    };
    BitMap outer = make(numBits), inner = make(16);
    checkComposition(outer, inner);
    checkInverse(inner, numBits);
    numInverses += inner.rank() == numBits;
  }
  EXPECT_GT(numInverses, 100u);
}

TEST(BitMap, InversePrefersLowBits) {
  // Bits 0 and 2 are copies, bit 3 is the sum of bits 0 and 1.
  BitMap map({1, 2, 1, 3});
  std::optional<BitMap> inverse = map.rightInverse(2);
  ASSERT_TRUE(inverse);
  EXPECT_EQ(*inverse, BitMap({1, 2}));
  EXPECT_EQ(map.after(*inverse), BitMap({1, 2}));
  EXPECT_FALSE(map.rightInverse(3));
}

} // namespace
