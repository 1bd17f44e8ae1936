//===- Nest.cpp - a kernel as a loop nest of tiles ------------------------===//
//
// Tile sizes, and the number of chunks.
//
//===----------------------------------------------------------------------===//

#include "fuse/Analysis/Nest.h"

using namespace mlir;
using namespace fuse;

/// What a block of one warp merges, two vectors for each thread, and how many
/// chunks it asks for at once.
static constexpr int64_t kUsuallyMerged = 256, kLeastMerged = 32,
                         kFewChunks = 16;

/// How many elements a block merges: as many fewer as there are more chunks, as
/// long as that makes no crowd of blocks. Rounds wait for memory: 252 chunks of
/// 128 x 16 elements, 14 at a time, took 10.3 us.
int64_t KernelNest::mergedAtOnce(const Nest &nest) const {
  constexpr int64_t mostBlocks = 256;
  int64_t all = 1, chunks = nests.front().chunk->size.getNumber();
  for (const IndexVar &var : nest.grid)
    all *= var.size.isNumber() ? var.size.getNumber()
                               : mostBlocks * kUsuallyMerged;
  for (const IndexVar &var : parts.front().axes)
    if (!llvm::is_contained(nest.grid, var))
      all *= sizes.sizeOf(var);
  int64_t elements = kUsuallyMerged;
  while (elements > kLeastMerged &&
         kFewChunks * kUsuallyMerged < chunks * elements &&
         2 * all <= mostBlocks * elements)
    elements /= 2;
  return elements;
}

/// The elements of the largest tile that is merged.
int64_t KernelNest::mergedElements(const TileSizes &own) const {
  int64_t elements = 1;
  for (const PartBuffer &part : parts) {
    int64_t each = 1;
    for (const IndexVar &var : part.axes)
      each *= own.sizeOf(var);
    elements = std::max(elements, each);
  }
  return elements;
}

/// Of rows rather than columns, so that what is stored lies side by side, and
/// not of what is padded, of which one block would have all.
std::optional<IndexVar> KernelNest::sharedVar() const {
  constexpr int64_t mostBlocks = 8;
  if (!isSplit())
    return std::nullopt;
  int64_t blocks = nests.front().chunk->size.getNumber();
  if (blocks > mostBlocks || !llvm::isPowerOf2_64(blocks))
    return std::nullopt;
  std::optional<IndexVar> shared;
  for (const IndexVar &var : nests.front().grid) {
    int64_t window = sizes.sizeOf(var);
    // Nobody would know how many clusters there are.
    if (!var.size.isNumber())
      return std::nullopt;
    bool isInAll = llvm::all_of(parts, [&](const PartBuffer &part) {
      return llvm::is_contained(part.axes, var);
    });
    // A window of one is no axis, and so has no limit. One that is no power of
    // two is repeated parts, which registers do not keep apart.
    if (!shared && isInAll && llvm::isPowerOf2_64(window) &&
        window >= 2 * blocks && window <= var.size.getNumber())
      shared = var;
  }
  return shared;
}

TileSizes KernelNest::sizesOf(const Nest &nest) const {
  TileSizes own = sizes;
  if (!nest.isMerge)
    return own;
  if (mergesInCluster) {
    IndexVar shared = *sharedVar();
    own.set(shared, own.sizeOf(shared) / nests.front().chunk->size.getNumber());
    return own;
  }
  int64_t mostElements = mergedAtOnce(nest), elements = mergedElements(own);
  constexpr int64_t leastColumns = 32;
  for (auto [place, var] : llvm::enumerate(nest.grid)) {
    bool isLast = place + 1 == nest.grid.size();
    int64_t window = own.sizeOf(var);
    while (elements > mostElements && window > (isLast ? leastColumns : 1)) {
      window = llvm::divideCeil(window, 2);
      elements = llvm::divideCeil(elements, 2);
    }
    own.set(var, window);
  }
  return own;
}

void TileSizes::set(const IndexVar &var, int64_t size) {
  Key wanted = key(var);
  auto *known = llvm::find_if(
      sizes, [&](const auto &entry) { return entry.first == wanted; });
  if (known == sizes.end())
    sizes.push_back({wanted, size});
  else
    known->second = size;
}

int64_t TileSizes::sizeOf(const IndexVar &var) const {
  Key wanted = key(var);
  for (const auto &[known, size] : sizes)
    if (known == wanted)
      return size;
  if (!var.size.isNumber())
    return byDefault;
  return std::max<int64_t>(1, std::min(byDefault, var.size.getNumber()));
}

std::optional<int64_t> fuse::roundsOf(const IndexVar &var,
                                      const TileSizes &sizes) {
  if (!var.size.isNumber())
    return std::nullopt;
  return llvm::divideCeil(std::max<int64_t>(1, var.size.getNumber()),
                          std::max<int64_t>(1, sizes.sizeOf(var)));
}

SmallVector<int64_t> NestLoop::partsOf(const TileSizes &sizes) const {
  SmallVector<int64_t> parts;
  int64_t left = chunks;
  for (const IndexVar &var : vars) {
    std::optional<int64_t> rounds = roundsOf(var, sizes);
    bool isLast = parts.size() + 1 == vars.size();
    parts.push_back(rounds && !isLast ? std::min(left, *rounds) : left);
    left /= parts.back();
  }
  return parts;
}

int64_t KernelNest::fittingChunks(int64_t chunks) const {
  for (const Statement &statement : nests.front().body) {
    const NestLoop *loop = statement.loop.get();
    if (!loop || loop->chunks == 1)
      continue;
    // Chunks of a single loop that get nothing to do are few, and cost little.
    if (loop->vars.size() == 1)
      return chunks;
    NestLoop wanted;
    wanted.vars = loop->vars;
    wanted.chunks = chunks;
    int64_t fitting = 1;
    for (auto [var, parts] : llvm::zip(loop->vars, wanted.partsOf(sizes))) {
      std::optional<int64_t> rounds = roundsOf(var, sizes);
      fitting *=
          rounds ? llvm::divideCeil(*rounds, llvm::divideCeil(*rounds, parts))
                 : parts;
    }
    // Many have to be merged several at a time, and one is not split.
    constexpr int64_t few = 4;
    bool isMergedSlowly = fuse::chunksAtOnce(fitting) < std::min(few, fitting);
    return isMergedSlowly || fitting == 1 ? chunks : fitting;
  }
  return chunks;
}

int64_t fuse::chunksAtOnce(int64_t chunks, int64_t most) {
  int64_t rounds = 1;
  for (int64_t candidate = 2; candidate <= most; ++candidate)
    if (chunks % candidate == 0)
      rounds = candidate;
  return rounds;
}

static void renameIn(std::vector<Statement> &body, const IndexVar &from,
                     const IndexVar &to) {
  for (Statement &statement : body) {
    for (AffineIndex &index : statement.index)
      for (auto &term : index.terms)
        if (term.first == from)
          term.first = to;
    if (!statement.loop)
      continue;
    llvm::replace(statement.loop->vars, from, to);
    renameIn(statement.loop->body, from, to);
  }
}

int64_t KernelNest::chunksAtOnce(const Nest &nest) const {
  if (mergesInCluster)
    return nests.front().chunk->size.getNumber();
  TileSizes own = sizesOf(nest);
  int64_t elements = std::max(kLeastMerged, mergedElements(own));
  return fuse::chunksAtOnce(
      nests.front().chunk->size.getNumber(),
      std::max(kFewChunks, kFewChunks * kUsuallyMerged / elements));
}

void KernelNest::setChunks(int64_t chunks, bool inCluster) {
  mergesInCluster = false;
  if (!isSplit())
    return;
  IndexVar before = *nests.front().chunk, after = before;
  after.size = Size::number(chunks);
  sizes.set(after, 1);
  nests.front().chunk = after;
  mergesInCluster = inCluster && sharedVar();
  for (Nest &nest : nests) {
    renameIn(nest.body, before, after);
    for (Statement &statement : nest.body)
      if (NestLoop *loop = statement.loop.get()) {
        if (loop->chunks > 1)
          loop->chunks = chunks;
        if (nest.isMerge && llvm::is_contained(loop->vars, after))
          loop->roundsAtOnce = chunksAtOnce(nest);
      }
  }
  for (PartBuffer &part : parts)
    part.shape.front() = after.size;
}
