#include "config/option_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <optional>
#include <regex>
#include <set>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace codecarbon {
namespace {

/// Options with one value set from text; fails the test when it is not accepted.
Options with(std::string_view name, std::string_view text) {
  Options options;
  const Status status = set_option(options, name, text, "test");
  EXPECT_TRUE(status.has_value()) << status.error().message;
  return options;
}

bool accepts(std::string_view name, std::string_view text) {
  Options options;
  const bool accepted = set_option(options, name, text, "test").has_value();
  const OptionRow& row = *find_option(name);
  EXPECT_EQ(accepted, row.is_set(options)) << "a refused value must change nothing";
  return accepted;
}

std::string message_of(std::string_view name, std::string_view text, std::string_view origin) {
  Options options;
  const Status status = set_option(options, name, text, origin);
  return status ? "(accepted)" : status.error().message;
}

/// Texts of every kind of value; each row accepts some of them.
const std::vector<std::string>& sample_texts() {
  static const std::vector<std::string> kTexts{
      "1",          "0.25",    "15",           "3.0000000000000004",
      "1e-3",       "+2",      "true",         "OFF",
      "append",     "Update",  "extended",     "machine",
      "WARNING",    "30",      "FRA",          "fr",
      "a b",        "x/y.csv", "/tmp",         "[0, 1]",
      "GPU-3f1c,2", "[]",      "['0', \"1\"]", "né",
      "50%"};
  return kTexts;
}

TEST(OptionTable, EveryRowIsComplete) {
  std::set<std::string_view> names;
  for (const OptionRow& row : option_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " stands twice";
    EXPECT_EQ(find_option(row.name), &row);
    EXPECT_EQ(row.placeholder.empty(), row.is_boolean) << row.name;
    EXPECT_FALSE(row.accepted.empty() || row.help.empty() || row.section.empty()) << row.name;
    EXPECT_TRUE(row.help.ends_with('.') && !row.accepted.ends_with('.')) << row.name;
  }
  EXPECT_EQ(find_option("no_such_option"), nullptr);
}

/// Stands for a value of any field, to count how many an aggregate takes.
struct AnyField {
  template <class T>
  operator std::optional<T>() const;  // NOLINT(google-explicit-constructor)
  template <std::size_t>
  static AnyField at();
};

template <std::size_t... i>
constexpr bool takes(std::index_sequence<i...>) {
  return requires {
    Options{AnyField::at<i>()...};
  };
}

template <std::size_t count = 0>
constexpr std::size_t field_count() {
  if constexpr (takes(std::make_index_sequence<count + 1>{})) {
    return field_count<count + 1>();
  } else {
    return count;
  }
}

TEST(OptionTable, EveryFieldHasARow) {
  EXPECT_EQ(option_table().size(), field_count());
}

TEST(OptionTable, DefaultsAreAcceptedAndShownAsTheyAreWritten) {
  for (const OptionRow& row : option_table()) {
    if (row.default_text.empty()) continue;
    EXPECT_EQ(row.show(with(row.name, row.default_text)), row.default_text) << row.name;
  }
}

TEST(OptionTable, WhatIsShownIsRead) {
  for (const OptionRow& row : option_table()) {
    int accepted = 0;
    for (const std::string& text : sample_texts()) {
      Options first;
      if (!row.set(first, text)) continue;
      ++accepted;
      EXPECT_TRUE(row.is_set(first) && row.check(first)) << row.name << " " << text;
      Options again;
      ASSERT_TRUE(row.set(again, row.show(first))) << row.name << " " << text;
      EXPECT_EQ(row.show(again), row.show(first)) << row.name;
    }
    EXPECT_GT(accepted, 0) << row.name;
    EXPECT_FALSE(row.is_set(Options{}));
    EXPECT_TRUE(row.check(Options{}).has_value());
    EXPECT_EQ(row.show(Options{}), "");
  }
}

TEST(OptionTable, NumbersKeepEveryBit) {
  EXPECT_TRUE(rc::check([] {
    const double value = *rc::gen::inRange(0, 1'000'000'000) / 1e9 + 1;
    Options first;
    first.pue = value;
    Options again;
    RC_ASSERT(find_option("pue")->set(again, find_option("pue")->show(first)).has_value());
    RC_ASSERT(again.pue == value);
  }));
}

TEST(OptionTable, RefusalsNameOptionValueOriginAndWhatIsAccepted) {
  // No value of any option: not a number, a word or a path; not one line, not UTF-8.
  const std::string garbage("\0\n\xFF", 3);
  for (const OptionRow& row : option_table()) {
    const std::string message = message_of(row.name, garbage, "--flag");
    EXPECT_EQ(message, std::string(row.name) +
                           ": \"\\x00\\x0a\\xff\" (from --flag) is not accepted: " +
                           std::string(row.accepted));
  }
  EXPECT_EQ(message_of("measure_power_secs", "abc", "environment CODECARBON_MEASURE_POWER_SECS"),
            "measure_power_secs: \"abc\" (from environment CODECARBON_MEASURE_POWER_SECS) is not "
            "accepted: a number of seconds from 0.001 to 86400, such as 15");
}

TEST(OptionTable, ARangeIsWhatItsTextSays) {
  const std::regex range("from ([0-9.]+) to ([0-9.]+)");
  int ranges = 0;
  for (const OptionRow& row : option_table()) {
    const std::string accepted(row.accepted);
    std::smatch ends;
    if (row.name == "log_level" || !std::regex_search(accepted, ends, range)) continue;
    ++ranges;
    const double low = std::stod(ends[1]);
    const double high = std::stod(ends[2]);
    const auto text = [](double value) { return std::to_string(value); };
    EXPECT_TRUE(accepts(row.name, ends[1].str()) && accepts(row.name, ends[2].str())) << row.name;
    EXPECT_FALSE(accepts(row.name, text(low - 0.0001))) << row.name;
    EXPECT_FALSE(accepts(row.name, text(high + 0.0001))) << row.name;
    for (const char* bad :
         {"nan", "inf", "-inf", "1e999", "1,5", "0x10", "1 2", "", "15s", "--1"}) {
      EXPECT_FALSE(accepts(row.name, bad)) << row.name << " " << bad;
    }
  }
  EXPECT_EQ(ranges, 9);
}

TEST(OptionTable, YesAndNoInEveryForm) {
  for (const char* yes : {"true", "True", "1", "YES", "on", " on "}) {
    EXPECT_EQ(with("offline", yes).offline, true) << yes;
  }
  for (const char* no : {"false", "FALSE", "0", "No", "off"}) {
    EXPECT_EQ(with("offline", no).offline, false) << no;
  }
  for (const char* neither : {"", "2", "y", "truth", "None"}) {
    EXPECT_FALSE(accepts("offline", neither)) << neither;
  }
}

TEST(OptionTable, LogLevelsByNameAndByPythonsNumbers) {
  const std::vector<std::pair<const char*, LogLevel>> levels{
      {"DEBUG", LogLevel::debug},    {"info", LogLevel::info},   {"Warning", LogLevel::warning},
      {"warn", LogLevel::warning},   {"error", LogLevel::error}, {"CRITICAL", LogLevel::critical},
      {"fatal", LogLevel::critical}, {"0", LogLevel::debug},     {"10", LogLevel::debug},
      {"11", LogLevel::info},        {"20", LogLevel::info},     {"30", LogLevel::warning},
      {"40", LogLevel::error},       {"50", LogLevel::critical}};
  for (const auto& [text, level] : levels) EXPECT_EQ(with("log_level", text).log_level, level);
  for (const char* bad : {"", "51", "-1", "20.5", "verbose", "nan"}) {
    EXPECT_FALSE(accepts("log_level", bad)) << bad;
  }
}

TEST(OptionTable, GpuListsInEveryForm) {
  using List = std::vector<std::string>;
  EXPECT_EQ(with("gpu_ids", "0, 1").gpu_ids, (List{"0", "1"}));
  EXPECT_EQ(with("gpu_ids", "[0,1]").gpu_ids, (List{"0", "1"}));
  EXPECT_EQ(with("gpu_ids", "['GPU-3f1c', \"2\"]").gpu_ids, (List{"GPU-3f1c", "2"}));
  EXPECT_EQ(with("gpu_ids", "3").gpu_ids, List{"3"});
  // Not the empty text, which would look like an option that nobody set.
  EXPECT_EQ(find_option("gpu_ids")->show(with("gpu_ids", "")), "[]");
  for (const char* none : {"", "[]", " [ ] "}) EXPECT_EQ(with("gpu_ids", none).gpu_ids, List{});
  for (const char* bad :
       {"0,", ",", "0,,1", "[0", "0]", "[", "]", "-1", "'0", "\"", "0 1", "[[0]]"}) {
    EXPECT_FALSE(accepts("gpu_ids", bad)) << bad;
  }
}

TEST(OptionTable, ShapesOfTexts) {
  for (const char* good : {"FRA", "fra", "FR", ""}) EXPECT_TRUE(accepts("country_iso_code", good));
  for (const char* bad : {"FRA", "F", "F1"}) {
    EXPECT_FALSE(accepts("country_2letter_iso_code", bad)) << bad;
  }
  for (const char* bad : {"", " ", "a\nb"}) EXPECT_FALSE(accepts("run_id", bad)) << bad;
  for (const char* bad : {"", "/", "out/", "..", "a/."}) EXPECT_FALSE(accepts("output_file", bad));
  EXPECT_TRUE(accepts("output_file", "/data/runs/e.csv"));
  EXPECT_TRUE(accepts("output_dir", "caf\xE9"));
  EXPECT_TRUE(accepts("project_name", "two\nlines, \"quoted\""));
}

TEST(OptionTable, ANearMissIsNamed) {
  EXPECT_NE(message_of("on_csv_write", "apend", "x").find("did you mean \"append\"?"),
            std::string::npos);
  const std::string message = message_of("mesure_power_secs", "1", "keyword");
  EXPECT_NE(message.find("did you mean measure_power_secs?"), std::string::npos) << message;
  EXPECT_NE(message_of("colour", "1", "keyword").find("measure_power_secs"), std::string::npos);
}

TEST(OptionTable, FieldsThatAProgramFillsAreCheckedToo) {
  const auto refused = [](std::string_view name, const Options& options) {
    return !find_option(name)->check(options).has_value();
  };
  Options options;
  options.pue = std::numeric_limits<double>::quiet_NaN();
  options.measure_power_secs = 0;
  options.run_id = "";
  options.gpu_ids = {"0", ""};
  options.on_csv_write = static_cast<CsvMode>(7);
  for (const char* name : {"pue", "measure_power_secs", "run_id", "gpu_ids", "on_csv_write"}) {
    EXPECT_TRUE(refused(name, options)) << name;
  }
}

TEST(OptionTable, NoTextDoesHarm) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    for (const OptionRow& row : option_table()) {
      Options options;
      const Status status = set_option(options, row.name, text, "test");
      RC_ASSERT(status.has_value() == row.is_set(options));
      RC_ASSERT(status || (is_utf8(status.error().message) && status.error().option == row.name));
    }
  }));
}

}  // namespace
}  // namespace codecarbon
