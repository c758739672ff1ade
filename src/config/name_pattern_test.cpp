#include "config/name_pattern.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "config/option_rules.hpp"

namespace codecarbon {
namespace {

const NameValues kValues{7, 3, 16, "llama", "node1"};

std::string expanded(std::string_view pattern) {
  return expand_name(pattern, kValues).value_or("(refused)");
}

TEST(NamePattern, NamesStandForValues) {
  EXPECT_EQ(expanded("emissions.csv"), "emissions.csv");
  EXPECT_EQ(expanded("e-{rank}.csv"), "e-7.csv");
  EXPECT_EQ(expanded("{rank:03d}"), "007");
  EXPECT_EQ(expanded("{rank:03}"), "007");
  EXPECT_EQ(expanded("{rank:3}"), "  7");
  EXPECT_EQ(expanded("{rank:d}"), "7");
  EXPECT_EQ(expanded("{rank:1}{local_rank:02d}"), "703");
  EXPECT_EQ(expanded("{host}-{job}-{local_rank}of{world_size}"), "node1-llama-3of16");
  EXPECT_EQ(expanded("{{rank}}{rank}"), "{rank}7");
}

TEST(NamePattern, OutsideAJobTheOneProcessIsRankZero) {
  EXPECT_EQ(expand_name("{rank}{local_rank}{world_size}{job}", {}), "001none");
}

TEST(NamePattern, OthersAreRefused) {
  for (const auto bad : {"{", "}", "{}", "{rank", "rank}", "{ranks}", "{Rank}", "{rank:}}x", "{0}",
                         "{rank:x}", "{rank:+3}", "{rank:-3}", "{rank:03f}", "{rank:21}", "{job:3}",
                         "{host:}", "{rank:999999999999999999999}", "{rank }", "{{rank}"}) {
    EXPECT_FALSE(is_name_pattern(bad)) << bad;
    EXPECT_FALSE(is_file_template(bad)) << bad;
  }
}

TEST(NamePattern, OnlyTheFilesNameIsAPattern) {
  EXPECT_TRUE(is_file_template("{x}/e-{rank}.csv"));
  EXPECT_EQ(expand_file("{x}/e-{rank}.csv", kValues), "{x}/e-7.csv");
  EXPECT_EQ(expand_file("/tmp/e.csv", kValues), "/tmp/e.csv");
  EXPECT_FALSE(is_file_template("e-{rank}/"));
}

TEST(NamePattern, NoValueMakesAFolder) {
  rc::check("any job and host", [] {
    NameValues values = kValues;
    values.job = *rc::gen::string<std::string>();
    values.host = "../" + *rc::gen::string<std::string>();
    const auto name = expand_name("{job}{host}", values);
    RC_ASSERT(name);
    RC_ASSERT(name->find('/') == std::string::npos);
    RC_ASSERT(name->find('\0') == std::string::npos);
    RC_ASSERT(name->size() <= 200U);
  });
}

TEST(NamePattern, AnyTextIsTakenOrRefused) {
  rc::check("text of braces", [] {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::element('{', '}', 'r', 'a', 'n', 'k', ':', '0', '3', 'd'));
    RC_ASSERT(is_name_pattern(text) == expand_name(text, kValues).has_value());
  });
}

}  // namespace
}  // namespace codecarbon
