#include "config/options_doc.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "config/option_table.hpp"

namespace codecarbon {
namespace {

TEST(OptionsDoc, IsWhatTheTableSays) {
  std::ifstream file(CODECARBON_SOURCE_DIR "/docs/options.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(page == options_markdown())
      << "docs/options.md is not up to date; run\n"
         "  build/bin/codecarbon config --markdown > docs/options.md";
}

TEST(OptionsDoc, NamesEveryOptionInEveryPlace) {
  const std::string page = options_markdown();
  for (const OptionRow& row : option_table()) {
    EXPECT_NE(page.find("### " + std::string(row.name) + "\n"), std::string::npos) << row.name;
    EXPECT_NE(page.find(flag_name(row)), std::string::npos) << row.name;
    EXPECT_NE(page.find("`" + environment_name(row) + "`"), std::string::npos) << row.name;
  }
}

}  // namespace
}  // namespace codecarbon
