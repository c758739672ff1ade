#include "completion.hpp"

#include <gtest/gtest.h>

namespace codecarbon::cli {
namespace {

const std::vector<CommandHint> kCommands{
    {"run",
     "It's a run",
     {{"--mode", "The [mode]: one", FlagHint::Value::words, {"fast", "slow"}},
      {"--quiet", "Silent", FlagHint::Value::none, {}}},
     true,
     {}}};

TEST(Completion, EveryShellKnowsCommandsFlagsAndWords) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto script = completion_script(shell, kCommands);
    ASSERT_TRUE(script.has_value()) << shell;
    for (const char* word : {"codecarbon", "run", "mode", "quiet", "fast slow"}) {
      EXPECT_NE(script->find(word), std::string::npos) << shell << " lacks " << word;
    }
    EXPECT_EQ(script->find("It's"), std::string::npos) << "a quote would end the text in " << shell;
  }
}

TEST(Completion, OtherShellsHaveNone) {
  EXPECT_FALSE(completion_script("tcsh", kCommands).has_value());
  EXPECT_FALSE(completion_script("", kCommands).has_value());
}

}  // namespace
}  // namespace codecarbon::cli
