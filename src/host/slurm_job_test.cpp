#include "host/slurm_job.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <string>

namespace codecarbon {
namespace {

constexpr std::int64_t kMegabyte = 1024 * 1024;
constexpr std::int64_t kGigabyte = 1024 * kMegabyte;

using Variables = std::map<std::string, std::string, std::less<>>;

SlurmShare by_variables(Variables variables) {
  variables.emplace("SLURM_JOB_ID", "77");
  return share_by_variables(Environment(std::move(variables)));
}

/// A record as scontrol writes it, with `resources` and `rest` among its fields.
std::string record(std::string_view id, std::string_view resources, std::string_view rest) {
  return "JobId=" + std::string(id) +
         " JobName=train\n   UserId=ada(1000) GroupId=ada(1000) MCS_label=N/A\n"
         "   ReqTRES=cpu=64,mem=900G,node=1,billing=64\n   " +
         std::string(resources) + "\n   " + std::string(rest) +
         "\n   Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=*\n   WorkDir=/home/ada\n\n";
}

SlurmShare of_one(std::string_view resources, std::string_view rest = "NumNodes=1 NumCPUs=8") {
  return share_by_scontrol(record("77", resources, rest), "77");
}

TEST(SlurmVariables, TheCountForThisNodeComesFirst) {
  EXPECT_EQ(by_variables({{"SLURM_CPUS_ON_NODE", "6"}, {"SLURM_JOB_CPUS_PER_NODE", "8"}}),
            (SlurmShare{6, {}}));
  EXPECT_EQ(by_variables({{"SLURM_JOB_CPUS_PER_NODE", "72(x2),36"}, {"SLURM_NODEID", "2"}}),
            (SlurmShare{36, {}}));
  EXPECT_EQ(by_variables({{"SLURM_TASKS_PER_NODE", "4(x2),3"},
                          {"SLURM_CPUS_PER_TASK", "2"},
                          {"SLURM_NODEID", "1"}}),
            (SlurmShare{8, {}}));
}

TEST(SlurmVariables, TasksAloneSayNothingOfProcessors) {
  EXPECT_EQ(by_variables({{"SLURM_TASKS_PER_NODE", "4"}}), SlurmShare{});
}

TEST(SlurmVariables, MemoryIsInMegabytesPerNodeOrPerProcessor) {
  EXPECT_EQ(by_variables({{"SLURM_MEM_PER_NODE", "4000"}}), (SlurmShare{{}, 4000 * kMegabyte}));
  EXPECT_EQ(by_variables({{"SLURM_MEM_PER_CPU", "500"}, {"SLURM_CPUS_ON_NODE", "8"}}),
            (SlurmShare{8, 4000 * kMegabyte}));
  EXPECT_EQ(by_variables({{"SLURM_MEM_PER_CPU", "500"}}), SlurmShare{}) << "of how many?";
  EXPECT_EQ(by_variables({{"SLURM_MEM_PER_NODE", "0"}}), SlurmShare{}) << "all of the node";
}

TEST(SlurmVariables, OutsideAJobTheyCountForNothing) {
  const Variables others{{"SLURM_CPUS_ON_NODE", "4"}, {"SLURM_MEM_PER_NODE", "100"}};
  EXPECT_EQ(share_by_variables(Environment(others)), SlurmShare{});
  for (const char* id : {"", "0", "-1", "12; rm", "all", " 12", "12_3"}) {
    EXPECT_EQ(slurm_job_id(Environment(Variables{{"SLURM_JOB_ID", id}})), std::nullopt) << id;
  }
  EXPECT_EQ(slurm_job_id(Environment(Variables{{"SLURM_JOBID", "12"}})), "12") << "as of old";
}

TEST(SlurmList, TellsOneNodesValue) {
  EXPECT_EQ(value_on_node("4(x2),3", 0), 4);
  EXPECT_EQ(value_on_node("4(x2),3", 1), 4);
  EXPECT_EQ(value_on_node("4(x2),3", 2), 3);
  EXPECT_EQ(value_on_node("4(x2),3", 3), std::nullopt);
  EXPECT_EQ(value_on_node("4(x2),3", {}), std::nullopt) << "which node?";
  EXPECT_EQ(value_on_node("4(x2),4", {}), 4);
  EXPECT_EQ(value_on_node("16", {}), 16);
  EXPECT_EQ(value_on_node("16", -1), std::nullopt);
  for (const char* list : {"", "x", "4(", "4()", "4(x)", "4(x0)", "4(2)", "0", "-4", "4(x2"}) {
    EXPECT_EQ(value_on_node(list, 0), std::nullopt) << list;
  }
}

TEST(SlurmList, IsTheListThatWasWritten) {
  EXPECT_TRUE(rc::check([] {
    const auto counts =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 4)));
    std::string text;
    for (std::size_t i = 0; i < counts.size();) {
      std::size_t end = i;
      while (end < counts.size() && counts[end] == counts[i]) ++end;
      text += (text.empty() ? "" : ",") + std::to_string(counts[i]);
      if (end - i > 1) text += "(x" + std::to_string(end - i) + ")";
      i = end;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
      RC_ASSERT(value_on_node(text, static_cast<std::int64_t>(i)) == counts[i]);
    }
  }));
}

TEST(SlurmMemory, ReadsEveryUnit) {
  EXPECT_EQ(parse_slurm_memory("62.50G"), 62 * kGigabyte + kGigabyte / 2);
  EXPECT_EQ(parse_slurm_memory("4000M"), 4000 * kMegabyte);
  EXPECT_EQ(parse_slurm_memory("500"), 500 * kMegabyte);
  EXPECT_EQ(parse_slurm_memory("1T"), 1024 * kGigabyte);
  EXPECT_EQ(parse_slurm_memory("2048K"), 2 * kMegabyte);
  for (const char* text :
       {"", "0", "0M", "M", "-5G", "1e9G", "nan", "infG", "5 G", "5GB", "9999999P"}) {
    EXPECT_EQ(parse_slurm_memory(text), std::nullopt) << text;
  }
}

TEST(SlurmRecord, WhatWasGivenCountsAndNotWhatWasAskedFor) {
  EXPECT_EQ(of_one("AllocTRES=cpu=8,mem=62.50G,node=1,billing=8"),
            (SlurmShare{8, 62 * kGigabyte + kGigabyte / 2}));
  EXPECT_EQ(of_one("TRES=cpu=8,mem=4000M,node=1,billing=8"), (SlurmShare{8, 4000 * kMegabyte}));
  EXPECT_EQ(of_one("AllocTRES=cpu=8,mem=500,node=1"), (SlurmShare{8, 500 * kMegabyte}));
  EXPECT_EQ(of_one("AllocTRES=cpu=8,mem=1T,node=1"), (SlurmShare{8, 1024 * kGigabyte}));
  EXPECT_EQ(of_one("AllocTRES=(null)"), (SlurmShare{8, {}})) << "by NumCPUs";
}

TEST(SlurmRecord, NoMemoryIsNoLimit) {
  EXPECT_EQ(of_one("AllocTRES=cpu=8,node=1,billing=8", "NumNodes=1 MinMemoryNode=0"),
            (SlurmShare{8, {}}));
}

TEST(SlurmRecord, OfSeveralNodesOneNodesPartCounts) {
  const char* const all = "AllocTRES=cpu=16,mem=40G,node=2";
  EXPECT_EQ(of_one(all, "NumNodes=2 NumCPUs=16"), (SlurmShare{8, 20 * kGigabyte}));
  EXPECT_EQ(of_one(all, "NumNodes=2\n   MinCPUsNode=1 MinMemoryNode=15G MinTmpDiskNode=0"),
            (SlurmShare{8, 15 * kGigabyte}));
  EXPECT_EQ(of_one(all, "NumNodes=2\n   MinCPUsNode=1 MinMemoryCPU=2000M MinTmpDiskNode=0"),
            (SlurmShare{8, 16000 * kMegabyte}));
  EXPECT_EQ(of_one(all, ""), (SlurmShare{8, 20 * kGigabyte})) << "by node=2";
  EXPECT_EQ(of_one("AllocTRES=cpu=16,mem=40G", ""), SlurmShare{}) << "of how many nodes?";
}

TEST(SlurmRecord, OfAnArrayTheJobsOwnRecordCounts) {
  const std::string array = record("78", "AllocTRES=cpu=2,mem=2G,node=1", "NumNodes=1") +
                            record("77", "AllocTRES=cpu=4,mem=4G,node=1", "NumNodes=1") +
                            record("79", "AllocTRES=cpu=6,mem=6G,node=1", "NumNodes=1");
  EXPECT_EQ(share_by_scontrol(array, "77"), (SlurmShare{4, 4 * kGigabyte}));
  EXPECT_EQ(share_by_scontrol(array, "7"), SlurmShare{});
}

TEST(SlurmRecord, OneLineWillDo) {
  EXPECT_EQ(share_by_scontrol("JobId=77 NumNodes=1 AllocTRES=cpu=4,mem=4G,node=1 Rest=x", "77"),
            (SlurmShare{4, 4 * kGigabyte}));
}

TEST(SlurmRecord, GarbageSaysNothing) {
  for (const char* text : {"", "\n\n\n", "slurm_load_jobs error: Invalid job id specified",
                           "AllocTRES=mem=,cpu=,node=", "NumNodes=0 AllocTRES=cpu=4,mem=4G",
                           "NumNodes=99999999999999999999"}) {
    EXPECT_EQ(share_by_scontrol(text, "77"), SlurmShare{}) << text;
  }
}

TEST(SlurmText, AnyTextIsANumberInRangeOrNothing) {
  EXPECT_TRUE(rc::check([](const std::string& text, std::int64_t node) {
    for (const char* before : {"", "8(x", "NumNodes=2 AllocTRES=cpu=3,mem="}) {
      const std::string all = before + text;
      RC_ASSERT(value_on_node(all, node).value_or(1) > 0);
      RC_ASSERT(value_on_node(all, {}).value_or(1) > 0);
      RC_ASSERT(parse_slurm_memory(all).value_or(1) > 0);
      const SlurmShare share = share_by_scontrol(all, "1");
      RC_ASSERT(share.processors.value_or(1) > 0);
      RC_ASSERT(share.memory_bytes.value_or(1) > 0);
    }
  }));
}

}  // namespace
}  // namespace codecarbon
