//===- FusionReport.cpp - what was fused, and why -------------------------===//
//
// Collects while ops are there, writes when they may be gone.
//
//===----------------------------------------------------------------------===//

#include "FusionReport.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace fuse;

static std::string textOf(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  loc.print(os);
  // `loc("file":1:2)` without what every location has.
  StringRef inner(text);
  if (inner.consume_front("loc("))
    inner.consume_back(")");
  return inner.str();
}

static std::string textOf(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << schedule;
  return text;
}

void FusionReport::addEdge(const FusionEdge &edge) {
  edges.push_back({edge.producer->getName().getStringRef().str(),
                   edge.consumer->getName().getStringRef().str(),
                   textOf(edge.consumer->getLoc()), edge.rule.str(),
                   edge.reason, edge.isFused, edge.bytes});
}

void FusionReport::addPlan(func::FuncOp function, FusionPlanner &planner) {
  Plan plan;
  plan.function = function.getName().str();
  plan.seconds = planner.seconds();
  plan.unfusedSeconds = planner.unfusedSeconds();
  plan.numCosted = planner.numCosted();
  plan.steps.assign(planner.steps().begin(), planner.steps().end());
  plans.push_back(std::move(plan));
}

/// JSON has no infinity.
static llvm::json::Value microseconds(double seconds) {
  if (!std::isfinite(seconds))
    return nullptr;
  return seconds * 1e6;
}

static void write(llvm::json::OStream &json, const FusionReport::Plan &plan) {
  json.attribute("name", plan.function);
  json.attribute("predicted_us", microseconds(plan.seconds));
  json.attribute("unfused_us", microseconds(plan.unfusedSeconds));
  json.attribute("kernels_costed", static_cast<int64_t>(plan.numCosted));
  json.attributeArray("search", [&] {
    for (const FusionStep &step : plan.steps)
      json.object([&] {
        json.attribute("step", step.what);
        json.attribute("from_us", microseconds(step.secondsBefore));
        json.attribute("to_us", microseconds(step.secondsAfter));
      });
  });
}

static void write(llvm::json::OStream &json,
                  const FusionReport::Kernel &kernel) {
  KernelOp kernelOp = kernel.op;
  json.attribute("name", kernelOp.getName());
  json.attributeArray("ops", [&] {
    for (Operation &inner :
         kernelOp.getBodyRegion().front().without_terminator())
      json.value(inner.getName().getStringRef());
  });
  json.attributeArray("results", [&] {
    for (Type type : kernelOp.getResultTypes()) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      json.value(text);
    }
  });
  json.attribute("schedule", textOf(kernelOp.getScheduleAttr()));
  const Cost &cost = kernel.scheduled.cost;
  json.attribute("predicted_us", microseconds(cost.seconds));
  json.attribute("memory_bytes", cost.memoryBytes);
  json.attribute("cache_bytes", cost.cacheBytes);
  json.attribute("blocks", cost.blocks);
  json.attributeArray("notes", [&] {
    for (const std::string &note : kernel.scheduled.notes)
      json.value(note);
  });
  json.attributeArray("rejected", [&] {
    for (const RejectedSchedule &rejected : kernel.rejected)
      json.object([&] {
        json.attribute("schedule", textOf(rejected.schedule));
        json.attribute("predicted_us", microseconds(rejected.seconds));
        json.attribute("reason", rejected.reason);
      });
  });
}

static void write(llvm::json::OStream &json, const FusionReport::Edge &edge) {
  json.attribute("producer", edge.producer);
  json.attribute("consumer", edge.consumer);
  json.attribute("location", edge.location);
  json.attribute("fused", edge.isFused);
  json.attribute("rule", edge.rule);
  json.attribute("reason", edge.reason);
  json.attribute("bytes", edge.bytes);
}

std::string FusionReport::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 2);
  auto writeAll = [&](StringRef name, const auto &list) {
    json.attributeArray(name, [&] {
      for (const auto &entry : list)
        json.object([&] { write(json, entry); });
    });
  };
  json.object([&] {
    writeAll("functions", plans);
    writeAll("kernels", kernels);
    writeAll("edges", edges);
  });
  os << "\n";
  return text;
}
