#include "sensors/simulated/machine_file.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>

namespace codecarbon::simulated {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Result<Machine> parse(std::string_view json) {
  return parse_machine(json, "m.json");
}

/// A machine of one GPU whose object holds `members` as well.
std::string gpu(const std::string& members) {
  return R"({"gpus": [{)" + members + "}]}";
}

/// A GPU with this profile.
std::string profile(const std::string& power) {
  return gpu(R"("power_w": )" + power);
}

std::string faults(const std::string& list, const std::string& sensor = "energy") {
  return gpu(R"("power_w": 1, "sensor": ")" + sensor + R"(", "faults": [)" + list + "]");
}

TEST(MachineFile, ReadsWhatItSays) {
  const auto machine = parse(R"({
    "comment": "for a person",
    "cpu": {"model": "Xeon", "count": 8, "utilization_percent": 25},
    "ram": {"total_gib": 16, "used_gib": {"steps": [[0, 4], [10, 8]]}},
    "psys": {"power_w": 90},
    "sockets": [{"copies": 2,
                 "package": {"power_w": {"square": {"low_w": 20, "high_w": 80, "period_ms": 50, "duty": 0.25}},
                             "start_j": 5, "range_j": 65.5, "resolution_uj": 61, "update_ms": 1},
                 "dram": {"power_w": 3.5}}],
    "gpus": [{"power_w": 60, "sensor": "power", "window_ms": 100,
              "faults": [{"kind": "glitch", "at_s": 5, "offset_w": -60},
                         {"kind": "empty", "from_s": 1, "to_s": 2}]},
             {"name": "Instinct", "power_w": 100, "plausible_w": 900,
              "utilization_percent": 50, "memory": {"total_gib": 80, "used_gib": 40}}]})");
  ASSERT_TRUE(machine.has_value()) << machine.error().message;
  EXPECT_EQ(machine->cpu.model, "Xeon");
  EXPECT_EQ(machine->cpu.count, 8);
  EXPECT_EQ(machine->cpu.utilization->at(seconds(0)), 250'000);
  EXPECT_EQ(machine->ram->total, std::int64_t{16} << 30);
  EXPECT_EQ(machine->ram->used.at(seconds(10)), std::int64_t{8} << 30);
  ASSERT_EQ(machine->sockets.size(), 2U);
  const DomainScript& package = machine->sockets[1].domains[0];
  EXPECT_EQ(package.domain.name, "package-1");
  EXPECT_EQ(package.domain.index, 1);
  EXPECT_EQ(package.power.at(milliseconds(12)), 80'000'000);
  EXPECT_EQ(package.power.at(milliseconds(13)), 20'000'000);
  EXPECT_EQ(package.start.uj(), 5'000'000);
  EXPECT_EQ(package.range->uj(), 65'500'000);
  EXPECT_EQ(package.resolution.uj(), 61);
  EXPECT_EQ(package.update_period, milliseconds(1));
  EXPECT_EQ(machine->sockets[0].domains[1].domain.kind, DomainKind::dram);
  const DomainScript& gauge = machine->gpus[0].energy;
  EXPECT_EQ(gauge.domain.name, "GPU 0");
  EXPECT_EQ(gauge.quantity, Quantity::power);
  EXPECT_EQ(gauge.averaging, milliseconds(100));
  ASSERT_EQ(gauge.faults.size(), 2U);
  EXPECT_EQ(gauge.faults[0].kind, FaultKind::empty);  // by time
  EXPECT_EQ(gauge.faults[1].offset, -60'000'000);
  EXPECT_EQ(machine->gpus[1].energy.domain.name, "Instinct");
  EXPECT_EQ(machine->gpus[1].energy.domain.index, 1);
  EXPECT_EQ(machine->gpus[1].energy.plausible_power, Power::from_watts(900));
  EXPECT_EQ(machine->gpus[1].memory->used.at(seconds(0)), std::int64_t{40} << 30);
}

TEST(MachineFile, WhatAScriptUsesIsPlausibleUnlessTheFileSaysOtherwise) {
  EXPECT_EQ(parse(profile("50"))->gpus[0].energy.plausible_power, Power::from_watts(2'000));
  EXPECT_EQ(parse(profile("5000"))->gpus[0].energy.plausible_power, Power::from_watts(10'000));
}

struct Malformed {
  std::string json;
  std::vector<std::string> said;  // all of these are in the message
};

std::string one_domain(const std::string& members) {
  return R"({"sockets": [{"package": {)" + members + "}}]}";
}

const std::vector<Malformed>& malformed() {
  static const std::vector<Malformed> kCases = {
      // Not JSON.
      {"", {"line 1, column 1"}},
      {"{\n  \"gpus\": [,]\n}", {"line 2, column 12", "accepted: a JSON object"}},
      {R"({"gpus": [{"power_w": 1e999}]})", {"1e999"}},
      {R"({"gpus": [{"power_w": NaN}]})", {"line 1", "column"}},
      {"{\"gpus\": [] // all of them\n}", {"line 1"}},
      {"{\"comment\": \"\xff\"}", {"line 1", "UTF-8"}},
      {R"({"gpus": []} trailing)", {"line 1"}},
      {std::string(R"({"gpus": [{"power_w": 1}]})") + '\0', {"zero byte"}},
      {std::string(R"({"gpus": [{"power_w": 1}]})") + '\0' + "rubbish", {"zero byte"}},
      {R"({"cpu": {"count": 1, "count": 2}})", {"\"count\" twice"}},
      {std::string(2'000, '['), {"nested too deep"}},
      {std::string(200, '[') + std::string(200, ']'), {"nested too deep", "32"}},
      {std::string(kLargestMachineFile + 1, ' '), {"too large", "1048576"}},
      // Not of this shape.
      {"null", {"the document is null", "sockets, gpus"}},
      {"[]", {"the document is an array of 0", "sockets, gpus"}},
      {"{}", {"nothing that uses energy", "sockets, gpus"}},
      {R"({"socket": []})",
       {"unknown key \"socket\"", "did you mean \"sockets\"?", "accepted: cpu"}},
      {R"({"zebra\n": []})", {"unknown key \"zebra?\"; accepted"}},
      {R"({"comment": 5})", {"comment is 5; accepted: a text"}},
      {R"({"gpus": 3})", {"gpus is 3", "array of at most 64 gpus"}},
      {R"({"gpus": [{"power_w": 1, "copies": 65}]})", {"gpus[0].copies is 65", "1 to 64"}},
      {R"({"gpus": [{"power_w": 1, "copies": 60}, {"power_w": 1, "copies": 5}]})",
       {"gpus has too many", "at most 64"}},
      {R"({"gpus": [{"power_w": 1, "copies": 1.5}]})", {"gpus[0].copies is 1.5", "whole number"}},
      {R"({"sockets": [{}]})", {"sockets[0] has no \"package\"", "power_w"}},
      {R"({"sockets": [{"pakage": {}}]})", {"sockets[0]", "did you mean \"package\"?"}},
      // Domains.
      {one_domain(""), {"sockets[0].package has no \"power_w\"", "watts"}},
      {one_domain(R"("power_w": "65 W")"), {"package.power_w is \"65 W\"", "steps, ramp"}},
      {one_domain(R"("power_w": -1)"), {"package.power_w is -1", "watts from 0 to 100000"}},
      {one_domain(R"("power_w": 1e6)"), {"is 1000000", "0 to 100000"}},
      {one_domain(R"("power_w": 1, "sensor": "powr")"),
       {"\"powr\"", "energy, power", "did you mean"}},
      {one_domain(R"("power_w": 1, "sensor": 1)"), {"sensor is 1", "one of energy, power"}},
      {one_domain(R"("power_w": 1, "range_j": 0)"), {"range_j is 0", "joules from 0.001"}},
      {one_domain(R"("power_w": 1, "range_j": 5, "start_j": 5)"),
       {"start_j is 5", "less than range_j"}},
      {one_domain(R"("power_w": 1, "resolution_uj": 0)"), {"resolution_uj is 0", "from 1"}},
      {one_domain(R"("power_w": 1, "update_ms": 60001)"), {"update_ms is 60001", "0 to 60000"}},
      {one_domain(R"("power_w": 1, "update_ms": -1)"), {"update_ms is -1", "0 to 60000"}},
      {one_domain(R"("power_w": 1, "update_ms": "1")"), {"update_ms is \"1\"", "0 to 60000"}},
      {one_domain(R"("power_w": 1, "window_ms": 5)"), {"unknown key \"window_ms\""}},
      {gpu(R"("power_w": 1, "sensor": "power", "range_j": 5)"), {"unknown key \"range_j\""}},
      {gpu(R"("power_w": 1, "name": "")"), {"gpus[0].name is \"\"", "1 to 200"}},
      {gpu(R"("power_w": 1, "memory": {"total_gib": 8, "used_gib": 9})"),
       {"memory.used_gib is 9", "GiB from 0 to 8"}},
      {gpu(R"("power_w": 1, "utilization_percent": 101)"), {"is 101", "percent from 0 to 100"}},
      // Profiles.
      {profile("{}"), {"power_w has no shape", "steps, ramp, square"}},
      {profile(R"({"steps": [[0, 1]], "ramp": {"from_w": 1, "to_w": 2, "over_s": 1}})"),
       {"power_w has two shapes"}},
      {profile(R"({"steps": []})"), {"power_w.steps is an array of 0", "[seconds, watts]"}},
      {profile(R"({"steps": [[0, 1], [5]]})"), {"steps[1] is an array of 1", "pair"}},
      {profile(R"({"steps": [[1, 1]]})"), {"steps[0][0] is 1", "0 in the first step"}},
      {profile(R"({"steps": [[0, 1], [2, 1], [2, 3]]})"), {"steps[2][0] is 2", "after"}},
      {profile(R"({"ramp": {"from_w": 1, "over_s": 1}})"), {"ramp has no \"to_w\"", "watts"}},
      {profile(R"({"ramp": {"from_w": 1, "to_w": 2, "over_s": 0}})"), {"over_s is 0", "seconds"}},
      {profile(R"({"square": {"low_w": 1, "high_w": 2, "period_ms": 0}})"), {"period_ms is 0"}},
      {profile(R"({"square": {"low_w": 1, "high_w": 2, "period_ms": 5, "duty": 1.5}})"),
       {"duty is 1.5", "from 0 to 1"}},
      {profile(R"({"square": {"low": 1, "high_w": 2, "period_ms": 5}})"),
       {"unknown key \"low\"", "did you mean \"low_w\"?"}},
      {profile(R"({"repeat": {"every_s": 1}})"), {"repeat has no \"profile\""}},
      {profile(R"({"repeat": {"every_s": 0, "profile": 1}})"), {"every_s is 0"}},
      {profile(R"({"sum": []})"), {"sum is an array of 0", "1 to 64 profiles"}},
      {profile(R"({"sum": [60000, 60000]})"), {"sum adds up to 120000 watts", "at most 100000"}},
      {profile(R"({"sum": [1, {"steps": [[0, true]]}]})"), {"sum[1].steps[0][1] is true"}},
      // Faults.
      {gpu(R"("power_w": 1, "faults": {})"), {"faults is an object", "array"}},
      {faults(R"({"from_s": 1})"), {"faults[0] has no \"kind\"", "empty, garbage"}},
      {faults(R"({"kind": "freze"})"), {"kind is \"freze\"", "freeze", "did you mean"}},
      {faults(R"({"kind": "empty"})"), {"faults[0] has no \"from_s\"", "seconds"}},
      {faults(R"({"kind": "empty", "from_s": -1})"), {"from_s is -1"}},
      {faults(R"({"kind": "empty", "from_s": 2, "to_s": 2})"), {"to_s is 2", "after from_s"}},
      {faults(R"({"kind": "reset", "from_s": 2})"), {"unknown key \"from_s\"", "at_s"}},
      {faults(R"({"kind": "glitch", "at_s": 2})"), {"no \"offset_j\"", "joules"}},
      {faults(R"({"kind": "glitch", "at_s": 2, "offset_j": 1})", "power"), {"offset_w"}},
      {faults(R"({"kind": "reset", "at_s": 2})", "power"), {"kind is \"reset\"", "\"energy\""}},
      {faults(R"({"kind": "stuck", "from_s": 2}, {"kind": "stuck", "from_s": 9})"),
       {"faults has two of kind \"stuck\" at 9 s", "one of a kind"}},
  };
  return kCases;
}

TEST(MachineFile, AMalformedOneSaysWhereAndWhatIsAcceptedInOneLine) {
  for (const Malformed& wrong : malformed()) {
    const auto machine = parse(wrong.json);
    const std::string shown = wrong.json.substr(0, 100);
    ASSERT_FALSE(machine.has_value()) << shown;
    const std::string& message = machine.error().message;
    EXPECT_EQ(machine.error().kind, ErrorKind::format) << shown;
    EXPECT_TRUE(message.starts_with("machine file m.json: ")) << message;
    EXPECT_NE(message.find("accepted: "), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_LT(message.size(), 500U) << message;
    for (const std::string& part : wrong.said) {
      EXPECT_NE(message.find(part), std::string::npos) << message << "\n  lacks " << part;
    }
  }
}

TEST(MachineFile, NoDamageMakesItThrowOrSpeakInLines) {
  const std::string good = R"({"sockets": [{"package": {"power_w": {"sum": [1,
    {"square": {"low_w": 2, "high_w": 3, "period_ms": 4}}]}, "range_j": 9,
    "faults": [{"kind": "glitch", "at_s": 1, "offset_j": -4}]}}]})";
  ASSERT_TRUE(parse(good).has_value());
  EXPECT_TRUE(rc::check([&] {
    std::string bad = good;
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
      bad[*rc::gen::inRange<std::size_t>(0, bad.size())] = *rc::gen::arbitrary<char>();
    }
    const auto machine = parse(bad);
    const std::string said = machine ? "" : machine.error().message;
    RC_ASSERT(said.find('\n') == std::string::npos);
  }));
}

TEST(MachineFile, CopiesOfALargeScriptShareIt) {
  std::string steps = "[0, 1]";
  for (int i = 1; i < 50'000; ++i) steps += ", [" + std::to_string(i) + ", 2]";
  const auto machine = parse(gpu(R"("copies": 64, "power_w": {"steps": [)" + steps + "]}"));
  ASSERT_TRUE(machine.has_value()) << machine.error().message;
  EXPECT_EQ(machine->gpus.back().energy.domain.index, 63);
  EXPECT_EQ(machine->gpus.back().energy.power.at(seconds(1)), 2'000'000);
}

TEST(MachineFile, AMissingOneAndAFolderSaySo) {
  const auto missing = load_machine("no/such/machine.json");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().kind, ErrorKind::missing_file);
  EXPECT_NE(missing.error().message.find("no/such/machine.json"), std::string::npos);
  EXPECT_NE(missing.error().message.find("accepted: "), std::string::npos);
  const auto folder = load_machine(std::filesystem::temp_directory_path());
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().kind, ErrorKind::io);
}

TEST(MachineFile, EveryShippedOneLoads) {
  int count = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(CODECARBON_SOURCE_DIR "/tests/simulated_machines")) {
    const auto machine = load_machine(file.path());
    EXPECT_TRUE(machine.has_value()) << machine.error().message;
    ++count;
  }
  EXPECT_GE(count, 5);
}

TEST(MachineFile, TheManualShowsAShippedOneWordForWord) {
  const auto content = [](const std::string& path) {
    std::ifstream file(CODECARBON_SOURCE_DIR "/" + path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string laptop = content("tests/simulated_machines/laptop.json");
  ASSERT_FALSE(laptop.empty());
  EXPECT_NE(content("docs/machine-file.md").find("```json\n" + laptop + "```"), std::string::npos);
}

}  // namespace
}  // namespace codecarbon::simulated
