//===- ScheduleTest.cpp - tests of schedules as values --------------------===//
//
// What has no IR: making a schedule, asking it, and reading it from a command
// line.
//
//===----------------------------------------------------------------------===//

#include "fuse/Dialect/Fuse/IR/Fuse.h"
#include <gmock/gmock.h>

using namespace fuse;
using testing::HasSubstr;

namespace {

class ScheduleTest : public testing::Test {
protected:
  ScheduleTest() { context.loadDialect<FuseDialect>(); }

  std::string errorOf(llvm::StringRef text) {
    auto schedule = parseSchedule(text, &context);
    return schedule ? "" : llvm::toString(schedule.takeError());
  }
  mlir::MLIRContext context;
};

TEST_F(ScheduleTest, ReadsWithAndWithoutTheWrapping) {
  auto bare = parseSchedule(" parallel = [64, 128], split = 4 ", &context);
  auto whole = parseSchedule("#fuse.schedule<parallel = [64, 128], split = 4>",
                             &context);
  ASSERT_TRUE(static_cast<bool>(bare));
  ASSERT_TRUE(static_cast<bool>(whole));
  EXPECT_EQ(*bare, *whole);
  EXPECT_EQ(bare->getValue().split, 4);
}

TEST_F(ScheduleTest, NothingIsTheDefault) {
  auto schedule = parseSchedule("", &context);
  ASSERT_TRUE(static_cast<bool>(schedule));
  EXPECT_EQ(schedule->getValue(), Schedule());
}

TEST_F(ScheduleTest, ErrorsSayWhatAndWhere) {
  EXPECT_EQ(errorOf("split = 0"),
            "'split = 0' is no schedule: a schedule has 0 chunks of a split, "
            "but needs at least 1");
  EXPECT_THAT(errorOf("split = 2, colour = 3"),
              HasSubstr("column 12: expected one of parallel, "));
  EXPECT_THAT(errorOf("#fuse.schedule<split = 2, colour = 3>"),
              HasSubstr("column 27: expected one of parallel, "));
  EXPECT_THAT(errorOf("split = 2> : i32"), HasSubstr("is no schedule"));
  EXPECT_THAT(errorOf("#fuse.fill<constant, 1, 1>"),
              HasSubstr("expected a '#fuse.schedule' attribute"));
}

TEST_F(ScheduleTest, IsAskedForTiles) {
  Schedule schedule;
  schedule.sequential = {{{64, false, 0}, 16}, {{64, true, 0}, 8}};
  schedule.cascades = {{2, 0, CascadeStrategy::Rescale}};
  auto attribute = ScheduleAttr::get(&context, schedule);
  const Schedule &value = attribute.getValue();
  EXPECT_EQ(value.tileOf({64, false, 0}), 16);
  EXPECT_EQ(value.tileOf({64, true, 0}), 8);
  EXPECT_EQ(value.tileOf({64, false, 1}), std::nullopt);
  EXPECT_EQ(value.strategyOf(2, 0), CascadeStrategy::Rescale);
  EXPECT_EQ(value.strategyOf(0, 2), std::nullopt);
}

TEST_F(ScheduleTest, IsTheSameForTheSameChoices) {
  Schedule a, b;
  a.sequential = b.sequential = {{{64, false, 0}, 16}};
  EXPECT_EQ(ScheduleAttr::get(&context, a), ScheduleAttr::get(&context, b));
  b.order = {{0, true}};
  EXPECT_NE(ScheduleAttr::get(&context, a), ScheduleAttr::get(&context, b));
}

} // namespace
