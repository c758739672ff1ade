#include "readings/gpu_choice.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace codecarbon {
namespace {

using Ids = std::vector<std::string>;
using Indices = std::vector<int>;

Domain gpu(Vendor vendor, int index, std::string uuid = {}) {
  Domain domain{DomainKind::gpu, index, 0, "GPU"};
  domain.vendor = vendor;
  domain.uuid = std::move(uuid);
  return domain;
}

std::vector<Domain> four_nvidia() {
  std::vector<Domain> gpus = {
      gpu(Vendor::nvidia, 0, "GPU-aa00"), gpu(Vendor::nvidia, 1, "GPU-aa11"),
      gpu(Vendor::nvidia, 2, "GPU-bb22"), gpu(Vendor::nvidia, 3, "GPU-cc33")};
  gpus[3].instances = {"MIG-1111", "MIG-2222"};
  return gpus;
}

GpuChoice choose(const std::vector<Domain>& gpus, const std::optional<Ids>& ids,
                 const VisibleDevices& visible = {}) {
  std::vector<const Domain*> pointers;
  for (const Domain& domain : gpus) pointers.push_back(&domain);
  return choose_gpus(pointers, ids, visible);
}

/// Positions of the GPUs that are measured.
Indices chosen(const GpuChoice& choice) {
  Indices positions;
  for (std::size_t i = 0; i < choice.reasons.size(); ++i) {
    if (choice.reasons[i].empty()) positions.push_back(static_cast<int>(i));
  }
  return positions;
}

Indices by_cuda(const std::string& list) {
  VisibleDevices visible;
  visible.cuda = list;
  return chosen(choose(four_nvidia(), std::nullopt, visible));
}

TEST(GpuChoice, AllWithoutAWord) {
  EXPECT_EQ(chosen(choose(four_nvidia(), std::nullopt)), (Indices{0, 1, 2, 3}));
}

TEST(GpuChoice, CudaVisibleDevicesMeansWhatCudaTakesItFor) {
  const std::vector<std::pair<std::string, Indices>> cases = {
      {"", {}},
      {" ", {}},
      {"-1", {}},
      {"0,-1,1", {0}},
      {"1, 0", {0, 1}},
      {"2", {2}},
      {"0,9,1", {0}},
      {"0,0", {0}},
      {"none", {}},
      {"NoDevFiles", {}},
      {"1,", {1}},
      {",1", {}},
      {"GPU-bb", {2}},
      {"GPU-aa", {}},  // two begin so
      {"GPU-aa11", {1}},
      {"GPU-aa00,GPU-cc33", {0, 3}},
      {"MIG-1111", {3}},
      {"MIG-1111,MIG-2222", {3}},
      {"MIG-9", {}},
      {"MIG-GPU-bb22/7/0", {2}},
      {"MIG-GPU-bb/7", {}},
  };
  for (const auto& [list, expected] : cases) EXPECT_EQ(by_cuda(list), expected) << list;
}

TEST(GpuChoice, IdsOfTheUserGoBeforeTheEnvironment) {
  VisibleDevices visible;
  visible.cuda = "0";
  const auto choice = choose(four_nvidia(), Ids{"1", " GPU-cc", "MIG-2222"}, visible);
  EXPECT_EQ(chosen(choice), (Indices{1, 3}));
  EXPECT_TRUE(choice.unknown.empty());
  EXPECT_EQ(chosen(choose(four_nvidia(), Ids{}, visible)), Indices{});
}

TEST(GpuChoice, WhatIsNotThereIsNamedAndHurtsNoOther) {
  const auto choice = choose(four_nvidia(), Ids{"7", "2", "GPU-zz", "-1", "GPU-aa"});
  EXPECT_EQ(chosen(choice), Indices{2});
  EXPECT_EQ(choice.unknown, (Ids{"7", "GPU-zz", "-1", "GPU-aa"}));
  VisibleDevices visible;
  visible.cuda = "0,9,1";
  EXPECT_EQ(choose(four_nvidia(), std::nullopt, visible).unknown, Ids{"CUDA_VISIBLE_DEVICES: 9"});
}

TEST(GpuChoice, ADieThatAnotherOnesMeterHoldsChoosesThatToo) {
  std::vector<Domain> gpus;
  for (int die = 0; die < 4; ++die) gpus.push_back(gpu(Vendor::amd, die));
  gpus[1].metered_by = 0;
  gpus[3].metered_by = 2;
  gpus.push_back(gpu(Vendor::nvidia, 0));
  EXPECT_EQ(chosen(choose(gpus, Ids{"1"})), (Indices{0, 1}));
  EXPECT_EQ(chosen(choose(gpus, Ids{"2"})), (Indices{2}));
  VisibleDevices visible;
  visible.rocr = "3";
  visible.cuda = "";
  EXPECT_EQ(chosen(choose(gpus, std::nullopt, visible)), (Indices{}));
  visible.cuda.reset();
  EXPECT_EQ(chosen(choose(gpus, std::nullopt, visible)), (Indices{2, 3, 4}));
}

TEST(GpuChoice, EachVendorHasItsVariable) {
  const std::vector<Domain> mixed = {gpu(Vendor::nvidia, 0),        gpu(Vendor::nvidia, 1),
                                     gpu(Vendor::amd, 0, "GPU-77"), gpu(Vendor::amd, 1, "GPU-88"),
                                     gpu(Vendor::intel, 0),         gpu(Vendor::unknown, 0)};
  VisibleDevices visible;
  visible.rocr = "GPU-88";
  EXPECT_EQ(chosen(choose(mixed, std::nullopt, visible)), (Indices{0, 1, 3, 4, 5}));
  visible.hip = "0";
  EXPECT_EQ(chosen(choose(mixed, std::nullopt, visible)), (Indices{0, 1, 3, 4, 5}));
  visible.hip = "1";
  EXPECT_EQ(chosen(choose(mixed, std::nullopt, visible)), (Indices{0, 1, 4, 5}));
  visible = {};
  visible.ze = "0.1";
  EXPECT_EQ(chosen(choose(mixed, std::nullopt, visible)), (Indices{0, 1, 2, 3, 4, 5}));
  visible.ze = "3";
  EXPECT_EQ(chosen(choose(mixed, std::nullopt, visible)), (Indices{0, 1, 2, 3, 5}));
}

TEST(GpuChoice, AnyTextChoosesSomeOfThemAndNothingElse) {
  EXPECT_TRUE(rc::check("a list of any text", [](const std::string& text, const Ids& ids) {
    VisibleDevices visible;
    visible.cuda = visible.rocr = visible.hip = visible.ze = text;
    const auto gpus = four_nvidia();
    RC_ASSERT(choose(gpus, std::nullopt, visible).reasons.size() == gpus.size());
    RC_ASSERT(choose(gpus, ids, visible).unknown.size() <= ids.size());
  }));
}

}  // namespace
}  // namespace codecarbon
