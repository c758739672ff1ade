#include "sinks/csv_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon {
namespace {

std::string encode(const CsvRecord& record, std::string_view line_end = "\n") {
  const std::vector<std::string_view> fields(record.begin(), record.end());
  return encode_csv(fields, line_end);
}

/// Text of the characters that matter to a CSV reader, and others.
rc::Gen<std::string> nasty_text() {
  return rc::gen::container<std::string>(
      rc::gen::element('a', '7', ',', '"', '\n', '\r', ' ', '\0', '\xEF', '\xBB', '\xBF'));
}

rc::Gen<std::vector<CsvRecord>> records() {
  return rc::gen::container<std::vector<CsvRecord>>(
      rc::gen::nonEmpty(rc::gen::container<CsvRecord>(nasty_text())));
}

TEST(CsvText, DecodesWhatItEncoded) {
  EXPECT_TRUE(rc::check([] {
    const auto original = *records();
    const auto line_end = *rc::gen::element<std::string>("\n", "\r\n");
    std::string text;
    for (const CsvRecord& record : original) text += encode(record, line_end);
    RC_ASSERT(decode_csv(text) == original);
  }));
}

TEST(CsvText, ReadsTheSameInWhateverPiecesTheTextComes) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *nasty_text();
    CsvReader reader;
    std::vector<CsvRecord> records;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t piece = *rc::gen::inRange<std::size_t>(1, 5);
      at += reader.feed(std::string_view(text).substr(at, piece));
      if (reader.done()) records.push_back(reader.take());
    }
    if (reader.finish()) records.push_back(reader.take());
    RC_ASSERT(records == decode_csv(text));
  }));
}

TEST(CsvText, LosesNoFieldOfGarbage) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    for (const CsvRecord& record : decode_csv(text)) RC_ASSERT(!record.empty());
  }));
}

TEST(CsvText, QuotesOnlyWhereItMust) {
  EXPECT_EQ(encode({"007", "", "a b", "\xC3\xA9"}), "007,,a b,\xC3\xA9\n");
  EXPECT_EQ(encode({"a,b", "say \"x\"", "two\nlines"}, "\r\n"),
            "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\r\n");
  EXPECT_EQ(encode({""}), "\"\"\n");
}

TEST(CsvText, TakesBomCrlfAndAMissingLastLineEnd) {
  const std::vector<CsvRecord> expected{{"a", "b"}, {"1", "2"}};
  EXPECT_EQ(decode_csv("\xEF\xBB\xBF"
                       "a,b\r\n1,2\r\n"),
            expected);
  EXPECT_EQ(decode_csv("\xEF\xBB\xBF\"a\",b\n1,2"), expected);
  EXPECT_EQ(decode_csv("\n\na,b\n\r\n1,2\n\n"), expected);
}

TEST(CsvText, TakesMalformedTextAsPythonsReaderDoes) {
  EXPECT_EQ(decode_csv("a\"b,\"c\"d\n"), (std::vector<CsvRecord>{{"a\"b", "cd"}}));
  EXPECT_EQ(decode_csv("\"open,\nx"), (std::vector<CsvRecord>{{"open,\nx"}}));
  EXPECT_EQ(decode_csv(std::string_view("a\0b,\r\n", 6)),
            (std::vector<CsvRecord>{{std::string("a\0b", 3), ""}}));
}

TEST(CsvText, TellsStrictFromMalformed) {
  const auto strict = [](std::string_view text) {
    CsvReader reader(false);
    reader.feed(text);
    reader.finish();
    return reader.strict();
  };
  EXPECT_TRUE(strict("a,\"b\"\"c\",\"d\ne\"\n"));
  for (const char* text : {"a\"b\n", "\"a\"b\n", "\"open", "a\rb\n"})
    EXPECT_FALSE(strict(text)) << text;
}

TEST(CsvText, TellsHowTheLineEnded) {
  CsvReader reader;
  EXPECT_EQ(reader.feed("a,b\r\nc"), 5U);
  EXPECT_EQ(reader.line_end(), "\r\n");
  EXPECT_EQ(reader.take(), (CsvRecord{"a", "b"}));
  EXPECT_EQ(reader.feed("c\n"), 2U);
  EXPECT_EQ(reader.line_end(), "\n");
}

}  // namespace
}  // namespace codecarbon
