//===- Shuffles.cpp - conversions inside of a warp ------------------------===//
//
// Finds for each round which register each lane sends, and to whom. Lane l of
// warp w wants for its register d the register
//   s = Rd d ^ Rl l ^ Rw w   of lane   l' = Nd d ^ Nl l ^ Nw w.
// In round t it asks for d = t ^ Dl l ^ Dw w, and so lane
//   l' = Nd t ^ (Nl ^ Nd Dl) l ^ (Nw ^ Nd Dw) w   for register
//   s  = Rd t ^ (Rl ^ Rd Dl) l ^ (Rw ^ Rd Dw) w.
// All lanes that ask one lane must want the same register: where the factor of
// l in the first line makes it 0, that in the second must as well. Where no Dl
// does it, each round is done several times, once for each class of lanes.
//
//===----------------------------------------------------------------------===//

#include "fuse/Layout/Conversion.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace fuse;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The linear map that sends each of the independent vectors `from` to its
/// partner in `to`, and whatever unit vectors complete them to 0.
static BitMap sending(ArrayRef<Bits> from, ArrayRef<Bits> to,
                      unsigned numBits) {
  BitVectors units;
  for (unsigned bit = 0; bit != numBits; ++bit)
    units.push_back(Bits(1) << bit);
  BitVectors basis(from), images(to);
  basis.append(independent(Span(from), units));
  images.resize(basis.size());
  return BitMap(images).after(*BitMap(basis).rightInverse(numBits));
}

static BitVectors sum(ArrayRef<Bits> a, ArrayRef<Bits> b) {
  BitVectors result;
  for (auto [x, y] : llvm::zip_equal(a, b))
    result.push_back(x ^ y);
  return result;
}

static BitVectors applied(const BitMap &map, ArrayRef<Bits> arguments) {
  return BitVectors(llvm::map_range(arguments, map));
}

namespace {

/// Who has what is wanted. Vectors are indexed by the bits of d, l and w.
struct Sources {
  BitVectors registersD, registersL, registersW; // Rd, Rl, Rw
  BitVectors lanesD, lanesL, lanesW;             // Nd, Nl, Nw
  /// For each register of the result the one that was asked for instead:
  /// copies are asked for once.
  SmallVector<unsigned> asked;
};

} // namespace

/// The answer for registers from bit `packed` up, nothing if a lower bit or
/// another warp is needed.
static std::optional<Sources> findSources(const Layout &from, const Layout &to,
                                          unsigned packed) {
  if (from.bases(Place::Cta) != to.bases(Place::Cta))
    return std::nullopt;
  ArrayRef<Bits> fromReg = from.bases(Place::Register).drop_front(packed);
  ArrayRef<Bits> toReg = to.bases(Place::Register).drop_front(packed);
  BitVectors places(fromReg);
  places.append(from.bases(Place::Lane).begin(), from.bases(Place::Lane).end());
  BitMap inWarp(places);

  // Relative to the own lane, so that registers are preferred over other lanes.
  auto solve = [&](ArrayRef<Bits> wanted, BitVectors &registers,
                   BitVectors &lanes) {
    for (Bits position : wanted) {
      std::optional<Bits> place = inWarp.preimage(position);
      if (!place)
        return false;
      registers.push_back(*place & ((Bits(1) << fromReg.size()) - 1));
      lanes.push_back(*place >> fromReg.size());
    }
    return true;
  };
  Sources sources;
  BitVectors kept = independent(Span(), toReg);
  if (!solve(kept, sources.registersD, sources.lanesD) ||
      !solve(sum(from.bases(Place::Lane), to.bases(Place::Lane)),
             sources.registersL, sources.lanesL) ||
      !solve(sum(from.bases(Place::Warp), to.bases(Place::Warp)),
             sources.registersW, sources.lanesW))
    return std::nullopt;
  for (unsigned bit = 0; bit != numLaneBits; ++bit)
    sources.lanesL[bit] ^= Bits(1) << bit;

  BitMap keptMap(kept), all(toReg);
  for (unsigned reg = 0; reg != 1u << toReg.size(); ++reg)
    sources.asked.push_back(*keptMap.preimage(all(reg)));
  return sources;
}

/// Steps that replace array[r] by array[r ^ images(thread)].
static SmallVector<RegisterFlip, 4> flips(ArrayRef<Bits> images) {
  BitVectors basis = independent(Span(), images);
  BitMap map(basis);
  SmallVector<RegisterFlip, 4> result;
  for (Bits flip : basis)
    result.push_back({0, unsigned(flip)});
  for (auto [bit, image] : llvm::enumerate(images)) {
    Bits steps = *map.preimage(image);
    for (auto [step, flip] : llvm::enumerate(result))
      flip.threadMask |= unsigned(steps >> step & 1) << bit;
  }
  return result;
}

/// The selects of those elements that lead to `wanted` ones.
static unsigned countSelects(ArrayRef<RegisterFlip> flips,
                             std::set<unsigned> wanted) {
  unsigned count = 0;
  for (const RegisterFlip &flip : llvm::reverse(flips)) {
    count += wanted.size();
    for (unsigned reg : SmallVector<unsigned>(wanted.begin(), wanted.end()))
      wanted.insert(reg ^ flip.flip);
  }
  return count;
}

/// The plan for one choice of the order in which lanes ask.
static ShufflePlan planFor(const Sources &sources, ArrayRef<Bits> orderL,
                           ArrayRef<Bits> orderW) {
  BitMap registersD(sources.registersD), lanesD(sources.lanesD);
  BitVectors lanesOfLane = sum(sources.lanesL, applied(lanesD, orderL));
  BitVectors lanesOfWarp = sum(sources.lanesW, applied(lanesD, orderW));
  BitVectors registersOfLane =
      sum(sources.registersL, applied(registersD, orderL));
  BitVectors registersOfWarp =
      sum(sources.registersW, applied(registersD, orderW));
  unsigned numD = sources.registersD.size();

  // Classes of lanes that ask one lane for different registers.
  BitMap wants(registersOfLane);
  BitVectors kernel = BitMap(lanesOfLane).kernel();
  BitVectors different = independent(Span(), applied(wants, kernel));
  BitMap ofDifferent(different);
  BitVectors classOfKernel;
  for (Bits lane : kernel)
    classOfKernel.push_back(*ofDifferent.preimage(wants(lane)));
  BitMap classes = sending(kernel, classOfKernel, numLaneBits);
  unsigned numClassBits = different.size();

  // What a lane is asked for, given its own number and the class.
  BitVectors readers, wanted;
  Span seen;
  for (unsigned bit = 0; bit != numLaneBits; ++bit) {
    Bits reader = lanesOfLane[bit] | classes[bit] << numLaneBits;
    if (seen.add(reader)) {
      readers.push_back(reader);
      wanted.push_back(registersOfLane[bit]);
    }
  }
  BitMap sent = sending(readers, wanted, numLaneBits + numClassBits);

  ShufflePlan plan;
  plan.lanes = lanesOfLane;
  plan.lanes.append(lanesOfWarp);
  plan.isButterfly = llvm::all_of(lanesOfWarp, [](Bits lane) { return !lane; });
  for (unsigned bit = 0; bit != numLaneBits; ++bit)
    plan.isButterfly &= lanesOfLane[bit] == Bits(1) << bit;

  BitVectors beforeImages, afterImages;
  for (unsigned bit = 0; bit != numLaneBits; ++bit) {
    beforeImages.push_back(sent[bit]);
    afterImages.push_back(orderL[bit] | classes[bit] << numD);
  }
  for (auto [bit, lane] : llvm::enumerate(lanesOfWarp)) {
    beforeImages.push_back(registersOfWarp[bit] ^ sent(lane));
    afterImages.push_back(orderW[bit]);
  }
  plan.before = flips(beforeImages);
  plan.after = flips(afterImages);

  std::set<unsigned> sentRegisters;
  for (Bits round = 0; round != Bits(1) << (numD + numClassBits); ++round) {
    Bits t = round & ((Bits(1) << numD) - 1);
    Bits lane = lanesD(t);
    Bits reg = registersD(t) ^ sent(lane | round >> numD << numLaneBits);
    plan.rounds.push_back({unsigned(reg), unsigned(lane)});
    sentRegisters.insert(reg);
  }
  plan.resultOf = sources.asked;
  plan.packed = 1;
  plan.numShuffles = llvm::count_if(plan.rounds, [&](ShuffleRound round) {
    return !plan.isButterfly || round.laneMask;
  });
  plan.numSelects =
      countSelects(plan.before, std::move(sentRegisters)) +
      countSelects(plan.after, std::set<unsigned>(plan.resultOf.begin(),
                                                  plan.resultOf.end()));
  return plan;
}

static ShufflePlan bestPlan(const Sources &sources) {
  BitMap lanesD(sources.lanesD);
  // An order that makes lanes read from themselves, up to the round's mask.
  auto towards = [&](ArrayRef<Bits> distance) {
    return BitVectors(llvm::map_range(distance, [&](Bits lane) {
      return lanesD.preimage(lane).value_or(0);
    }));
  };
  BitVectors fromSelf = sources.lanesL;
  for (unsigned bit = 0; bit != numLaneBits; ++bit)
    fromSelf[bit] ^= Bits(1) << bit;
  BitVectors butterfly = towards(fromSelf);
  BitVectors orderW = towards(sources.lanesW);

  // An order that lets lanes which would read from one lane read from as many
  // as there are.
  BitVectors kernel = BitMap(sources.lanesL).kernel();
  BitVectors spread, asked;
  Span reached(sources.lanesL);
  for (auto [bit, lane] : llvm::enumerate(sources.lanesD))
    if (spread.size() != kernel.size() && reached.add(lane)) {
      spread.push_back(kernel[spread.size()]);
      asked.push_back(Bits(1) << bit);
    }
  BitMap spreading = sending(spread, asked, numLaneBits);
  BitVectors orderSpread;
  for (unsigned bit = 0; bit != numLaneBits; ++bit)
    orderSpread.push_back(spreading[bit]);

  auto cost = [](const ShufflePlan &plan) {
    return 4 * plan.numShuffles + plan.numSelects;
  };
  ShufflePlan best = planFor(sources, butterfly, orderW);
  for (const BitVectors &order : {orderSpread, BitVectors(numLaneBits, 0)}) {
    ShufflePlan other = planFor(sources, order, orderW);
    if (cost(other) < cost(best))
      best = std::move(other);
  }
  return best;
}

std::optional<ShufflePlan> fuse::planShuffles(const Layout &from,
                                              const Layout &to,
                                              unsigned elementBytes) {
  constexpr unsigned wordBytes = 4;
  unsigned packed = 0;
  while (elementBytes << (packed + 1) <= wordBytes &&
         packed < from.numBits(Place::Register) &&
         packed < to.numBits(Place::Register) &&
         from.bases(Place::Register)[packed] ==
             to.bases(Place::Register)[packed])
    ++packed;
  for (;; --packed) {
    if (std::optional<Sources> sources = findSources(from, to, packed)) {
      ShufflePlan plan = bestPlan(*sources);
      plan.packed = 1u << packed;
      return plan;
    }
    if (packed == 0)
      return std::nullopt;
  }
}
