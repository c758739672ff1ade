#include "config/resolve.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <vector>

#include "config/option_table.hpp"

namespace codecarbon {
namespace {

namespace fs = std::filesystem;

class ResolveTest : public testing::Test {
 protected:
  ResolveTest() {
    char pattern[] = "/tmp/codecarbon-config-XXXXXX";
    root_ = ::mkdtemp(pattern);
    fs::create_directories(root_ / "here");
    fs::create_directories(root_ / "home");
    variables_["HOME"] = (root_ / "home").string();
  }
  ~ResolveTest() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& content) const {
    std::ofstream(root_ / path, std::ios::binary) << content;
  }
  Result<Options> resolve(const Options& keywords = {}) {
    auto resolved = resolve_options(keywords, Environment(variables_), root_ / "here");
    if (!resolved) return tl::unexpected(resolved.error());
    return resolved->options;
  }
  std::string message(const Options& keywords = {}) {
    const auto options = resolve(keywords);
    return options ? "(accepted)" : options.error().message;
  }
  void expect_parts(const std::string& text, const std::vector<std::string>& parts) const {
    for (const auto& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
  }

  fs::path root_;
  std::map<std::string, std::string, std::less<>> variables_;
};

TEST_F(ResolveTest, WithoutAnythingTheDefaults) {
  const auto options = resolve();
  ASSERT_TRUE(options.has_value()) << options.error().message;
  for (const OptionRow& row : option_table()) {
    EXPECT_EQ(row.show(*options), row.default_text) << row.name;
  }
  EXPECT_EQ(options->project_name, "codecarbon");
  EXPECT_EQ(options->measure_power_secs, 15);
  EXPECT_EQ(options->rapl_include_dram, true);
}

/// Two texts of each option that are accepted, differ, and need nothing on the disk.
std::array<std::string, 2> two_values(const OptionRow& row) {
  if (row.name == "tracking_mode") return {"process", "Process"};
  if (row.name == "host_root") return {"/", "/."};
  if (row.name == "machine") return {"/dev/null", "/dev/zero"};
  if (row.name == "output_dir") return {".", "/"};
  if (row.name == "country_iso_code") return {"FRA", "DEU"};
  if (row.name == "country_2letter_iso_code") return {"FR", "DE"};
  std::vector<std::string> accepted;
  for (const char* text : {"append", "update", "standard", "extended", "debug", "error", "true",
                           "false", "1", "2.5", "3"}) {
    Options options;
    if (row.set(options, text)) accepted.emplace_back(text);
  }
  return {accepted.front(), accepted.back()};
}

TEST_F(ResolveTest, TheStrongestSourceWins) {
  EXPECT_TRUE(rc::check([this] {
    const auto rows = option_table();
    const OptionRow& row = rows[*rc::gen::inRange<std::size_t>(0, rows.size())];
    const auto values = two_values(row);
    // Keyword, environment, ./ and ~/: each silent, or with one of the two values.
    std::array<int, 4> says{};
    for (int& one : says) one = *rc::gen::inRange(-1, 2);
    const auto text = [&](std::size_t i) { return values[static_cast<std::size_t>(says[i])]; };
    const auto file = [&](std::size_t i) {
      return "[codecarbon]\n" + (says[i] < 0 ? "" : std::string(row.name) + " = " + text(i) + "\n");
    };

    Options keywords;
    if (says[0] >= 0) RC_ASSERT(row.set(keywords, text(0)).has_value());
    variables_.erase(environment_name(row));
    if (says[1] >= 0) variables_[environment_name(row)] = text(1);
    write("here/.codecarbon.config", file(2));
    write("home/.codecarbon.config", file(3));
    const auto resolved = resolve(keywords);
    variables_.erase(environment_name(row));

    RC_ASSERT(resolved.has_value());
    std::string expected(row.default_text);
    for (std::size_t i = says.size(); i-- > 0;) {
      if (says[i] < 0) continue;
      Options alone;
      RC_ASSERT(row.set(alone, text(i)).has_value());
      expected = row.show(alone);
    }
    RC_ASSERT(row.show(*resolved) == expected);
  }));
}

TEST_F(ResolveTest, EveryMessageSaysWhereTheValueIsFrom) {
  Options keywords;
  keywords.pue = 0.5;
  EXPECT_EQ(message(keywords),
            "pue: \"0.5\" (from keyword) is not accepted: a number from 1 to 100, such as 1.2");
  variables_["CODECARBON_PUE"] = "big";
  expect_parts(message(), {"pue: \"big\" (from environment CODECARBON_PUE)"});
  variables_.erase("CODECARBON_PUE");
  write("home/.codecarbon.config", "[codecarbon]\nwue = 1\n# note\npue = bigger\n");
  expect_parts(message(), {"pue: \"bigger\"", "home/.codecarbon.config line 4"});
  write("here/.codecarbon.config", "[codecarbon]\npue = biggest\n");
  expect_parts(message(), {"pue: \"biggest\"", "here/.codecarbon.config line 2"});
}

TEST_F(ResolveTest, WhatIsOverriddenIsNotLookedAt) {
  variables_["CODECARBON_PUE"] = "rubbish";
  Options keywords;
  keywords.pue = 1.5;
  EXPECT_EQ(resolve(keywords).value().pue, 1.5);
}

TEST_F(ResolveTest, UnknownKeysAreIgnored) {
  variables_["CODECARBON_COLOUR"] = "blue";
  variables_["CODECARBON_"] = "blue";
  write("here/.codecarbon.config", "[codecarbon]\ncolour = 100% blue\nproject_name = 50%\n");
  EXPECT_EQ(resolve().value().project_name, "50%");
}

TEST_F(ResolveTest, VariablesMatchInAnyCaseAfterThePrefix) {
  variables_["CODECARBON_pue"] = "2";
  EXPECT_EQ(resolve().value().pue, 2);
  variables_["CODECARBON_PUE"] = "3";
  EXPECT_EQ(resolve().value().pue, 3);
  variables_["codecarbon_wue"] = "4";
  EXPECT_EQ(resolve().value().wue, 0);
}

TEST_F(ResolveTest, AnEmptyTextIsNotSetForEveryOption) {
  for (const OptionRow& row : option_table()) {
    for (const char* empty : {"", " "}) {
      write("here/.codecarbon.config", "[codecarbon]\n" + std::string(row.name) + " =" + empty);
      write("home/.codecarbon.config",
            "[codecarbon]\n" + std::string(row.name) + " = " + two_values(row)[1] + "\n");
      variables_[environment_name(row)] = empty;
      const auto resolved = resolve();
      variables_.erase(environment_name(row));
      ASSERT_TRUE(resolved.has_value()) << resolved.error().message;
      Options expected;
      ASSERT_TRUE(row.set(expected, two_values(row)[1]).has_value());
      EXPECT_EQ(row.show(*resolved), row.show(expected)) << row.name;
    }
  }
}

TEST_F(ResolveTest, AnEmptyGpuListIsAChoice) {
  write("here/.codecarbon.config", "[codecarbon]\ngpu_ids = 0, 1\n");
  variables_["CODECARBON_GPU_IDS"] = "[]";
  EXPECT_EQ(resolve().value().gpu_ids, std::vector<std::string>{});
}

TEST_F(ResolveTest, AFileThatIsNotIniFails) {
  write("here/.codecarbon.config", "pue 1.5\n");
  const auto options = resolve();
  ASSERT_FALSE(options.has_value());
  EXPECT_EQ(options.error().kind, ErrorKind::format);
  expect_parts(options.error().message, {"here/.codecarbon.config line 1", "\"pue 1.5\""});
}

TEST_F(ResolveTest, AFileThatCannotBeReadFails) {
  for (const char* folder : {"here", "home"}) {
    const std::string file = std::string(folder) + "/.codecarbon.config";
    fs::create_directories(root_ / file);
    expect_parts(message(), {file, "Is a directory", "make this configuration file readable"});
    fs::remove(root_ / file);
    fs::create_symlink(".codecarbon.config", root_ / file);
    expect_parts(message(), {file, "symbolic links"});
    fs::remove(root_ / file);
    write(file, "[codecarbon]\n" + std::string(25'000'000, '\n'));
    expect_parts(message(), {file, "too large", "1048576 bytes"});
    fs::remove(root_ / file);
  }
}

TEST_F(ResolveTest, AHomeThatIsNoFolderHasNoFile) {
  variables_["HOME"] = "/dev/null";
  EXPECT_EQ(message(), "(accepted)");
}

TEST_F(ResolveTest, AnErrorOfAnOptionGetsItsOrigin) {
  variables_["CODECARBON_PUE"] = "2";
  const auto resolved = resolve_options({}, Environment(variables_), root_ / "here").value();
  const auto said = [&](const char* option) {
    return resolved.with_origin({ErrorKind::format, "x", option}).message;
  };
  EXPECT_EQ(said("pue"), "x (from environment CODECARBON_PUE)");
  EXPECT_EQ(said("wue"), "x (from default)");
  EXPECT_EQ(said("machine"), "x") << "not set";
  EXPECT_EQ(said(""), "x");
}

TEST_F(ResolveTest, ARankIsBelowTheNumberOfRanks) {
  variables_["CODECARBON_WORLD_SIZE"] = "4";
  Options options;
  options.rank = 3;
  options.local_rank = 3;
  EXPECT_TRUE(resolve(options)) << message(options);
  options.rank = 4;
  EXPECT_EQ(message(options),
            "rank: \"4\" (from keyword) is not accepted: a whole number from 0 to 3, below "
            "world_size (from environment CODECARBON_WORLD_SIZE)");
  options.rank = 3;
  options.local_rank = 4;
  expect_parts(message(options), {"local_rank: \"4\"", "below world_size"});
}

TEST_F(ResolveTest, APatternOfAFilesNameIsCheckedBeforeAnythingIsMeasured) {
  Options options;
  options.output_file = "emissions-{rnk}.csv";
  expect_parts(message(options), {"output_file: \"emissions-{rnk}.csv\" (from keyword)",
                                  "is not accepted", "{rank:03d}"});
}

TEST_F(ResolveTest, NoHomeIsNoTrouble) {
  variables_.erase("HOME");
  EXPECT_TRUE(resolve().has_value());
  variables_["HOME"] = "";
  EXPECT_TRUE(resolve().has_value());
}

TEST_F(ResolveTest, NamedFilesAndFoldersMustBeThere) {
  write("here/file", "x");
  const auto refused = [this](const char* option, const char* value, const char* why) {
    variables_[environment_name(*find_option(option))] = value;
    const auto options = resolve();
    variables_.erase(environment_name(*find_option(option)));
    ASSERT_FALSE(options.has_value()) << option;
    EXPECT_EQ(options.error().kind, ErrorKind::missing_file);
    expect_parts(options.error().message,
                 {option, value, environment_name(*find_option(option)), why});
  };
  refused("host_root", "nowhere", "no such folder");
  refused("host_root", "file", "it is no folder");
  refused("machine", "nowhere", "No such file");
  refused("machine", ".", "it is a folder");
  refused("output_dir", "nowhere", "no such folder");
  refused("output_dir", "file/below", "no such folder");
  refused("output_file", "no/such/x.csv", "\"no/such\": there is no such folder");
  refused("output_file", "file/x.csv", "\"file\": it is no folder");
  refused("output_file", "/no/such/x.csv", "\"/no/such\": there is no such folder");
  Options keywords;
  keywords.machine = "file";
  EXPECT_TRUE(resolve(keywords).has_value());
}

TEST_F(ResolveTest, AnOutputFolderThatIsNotUsedNeedNotBeThere) {
  Options keywords;
  keywords.output_dir = "nowhere";
  keywords.save_to_file = false;
  EXPECT_TRUE(resolve(keywords).has_value());
  keywords.save_to_file = true;
  EXPECT_FALSE(resolve(keywords).has_value());
  keywords.output_file = "/tmp/e.csv";
  EXPECT_TRUE(resolve(keywords).has_value());
}

}  // namespace
}  // namespace codecarbon
