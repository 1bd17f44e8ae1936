//===- ThreadCode.cpp - what of a thread's code is run --------------------===//
//
// Assembly is looked at once. Its text is what is checked: operands are found
// where the text names them.
//
//===----------------------------------------------------------------------===//

#include "ThreadCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuse::simulate;

ThreadCode::ThreadCode(LLVM::LLVMFuncOp function) : function(function) {}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// The number that `text` begins with; 0 if it begins with none.
static int64_t leadingNumber(StringRef text) {
  int64_t number = 0;
  text.ltrim().consumeInteger(10, number);
  return number;
}

/// The operands that are named in `text`, each time they are.
static SmallVector<Value, 6> operandsIn(StringRef text, LLVM::InlineAsmOp op) {
  // Results are counted first.
  int64_t results = op->getNumResults();
  if (results == 1)
    if (auto type = dyn_cast<LLVM::LLVMStructType>(op.getResult(0).getType()))
      results = type.getBody().size();
  SmallVector<Value, 6> operands;
  for (size_t at = text.find('$'); at != StringRef::npos;
       at = text.find('$', at + 1)) {
    int64_t number = leadingNumber(text.drop_front(at + 1)) - results;
    if (number >= 0 && number < static_cast<int64_t>(op.getNumOperands()))
      operands.push_back(op.getOperand(number));
  }
  return operands;
}

/// `ld.shared.v4.b32` has 16 bytes.
static int64_t bytesOf(StringRef name) {
  int64_t count = 1;
  StringRef last = name.rsplit('.').second;
  if (size_t at = name.find(".v"); at != StringRef::npos)
    count = leadingNumber(name.drop_front(at + 2));
  return count * leadingNumber(last.drop_front()) / 8;
}

/// What matters to nobody here.
static bool isHarmless(StringRef text) {
  constexpr StringLiteral parts[] = {"prefetch",  "griddepcontrol", "nanosleep",
                                     "ld.global", "st.global",      "lop3",
                                     "@$0 exit"};
  return llvm::any_of(parts,
                      [&](StringRef part) { return text.contains(part); });
}

namespace {

/// Says what a piece of assembly does that is more than arithmetic.
class AssemblyParser {
public:
  explicit AssemblyParser(LLVM::InlineAsmOp op)
      : op(op), text(op.getAsmString()) {}

  /// Fails where nobody knows.
  FailureOr<ThreadOp> parse();

private:
  StringRef behind(StringRef name) const {
    return text.drop_front(text.find(name) + name.size());
  }
  bool is(StringRef name, Effect effect);
  void takeNumber(StringRef name);
  void takeGuard();
  FailureOr<bool> takeElsewhere();
  FailureOr<bool> takeBarrier();
  FailureOr<bool> takeProducts();
  FailureOr<bool> takeEngine();
  bool takeMeeting();
  bool takeRegisters();
  bool takeAccess();

  LLVM::InlineAsmOp op;
  StringRef text;
  ThreadOp parsed;
};

constexpr StringLiteral kElsewhere = "mapa.shared::cluster.u32 there,";

} // namespace

bool AssemblyParser::is(StringRef name, Effect effect) {
  if (!text.contains(name))
    return false;
  parsed.effect = effect;
  parsed.operands = operandsIn(behind(name), op);
  return true;
}

void AssemblyParser::takeNumber(StringRef name) {
  StringRef rest = behind(name).ltrim();
  parsed.hasNumber = !rest.starts_with("$");
  if (parsed.hasNumber)
    parsed.number = leadingNumber(rest);
}

void AssemblyParser::takeGuard() {
  if (size_t guard = text.find("@$"); guard != StringRef::npos)
    parsed.condition = operandsIn(text.drop_front(guard), op).front();
}

/// A store to another block of the cluster.
FailureOr<bool> AssemblyParser::takeElsewhere() {
  size_t at = text.find("st.shared::cluster");
  if (at == StringRef::npos)
    return false;
  if (!is(kElsewhere, Effect::WriteElsewhere))
    return failure();
  parsed.operands.truncate(2);
  parsed.count = bytesOf(text.drop_front(at).take_until(llvm::isSpace));
  takeGuard();
  return true;
}

FailureOr<bool> AssemblyParser::takeBarrier() {
  bool isAny =
      is("mbarrier.init.shared::cta.b64", Effect::Init) ||
      is("mbarrier.arrive.expect_tx.shared::cta.b64",
         Effect::ArriveExpecting) ||
      is(kElsewhere, Effect::ArriveElsewhere) ||
      is("mbarrier.arrive.shared::cta.b64", Effect::Arrive) ||
      is("mbarrier.try_wait.parity.shared::cta.b64", Effect::WaitForPhase) ||
      is("barrier.cluster.arrive.relaxed", Effect::BeginCluster) ||
      is("barrier.cluster.", Effect::MeetCluster) ||
      is("fence.mbarrier_init.release.cluster", Effect::FenceBarriers) ||
      is("fence.proxy.async.shared::cta", Effect::Fence);
  if (!isAny)
    return false;
  // What one op is, several instructions may be.
  for (auto [effect, part] :
       {std::pair(Effect::ArriveElsewhere,
                  "mbarrier.arrive.shared::cluster.b64"),
        std::pair(Effect::WaitForPhase, "bra.uni again"),
        std::pair(Effect::BeginCluster, "barrier.cluster.wait.acquire"),
        std::pair(Effect::MeetCluster, "barrier.cluster.arrive.release"),
        std::pair(Effect::MeetCluster, "barrier.cluster.wait.acquire")})
    if (parsed.effect == effect && !text.contains(part))
      return failure();
  return true;
}

FailureOr<bool> AssemblyParser::takeProducts() {
  if (!text.contains("wgmma."))
    return false;
  parsed.effect = Effect::WholeWarp;
  // Descriptors are moved on to what each instruction reads.
  for (StringRef rest = text, name = "add.s64 "; rest.contains(name);) {
    rest = rest.drop_front(rest.find(name) + name.size());
    StringRef own = rest.take_until([](char c) { return c == ';'; });
    parsed.effect = Effect::ReadFactors;
    llvm::append_range(parsed.operands, operandsIn(own, op));
    parsed.offsets.push_back(leadingNumber(own.rsplit(',').second));
  }
  if (parsed.operands.size() != parsed.offsets.size())
    return failure();
  return true;
}

/// What the copy engine does, or is waited for.
FailureOr<bool> AssemblyParser::takeEngine() {
  constexpr StringLiteral wait = "cp.async.bulk.wait_group.read";
  if (is(wait, Effect::EngineWait)) {
    takeNumber(wait);
    return true;
  }
  constexpr StringLiteral copy = "cp.async.bulk.tensor.";
  if (!is(copy, Effect::EngineCopy))
    return false;
  bool isStore = text.contains(".bulk_group");
  if (isStore)
    parsed.effect = Effect::EngineStore;
  if (!text.contains(isStore ? "cp.async.bulk.commit_group"
                             : "complete_tx::bytes"))
    return failure();
  parsed.isMulticast = text.contains(".multicast::cluster");
  // What commits it is behind it, on the same condition.
  parsed.operands =
      operandsIn(behind(copy).take_until([](char c) { return c == ';'; }), op);
  if (text.starts_with("@$"))
    parsed.condition = operandsIn(text, op).front();
  return true;
}

/// Where warps of a block meet.
bool AssemblyParser::takeMeeting() {
  static constexpr std::pair<StringLiteral, Effect> meetings[] = {
      {"bar.sync ", Effect::MeetWarps},
      {"bar.red.or.pred any,", Effect::MeetWarps},
      {"bar.arrive ", Effect::ArriveAtMeeting}};
  return llvm::any_of(meetings, [&](const auto &meeting) {
    const auto &[name, effect] = meeting;
    if (!is(name, effect))
      return false;
    takeNumber(name);
    // One number behind the barrier's.
    parsed.count = leadingNumber(behind(name).split(',').second);
    return true;
  });
}

bool AssemblyParser::takeRegisters() {
  if (!text.starts_with("setmaxnreg."))
    return false;
  parsed.effect = Effect::Registers;
  parsed.number = leadingNumber(behind(".u32 "));
  // Negative where some are handed over.
  parsed.count = text.starts_with("setmaxnreg.dec") ? -1 : 1;
  return true;
}

/// What a thread reads or writes of shared memory.
bool AssemblyParser::takeAccess() {
  for (auto [name, effect] : {std::pair("st.shared", Effect::Write),
                              std::pair("ld.shared", Effect::Read)}) {
    size_t at = text.find(name);
    if (at == StringRef::npos)
      continue;
    StringRef access = text.drop_front(at);
    parsed.effect = effect;
    parsed.count = bytesOf(access.take_until(llvm::isSpace));
    parsed.operands = operandsIn(access.drop_front(access.find('[')), op);
    parsed.operands.truncate(1);
    takeGuard();
    return true;
  }
  return false;
}

FailureOr<ThreadOp> AssemblyParser::parse() {
  // Names are parts of others, so the order matters.
  for (auto take :
       {&AssemblyParser::takeElsewhere, &AssemblyParser::takeBarrier,
        &AssemblyParser::takeProducts, &AssemblyParser::takeEngine}) {
    FailureOr<bool> isTaken = (this->*take)();
    if (failed(isTaken))
      return failure();
    if (*isTaken)
      return parsed;
  }
  if (takeMeeting() || takeRegisters() || takeAccess())
    return parsed;
  if (op.getHasSideEffects() && !isHarmless(text))
    return failure();
  return parsed;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool isShared(Value address) {
  auto type = dyn_cast<LLVM::LLVMPointerType>(address.getType());
  return type && type.getAddressSpace() == 3;
}

static int64_t bytesOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
  return type.getIntOrFloatBitWidth() / 8;
}

/// What an op that is no assembly does.
static ThreadOp plainEffect(Operation *op) {
  ThreadOp made;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](NVVM::Barrier0Op) {
        made.effect = Effect::MeetWarps;
        made.hasNumber = true;
        made.count = op->getParentOfType<LLVM::LLVMFuncOp>()
                         ->getAttrOfType<DenseI32ArrayAttr>("nvvm.reqntid")[0];
      })
      .Case([&](LLVM::StoreOp store) {
        if (!isShared(store.getAddr()))
          return;
        made.effect = Effect::Write;
        made.operands = {store.getAddr()};
        made.count = bytesOf(store.getValue().getType());
      })
      .Case([&](LLVM::LoadOp load) {
        if (!isShared(load.getAddr()))
          return;
        made.effect = Effect::Read;
        made.operands = {load.getAddr()};
        made.count = bytesOf(load.getType());
      })
      .Case([&](NVVM::LdMatrixOp load) {
        made.effect = Effect::ReadMatrices;
        made.operands = {load.getPtr()};
        made.number = load.getNum();
        made.count = 16;
      })
      .Case([&](NVVM::StMatrixOp store) {
        made.effect = Effect::WriteMatrices;
        made.operands = {store.getPtr()};
        made.number = store.getSources().size();
        made.count = 16;
      })
      .Case([&](NVVM::CpAsyncOp copy) {
        made.effect = Effect::ThreadCopy;
        made.operands = {copy.getDst()};
        made.count = copy.getSize();
      })
      .Case([&](NVVM::CpAsyncCommitGroupOp) {
        made.effect = Effect::ThreadCommit;
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp wait) {
        made.effect = Effect::ThreadWait;
        made.number = wait.getN();
      })
      .Case<NVVM::ShflOp, NVVM::VoteSyncOp, NVVM::MmaOp>(
          [&](Operation *) { made.effect = Effect::WholeWarp; });
  return made;
}

//===----------------------------------------------------------------------===//
// What is run
//===----------------------------------------------------------------------===//

void ThreadCode::need(Value value) {
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!needed.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop)
        continue;
      open.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
      if (argument != loop.getInductionVar()) {
        unsigned number = argument.getArgNumber() - 1;
        open.append(
            {loop.getInitArgs()[number], loop.getYieldedValues()[number]});
      }
      continue;
    }
    Operation *op = next.getDefiningOp();
    unsigned number = cast<OpResult>(next).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      open.append({loop.getRegionIterArg(number)});
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      open.append({branch.getCondition(), branch.thenYield().getOperand(number),
                   branch.elseYield().getOperand(number)});
    } else {
      llvm::append_range(open, op->getOperands());
    }
  }
}

/// Conditions and bounds around `op`.
void ThreadCode::needControl(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent != function;
       parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      need(branch.getCondition());
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      need(loop.getInductionVar());
  }
}

/// Whether anything of `block` is run.
bool ThreadCode::collect(Block &block) {
  std::vector<Operation *> ops;
  for (Operation &op : block) {
    bool isRun = effects.contains(&op) || isa<LLVM::ReturnOp>(op) ||
                 llvm::any_of(op.getResults(),
                              [&](Value value) { return isNeeded(value); });
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        isRun |= collect(inner);
    if (isRun || isa<scf::YieldOp>(op))
      ops.push_back(&op);
  }
  bool isAny =
      llvm::any_of(ops, [](Operation *op) { return !isa<scf::YieldOp>(op); });
  running[&block] = std::move(ops);
  return isAny;
}

LogicalResult ThreadCode::analyse() {
  WalkResult walked = function.walk([&](Operation *op) {
    auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
    FailureOr<ThreadOp> effect = assembly
                                     ? AssemblyParser(assembly).parse()
                                     : FailureOr<ThreadOp>(plainEffect(op));
    if (failed(effect)) {
      op->emitOpError("is assembly that cannot be simulated");
      return WalkResult::interrupt();
    }
    if (effect->effect == Effect::None)
      return WalkResult::advance();
    for (Value operand : effect->operands)
      need(operand);
    if (effect->condition)
      need(effect->condition);
    needControl(op);
    effects[op] = std::move(*effect);
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  collect(function.getBody().front());
  return success();
}
