#include "sensors/files/kfd_users.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "host/machine_copy.hpp"
#include "readings/allocations_fixture.hpp"

namespace codecarbon {
namespace {

using testing_support::MachineCopy;

constexpr int kFirst = 50'001;  // as the driver numbers its GPUs
constexpr int kSecond = 7'002;
constexpr int kHidden = 9'003;  // this user may not see it

/// A processor and two GPUs, as the driver shows them.
class KfdUsersTest : public testing::Test {
 protected:
  KfdUsersTest() {
    add_node(0, 0, 0, 0);
    add_node(1, kFirst, 0x2900, 0);
    add_node(2, kSecond, 0x2c00, 0x10);
    copy_.write("sys/class/kfd/kfd/topology/nodes/3/gpu_id", "");
    std::filesystem::create_directories(copy_.root() / kProc);
  }

  void add_node(int node, int gpu, int location, int domain) {
    const auto folder = fmt::format("sys/class/kfd/kfd/topology/nodes/{}/", node);
    copy_.write(folder + "gpu_id", gpu);
    copy_.write(folder + "properties",
                fmt::format("cpu_cores_count 0\nlocation_id {}\ndomain {}\n", location, domain));
  }
  void add_queue(int pid, int queue, int gpu) {
    copy_.write(fmt::format("{}/{}/queues/{}/gpuid", kProc, pid, queue), gpu);
  }
  void set_units(int pid, int gpu, int units) {
    copy_.write(fmt::format("{}/{}/stats_{}/cu_occupancy", kProc, pid, gpu), units);
  }
  std::optional<KfdUsers> of(std::vector<std::string> bus_ids) {
    return KfdUsers::of(copy_.host(), bus_ids);
  }
  /// The numbers of the users, in order; missing when they are unknown.
  static std::optional<std::vector<int>> pids(const KfdUsers& kfd) {
    std::array<GpuProcess, 8> users;
    const auto count = kfd.list(users);
    if (!count) return std::nullopt;
    std::vector<int> pids;
    for (std::size_t i = 0; i < *count; ++i) pids.push_back(users[i].pid);
    std::sort(pids.begin(), pids.end());
    return pids;
  }

  static constexpr const char* kProc = "sys/class/kfd/kfd/proc";
  MachineCopy copy_;
};

TEST_F(KfdUsersTest, AreThoseWithAQueueOnTheGpu) {
  const auto first = of({"0000:29:00.0"});
  const auto second = of({"0010:2c:00.0"});
  const auto both = of({"0000:29:00.0", "0010:2c:00.0"});
  ASSERT_TRUE(first && second && both);
  EXPECT_EQ(pids(*first), std::vector<int>{});
  add_queue(11, 0, kFirst);
  add_queue(11, 1, kFirst);
  add_queue(11, 2, kSecond);
  add_queue(12, 3, kSecond);
  add_queue(13, 0, kHidden);
  std::filesystem::create_directories(copy_.root() / kProc / "14/queues");
  EXPECT_EQ(pids(*first), std::vector<int>{11});
  EXPECT_EQ(pids(*second), (std::vector<int>{11, 12}));
  EXPECT_EQ(pids(*both), (std::vector<int>{11, 12}));
  copy_.remove(std::string(kProc) + "/11");
  EXPECT_EQ(pids(*both), std::vector<int>{12});
}

TEST_F(KfdUsersTest, OfSeveralTheUnitsInUseAreTheirPart) {
  const auto both = *of({"0000:29:00.0", "0010:2c:00.0"});
  add_queue(11, 0, kFirst);
  add_queue(12, 0, kSecond);
  std::array<GpuProcess, 2> users;
  ASSERT_EQ(both.list(users), 2U);
  EXPECT_EQ(users[0].utilization, std::nullopt) << "old cards do not tell";
  for (const int pid : {11, 12}) {
    set_units(pid, kFirst, pid);
    set_units(pid, kSecond, 100);
  }
  ASSERT_EQ(both.list(users), 2U);
  for (const GpuProcess& user : users) EXPECT_EQ(user.utilization, 100 + user.pid);
  EXPECT_EQ(both.list(std::span(users).first(1)), std::nullopt) << "there is no room";
}

TEST_F(KfdUsersTest, WithoutTheListOrTheGpuNothingIsKnown) {
  EXPECT_FALSE(of({}));
  EXPECT_FALSE(of({"0000:2f:00.0"}));
  EXPECT_FALSE(of({"0000:29:00.0", "0000:2f:00.0"}));
  EXPECT_FALSE(of({""}));
  copy_.remove(kProc);
  EXPECT_FALSE(of({"0000:29:00.0"}));
}

TEST_F(KfdUsersTest, FilesOfAnyContentAreSafe) {
  const auto first = *of({"0000:29:00.0"});
  add_queue(11, 0, kFirst);
  for (const char* garbage : {"", "x", "-1", "99999999999999999999", "50001 1", "\xff\n"}) {
    copy_.write(std::string(kProc) + "/12/queues/0/gpuid", garbage);
    copy_.write(std::string(kProc) + "/not a number/queues/0/gpuid", kFirst);
    EXPECT_EQ(pids(first), std::vector<int>{11}) << garbage;
    copy_.write("sys/class/kfd/kfd/topology/nodes/1/gpu_id", garbage);
    EXPECT_FALSE(of({"0000:29:00.0"})) << garbage;
    copy_.write("sys/class/kfd/kfd/topology/nodes/1/properties", garbage);
    EXPECT_FALSE(of({"0000:29:00.0"})) << garbage;
    add_node(1, kFirst, 0x2900, 0);
  }
}

TEST_F(KfdUsersTest, AListLongerThanOneReadIsReadWhole) {
  const auto first = *of({"0000:29:00.0"});
  std::vector<GpuProcess> users(500);
  for (int pid = 1; pid <= 500; ++pid) add_queue(pid, pid, pid % 2 == 0 ? kFirst : kSecond);
  EXPECT_EQ(first.list(users), 250U);
  const long before = testing_support::allocations_so_far();
  EXPECT_EQ(first.list(users), 250U);
  EXPECT_EQ(testing_support::allocations_so_far(), before);
}

TEST_F(KfdUsersTest, OneThatHasEndedIsNone) {
  std::filesystem::create_directories(copy_.root() / kProc / "15");
  add_queue(11, 0, kFirst);
  EXPECT_EQ(pids(*of({"0000:29:00.0"})), std::vector<int>{11});
}

}  // namespace
}  // namespace codecarbon
