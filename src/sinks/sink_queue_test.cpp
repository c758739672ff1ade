#include "sinks/sink_queue.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <stdexcept>
#include <thread>

namespace codecarbon {
namespace {

Report report(std::string run_id, std::string name = {}) {
  Report report;
  report.run_id = std::move(run_id);
  report.project_name = std::move(name);
  return report;
}

/// Keeps "run_id/name" of what it took; does `before` first, which may refuse or throw.
class TestSink : public Sink {
 public:
  explicit TestSink(bool replaces = false) : replaces_(replaces) {}
  std::string_view name() const override { return "test"; }
  bool replaces() const override { return replaces_; }
  int live_every() const override { return live ? 1 : 0; }
  Status write_live(const Report& report) override { return write(report); }
  Status write(const Report& report) override {
    before_row(report);
    const auto act = before;  // which may put another in its place
    if (Status refused = act(); !refused) return refused;
    taken.push_back(report.run_id + "/" + report.project_name);
    return {};
  }
  Status write_tasks(std::span<const TaskReport> tasks) override {
    const auto act = before;  // which may put another in its place
    if (Status refused = act(); !refused) return refused;
    taken.push_back("tasks " + std::to_string(tasks.size()));
    return {};
  }

  Status finish() override {
    taken.emplace_back("end");
    return {};
  }

  bool live = false;
  std::function<void(const Report&)> before_row = [](const Report&) {};
  std::function<Status()> before = [] { return Status{}; };
  std::vector<std::string> taken;

 private:
  bool replaces_;
};

Status refuse(std::string why = "no space") {
  return fail(ErrorKind::io, std::move(why));
}

using Lines = std::vector<std::string>;

class SinkQueueTest : public ::testing::Test {
 protected:
  std::size_t said(LogLevel level) const {
    return static_cast<std::size_t>(std::count_if(
        log_.begin(), log_.end(), [&](const auto& line) { return line.first == level; }));
  }
  std::shared_ptr<TestSink> add(bool replaces = false) {
    auto sink = std::make_shared<TestSink>(replaces);
    queue_->add(sink);
    return sink;
  }

  std::vector<std::pair<LogLevel, std::string>> log_;
  std::shared_ptr<const Logger> logger_ = std::make_shared<Logger>(
      [this](LogLevel level, std::string_view text) { log_.emplace_back(level, text); },
      LogLevel::debug);
  std::unique_ptr<SinkQueue> queue_ = std::make_unique<SinkQueue>(logger_, 3);
};

TEST_F(SinkQueueTest, WritesAtOnceAndInOrder) {
  const auto sink = add();
  queue_->submit(report("a"));
  queue_->submit_tasks({{"t", {}}, {"u", {}}});
  queue_->submit(report("b"));
  EXPECT_EQ(sink->taken, (Lines{"a/", "tasks 2", "b/"}));
  EXPECT_TRUE(log_.empty());
}

TEST_F(SinkQueueTest, ARefusedReportIsKeptRetriedInOrderAndSaidOnce) {
  const auto failing = add();
  const auto other = add();
  failing->before = [] { return refuse(); };
  queue_->submit(report("a"));
  queue_->submit(report("b"));
  EXPECT_EQ(other->taken, (Lines{"a/", "b/"}));
  EXPECT_EQ(said(LogLevel::error), 1U);
  failing->before = [] { return refuse("folder gone"); };
  queue_->submit_tasks({{"t", {}}});
  EXPECT_EQ(said(LogLevel::error), 2U);

  failing->before = [] { return Status{}; };
  queue_->settle();
  EXPECT_EQ(failing->taken, (Lines{"a/", "b/", "tasks 1"}));
  EXPECT_EQ(said(LogLevel::info), 1U);

  failing->before = [] { return refuse(); };
  queue_->submit(report("c"));
  EXPECT_EQ(said(LogLevel::error), 3U);
}

TEST_F(SinkQueueTest, KeepsTheNewestAndSaysHowManyItDropped) {
  const auto sink = add();
  sink->before = [] { return refuse(); };
  for (const char* run : {"a", "b", "c", "d", "e"}) queue_->submit(report(run));
  sink->before = [] { return Status{}; };
  queue_->submit(report("f"));
  EXPECT_EQ(sink->taken, (Lines{"c/", "d/", "e/", "f/"}));
  EXPECT_EQ(said(LogLevel::warning), 1U);
  EXPECT_NE(log_.back().second.find("2 report(s) were dropped"), std::string::npos);
}

TEST_F(SinkQueueTest, OfWhatReplacesOnlyTheNewestWaits) {
  const auto sink = add(true);
  sink->before = [] { return refuse(); };
  for (const char* name : {"1", "2", "3", "4"}) {
    queue_->submit(report("a", name));
    queue_->submit(report("b", name));
  }
  sink->before = [] { return Status{}; };
  queue_->settle();
  EXPECT_EQ(sink->taken, (Lines{"a/4", "b/4"}));
  EXPECT_EQ(said(LogLevel::warning), 0U);
}

TEST_F(SinkQueueTest, ASinkThatThrowsIsSaidOnceAndRetriedAndStopsNobody) {
  const auto throwing = add();
  const auto other = add();
  throwing->before = []() -> Status { throw std::runtime_error("bad handler"); };
  queue_->submit(report("a"));
  throwing->before = []() -> Status { throw 7; };
  queue_->submit(report("b"));
  throwing->before = [] { return Status{}; };
  queue_->submit(report("c"));
  EXPECT_EQ(throwing->taken, (Lines{"a/", "b/", "c/"}));
  EXPECT_EQ(other->taken, (Lines{"a/", "b/", "c/"}));
  EXPECT_EQ(said(LogLevel::error), 1U);
}

TEST_F(SinkQueueTest, WhatASinkThrowsAtEachTimeIsDroppedAndCounted) {
  const auto sink = add();
  std::vector<std::string> tried;
  sink->before_row = [&](const Report& row) {
    tried.push_back(row.run_id);
    if (row.run_id == "poison") throw std::runtime_error("bad row");
  };
  queue_->submit(report("poison"));
  queue_->submit(report("b"));
  EXPECT_TRUE(sink->taken.empty());
  queue_->settle();
  EXPECT_EQ(tried, (Lines{"poison", "poison", "poison", "b"}));
  EXPECT_EQ(sink->taken, Lines{"b/"});
  EXPECT_NE(log_.back().second.find("1 report(s) were dropped"), std::string::npos);
  queue_->submit(report("poison"));
  queue_.reset();
  EXPECT_NE(log_.back().second.find("1 report(s) could not be written"), std::string::npos);
}

TEST_F(SinkQueueTest, ALiveReportThatFailsIsNeitherKeptNorCountedNorSaidToBeKept) {
  const auto sink = add();
  sink->live = true;
  for (const bool throws : {false, true}) {
    sink->before = [throws] {
      if (throws) throw 7;
      return refuse();
    };
    queue_->enqueue_live(report("live"));
    queue_->drain();
    sink->before = [] { return Status{}; };
    queue_->submit(report("a"));
  }
  queue_.reset();
  EXPECT_EQ(sink->taken, (Lines{"a/", "a/"}));
  EXPECT_EQ(said(LogLevel::warning), 0U);
  EXPECT_EQ(said(LogLevel::error), 2U);
  for (const auto& [level, text] : log_) EXPECT_EQ(text.find("(kept"), std::string::npos) << text;
}

TEST_F(SinkQueueTest, AHookThatThrowsCostsNoReportAndEndsNothing) {
  const auto throwing = std::make_shared<Logger>(
      [](LogLevel, std::string_view) { throw std::runtime_error("bad hook"); }, LogLevel::debug);
  queue_ = std::make_unique<SinkQueue>(throwing, 2);
  const auto sink = add();
  for (const bool throws : {false, true}) {
    sink->taken.clear();
    sink->before = [throws] {
      if (throws) throw 7;
      return refuse();
    };
    queue_->submit(report("a"));
    queue_->submit(report("b"));
    sink->before = [] { return Status{}; };
    std::thread([&] { queue_->settle(); }).join();  // would never return if a drainer stayed on
    EXPECT_EQ(sink->taken, (Lines{"a/", "b/"}));
  }
  sink->before = [] { return refuse(); };
  for (const char* run : {"c", "d", "e"}) queue_->submit(report(run));
  queue_.reset();  // says what is lost
}

TEST_F(SinkQueueTest, WhatWaitsForASinkThatIsStuckIsLimited) {
  const auto sink = add();
  sink->live = true;
  sink->before = [&] {
    sink->before = [] { return Status{}; };
    for (int i = 0; i < 100; ++i) queue_->enqueue_live(report("live", std::to_string(i)));
    for (const char* run : {"b", "c"}) queue_->submit(report(run));
    EXPECT_EQ(said(LogLevel::warning), 0U);
    for (const char* run : {"d", "e", "f"}) queue_->submit(report(run));
    queue_->enqueue_live(report("live", "last"));
    return Status{};
  };
  queue_->submit(report("a"));
  EXPECT_EQ(sink->taken, (Lines{"a/", "e/", "f/", "live/last"}));
  EXPECT_EQ(said(LogLevel::warning), 1U);
  EXPECT_NE(log_.back().second.find("3 report(s) were dropped"), std::string::npos);
}

TEST_F(SinkQueueTest, OnlyTheFirstSettlingIsPatient) {
  class Waiting final : public PatientSink {
   public:
    explicit Waiting(std::vector<std::chrono::milliseconds>& waits) : waits_(waits) {}
    std::string_view name() const override { return "waiting"; }
    void set_patience(std::chrono::milliseconds patience) override { patience_ = patience; }
    Status write(const Report&) override {
      waits_.push_back(patience_);
      return refuse("locked");
    }
    Status write_tasks(std::span<const TaskReport>) override { return {}; }

   private:
    std::vector<std::chrono::milliseconds>& waits_;
    std::chrono::milliseconds patience_{};
  };
  std::vector<std::chrono::milliseconds> waits;
  const auto start = [&] {
    waits.clear();
    queue_ = std::make_unique<SinkQueue>(logger_, 3);
    queue_->add(std::make_shared<Waiting>(waits));
    queue_->submit(report("a"));
  };
  using Waits = std::vector<std::chrono::milliseconds>;
  start();
  queue_.reset();
  EXPECT_EQ(waits, (Waits{kShortPatience, kLongPatience}));
  start();
  queue_->settle();
  queue_.reset();
  EXPECT_EQ(waits, (Waits{kShortPatience, kLongPatience, kShortPatience}));
  start();
  queue_->settle();
  queue_->submit(report("b"));
  queue_.reset();
  EXPECT_EQ(waits, (Waits{kShortPatience, kLongPatience, kShortPatience, kLongPatience}));
}

TEST_F(SinkQueueTest, TriesOnceMoreAtItsEndAndSaysWhatIsLost) {
  const auto sink = add();
  int tries = 0;
  sink->before = [&] {
    ++tries;
    return refuse();
  };
  queue_->submit(report("a"));
  queue_.reset();
  EXPECT_EQ(tries, 2);
  EXPECT_NE(log_.back().second.find("1 report(s)"), std::string::npos);
}

TEST_F(SinkQueueTest, ASinkGetsWhatIsSubmittedAfterItCame) {
  queue_->submit(report("before"));
  const auto sink = add();
  queue_->submit(report("after"));
  EXPECT_EQ(sink->taken, Lines{"after/"});
}

/// A thread that writes one report and stays in the sink until it is let go.
class Stuck {
 public:
  Stuck(SinkQueue& queue, TestSink& sink) {
    std::promise<void> entered;
    sink.before = [&] {
      sink.before = [] { return Status{}; };
      entered.set_value();
      go_on_.get_future().wait();
      return Status{};
    };
    thread_ = std::thread([&queue] { queue.submit(report("stuck")); });
    entered.get_future().wait();
  }
  ~Stuck() {
    if (thread_.joinable()) let_go();
  }
  void let_go() {
    go_on_.set_value();
    thread_.join();
  }

 private:
  std::promise<void> go_on_;
  std::thread thread_;
};

TEST_F(SinkQueueTest, NobodyWaitsForTheThreadThatWrites) {
  const auto sink = add();
  Stuck writer(*queue_, *sink);
  queue_->submit(report("b"));  // would never return if it waited
  EXPECT_TRUE(sink->taken.empty());
  writer.let_go();
  EXPECT_EQ(sink->taken, (Lines{"stuck/", "b/"}));
}

TEST_F(SinkQueueTest, ASinkThatDoesNotReturnHoldsUpNoOther) {
  for (const bool stuck_first : {true, false}) {
    queue_ = std::make_unique<SinkQueue>(logger_, 3, std::chrono::milliseconds(0));
    const auto first = add();
    const auto second = add();
    const auto& [slow, other] = stuck_first ? std::tie(first, second) : std::tie(second, first);
    const Stuck writer(*queue_, *slow);
    queue_->submit(report("b"));
    EXPECT_EQ(other->taken.back(), "b/");
    other->before = [] { return refuse(); };
    queue_->submit(report("c"));
    other->before = [] { return Status{}; };
    queue_->settle();
    EXPECT_EQ(other->taken.back(), "c/");
    EXPECT_TRUE(slow->taken.empty());
  }
}

TEST_F(SinkQueueTest, WhoWaitsSeesWhatAnotherThreadWrites) {
  for (void (SinkQueue::*wait)() : {&SinkQueue::drain_and_wait, &SinkQueue::settle}) {
    queue_ = std::make_unique<SinkQueue>(logger_, 3, std::chrono::hours(1));
    const auto sink = add();
    Stuck writer(*queue_, *sink);
    queue_->enqueue(report("b"));
    auto waited = std::async(std::launch::async, [&] {
      ((*queue_).*wait)();
      return sink->taken;
    });
    writer.let_go();
    EXPECT_EQ(waited.get(), (Lines{"stuck/", "b/"}));
  }
}

TEST_F(SinkQueueTest, ASinkMaySubmitAndSettleFromWithin) {
  const auto sink = add();
  sink->before = [&] {
    sink->before = [] { return Status{}; };
    queue_->submit(report("inner"));
    queue_->settle();
    return Status{};
  };
  queue_->submit(report("outer"));
  EXPECT_EQ(sink->taken, (Lines{"outer/", "inner/"}));
}

TEST_F(SinkQueueTest, ASinkThatSubmitsForEachReportDoesNotGoOnForEver) {
  const auto first = add();
  const auto second = add();
  first->before_row = [&](const Report&) { queue_->submit(report("again")); };
  queue_->submit(report("a"));
  EXPECT_LT(first->taken.size(), 1000U);
  EXPECT_LE(first->taken.size(), second->taken.size());
  first->before_row = [](const Report&) {};
  queue_->submit(report("b"));
  EXPECT_EQ(first->taken.back(), "b/");
  EXPECT_NE(log_.front().second.find("report(s) were dropped"), std::string::npos);
}

TEST_F(SinkQueueTest, TheEndComesOnceAllBeforeItIsWritten) {
  const auto sink = add();
  sink->before = [] { return refuse(); };
  queue_->submit(report("a"));
  queue_->enqueue_end();
  queue_->drain();
  EXPECT_TRUE(sink->taken.empty());
  sink->before = [] { return Status{}; };
  queue_->submit(report("b"));
  EXPECT_EQ(sink->taken, (Lines{"a/", "end", "b/"}));
}

TEST_F(SinkQueueTest, ManyThreadsLoseNothingAndKeepTheirOrder) {
  constexpr int kThreads = 8;
  constexpr int kEach = 500;
  queue_ = std::make_unique<SinkQueue>(logger_, kThreads * kEach);
  const auto sink = add();
  std::atomic<int> inside{0};
  std::atomic<bool> twice{false};
  sink->before = [&] {
    if (inside.fetch_add(1) != 0) twice = true;
    inside.fetch_sub(1);
    return Status{};
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) queue_->submit(report(std::to_string(t), std::to_string(i)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  queue_->settle();
  EXPECT_FALSE(twice);
  std::map<std::string, int> next;
  for (const std::string& line : sink->taken) {
    const auto slash = line.find('/');
    EXPECT_EQ(std::stoi(line.substr(slash + 1)), next[line.substr(0, slash)]++);
  }
  EXPECT_EQ(sink->taken.size(), static_cast<std::size_t>(kThreads * kEach));
}

TEST_F(SinkQueueTest, AChildAfterAForkWritesAndWaitsForNothing) {
  const auto sink = add();
  sink->before = [&] {
    sink->before = [] { return Status{}; };
    const pid_t child = ::fork();  // the drain is under way: the child would wait for ever
    if (child == 0) {
      queue_->submit(report("child"));
      queue_->settle();
      queue_.reset();
      ::_exit(sink->taken.empty() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return Status{};
  };
  std::thread other([&] { queue_->submit(report("parent")); });
  other.join();
  EXPECT_EQ(sink->taken, Lines{"parent/"});
}

}  // namespace
}  // namespace codecarbon
