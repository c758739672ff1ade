#include "report/columns.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace codecarbon {
namespace {

std::string standard_table() {
  std::string text = "| column | unit | meaning | per task |\n|---|---|---|---|\n";
  for (const Column& column : all_columns().first(kStandardColumns)) {
    text += fmt::format("| {} | {} | {} | {} |\n", column.name, column.unit, column.meaning,
                        column.in_tasks ? "yes" : "no");
  }
  return text;
}

std::string extended_table() {
  std::string text = "| column | unit | meaning |\n|---|---|---|\n";
  for (const Column& column : all_columns().subspan(kStandardColumns)) {
    text += fmt::format("| {} | {} | {} |\n", column.name, column.unit, column.meaning);
  }
  return text;
}

TEST(Columns, AreAllDescribedInTheDocumentation) {
  std::ifstream file(CODECARBON_SOURCE_DIR "/docs/columns.md");
  std::stringstream document;
  document << file.rdbuf();
  for (const auto& expected : {standard_table(), extended_table()}) {
    EXPECT_NE(document.str().find(expected), std::string::npos)
        << "docs/columns.md should hold this table:\n"
        << expected;
  }
}

TEST(Columns, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Column& column : all_columns()) EXPECT_TRUE(names.insert(column.name).second);
}

}  // namespace
}  // namespace codecarbon
