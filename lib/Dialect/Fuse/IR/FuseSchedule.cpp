//===- FuseSchedule.cpp - reading, printing and checking schedules --------===//
//
// Each parameter has a line in the parser, one in the printer and its rules in
// the verifier. Whether the numbers in it name anything is for the kernel to
// say.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/IR/FuseSchedule.h"
#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuse;

llvm::raw_ostream &fuse::operator<<(llvm::raw_ostream &os,
                                    const LoopName &name) {
  return os << "r" << (name.isSymbol ? "s" : "") << name.size << "_"
            << name.level;
}

llvm::hash_code fuse::hash_value(const Schedule &schedule) {
  llvm::hash_code code = llvm::hash_combine(
      llvm::hash_combine_range(schedule.parallel), schedule.split,
      schedule.merge, schedule.warps, schedule.crews, schedule.stages,
      schedule.roles, schedule.residents, schedule.share,
      llvm::hash_combine_range(schedule.cluster));
  if (schedule.owned)
    code = llvm::hash_combine(code, schedule.owned->last,
                              llvm::hash_combine_range(schedule.owned->places));
  for (const Schedule::Loop &loop : schedule.sequential)
    code = llvm::hash_combine(code, loop.name, loop.tile);
  for (const Schedule::Cascade &cascade : schedule.cascades)
    code = llvm::hash_combine(code, cascade.reduction, cascade.statistic,
                              cascade.strategy);
  for (const Schedule::Order &order : schedule.order)
    code = llvm::hash_combine(code, order.place, order.isDown);
  return code;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// `r1024_0` or `rs3_0`, with nothing before, between or behind.
static std::optional<LoopName> readLoopName(StringRef text) {
  LoopName name;
  if (!text.consume_front("r"))
    return std::nullopt;
  name.isSymbol = text.consume_front("s");
  auto [size, level] = text.split('_');
  auto isNumber = [](StringRef digits) {
    return !digits.empty() && llvm::all_of(digits, llvm::isDigit);
  };
  if (!isNumber(size) || !isNumber(level) || size.getAsInteger(10, name.size) ||
      level.getAsInteger(10, name.level))
    return std::nullopt;
  return name;
}

static ParseResult parseLoop(AsmParser &parser, Schedule::Loop &loop) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (failed(parser.parseOptionalKeyword(&text)))
    return parser.emitError(loc, "expected a loop such as 'r64_0'");
  std::optional<LoopName> name = readLoopName(text);
  if (!name)
    return parser.emitError(loc, "expected a loop such as 'r64_0' or 'rs3_0', "
                                 "but found '")
           << text << "'";
  loop.name = *name;
  return failure(parser.parseEqual() || parser.parseInteger(loop.tile));
}

/// Reads a word of an enum; `words` is what an error offers.
template <typename EnumTy>
static ParseResult parseWord(AsmParser &parser, EnumTy &value, StringRef words,
                             std::optional<EnumTy> (*symbolize)(StringRef)) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  (void)parser.parseOptionalKeyword(&text);
  std::optional<EnumTy> known = symbolize(text);
  if (!known)
    return parser.emitError(loc, "expected one of ") << words;
  value = *known;
  return success();
}

static ParseResult parseCascade(AsmParser &parser, Schedule::Cascade &cascade) {
  if (parser.parseInteger(cascade.reduction) || parser.parseKeyword("wrt") ||
      parser.parseInteger(cascade.statistic) || parser.parseEqual())
    return failure();
  return parseWord(parser, cascade.strategy,
                   "sequential, rescale, defer and pilot",
                   symbolizeCascadeStrategy);
}

static ParseResult parseOrder(AsmParser &parser, Schedule::Order &order) {
  if (parser.parseInteger(order.place))
    return failure();
  order.isDown = succeeded(parser.parseOptionalKeyword("down"));
  return success();
}

static ParseResult parseNumber(AsmParser &parser, int64_t &number) {
  return parser.parseInteger(number);
}

template <typename T>
static ParseResult parseList(AsmParser &parser, std::vector<T> &list,
                             ParseResult (*parseOne)(AsmParser &, T &)) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parseOne(parser, list.emplace_back());
  });
}

static ParseResult parseOwned(AsmParser &parser, Schedule::Owned &owned) {
  OptionalParseResult number = parser.parseOptionalInteger(owned.last);
  return number.has_value() ? *number
                            : parseList(parser, owned.places, parseNumber);
}

/// Reads what stands behind `name =`.
static ParseResult parseParameter(AsmParser &parser, StringRef name,
                                  Schedule &schedule) {
  if (name == "parallel")
    return parseList(parser, schedule.parallel, parseNumber);
  if (name == "sequential")
    return parseList(parser, schedule.sequential, parseLoop);
  if (name == "owned")
    return parseOwned(parser, schedule.owned.emplace());
  if (name == "cascades")
    return parseList(parser, schedule.cascades, parseCascade);
  if (name == "split")
    return parser.parseInteger(schedule.split);
  if (name == "merge")
    return parseWord(parser, schedule.merge, "launch and cluster",
                     symbolizeMergePlace);
  if (name == "warps")
    return parser.parseInteger(schedule.warps.emplace());
  if (name == "crews")
    return parser.parseInteger(schedule.crews.emplace());
  if (name == "stages")
    return parser.parseInteger(schedule.stages.emplace());
  if (name == "roles")
    return parser.parseInteger(schedule.roles.emplace());
  if (name == "residents")
    return parser.parseInteger(schedule.residents.emplace());
  if (name == "share")
    return parser.parseInteger(schedule.share.emplace());
  if (name == "cluster")
    return parseList(parser, schedule.cluster, parseNumber);
  return parseList(parser, schedule.order, parseOrder);
}

static constexpr llvm::StringLiteral parameterNames[] = {
    "parallel",  "sequential", "owned",   "cascades", "split",
    "merge",     "warps",      "crews",   "stages",   "roles",
    "residents", "share",      "cluster", "order"};

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  Schedule schedule;
  SmallVector<StringRef> seen;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    (void)parser.parseOptionalKeyword(&name);
    if (!llvm::is_contained(parameterNames, name)) {
      InFlightDiagnostic diag = parser.emitError(loc, "expected one of ");
      llvm::interleaveComma(parameterNames, diag);
      return diag;
    }
    if (llvm::is_contained(seen, name))
      return parser.emitError(loc, "a schedule has one parameter '")
             << name << "', but this is the second";
    seen.push_back(name);
    return failure(parser.parseEqual() ||
                   parseParameter(parser, name, schedule));
  };
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater()) &&
      (parser.parseCommaSeparatedList(parseOne) || parser.parseGreater()))
    return {};
  return parser.getChecked<ScheduleAttr>(start, parser.getContext(),
                                         std::move(schedule));
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void ScheduleAttr::print(AsmPrinter &printer) const {
  const Schedule &schedule = getValue();
  llvm::raw_ostream &os = printer.getStream();
  llvm::ListSeparator comma;
  auto printNumber = [&](StringRef name, int64_t value) {
    os << comma << name << " = " << value;
  };
  auto printList = [&](StringRef name, const auto &list, auto &&printOne) {
    if (list.empty())
      return;
    os << comma << name << " = [";
    llvm::interleaveComma(list, os, printOne);
    os << "]";
  };
  auto printPlain = [&](int64_t value) { os << value; };

  os << "<";
  printList("parallel", schedule.parallel, printPlain);
  printList("sequential", schedule.sequential, [&](const Schedule::Loop &loop) {
    os << loop.name << " = " << loop.tile;
  });
  if (schedule.owned && schedule.owned->places.empty())
    printNumber("owned", schedule.owned->last);
  else if (schedule.owned)
    printList("owned", schedule.owned->places, printPlain);
  printList("cascades", schedule.cascades,
            [&](const Schedule::Cascade &cascade) {
              os << cascade.reduction << " wrt " << cascade.statistic << " = "
                 << stringifyCascadeStrategy(cascade.strategy);
            });
  const Schedule defaults;
  if (schedule.split != defaults.split)
    printNumber("split", schedule.split);
  if (schedule.merge != defaults.merge)
    os << comma << "merge = " << stringifyMergePlace(schedule.merge);
  if (schedule.warps)
    printNumber("warps", *schedule.warps);
  if (schedule.crews)
    printNumber("crews", *schedule.crews);
  if (schedule.stages)
    printNumber("stages", *schedule.stages);
  if (schedule.roles)
    printNumber("roles", *schedule.roles);
  if (schedule.residents)
    printNumber("residents", *schedule.residents);
  if (schedule.share)
    printNumber("share", *schedule.share);
  printList("cluster", schedule.cluster, printPlain);
  printList("order", schedule.order, [&](const Schedule::Order &order) {
    os << order.place << (order.isDown ? " down" : "");
  });
  os << ">";
}

//===----------------------------------------------------------------------===//
// Verifying
//===----------------------------------------------------------------------===//

namespace {

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult checkRange(EmitError emitError, StringRef what, int64_t value,
                         int64_t least, int64_t most) {
  if (value >= least && value <= most)
    return success();
  InFlightDiagnostic diag = emitError() << "a schedule has " << value << " "
                                        << what << ", but needs ";
  if (most == std::numeric_limits<int64_t>::max())
    return diag << "at least " << least;
  return diag << least << " to " << most;
}

LogicalResult checkTile(EmitError emitError, const Twine &of, int64_t tile) {
  // No memory that a block has holds a larger one.
  constexpr int64_t most = 1 << 19;
  if (tile >= 1 && tile <= most)
    return success();
  InFlightDiagnostic error = emitError();
  error << "the tile size of " << of << " is " << tile << ", but must be at ";
  if (tile < 1)
    return error << "least 1";
  return error << "most " << most;
}

/// Reports the first of `list` whose `key` another one before it has.
template <typename T, typename KeyFn>
LogicalResult checkUnique(EmitError emitError, const std::vector<T> &list,
                          StringRef what, KeyFn &&key) {
  for (size_t i = 0; i < list.size(); ++i)
    for (size_t before = 0; before < i; ++before)
      if (key(list[i]) == key(list[before])) {
        std::string text;
        llvm::raw_string_ostream(text) << key(list[i]);
        return emitError() << "a schedule says twice " << what << " " << text;
      }
  return success();
}

/// Numbers of reductions, operands and results count from 0.
LogicalResult checkNumber(EmitError emitError, StringRef what, int64_t number) {
  if (number >= 0)
    return success();
  return emitError() << "a schedule names " << what << " " << number
                     << ", but the first is number 0";
}

LogicalResult verifyTiles(EmitError emitError, const Schedule &schedule) {
  for (auto [place, tile] : llvm::enumerate(schedule.parallel))
    if (failed(checkTile(emitError, "o" + Twine(place), tile)))
      return failure();
  for (const Schedule::Loop &loop : schedule.sequential) {
    std::string text;
    llvm::raw_string_ostream(text) << loop.name;
    if (failed(checkTile(emitError, text, loop.tile)))
      return failure();
  }
  if (failed(checkUnique(emitError, schedule.sequential,
                         "what the tile size is of",
                         [](const Schedule::Loop &loop) { return loop.name; })))
    return failure();
  if (!schedule.owned)
    return success();
  if (schedule.owned->last < 0)
    return emitError() << "a schedule has " << schedule.owned->last
                       << " owned variables, but needs at least 0";
  for (int64_t place : schedule.owned->places)
    if (failed(checkNumber(emitError, "owned variable", place)))
      return failure();
  return checkUnique(emitError, schedule.owned->places, "that a block owns",
                     [](int64_t place) { return place; });
  return success();
}

LogicalResult verifyCascades(EmitError emitError, const Schedule &schedule) {
  for (const Schedule::Cascade &cascade : schedule.cascades) {
    if (failed(checkNumber(emitError, "reduction", cascade.reduction)) ||
        failed(checkNumber(emitError, "reduction", cascade.statistic)))
      return failure();
    if (cascade.reduction == cascade.statistic)
      return emitError() << "a schedule makes reduction " << cascade.reduction
                         << " a statistic of itself";
  }
  return checkUnique(emitError, schedule.cascades, "what is done for",
                     [](const Schedule::Cascade &cascade) {
                       return (Twine(cascade.reduction) + " wrt " +
                               Twine(cascade.statistic))
                           .str();
                     });
}

/// What only the road to GPUs reads.
LogicalResult verifyPlacement(EmitError emitError, const Schedule &schedule) {
  constexpr int64_t mostWarps = 16;
  if (failed(checkRange(emitError, "warps", schedule.warps.value_or(1), 1,
                        mostWarps)) ||
      failed(
          checkRange(emitError, "crews", schedule.crews.value_or(1), 1, 2)) ||
      failed(checkRange(emitError, "stages", schedule.stages.value_or(1), 1,
                        16)) ||
      failed(
          checkRange(emitError, "roles", schedule.roles.value_or(1), 1, 2)) ||
      failed(checkRange(emitError, "blocks on a processor",
                        schedule.residents.value_or(1), 1, 8)) ||
      failed(checkRange(emitError, "blocks that share a tile",
                        schedule.share.value_or(1), 1, 8)))
    return failure();
  for (const Schedule::Order &order : schedule.order)
    if (failed(checkNumber(emitError, "variable of the grid", order.place)))
      return failure();
  if (!llvm::isPowerOf2_64(schedule.warps.value_or(1)))
    return emitError() << "a schedule has " << *schedule.warps
                       << " warps, but needs a power of two";
  if (!llvm::isPowerOf2_64(schedule.share.value_or(1)))
    return emitError() << "a schedule has " << *schedule.share
                       << " blocks that share a tile, but needs a power of two";
  if (schedule.share.value_or(1) != 1 && !schedule.cluster.empty())
    return emitError() << "a schedule has blocks that share a tile, and so "
                          "form a cluster, and clusters of neighbouring "
                          "blocks, but a block is in one cluster";
  if (schedule.crews.value_or(1) != 1) {
    if (schedule.warps.value_or(4) != 4)
      return emitError() << "a schedule has crews of " << *schedule.warps
                         << " warps, but needs 4";
    if (schedule.roles.value_or(2) != 2 || schedule.residents.value_or(1) != 1)
      return emitError() << "a schedule has crews, for which others load, and "
                            "which fill a processor, but it has "
                         << schedule.roles.value_or(2) << " roles and "
                         << schedule.residents.value_or(1)
                         << " blocks on a processor";
  }
  if (schedule.merge == MergePlace::Cluster) {
    // Larger clusters there are on some chips only.
    if (!llvm::is_contained({2, 4, 8}, schedule.split))
      return emitError() << "a schedule merges the parts of " << schedule.split
                         << " chunks in a cluster, but needs 2, 4 or 8";
    if (schedule.share.value_or(1) != 1 || !schedule.cluster.empty())
      return emitError() << "a schedule has blocks that merge, and so form a "
                            "cluster, and others, but a block is in one "
                            "cluster";
  }
  // PTX has clusters of up to three dimensions and 16 blocks.
  if (schedule.cluster.size() > 3)
    return emitError() << "a cluster has " << schedule.cluster.size()
                       << " dimensions, but at most 3 are possible";
  int64_t blocks = 1;
  for (int64_t size : schedule.cluster) {
    if (failed(
            checkRange(emitError, "blocks in a row of a cluster", size, 1, 16)))
      return failure();
    blocks *= size;
  }
  if (failed(checkRange(emitError, "blocks in a cluster", blocks, 1, 16)))
    return failure();
  return checkUnique(emitError, schedule.order, "when to change variable",
                     [](const Schedule::Order &order) { return order.place; });
}

} // namespace

LogicalResult ScheduleAttr::verify(EmitError emitError, Schedule schedule) {
  if (failed(verifyTiles(emitError, schedule)) ||
      failed(verifyCascades(emitError, schedule)) ||
      failed(checkRange(emitError, "chunks of a split", schedule.split, 1,
                        std::numeric_limits<int64_t>::max())))
    return failure();
  return verifyPlacement(emitError, schedule);
}

//===----------------------------------------------------------------------===//
// Command lines
//===----------------------------------------------------------------------===//

llvm::Expected<ScheduleAttr> fuse::parseSchedule(StringRef text,
                                                 MLIRContext *context) {
  context->getOrLoadDialect<FuseDialect>();
  text = text.trim();
  // Nobody wants to quote `#` and `<` for a shell.
  constexpr llvm::StringLiteral prefix = "#fuse.schedule<";
  bool isBare = !text.starts_with("#");
  std::string whole = isBare ? (prefix + text + ">").str() : text.str();

  std::string message;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
    // The first error is the cause of the others.
    if (!message.empty())
      return;
    llvm::raw_string_ostream os(message);
    auto at = dyn_cast<FileLineColLoc>(diag.getLocation());
    if (at && at.getLine() == 1) {
      unsigned before = isBare ? prefix.size() : 0;
      if (at.getColumn() > before)
        os << "column " << at.getColumn() - before << ": ";
    }
    os << diag;
  });
  Attribute attribute = parseAttribute(whole, context);
  if (auto schedule = dyn_cast_or_null<ScheduleAttr>(attribute))
    return schedule;
  if (message.empty())
    message = "expected a '#fuse.schedule' attribute";
  return llvm::createStringError("'" + text + "' is no schedule: " + message);
}
