#include "node/rank.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "node/launchers.hpp"

namespace codecarbon {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

/// Processes that are only told of.
struct ToldAncestry final : Ancestry {
  std::string process = "4242";
  std::optional<std::string> run;

  std::string launcher(std::string_view) const override { return process; }
  std::optional<std::string> tracked_run() const override { return run; }
};

FoundPlace find(const Variables& variables, const GivenPlace& given = {},
                const ToldAncestry& ancestry = {}) {
  return find_place(given, Environment(variables), ancestry);
}

Variables operator+(Variables a, const Variables& b) {
  for (const auto& [name, value] : b) a[name] = value;
  return a;
}

Variables torchrun(int rank, int local_rank, const std::string& id = "none") {
  return {{"TORCHELASTIC_RUN_ID", id},
          {"RANK", std::to_string(rank)},
          {"LOCAL_RANK", std::to_string(local_rank)},
          {"WORLD_SIZE", "8"},
          {"LOCAL_WORLD_SIZE", "4"},
          {"MASTER_ADDR", "node1"},
          {"MASTER_PORT", "29500"}};
}

Variables slurm_batch() {
  return {{"SLURM_JOB_ID", "77"},
          {"SLURM_PROCID", "0"},
          {"SLURM_LOCALID", "0"},
          {"SLURM_NTASKS", "8"},
          {"SLURM_NODEID", "0"}};
}

Variables srun(int rank, int local_rank, const std::string& step = "3") {
  return slurm_batch() + Variables{{"SLURM_STEP_ID", step},
                                   {"SLURM_PROCID", std::to_string(rank)},
                                   {"SLURM_LOCALID", std::to_string(local_rank)},
                                   {"SLURM_STEP_NUM_TASKS", "8"},
                                   {"SLURM_NODEID", "1"},
                                   {"SLURM_STEP_TASKS_PER_NODE", "3,5"}};
}

Variables open_mpi(int rank, int local_rank) {
  return {{"OMPI_COMM_WORLD_RANK", std::to_string(rank)},
          {"OMPI_COMM_WORLD_LOCAL_RANK", std::to_string(local_rank)},
          {"OMPI_COMM_WORLD_SIZE", "8"},
          {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
          {"PMIX_NAMESPACE", "64290817"},
          {"OMPI_MCA_orte_hnp_uri", "64290816.0;tcp://10.0.0.1:38853"}};
}

Variables mpich(int rank, int local_rank) {
  return {{"PMI_RANK", std::to_string(rank)},
          {"PMI_SIZE", "8"},
          {"MPI_LOCALRANKID", std::to_string(local_rank)},
          {"MPI_LOCALNRANKS", "4"}};
}

Variables horovod(int rank, int local_rank) {
  return {{"HOROVOD_RANK", std::to_string(rank)},
          {"HOROVOD_SIZE", "8"},
          {"HOROVOD_LOCAL_RANK", std::to_string(local_rank)},
          {"HOROVOD_LOCAL_SIZE", "4"},
          {"HOROVOD_GLOO_RENDEZVOUS_ADDR", "10.0.0.1"},
          {"HOROVOD_GLOO_RENDEZVOUS_PORT", "2222"}};
}

Variables without(Variables variables, const std::string& name) {
  variables.erase(name);
  return variables;
}

Variables deepspeed(int rank, int local_rank) {
  return without(without(torchrun(rank, local_rank), "TORCHELASTIC_RUN_ID"), "LOCAL_WORLD_SIZE") +
         Variables{{"CROSS_RANK", "1"}, {"CROSS_SIZE", "2"}, {"LOCAL_SIZE", "4"}};
}

Variables ray(int rank, int local_rank) {
  return without(torchrun(rank, local_rank), "TORCHELASTIC_RUN_ID") +
         Variables{{"RAY_JOB_ID", "01000000"}};
}

Variables by_variables(int rank, int local_rank) {
  return without(torchrun(rank, local_rank), "TORCHELASTIC_RUN_ID");
}

struct Kind {
  std::string name;
  Variables (*variables)(int rank, int local_rank);
  int local_world_size = 4;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"torchrun", [](int r, int l) { return torchrun(r, l); }},
      {"DeepSpeed", deepspeed},
      {"Ray Train", ray},
      {"variables RANK and WORLD_SIZE", by_variables},
      {"Horovod", horovod},
      {"Open MPI", open_mpi},
      {"MPICH", mpich},
      {"Intel MPI",
       [](int r, int l) {
         return mpich(r, l) + Variables{{"I_MPI_HYDRA_UUID", "9d26-7c"}};
       }},
      {"MVAPICH",
       [](int r, int l) {
         return Variables{{"MV2_COMM_WORLD_RANK", std::to_string(r)},
                          {"MV2_COMM_WORLD_LOCAL_RANK", std::to_string(l)},
                          {"MV2_COMM_WORLD_SIZE", "8"},
                          {"MV2_COMM_WORLD_LOCAL_SIZE", "4"}};
       }},
      {"Slurm srun", [](int r, int l) { return srun(r, l); }, 5},
  };
  return all;
}

TEST(Rank, OutsideAJobThereIsNoPlace) {
  EXPECT_EQ(find({}).place, std::nullopt);
  EXPECT_EQ(find({{"HOME", "/root"}, {"RANK", "captain"}, {"JOB_ID", "1"}}).place, std::nullopt);
  EXPECT_TRUE(find({{"RANK", "captain"}}).remarks.empty()) << "a common word alone is nobody's";
}

TEST(Rank, EachLauncherTellsItsRanks) {
  for (const Kind& kind : kinds()) {
    const auto found = find(kind.variables(6, 2));
    ASSERT_TRUE(found.place) << kind.name;
    EXPECT_EQ(found.place->rank, 6) << kind.name;
    EXPECT_EQ(found.place->local_rank, 2) << kind.name;
    EXPECT_EQ(found.place->world_size, 8) << kind.name;
    EXPECT_EQ(found.place->local_world_size, kind.local_world_size) << kind.name;
    EXPECT_EQ(found.place->found_by, kind.name);
    EXPECT_TRUE(found.remarks.empty()) << found.remarks.front();
  }
}

TEST(Rank, RanksOfANodeShareTheJobsName) {
  for (const Kind& kind : kinds()) {
    const auto first = find(kind.variables(4, 0)).place;
    const auto second = find(kind.variables(7, 3)).place;
    EXPECT_FALSE(first->job.empty()) << kind.name;
    EXPECT_EQ(first->job, second->job) << kind.name;
  }
}

TEST(Rank, RanksOfOtherNodesShareItWhereTheyMeetOrHaveAName) {
  ToldAncestry elsewhere;
  elsewhere.process = "another launcher on another node";
  for (const Kind& kind : kinds()) {
    const bool shares = kind.name != "MPICH" && kind.name != "MVAPICH";
    EXPECT_EQ(find(kind.variables(0, 0)).place->job ==
                  find(kind.variables(4, 0), {}, elsewhere).place->job,
              shares)
        << kind.name;
  }
}

/// What a second job of the same user has that runs on the same node at the same time.
Variables second_job(const Kind& kind) {
  Variables variables = kind.variables(4, 0);
  const Variables other{{"MASTER_PORT", "29501"},
                        {"HOROVOD_GLOO_RENDEZVOUS_PORT", "2223"},
                        {"PMIX_NAMESPACE", "64290818"},
                        {"I_MPI_HYDRA_UUID", "9d26-7d"},
                        {"SLURM_STEP_ID", "4"}};
  for (const auto& [name, value] : other) {
    if (variables.contains(name)) variables[name] = value;
  }
  return variables;
}

TEST(Rank, JobsAtTheSameTimeHaveDifferentNames) {
  ToldAncestry other;
  other.process = "another launcher";
  for (const Kind& kind : kinds()) {
    EXPECT_NE(find(kind.variables(4, 0)).place->job, find(second_job(kind), {}, other).place->job)
        << kind.name;
  }
}

TEST(Rank, TwoMpirunsWithOneNumberAreTwoJobs) {
  const Variables elsewhere{{"OMPI_MCA_orte_hnp_uri", "64290816.0;tcp://10.0.0.1:41111"}};
  EXPECT_NE(find(open_mpi(0, 0)).place->job, find(open_mpi(0, 0) + elsewhere).place->job);
}

TEST(Rank, AnIdOfTorchrunIsTheJobsName) {
  EXPECT_EQ(find(torchrun(0, 0, "llama-7b")).place->job, "llama-7b");
  EXPECT_NE(find(torchrun(0, 0, "none")).place->job, "none");
}

TEST(Rank, LaterJobsOfOneNodeHaveOtherNames) {
  ToldAncestry later;
  later.process = "the next torchrun";
  const Variables one_node = torchrun(0, 0) + Variables{{"WORLD_SIZE", "4"}};
  EXPECT_NE(find(one_node).place->job, find(one_node, {}, later).place->job);
}

TEST(Rank, TheInnermostLauncherDecides) {
  const auto torch = find(slurm_batch() + srun(1, 0) + torchrun(5, 1)).place;
  EXPECT_EQ(torch->rank, 5);
  EXPECT_EQ(torch->found_by, "torchrun");
  EXPECT_TRUE(torch->job.starts_with("77.3-")) << "a name made here says the step: " << torch->job;
  EXPECT_EQ(find(srun(1, 0) + open_mpi(6, 2)).place->rank, 6) << "srun started mpirun's daemons";
}

TEST(Rank, ABatchScriptIsNoRank) {
  EXPECT_EQ(find(slurm_batch()).place, std::nullopt);
  // extern, batch and interactive steps: slurm.h
  for (const std::string step : {"4294967292", "4294967291", "4294967290", "4294967294", "", "x"}) {
    EXPECT_EQ(find(srun(0, 0, step)).place, std::nullopt) << step;
  }
}

TEST(Rank, TwoTorchrunsInOneBatchJobAreTwoJobs) {
  EXPECT_NE(find(slurm_batch() + torchrun(0, 0)).place->job,
            find(slurm_batch() + torchrun(0, 0) + Variables{{"MASTER_PORT", "29501"}}).place->job);
}

TEST(Rank, VariablesThatRepeatALaunchersRanksAreItsRanks) {
  ToldAncestry shell_of_rank_6, shell_of_rank_7;
  shell_of_rank_6.process = "6";
  shell_of_rank_7.process = "7";
  const auto place6 = find(open_mpi(6, 2) + by_variables(6, 2), {}, shell_of_rank_6).place;
  const auto place7 = find(open_mpi(7, 3) + by_variables(7, 3), {}, shell_of_rank_7).place;
  EXPECT_EQ(place6->job, place7->job);
  EXPECT_EQ(place6->job, find(open_mpi(6, 2)).place->job);
}

TEST(Rank, WhatTheInnermostDoesNotSayAnotherSaysOfTheSameRank) {
  const Variables pmi{{"PMI_RANK", "6"}, {"PMI_SIZE", "8"}, {"PMI_JOBID", "77.3"}};
  const auto place = find(srun(6, 2) + pmi).place;
  EXPECT_EQ(place->local_rank, 2);
  EXPECT_EQ(place->local_world_size, 5);
  EXPECT_EQ(place->job, "77.3");
}

TEST(Rank, OptionsGoBeforeWhatIsFound) {
  const auto place = find(torchrun(5, 1), {"mine", 3, 2, 16}).place;
  EXPECT_EQ(place, (RankPlace{"mine", 3, 2, 16, 4, "torchrun, options"}));
  EXPECT_EQ(find({}, {"mine", {}, {}, {}}).place, (RankPlace{"mine", {}, {}, {}, {}, "options"}));
  EXPECT_EQ(find(torchrun(5, 1), {{}, 3, {}, {}}).place->job, find(torchrun(5, 1)).place->job);
}

TEST(Rank, AGivenRankWithoutAJobIsOfTheJobOfItsLauncher) {
  ToldAncestry other;
  other.process = "another";
  const auto place = find({}, {{}, 3, {}, {}}).place;
  ASSERT_TRUE(place);
  EXPECT_EQ(place->job, find({}, {{}, 4, {}, {}}).place->job);
  EXPECT_NE(place->job, find({}, {{}, 4, {}, {}}, other).place->job);
}

TEST(Rank, AGivenRankBeyondTheSizeThatWasFoundIsBelieved) {
  const auto found = find(torchrun(5, 1), {{}, 100, {}, {}});
  EXPECT_EQ(found.place->rank, 100);
  EXPECT_EQ(found.place->world_size, std::nullopt);
  EXPECT_EQ(found.remarks.size(), 1U);
}

TEST(Rank, NumbersOfNoRankMakeNoJob) {
  EXPECT_EQ(find({}, {{}, {}, 1, 4}).place, std::nullopt);
}

TEST(Rank, AChildOfATrackingProcessIsInItsRunsJob) {
  ToldAncestry ancestry;
  ancestry.run = "0b5e-run";
  const auto place = find({}, {}, ancestry).place;
  EXPECT_EQ(place, (RankPlace{"0b5e-run", {}, {}, {}, {}, "a parent process that tracks"}));
  EXPECT_EQ(find(torchrun(5, 1), {}, ancestry).place->found_by, "torchrun");
  EXPECT_EQ(find({}, {"mine", {}, {}, {}}, ancestry).place->job, "mine");
}

Variables lightning(int local_rank, int node = 0) {
  return {{"LOCAL_RANK", std::to_string(local_rank)},
          {"NODE_RANK", std::to_string(node)},
          {"WORLD_SIZE", "8"},
          {"MASTER_ADDR", "node1"},
          {"MASTER_PORT", "41111"}};
}

TEST(Rank, LightningTellsTheLocalRankWhichIsTheRankOnTheFirstNode) {
  const auto first = find(lightning(3));
  EXPECT_EQ(first.place->rank, 3);
  EXPECT_EQ(first.place->local_rank, 3);
  EXPECT_EQ(first.place->found_by, "Lightning");
  EXPECT_TRUE(first.remarks.empty());
  const auto other = find(lightning(3, 1)).place;
  EXPECT_EQ(other->rank, std::nullopt);
  EXPECT_EQ(other->local_rank, 3);
  EXPECT_EQ(other->job, first.place->job);
  EXPECT_EQ(find(lightning(9)).place, std::nullopt);
}

TEST(Rank, RanksThatARankStartsAreInItsJobAlsoWhenItBeganToTrackAsNone) {
  ToldAncestry ancestry;
  ancestry.run = "0b5e-run";
  EXPECT_EQ(find(lightning(3), {}, ancestry).place->job, "0b5e-run");
}

TEST(Rank, ALocalRankWithoutARankIsIgnoredWithARemark) {
  const auto found = find(without(torchrun(5, 1), "RANK"));
  EXPECT_EQ(found.place, std::nullopt);
  ASSERT_EQ(found.remarks.size(), 1U);
  EXPECT_EQ(found.remarks.front(), "LOCAL_RANK is set without RANK: ignored");
}

TEST(Rank, NumbersThatCannotBeTrueAreIgnoredWithARemark) {
  for (const std::string bad : {"-1", "8", "99999999999999999999", "two", "1.5", "0x1"}) {
    const auto found = find(torchrun(5, 1) + Variables{{"RANK", bad}});
    EXPECT_EQ(found.place, std::nullopt) << bad;
    EXPECT_EQ(found.remarks.size(), 1U) << bad;
  }
  const auto found = find(torchrun(5, 1) + Variables{{"LOCAL_RANK", "4"}});
  EXPECT_EQ(found.place->rank, 5);
  EXPECT_EQ(found.place->local_rank, std::nullopt);
  EXPECT_EQ(found.remarks.size(), 1U);
}

TEST(Rank, GarbageFallsBackToTheLauncherAround) {
  EXPECT_EQ(find(srun(6, 2) + torchrun(5, 1) + Variables{{"RANK", "?"}}).place->found_by,
            "Slurm srun");
}

/// Every variable that any launcher is asked for.
std::vector<std::string> all_names() {
  std::vector<std::string> names{"NODE_RANK",
                                 "SLURM_JOB_ID",
                                 "SLURM_STEP_ID",
                                 "SLURM_NODEID",
                                 "SLURM_STEP_TASKS_PER_NODE",
                                 "TORCHELASTIC_RUN_ID",
                                 "RAY_JOB_ID"};
  for (const Launcher& launcher : launchers()) {
    for (const Names& some : {launcher.rank, launcher.local_rank, launcher.world_size,
                              launcher.local_world_size, launcher.meeting_place}) {
      for (const auto name : some) {
        if (!name.empty()) names.emplace_back(name);
      }
    }
  }
  return names;
}

void expect_sound(const FoundPlace& found) {
  if (!found.place) return;
  const RankPlace& place = *found.place;
  RC_ASSERT(!place.job.empty());
  RC_ASSERT(place.job.find_first_of("\n\r") == std::string::npos);
  RC_ASSERT(!place.found_by.empty());
  RC_ASSERT(place.rank.value_or(0) >= 0);
  if (place.world_size && place.rank) RC_ASSERT(*place.rank < *place.world_size);
  if (place.local_world_size && place.local_rank) {
    RC_ASSERT(*place.local_rank < *place.local_world_size);
  }
}

TEST(Rank, WhateverIsSetAPlaceIsSound) {
  const auto values =
      rc::gen::oneOf(rc::gen::element<std::string>("0", "1", "3", "4", "8", "-1", "", "none",
                                                   "2(x3),1", "\n", "99999999999"),
                     rc::gen::string<std::string>());
  rc::check("in any environment", [&] {
    Variables variables;
    for (const auto& name : all_names()) {
      if (*rc::gen::arbitrary<bool>()) variables[name] = *values;
    }
    expect_sound(find(variables));
    GivenPlace given;
    if (*rc::gen::arbitrary<bool>()) given.rank = *rc::gen::inRange(0, 10);
    if (*rc::gen::arbitrary<bool>()) given.local_rank = *rc::gen::inRange(0, 10);
    expect_sound(find(variables, given));
  });
}

}  // namespace
}  // namespace codecarbon
