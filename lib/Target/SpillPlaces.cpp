//===- SpillPlaces.cpp - where machine code spills ------------------------===//
//
// Since sm_70 an instruction has 16 bytes, of which the first 12 bits say what
// it is and the next 4 on which condition. Natural loops are found as in any
// compiler: where a branch goes back to a block without which it is not
// reached. (What waits is often behind the end of a kernel, and branches back,
// too.)
//
//===----------------------------------------------------------------------===//

#include "fuse/Target/SpillPlaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"

using namespace fuse;
using llvm::StringRef;

namespace {

struct Instruction {
  enum class Kind { Other, Spill, Product, Branch, Exit, Unknown };

  Instruction(StringRef bytes, bool hasShortOffsets);

  Kind kind = Kind::Other;
  bool isConditional = false;
  /// From the next instruction, in instructions.
  int64_t distance = 0;
};

struct Block {
  unsigned first = 0, end = 0;
  llvm::SmallVector<unsigned, 2> successors, predecessors;
  /// In reverse post-order; the block without which it is not reached.
  std::optional<unsigned> order, dominator;
};

/// The blocks of a loop, sorted.
using Loop = llvm::SmallVector<unsigned>;

class ControlFlow {
public:
  /// `isKnown` is false where it goes on in ways that are not understood.
  explicit ControlFlow(llvm::ArrayRef<Instruction> code);

  bool isKnown = true;
  llvm::SmallVector<Loop> innermostLoops() const;
  llvm::SmallVector<Block> blocks;

private:
  void divide(llvm::ArrayRef<Instruction> code);
  void findDominators();
  bool dominates(unsigned block, unsigned other) const;
};

} // namespace

Instruction::Instruction(StringRef bytes, bool hasShortOffsets) {
  uint64_t low = llvm::support::endian::read64le(bytes.data());
  uint64_t high = llvm::support::endian::read64le(bytes.data() + 8);
  constexpr uint64_t always = 7;
  isConditional = (low >> 12 & 15) != always;
  switch (low & 0xfff) {
  case 0x983: // LDL
  case 0x387: // STL
    kind = Kind::Spill;
    return;
  case 0x23c: // HMMA
  case 0x237: // IMMA
  case 0x23f: // DMMA
  case 0x9f0: // HGMMA of shared memory and of registers, in 16 bits
  case 0xdf0: // and in tf32
  case 0x9f3: // QGMMA
  case 0xdf3:
    kind = Kind::Product;
    return;
  case 0x547: // BRA on a condition that a warp has in common
    isConditional = true;
    [[fallthrough]];
  case 0x947: { // BRA
    kind = Kind::Branch;
    // Another condition.
    isConditional |= (high >> 23 & 7) != always;
    int64_t words = static_cast<int64_t>((high & 0x3ffff) << 46) >> 16;
    words |= low >> 34;
    if (hasShortOffsets)
      words = words * 256 + static_cast<int64_t>(low >> 16 & 255);
    distance = words / 4;
    return;
  }
  case 0x94d: // EXIT
    kind = Kind::Exit;
    return;
  case 0x949: // BRX
  case 0x94a: // JMP
  case 0x94c: // JMX
    kind = Kind::Unknown;
    return;
  default:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

ControlFlow::ControlFlow(llvm::ArrayRef<Instruction> code) {
  divide(code);
  if (isKnown)
    findDominators();
}

void ControlFlow::divide(llvm::ArrayRef<Instruction> code) {
  using Kind = Instruction::Kind;
  auto targetOf = [&](unsigned at) { return at + 1 + code[at].distance; };
  llvm::SmallVector<bool> begins(code.size() + 1, false);
  begins[0] = true;
  for (auto [at, instruction] : llvm::enumerate(code)) {
    if (instruction.kind == Kind::Unknown)
      isKnown = false;
    if (instruction.kind == Kind::Branch || instruction.kind == Kind::Exit)
      begins[at + 1] = true;
    if (instruction.kind != Kind::Branch)
      continue;
    int64_t target = targetOf(at);
    if (target < 0 || target >= static_cast<int64_t>(code.size()))
      isKnown = false;
    else
      begins[target] = true;
  }
  if (!isKnown)
    return;
  llvm::SmallVector<unsigned> blockOf(code.size());
  for (unsigned at = 0; at < code.size(); ++at) {
    if (begins[at]) {
      blocks.emplace_back();
      blocks.back().first = at;
    }
    blocks.back().end = at + 1;
    blockOf[at] = blocks.size() - 1;
  }
  for (auto [number, block] : llvm::enumerate(blocks)) {
    const Instruction &last = code[block.end - 1];
    if (last.kind == Kind::Branch)
      block.successors.push_back(blockOf[targetOf(block.end - 1)]);
    bool endsHere = last.kind == Kind::Branch || last.kind == Kind::Exit;
    if ((!endsHere || last.isConditional) && block.end < code.size())
      block.successors.push_back(number + 1);
  }
}

void ControlFlow::findDominators() {
  llvm::SmallVector<unsigned> order;
  llvm::SmallVector<std::pair<unsigned, unsigned>> path = {{0, 0}};
  llvm::SmallVector<bool> seen(blocks.size(), false);
  seen[0] = true;
  while (!path.empty()) {
    auto &[block, next] = path.back();
    if (next == blocks[block].successors.size()) {
      order.push_back(block);
      path.pop_back();
      continue;
    }
    unsigned successor = blocks[block].successors[next++];
    if (!seen[successor]) {
      seen[successor] = true;
      path.push_back({successor, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  for (auto [place, block] : llvm::enumerate(order)) {
    blocks[block].order = place;
    for (unsigned successor : blocks[block].successors)
      blocks[successor].predecessors.push_back(block);
  }
  auto common = [&](unsigned a, unsigned b) {
    while (a != b) {
      unsigned &later = *blocks[a].order > *blocks[b].order ? a : b;
      later = *blocks[later].dominator;
    }
    return a;
  };
  blocks[0].dominator = 0;
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (unsigned block : llvm::drop_begin(order)) {
      std::optional<unsigned> found;
      for (unsigned before : blocks[block].predecessors)
        if (blocks[before].dominator)
          found = found ? common(*found, before) : before;
      isDone &= blocks[block].dominator == found;
      blocks[block].dominator = found;
    }
  }
}

bool ControlFlow::dominates(unsigned block, unsigned other) const {
  while (other != block && other != 0)
    other = *blocks[other].dominator;
  return other == block;
}

llvm::SmallVector<Loop> ControlFlow::innermostLoops() const {
  llvm::SmallVector<Loop> loops;
  for (unsigned head = 0; head < blocks.size(); ++head) {
    llvm::SmallVector<unsigned> waiting;
    for (unsigned last : blocks[head].predecessors)
      if (dominates(head, last))
        waiting.push_back(last);
    if (waiting.empty())
      continue;
    llvm::SmallVector<bool> isInside(blocks.size(), false);
    isInside[head] = true;
    while (!waiting.empty()) {
      unsigned block = waiting.pop_back_val();
      if (isInside[block])
        continue;
      isInside[block] = true;
      llvm::append_range(waiting, blocks[block].predecessors);
    }
    Loop &loop = loops.emplace_back();
    for (unsigned block = 0; block < blocks.size(); ++block)
      if (isInside[block])
        loop.push_back(block);
  }
  // Who only waits is no loop that others could be around of.
  constexpr unsigned fewest = 24;
  llvm::erase_if(loops, [&](const Loop &loop) {
    unsigned size = 0;
    for (unsigned block : loop)
      size += blocks[block].end - blocks[block].first;
    return size < fewest;
  });
  llvm::SmallVector<Loop> innermost;
  for (const Loop &loop : loops)
    if (llvm::none_of(loops, [&](const Loop &other) {
          return other.size() < loop.size() &&
                 std::includes(loop.begin(), loop.end(), other.begin(),
                               other.end());
        }))
      innermost.push_back(loop);
  return innermost;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// The instructions of a kernel; none if there is no such kernel.
static llvm::SmallVector<Instruction, 0>
codeOf(StringRef cubin, StringRef kernel, bool hasShortOffsets) {
  llvm::SmallVector<Instruction, 0> code;
  auto file = llvm::object::ELF64LEFile::create(cubin);
  if (!file) {
    llvm::consumeError(file.takeError());
    return code;
  }
  auto sections = file->sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return code;
  }
  std::string wanted = (".text." + llvm::Twine(kernel)).str();
  for (const auto &section : *sections) {
    auto name = file->getSectionName(section);
    auto bytes = file->getSectionContents(section);
    if (!name || !bytes) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(bytes.takeError());
      continue;
    }
    if (*name != wanted)
      continue;
    StringRef text(reinterpret_cast<const char *>(bytes->data()),
                   bytes->size());
    for (; text.size() >= 16; text = text.drop_front(16))
      code.push_back(Instruction(text, hasShortOffsets));
  }
  return code;
}

std::optional<double> fuse::spilledPart(StringRef cubin, const Chip &chip,
                                        StringRef kernel) {
  constexpr unsigned firstWithShortOffsets = 9;
  llvm::SmallVector<Instruction, 0> code =
      codeOf(cubin, kernel, chip.major >= firstWithShortOffsets);
  if (code.empty())
    return std::nullopt;
  ControlFlow flow(code);
  if (!flow.isKnown)
    return std::nullopt;
  llvm::SmallVector<Loop> loops = flow.innermostLoops();
  if (loops.empty()) {
    Loop &all = loops.emplace_back();
    llvm::append_range(all, llvm::seq<unsigned>(flow.blocks.size()));
  }
  double part = 0, partOfProducts = 0;
  bool multiplies = false;
  for (const Loop &loop : loops) {
    double spills = 0, all = 0;
    bool hasProducts = false;
    for (unsigned number : loop) {
      const Block &block = flow.blocks[number];
      for (const Instruction &instruction :
           llvm::ArrayRef(code).slice(block.first, block.end - block.first)) {
        ++all;
        spills += instruction.kind == Instruction::Kind::Spill;
        hasProducts |= instruction.kind == Instruction::Kind::Product;
      }
    }
    part = std::max(part, spills / all);
    if (hasProducts)
      partOfProducts = std::max(partOfProducts, spills / all);
    multiplies |= hasProducts;
  }
  return multiplies ? partOfProducts : part;
}
