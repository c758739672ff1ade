#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "capi/short_memory.hpp"
#include "codecarbon/codecarbon.h"

namespace {

struct Free {
  void operator()(codecarbon_options* options) const { codecarbon_options_free(options); }
  void operator()(codecarbon_tracker* tracker) const { codecarbon_tracker_free(tracker); }
};
using OptionsPtr = std::unique_ptr<codecarbon_options, Free>;
using TrackerPtr = std::unique_ptr<codecarbon_tracker, Free>;

OptionsPtr quiet_options() {
  OptionsPtr options(codecarbon_options_new());
  const char* const values[][2] = {
      {"host_root", CODECARBON_SOURCE_DIR "/tests/machines/one-socket"},
      {"country_iso_code", "FRA"},
      {"save_to_file", "false"},
      {"force_cpu_power", "10"},
      {"force_ram_power", "2"}};
  for (const auto& [name, value] : values) {
    EXPECT_EQ(codecarbon_options_set(options.get(), name, value), 0)
        << codecarbon_options_error(options.get());
  }
  return options;
}

// Calls with no memory, then with ever more, until memory was not what it lacked.
template <typename Call>
void starve(Call call) {
  for (long grants = 0; grants < 1'000'000; grants += 1 + grants / 4) {
    set_memory_left(grants);
    call();
    const bool enough = memory_left() > 0;
    set_memory_left(-1);
    if (enough) return;
  }
  FAIL() << "it never had enough";
}

TEST(CApi, UnknownOptionNamesTheNearest) {
  const OptionsPtr options(codecarbon_options_new());
  EXPECT_EQ(codecarbon_options_set(options.get(), "mesure_power_secs", "1"), -1);
  const std::string error = codecarbon_options_error(options.get());
  EXPECT_NE(error.find("mesure_power_secs"), std::string::npos) << error;
  EXPECT_NE(error.find("did you mean measure_power_secs"), std::string::npos) << error;
}

TEST(CApi, ErrorIsThatOfTheLastCall) {
  const OptionsPtr options = quiet_options();
  EXPECT_EQ(codecarbon_options_set(options.get(), "pue", "0.5"), -1);
  const std::string error = codecarbon_options_error(options.get());
  EXPECT_NE(error.find("pue"), std::string::npos) << error;
  EXPECT_NE(error.find("0.5"), std::string::npos) << error;
  EXPECT_EQ(codecarbon_options_set(options.get(), "pue", "1.5"), 0);
  EXPECT_STREQ(codecarbon_options_error(options.get()), "");
  EXPECT_EQ(codecarbon_options_set(options.get(), nullptr, nullptr), -1);
  EXPECT_STRNE(codecarbon_options_error(options.get()), "");
  EXPECT_NE(TrackerPtr(codecarbon_tracker_new(options.get())), nullptr);
  EXPECT_STREQ(codecarbon_options_error(options.get()), "");
}

TEST(CApi, TaskKeyLivesUntilTheNextOfItsThread) {
  const TrackerPtr tracker(codecarbon_tracker_new(quiet_options().get()));
  ASSERT_NE(tracker, nullptr);
  const char* const key = codecarbon_start_task(tracker.get(), "mine");
  std::thread([&] {
    EXPECT_STREQ(codecarbon_start_task(tracker.get(), "theirs"), "theirs");
  }).join();
  codecarbon_totals totals;
  codecarbon_report(tracker.get(), &totals);
  codecarbon_start(tracker.get(), nullptr);
  EXPECT_STREQ(key, "mine");
  EXPECT_EQ(codecarbon_stop_task(tracker.get(), key, &totals), 0);
  EXPECT_EQ(codecarbon_stop_task(tracker.get(), "mine", &totals), 1);
}

TEST(CApi, WithoutMemoryOptionsFailAsValues) {
  OptionsPtr options;
  starve([&] { options.reset(codecarbon_options_new()); });
  ASSERT_NE(options, nullptr);
  const std::string name = "a project with a name that does not fit into a small string";
  int accepted = -1;
  starve([&] {
    accepted = codecarbon_options_set(options.get(), "project_name", name.c_str());
    const char* const why = accepted == 0 ? "" : "out of memory";
    EXPECT_STREQ(codecarbon_options_error(options.get()), why);
  });
  EXPECT_EQ(accepted, 0);
  starve([&] { EXPECT_EQ(codecarbon_options_set(options.get(), "projct_name", "x"), -1); });
}

TEST(CApi, WithoutMemoryATrackerFailsAsAValue) {
  const OptionsPtr options = quiet_options();
  TrackerPtr tracker;
  set_memory_left(0);
  tracker.reset(codecarbon_tracker_new(options.get()));
  set_memory_left(-1);
  EXPECT_EQ(tracker, nullptr);
  EXPECT_STREQ(codecarbon_options_error(options.get()), "out of memory");
}

TEST(CApi, WithoutMemoryCallsAnswerAsForFailure) {
  const TrackerPtr tracker(codecarbon_tracker_new(quiet_options().get()));
  ASSERT_NE(tracker, nullptr);
  const char* const name = "a task with a name that does not fit into a small string";
  codecarbon_totals totals;
  set_memory_left(0);
  const char* const key = codecarbon_start_task(tracker.get(), name);
  const int stopped = codecarbon_stop_task(tracker.get(), name, &totals);
  codecarbon_report(tracker.get(), &totals);
  set_memory_left(-1);
  EXPECT_EQ(key, nullptr);
  EXPECT_EQ(stopped, 1);
  EXPECT_EQ(totals.energy_j, 0);
}

}  // namespace
