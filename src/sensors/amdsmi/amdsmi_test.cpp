#include "sensors/amdsmi/amdsmi.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "host/library.hpp"
#include "host/machine_copy.hpp"
#include "readings/metered_fixture.hpp"
#include "readings/selection.hpp"
#include "sensors/simulated/simulated_machine.hpp"

namespace codecarbon::amdsmi {
namespace {

using simulated::SimulatedMachine;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing_support::machine;
using testing_support::MachineCopy;
using testing_support::Metered;

constexpr std::int64_t kStep = 16;  // of the counters, in microjoules

/// The node of four MI250 with one of AMD's libraries, or both, that plays its machine file.
class Node {
 public:
  explicit Node(const std::string& machine_json = {}) : copy_(machine("mi250-node")) {
    if (!machine_json.empty()) copy_.write("usr/lib/machine.json", machine_json);
  }
  Node& install(const std::string& edition, const std::string& name) {
    const auto fake = std::filesystem::path(CODECARBON_FAKE_AMD) / ("lib" + edition + ".so");
    std::filesystem::copy_file(fake, copy_.root() / "usr/lib" / name);
    library_ = std::make_unique<Library>(Library::load(copy_.host(), name).value());
    return *this;
  }
  Node& with_amd_smi(const std::string& edition = "fake_amd_smi") {
    return install(edition, "libamd_smi.so");
  }
  Node& with_rocm_smi() { return install("fake_rocm_smi", "librocm_smi64.so.1"); }

  Discovery discover() const { return amdsmi::discover(copy_.host(), {}); }
  SimulatedMachine truth() const {
    return SimulatedMachine::load(copy_.root() / "usr/lib/machine.json").value();
  }
  void set_time(Duration now) { knob<void(long long)>("fake_amd_set_time_ns")(now.count()); }
  void refuse(std::uint32_t status) { knob<void(std::uint32_t)>("fake_amd_refuse")(status); }
  int users() { return knob<int()>("fake_amd_users")(); }
  const MachineCopy& files() const { return copy_; }

 private:
  template <class Function>
  Function* knob(const char* name) {
    return library_->function<Function>(name);
  }
  MachineCopy copy_;
  std::unique_ptr<Library> library_;
};

const SensorInfo* find(const Discovery& found, Quantity quantity, int gpu) {
  for (const auto& probe : found.probes) {
    for (const SensorInfo& sensor : probe->sensors()) {
      if (sensor.quantity == quantity && sensor.domain.index == gpu) return &sensor;
    }
  }
  return nullptr;
}

long count(const Discovery& found, Finding::Outcome outcome) {
  return std::count_if(found.findings.begin(), found.findings.end(),
                       [&](const Finding& finding) { return finding.outcome == outcome; });
}

std::int64_t true_uj(const SimulatedMachine& truth, int gpu, Duration to) {
  return truth.true_energy({DomainKind::gpu, gpu, 0, {}}, {}, to).value().uj();
}

/// Each test for each of the two libraries.
class AmdSmi : public testing::TestWithParam<const char*> {
 protected:
  Node& install(Node& node) const {
    return std::string(GetParam()) == "amdsmi" ? node.with_amd_smi() : node.with_rocm_smi();
  }
};

TEST_P(AmdSmi, ACardOfTwoDiesIsOneDomain) {
  Node node;
  const Discovery found = install(node).discover();
  for (int gpu = 0; gpu < 8; ++gpu) {
    EXPECT_EQ(find(found, Quantity::energy, gpu) != nullptr, gpu % 2 == 0) << gpu;
    EXPECT_NE(find(found, Quantity::utilization, gpu), nullptr) << gpu;
    ASSERT_NE(find(found, Quantity::memory_used, gpu), nullptr) << gpu;
    EXPECT_EQ(find(found, Quantity::memory_used, gpu)->memory_total, 64LL << 30U);
  }
  EXPECT_EQ(found.probes.size(), 8U);
  EXPECT_EQ(count(found, Finding::Outcome::found), 4);
  EXPECT_EQ(count(found, Finding::Outcome::unsupported), 4);
}

TEST_P(AmdSmi, EitherDieSelectsTheCardsEnergyAndNoOther) {
  Node node;
  const Discovery found = install(node).discover();
  std::vector<const SensorInfo*> sensors;
  for (const auto& probe : found.probes) {
    for (const SensorInfo& sensor : probe->sensors()) sensors.push_back(&sensor);
  }
  for (int die = 0; die < 8; ++die) {
    SelectionPolicy policy;
    policy.gpu_ids = {std::to_string(die)};
    const auto uses = select_sensors(sensors, policy);
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      if (sensors[i]->quantity != Quantity::energy) continue;
      EXPECT_EQ(uses[i].component == Component::gpu, sensors[i]->domain.index == die / 2 * 2)
          << die << " " << sensors[i]->source;
    }
  }
}

TEST_P(AmdSmi, AGpuHasItsAddressItsNameAndTheIdThatSelectsIt) {
  Node node;
  const Discovery found = install(node).discover();
  const Domain& domain = find(found, Quantity::energy, 4)->domain;
  EXPECT_EQ(domain.kind, DomainKind::gpu);
  EXPECT_EQ(domain.vendor, Vendor::amd);
  EXPECT_EQ(domain.bus_id, "0000:ad:00.0");
  EXPECT_EQ(domain.name, "AMD INSTINCT MI250");
  EXPECT_EQ(domain.uuid, "GPU-9d1b2c3d4e5f6020");
  for (const auto& probe : found.probes) EXPECT_TRUE(probe->may_hang());
}

TEST_P(AmdSmi, SixtySecondsOfSquareWavesAreCountedGpuByGpu) {
  Node node;
  const Discovery found = install(node).discover();
  const SimulatedMachine truth = node.truth();
  Metered metered(found);
  ASSERT_EQ(metered.size(), 4U);
  metered.sample(MonoTime{});
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(metered.account(i).energy, Energy{});
  Duration now{};
  for (int beat = 0; now < seconds(60); ++beat) {
    now += milliseconds(1 + beat * 7919 % 499);  // in no step with the waves
    node.set_time(now);
    metered.sample(MonoTime{now});
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const int gpu = metered.info(i).domain.index;
    EXPECT_NEAR(static_cast<double>(metered.account(i).energy.uj()),
                static_cast<double>(true_uj(truth, gpu, now)), kStep);
    EXPECT_EQ(metered.account(i).gap_time(), Duration{});
  }
}

TEST_P(AmdSmi, OneGpuThatFailsLeavesTheOthersExactAndLosesNothingOfItsOwn) {
  for (const char* fault : {"unreadable", "zero", "garbage", "empty"}) {
    const std::string gpu = R"({"power_w": {"square": {"low_w": 90, "high_w": 500,
        "period_ms": 40, "duty": 0.4}}, "start_j": 5000)";
    Node node(R"({"gpus": [)" + gpu + "}," + gpu + R"(, "faults": [{"kind": ")" + fault +
              R"(", "from_s": 20, "to_s": 30}]},)" + gpu + "}]}");
    const Discovery found = install(node).discover();
    Metered metered(found);
    ASSERT_EQ(metered.size(), 3U) << fault;
    for (int second = 0; second <= 60; ++second) {
      node.set_time(seconds(second));
      metered.sample(MonoTime{seconds(second)});
    }
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(static_cast<double>(metered.account(i).energy.uj()),
                  static_cast<double>(true_uj(node.truth(), 0, seconds(60))), kStep)
          << fault;
    }
  }
}

TEST_P(AmdSmi, AGpuThatIsNotReadyIsAGapUntilItAnswers) {
  Node node(R"({"gpus": [{"power_w": 100, "start_j": 5, "faults": [{"kind": "unreadable",
      "from_s": 0, "to_s": 5}]}, {"power_w": 200, "start_j": 7}]})");
  const Discovery found = install(node).discover();
  EXPECT_EQ(count(found, Finding::Outcome::denied), 1);
  Metered metered(found);
  ASSERT_EQ(metered.size(), 2U);
  for (int second = 0; second <= 10; ++second) {
    node.set_time(seconds(second));
    metered.sample(MonoTime{seconds(second)});
  }
  EXPECT_NEAR(metered.account(0).energy.joules(), 500, 1e-4);
  EXPECT_NEAR(metered.account(1).energy.joules(), 2000, 1e-4);
}

TEST_P(AmdSmi, ACounterOfThirtyTwoBitsWrapsAndLosesNothing) {
  Node node(R"({"gpus": [{"power_w": {"square": {"low_w": 80, "high_w": 320, "period_ms": 90,
      "duty": 0.5}}, "start_j": 60000, "range_j": 65536}]})");
  const Discovery found = install(node).discover();
  EXPECT_EQ(find(found, Quantity::energy, 0)->range, Energy::from_joules(65'536));
  Metered metered(found);
  for (int second = 0; second <= 600; second += 3) {
    node.set_time(seconds(second));
    metered.sample(MonoTime{seconds(second)});
  }
  EXPECT_NEAR(static_cast<double>(metered.account(0).energy.uj()),
              static_cast<double>(true_uj(node.truth(), 0, seconds(600))), 4 * kStep);
  EXPECT_EQ(metered.account(0).gap_time(), Duration{});
}

TEST_P(AmdSmi, ACounterThatStandsHigherHasMoreBits) {
  Node node;
  EXPECT_FALSE(find(install(node).discover(), Quantity::energy, 2)->range);
}

TEST_P(AmdSmi, WithoutTheDriverTheLibraryIsNotEvenLoaded) {
  Node node;
  install(node).files().remove("sys/module/amdgpu");
  const Discovery found = node.discover();
  EXPECT_TRUE(found.probes.empty());
  EXPECT_EQ(count(found, Finding::Outcome::absent), 1);
  EXPECT_EQ(node.users(), 0);
}

TEST_P(AmdSmi, ALibraryThatDoesNotStartIsSaidAndNothingMore) {
  Node node;
  install(node).refuse(34);
  const Discovery found = node.discover();
  EXPECT_TRUE(found.probes.empty());
  EXPECT_EQ(count(found, Finding::Outcome::unsupported), 1);
}

TEST_P(AmdSmi, AMachineWithoutGpusHasNone) {
  Node node(R"({"cpu": {"model": "none", "count": 2}, "sockets": [{"package": {"power_w": 1}}]})");
  const Discovery found = install(node).discover();
  EXPECT_TRUE(found.probes.empty());
  EXPECT_FALSE(found.findings.empty());
}

/// What the kernel's driver lists: GPU n of the node is its number 1000 + n.
void add_kfd(const MachineCopy& copy) {
  constexpr int kBuses[] = {0x29, 0x2c, 0x2f, 0x32, 0xad, 0xb0, 0xb3, 0xb6};
  for (int gpu = 0; gpu < 8; ++gpu) {
    const auto node = "sys/class/kfd/kfd/topology/nodes/" + std::to_string(gpu + 2);
    copy.write(node + "/gpu_id", 1000 + gpu);
    copy.write(node + "/properties",
               "location_id " + std::to_string(kBuses[gpu] << 8) + "\ndomain 0\n");
  }
  std::filesystem::create_directories(copy.root() / "sys/class/kfd/kfd/proc");
}
void add_queue(const MachineCopy& copy, int pid, int gpu) {
  const auto queue = std::to_string(pid) + "/queues/" + std::to_string(gpu);
  copy.write("sys/class/kfd/kfd/proc/" + queue + "/gpuid", 1000 + gpu);
}

TEST_P(AmdSmi, UsersOfACardAreThoseOfBothItsDies) {
  Node node;
  install(node);
  add_kfd(node.files());
  const Discovery found = node.discover();
  std::array<GpuProcess, 4> users;
  add_queue(node.files(), 11, 1);  // the second die of the first card
  add_queue(node.files(), 12, 4);
  add_queue(node.files(), 13, 5);
  EXPECT_EQ(found.probes[0]->users(0, users), 1U);
  EXPECT_EQ(users[0].pid, 11);
  EXPECT_EQ(found.probes[1]->users(0, users), std::nullopt) << "its energy is that of the first";
  EXPECT_EQ(found.probes[4]->users(0, users), 2U);
}

TEST_P(AmdSmi, ABusyGpuOnWhichNobodyComputesHasUnknownUsers) {
  Node node(R"({"gpus": [{"power_w": 100, "start_j": 5, "utilization_percent":
      {"steps": [[0, 0], [10, 30]]}}]})");
  install(node);
  add_kfd(node.files());
  const Discovery found = node.discover();
  std::array<GpuProcess, 4> users;
  EXPECT_EQ(found.probes[0]->users(0, users), 0U);
  node.set_time(seconds(15));
  EXPECT_EQ(found.probes[0]->users(0, users), std::nullopt);
}

TEST_P(AmdSmi, WithoutTheKernelsListUsersAreUnknown) {
  Node node;
  const Discovery found = install(node).discover();
  std::array<GpuProcess, 4> users;
  EXPECT_EQ(found.probes[0]->users(0, users), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Both, AmdSmi, testing::Values("amdsmi", "rocmsmi"),
                         [](const auto& test) { return std::string(test.param); });

bool from_rocm(const Discovery& found) {
  return find(found, Quantity::energy, 0)->source.find("librocm_smi64") != std::string::npos;
}

TEST(AmdLibraries, RocmSmiIsAskedOnlyWhereAmdSmiDoesNotServe) {
  EXPECT_FALSE(from_rocm(Node().with_rocm_smi().with_amd_smi().discover()));
  EXPECT_TRUE(from_rocm(Node().with_rocm_smi().discover()));
  const Discovery found = Node().with_rocm_smi().with_amd_smi("fake_amd_smi_too_old").discover();
  EXPECT_TRUE(from_rocm(found));
  EXPECT_NE(found.findings[0].reason.find("too old"), std::string::npos);
}

TEST(AmdLibraries, RocmSmiIsGivenBackWithTheLastGpuAndAmdSmiIsLeftToTheProgram) {
  Node rocm;
  {
    const Discovery found = rocm.with_rocm_smi().discover();
    EXPECT_EQ(rocm.users(), 1);
  }
  EXPECT_EQ(rocm.users(), 0);
  Node amd;
  { const Discovery found = amd.with_amd_smi().discover(); }
  EXPECT_EQ(amd.users(), 1);
}

TEST(AmdLibraries, ALibraryThatOnlyCountsEnergyCountsIt) {
  Node node;
  const Discovery found = node.with_amd_smi("fake_amd_smi_bare").discover();
  EXPECT_EQ(found.probes.size(), 4U);
  ASSERT_NE(find(found, Quantity::energy, 2), nullptr);
  EXPECT_EQ(find(found, Quantity::energy, 2)->domain.bus_id, "");
  EXPECT_EQ(find(found, Quantity::utilization, 2), nullptr);
}

TEST(AmdLibraries, AFileThatIsNoLibraryIsSaid) {
  for (const char* content : {"", "not a library",
                              "\x7f"
                              "ELF"}) {
    const MachineCopy copy(machine("mi250-node"));
    copy.write("usr/lib/libamd_smi.so", content);
    const Discovery found = discover(copy.host(), {});
    EXPECT_TRUE(found.probes.empty());
    EXPECT_EQ(count(found, Finding::Outcome::unsupported), 1);
    EXPECT_EQ(count(found, Finding::Outcome::absent), 1);  // ROCm SMI
  }
}

}  // namespace
}  // namespace codecarbon::amdsmi
