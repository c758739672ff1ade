#include "config/config_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/text.hpp"

namespace codecarbon {
namespace {

constexpr std::string_view kFile = "./.codecarbon.config";

FileValues parsed(std::string_view content) {
  auto values = parse_config_file(content, kFile);
  EXPECT_TRUE(values.has_value()) << values.error().message;
  return values.value_or(FileValues{});
}

std::string value_of(std::string_view content, std::string_view key) {
  const FileValues values = parsed(content);
  const auto found = values.find(key);
  return found == values.end() ? "(missing)" : found->second.text;
}

std::string message_of(std::string_view content) {
  const auto values = parse_config_file(content, kFile);
  return values ? "(accepted)" : values.error().message;
}

TEST(ConfigFile, OnlyItsSectionCounts) {
  const auto values = parsed("[other]\npue = 9\n[codecarbon]\npue = 1.5\n[more]\npue = 8\n");
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(values.at("pue").text, "1.5");
  EXPECT_EQ(values.at("pue").line, 4);
}

TEST(ConfigFile, EveryCharacterOfAValueIsOrdinary) {
  for (const char* text : {"50% of 100%", "%(home)s", "a=b", "http://x:80/y?z=1", "a ; b", "a # b",
                           "\"quoted\"", "caf\xE9", "", "[x]"}) {
    EXPECT_EQ(value_of(std::string("[codecarbon]\nproject_name = ") + text + "\n", "project_name"),
              text);
  }
}

TEST(ConfigFile, FormsOfLines) {
  EXPECT_EQ(value_of("[codecarbon]\npue: 2\n", "pue"), "2");
  EXPECT_EQ(value_of("[codecarbon]\nPUE=2", "pue"), "2");
  EXPECT_EQ(value_of("[codecarbon]\r\n\r\n; note\r\n# note = 1\r\npue = 2\r\n", "pue"), "2");
  EXPECT_EQ(value_of("\xEF\xBB\xBF[codecarbon]\npue = 2\n", "pue"), "2");
  EXPECT_EQ(value_of("[codecarbon]\n  pue = 2\n  wue = 3\n", "wue"), "3");
  EXPECT_TRUE(parsed("").empty());
}

TEST(ConfigFile, LongLinesAreWholeAndCountOnce) {
  const std::string path = "/" + std::string(5000, 'd');
  const auto values = parsed("# " + std::string(1000, '-') +
                             "\n[codecarbon]\noutput_dir = " + path + "\npue = 2\n");
  EXPECT_EQ(values.at("output_dir").text, path);
  EXPECT_EQ(values.at("pue").line, 4);
  for (std::size_t length = 180; length < 210; ++length) {
    const std::string text(length, 'x');
    EXPECT_EQ(value_of("[codecarbon]\nregion = " + text + "\npue = 2\n", "region"), text);
  }
}

TEST(ConfigFile, ABadLineIsNamed) {
  const std::string message = message_of("[codecarbon]\npue = 2\nwhat is this\n");
  for (const char* part : {"./.codecarbon.config line 3", "\"what is this\"", "key = value"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  EXPECT_NE(message_of("[codecarbon\npue = 2\n").find("line 1"), std::string::npos);
  EXPECT_NE(message_of("pue = 2\n").find("put [codecarbon] above"), std::string::npos);
  EXPECT_NE(message_of("[codecarbon]\npue = 2\nPue = 3\n").find("line 3"), std::string::npos);
}

TEST(ConfigFile, TheFirstTroubleIsTheOneThatIsTold) {
  EXPECT_NE(message_of("pue = 2\nrubbish\n").find("line 1"), std::string::npos);
  EXPECT_NE(message_of("rubbish\n[codecarbon]\npue = 1\npue = 2\n").find("line 1"),
            std::string::npos);
}

TEST(ConfigFile, WhatIsWrittenIsRead) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::suchThat<char>([](char c) { return c != '\n' && c != '\0'; }));
    const auto values = parse_config_file("[codecarbon]\nregion = " + text + "\nwue = 1", kFile);
    RC_ASSERT(values.has_value());
    RC_ASSERT(values->at("region").text == trimmed(text));
    RC_ASSERT(values->at("wue").line == 3);
  }));
}

TEST(ConfigFile, AnyBytesGiveValuesOrOneLine) {
  EXPECT_TRUE(rc::check([] {
    // Weighted towards what has a meaning, so that more than the first line is reached.
    const auto piece = rc::gen::oneOf(
        rc::gen::element<std::string>("[codecarbon]", "\n", "\r\n", "pue", "=", ":", "%", " ;", "#",
                                      "\t", "]", "[", std::string(1, '\0'), "\xEF\xBB\xBF"),
        rc::gen::arbitrary<std::string>());
    std::string content = "[codecarbon]\n";
    for (const auto& part : *rc::gen::container<std::vector<std::string>>(piece)) content += part;
    const auto values = parse_config_file(content, kFile);
    if (values) return;
    RC_ASSERT(values.error().kind == ErrorKind::format);
    RC_ASSERT(values.error().message.find('\n') == std::string::npos);
  }));
}

}  // namespace
}  // namespace codecarbon
