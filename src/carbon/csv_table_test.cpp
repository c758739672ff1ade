#include "carbon/csv_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace codecarbon::carbon {
namespace {

constexpr std::string_view kTable =
    "# title: A table\n"
    "# source: Ember\n"
    "# year: up to 2024 (or so)\n"
    "# package: @tgwf/co2 0.19.0\n"
    "a,b,c\n"
    "1,\"x, y\",2.5\n"
    ",,\n"
    "z\n";

TEST(CsvReader, GivesColumnsThenRows) {
  CsvReader reader(kTable);
  ASSERT_EQ(reader.columns().size, 3U);
  EXPECT_EQ(reader.columns()[1], "b");
  const auto first = reader.next();
  ASSERT_TRUE(first);
  EXPECT_EQ((*first)[0], "1");
  EXPECT_EQ((*first)[1], "x, y");
  EXPECT_EQ((*first)[2], "2.5");
  const auto empty = reader.next();
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->size, 3U) << "a comma at the end starts one more cell";
  const auto short_row = reader.next();
  ASSERT_TRUE(short_row);
  EXPECT_EQ(short_row->size, 1U);
  EXPECT_EQ((*short_row)[2], "") << "a cell that is not there is empty";
  EXPECT_FALSE(reader.next());
}

TEST(CsvReader, NeedsNoLineEndAtTheEnd) {
  CsvReader reader("a,b\n\"p\",q");
  const auto row = reader.next();
  ASSERT_TRUE(row);
  EXPECT_EQ((*row)[0], "p");
  EXPECT_EQ((*row)[1], "q");
  EXPECT_FALSE(reader.next());
}

TEST(CsvReader, EndsOnAnyText) {
  EXPECT_TRUE(rc::check([](const std::vector<char>& bytes) {
    const std::string text(bytes.begin(), bytes.end());
    CsvReader reader(text);
    std::size_t rows = 0;
    while (const auto row = reader.next()) {
      RC_ASSERT(row->size >= 1U && row->size <= CsvRow::kMaxCells);
      ++rows;
    }
    RC_ASSERT(rows <= text.size());
  }));
}

TEST(CsvReader, ReadsBackPlainCells) {
  EXPECT_TRUE(rc::check([] {
    const auto cell = rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc ,;-")));
    const auto cells = *rc::gen::container<std::vector<std::string>>(3, cell);
    std::string line = "x,y,z\n";
    for (const auto& text : cells) line += "\"" + text + "\",";
    line.back() = '\n';
    CsvReader reader(line);
    const auto row = reader.next();
    RC_ASSERT(row.has_value());
    for (std::size_t i = 0; i < 3; ++i) RC_ASSERT((*row)[i] == cells[i]);
  }));
}

TEST(Head, IsFoundByItsWholeKey) {
  EXPECT_EQ(head_value(kTable, "source"), "Ember");
  EXPECT_EQ(head_value(kTable, "sour"), "");
  EXPECT_EQ(head_value(kTable, "licence"), "");
  EXPECT_EQ(head_value("", "source"), "");
}

TEST(Head, MakesTheSourceForAPerson) {
  EXPECT_EQ(table_source(kTable), "Ember, up to 2024 (@tgwf/co2 0.19.0)");
  EXPECT_EQ(table_source("# source: S\n# year: not stated (at all)\n# package: p 1\n"), "S (p 1)");
  EXPECT_EQ(table_source("# source: S\n# year: 2023\n# package: p 1\n"), "S, 2023 (p 1)");
}

TEST(Number, IsTheWholeCellOrNothing) {
  EXPECT_EQ(number("44.18"), 44.18);
  EXPECT_EQ(number("0"), 0.0);
  for (const char* bad : {"", " 1", "1 ", "27.29.5", "x"}) EXPECT_FALSE(number(bad)) << bad;
}

}  // namespace
}  // namespace codecarbon::carbon
