#include "tracker/lifecycle.hpp"

#include <gtest/gtest.h>

#include <array>

namespace codecarbon {
namespace {

struct Cell {
  State state;
  Call call;
  State next;
  bool opens;
  bool closes;
  bool row;
  LogLevel level;  // debug: nothing is said
};

constexpr auto kSilent = LogLevel::debug;
constexpr auto kWarns = LogLevel::warning;
constexpr auto kError = LogLevel::error;

/// The table of the documentation, written down a second time on purpose.
constexpr std::array<Cell, 20> kTable = {{
    {State::idle, Call::start, State::running, true, false, false, kSilent},
    {State::idle, Call::pause, State::idle, false, false, false, kWarns},
    {State::idle, Call::resume, State::idle, false, false, false, kWarns},
    {State::idle, Call::flush, State::idle, false, false, false, kError},
    {State::idle, Call::stop, State::idle, false, false, false, kError},
    {State::running, Call::start, State::running, false, false, false, kWarns},
    {State::running, Call::pause, State::paused, false, true, true, kSilent},
    {State::running, Call::resume, State::running, false, false, false, kWarns},
    {State::running, Call::flush, State::running, false, false, true, kSilent},
    {State::running, Call::stop, State::stopped, false, true, true, kSilent},
    {State::paused, Call::start, State::running, true, false, false, kSilent},
    {State::paused, Call::pause, State::paused, false, false, false, kWarns},
    {State::paused, Call::resume, State::running, true, false, false, kSilent},
    {State::paused, Call::flush, State::paused, false, false, true, kSilent},
    {State::paused, Call::stop, State::stopped, false, false, true, kSilent},
    {State::stopped, Call::start, State::running, true, false, false, kSilent},
    {State::stopped, Call::pause, State::stopped, false, false, false, kWarns},
    {State::stopped, Call::resume, State::running, true, false, false, kSilent},
    {State::stopped, Call::flush, State::stopped, false, false, false, kSilent},
    {State::stopped, Call::stop, State::stopped, false, false, false, kSilent},
}};

TEST(Lifecycle, EveryCellOfTheTable) {
  for (const Cell& cell : kTable) {
    const Transition step = transition(cell.state, cell.call, false);
    const auto where = testing::Message() << "state " << static_cast<int>(cell.state) << " call "
                                          << static_cast<int>(cell.call);
    EXPECT_EQ(step.next, cell.next) << where;
    EXPECT_EQ(step.opens, cell.opens) << where;
    EXPECT_EQ(step.closes, cell.closes) << where;
    EXPECT_EQ(step.row, cell.row) << where;
    const bool has_begun = cell.state == State::running || cell.state == State::paused;
    EXPECT_EQ(step.ends_tasks, cell.call == Call::stop && has_begun) << where;
    EXPECT_EQ(step.message.empty(), cell.level == kSilent) << where;
    if (!step.message.empty()) {
      EXPECT_EQ(step.level, cell.level) << where;
    }
  }
}

/// Tasks need no start, so there is something to report; no other cell knows of them.
TEST(Lifecycle, TasksChangeOnlyFlushAndStopOfWhatWasNeverStarted) {
  for (const Cell& cell : kTable) {
    const Transition with = transition(cell.state, cell.call, true);
    const Transition without = transition(cell.state, cell.call, false);
    const bool differs =
        cell.state == State::idle && (cell.call == Call::flush || cell.call == Call::stop);
    EXPECT_EQ(with.next, cell.next);
    EXPECT_EQ(with.row, cell.row || differs);
    EXPECT_EQ(with.ends_tasks, without.ends_tasks || (differs && cell.call == Call::stop));
    EXPECT_EQ(with.message, differs ? std::string_view() : without.message);
  }
}

}  // namespace
}  // namespace codecarbon
