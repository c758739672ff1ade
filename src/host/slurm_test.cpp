#include "host/slurm.hpp"

#include <gtest/gtest.h>

#include "host/machine_copy.hpp"

namespace codecarbon {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

class SlurmTest : public testing::Test {
 protected:
  SlurmShare ask(const std::string& script, Variables variables = {{"SLURM_JOB_ID", "77"}}) const {
    variables.emplace("PATH", "/usr/bin:/bin");
    machine_.write("usr/bin/scontrol", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(machine_.root() / "usr/bin/scontrol",
                                 std::filesystem::perms(0755));
    return ask_slurm(
        Host(machine_.root(), Environment(std::move(variables)), std::make_shared<SystemClock>()));
  }

  testing_support::MachineCopy machine_;
};

TEST_F(SlurmTest, AsksForTheJobOfThisProcess) {
  const SlurmShare share = ask("echo \"JobId=$3 NumNodes=1 AllocTRES=cpu=4,mem=${3}M,node=1\"");
  EXPECT_EQ(share, (SlurmShare{4, 77LL * 1024 * 1024}));
}

TEST_F(SlurmTest, OutsideAJobNothingIsRun) {
  EXPECT_EQ(ask("touch $(dirname $0)/ran; echo NumNodes=1 AllocTRES=cpu=4", {}), SlurmShare{});
  EXPECT_FALSE(std::filesystem::exists(machine_.root() / "usr/bin/ran"));
}

TEST_F(SlurmTest, OneThatDoesNotAnswerSaysNothing) {
  for (const char* script :
       {"exit 1", "sleep 60", "echo NumNodes=1 AllocTRES=cpu=4; exit 1",
        "yes NumNodes=1 AllocTRES=cpu=4,mem=4G", "head -c 1000 /dev/urandom", "true"}) {
    EXPECT_EQ(ask(script), SlurmShare{}) << script;
  }
}

TEST_F(SlurmTest, AMachineWithoutItSaysNothing) {
  const Host host(machine_.root(), Environment(Variables{{"SLURM_JOB_ID", "77"}, {"PATH", "/bin"}}),
                  std::make_shared<SystemClock>());
  EXPECT_EQ(ask_slurm(host), SlurmShare{});
  const Host real("/",
                  Environment(Variables{{"SLURM_JOB_ID", "77"}, {"PATH", ".:usr/bin::/nowhere"}}),
                  std::make_shared<SystemClock>());
  EXPECT_EQ(ask_slurm(real), SlurmShare{}) << "not from the working directory";
}

}  // namespace
}  // namespace codecarbon
