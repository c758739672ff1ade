// The powercap tree: whatever bytes its files hold, discovery and readings give numbers in range or
// say why there are none. The input's lines are the contents of a zone's name, range and counter,
// of a second zone's name and counter, and what the first counter shows later.

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "codecarbon/clock.hpp"
#include "require.hpp"
#include "sensors/rapl/rapl.hpp"

namespace codecarbon::fuzz {
namespace {

namespace fs = std::filesystem;

/// A host root with two zones, removed in the end.
class Tree {
 public:
  Tree() {
    std::string pattern = (fs::temp_directory_path() / "fuzz_powercap_XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    fs::create_directories(zone(0));
    fs::create_directories(zone(1));
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  void write(int zone_number, const char* file, std::string_view text) const {
    std::ofstream stream(zone(zone_number) / file, std::ios::binary | std::ios::trunc);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  const fs::path& root() const { return root_; }

 private:
  fs::path zone(int number) const {
    return root_ / "sys/class/powercap" / ("intel-rapl:" + std::to_string(number));
  }
  fs::path root_;
};

std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

void check_sensor(const SensorInfo& sensor) {
  require(sensor.domain.index >= 0 && sensor.domain.die >= 0);
  require(!sensor.source.empty());
  require(!sensor.range || *sensor.range > Energy{});
}

void read_all(Probe& probe) {
  std::vector<Reading> readings(probe.sensors().size());
  probe.read(MonoTime{}, readings);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (!readings[i].value) continue;
    const auto& range = probe.sensors()[i].range;
    require(*readings[i].value >= 0);
    require(!range || *readings[i].value <= range->uj());
  }
}

void check(std::string_view text) {
  static const Tree tree;
  static const Host host(tree.root(), Environment{}, std::make_shared<ManualClock>());
  tree.write(0, "name", take_line(text));
  tree.write(0, "max_energy_range_uj", take_line(text));
  tree.write(0, "energy_uj", take_line(text));
  tree.write(1, "name", take_line(text));
  tree.write(1, "energy_uj", take_line(text));

  const Discovery discovery = rapl::discover(host, {});
  for (const Finding& finding : discovery.findings) require_message(finding.subject);
  for (const auto& probe : discovery.probes) {
    for (const SensorInfo& sensor : probe->sensors()) check_sensor(sensor);
  }
  while (!text.empty()) {
    tree.write(0, "energy_uj", take_line(text));
    for (const auto& probe : discovery.probes) read_all(*probe);
  }
}

}  // namespace
}  // namespace codecarbon::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  codecarbon::fuzz::check(codecarbon::fuzz::as_text(data, size));
  return 0;
}
