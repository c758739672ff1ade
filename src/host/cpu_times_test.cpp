#include "host/cpu_times.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace codecarbon {
namespace {

TEST(CpuTimes, WaitingIdlingAndStolenTimeIsNotBusy) {
  const auto times =
      parse_cpu_times("cpu  1 20 300 4000 50000 600000 7000000 80000000 9 9\ncpu0 1");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->busy, 7600321);
  EXPECT_EQ(times->total, 7600321 + 4000 + 50000 + 80000000);
}

TEST(CpuTimes, OldKernelsHaveFourFields) {
  const auto times = parse_cpu_times("cpu  1 2 3 4\n");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->busy, 6);
  EXPECT_EQ(times->total, 10);
}

TEST(CpuTimes, TextThatIsNoSuchLineGivesNothing) {
  for (const char* text :
       {"", "cpu", "cpu ", "cpu0 1 2 3 4\n", "cpu  1 2 3\n5", "cpu  1 x 3 4\n", "cpu  -1 2 3 4\n",
        "cpu  99999999999999999999 2 3 4\n", "cpu  1 2 3 4"}) {
    EXPECT_FALSE(parse_cpu_times(text)) << text;
  }
}

TEST(CpuTimes, AnyTextIsSafe) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const auto times = parse_cpu_times("cpu " + text);
    RC_ASSERT(!times || (times->busy >= 0 && times->total >= times->busy));
  }));
}

std::optional<CpuTimes> times_of(std::string_view list, std::string_view stat) {
  return parse_cpu_times(stat, CpuList::parse(list).value());
}

TEST(CpuTimesOfAList, AreThoseOfItsProcessorsTogether) {
  const std::string stat =
      "cpu  9 9 9 9 9\ncpu0 1 0 0 10\ncpu1 2 0 0 20\ncpu2 4 0 0 40\ncpu10 8 0 0 80\nintr 5\n";
  EXPECT_EQ(times_of("0,2", stat)->busy, 5);
  EXPECT_EQ(times_of("0,2", stat)->total, 55);
  EXPECT_EQ(times_of("1-2,10", stat)->busy, 14);
  EXPECT_EQ(times_of("1-9", stat)->busy, 6) << "the rest is offline";
  EXPECT_EQ(times_of("3-9", stat), std::nullopt);
}

TEST(CpuTimesOfAList, ATextThatIsCutSaysNothing) {
  const std::string stat = "cpu  9 9 9 9 9\ncpu0 1 0 0 10\ncpu1 2 0 0 20\nintr 5\n";
  for (std::size_t length = 0; length < stat.size(); ++length) {
    const auto times = times_of("0-1", stat.substr(0, length));
    if (length <= stat.find("\nintr")) {
      EXPECT_EQ(times, std::nullopt) << length;
    } else {
      EXPECT_EQ(times->busy, 3) << length;
    }
  }
}

TEST(CpuTimesOfAList, SumsThatAreNoNumbersSayNothing) {
  std::string stat = "cpu  1 1 1 1\n";
  for (int cpu = 0; cpu < 64; ++cpu) {
    stat += "cpu" + std::to_string(cpu) + " 500000000000000000 0 0 500000000000000000\n";
  }
  EXPECT_EQ(times_of("0-63", stat), std::nullopt);
  EXPECT_NE(times_of("0-7", stat), std::nullopt);
}

TEST(CpuTimesOfAList, AnyTextIsSafe) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    for (const char* before : {"cpu0 ", "cpu", "cpu 1\ncpu0 1 2 3 4\ncpu1"}) {
      const auto times = times_of("0-1", before + text).value_or(CpuTimes{0, 0});
      RC_ASSERT(times.busy >= 0);
      RC_ASSERT(times.total >= times.busy);
    }
  }));
}

}  // namespace
}  // namespace codecarbon
