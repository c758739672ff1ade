#include "sensors/simulated/machine_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/host.hpp"
#include "sensors/simulated/domain_reader.hpp"
#include "sensors/simulated/profile_reader.hpp"

namespace codecarbon::simulated {
namespace {

constexpr int kMostDevices = 64;
constexpr int kMostProcessors = 1 << 20;

/// A path as a person wrote it, whatever bytes are in it, but no second line.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= '\0' && c < ' '; }, '?');
  return text;
}

Cpu read_cpu(const Place& place) {
  place.expect_keys({"model", "count", "utilization_percent"});
  Cpu cpu;
  if (const auto model = place.find("model")) cpu.model = model->text();
  if (const auto count = place.find("count")) cpu.count = count->whole_number(1, kMostProcessors);
  if (const auto load = place.find("utilization_percent")) {
    cpu.utilization = read_profile(*load, kPercent);
  }
  return cpu;
}

Socket read_socket(const Place& place) {
  constexpr std::pair<std::string_view, DomainKind> kDomains[] = {{"package", DomainKind::package},
                                                                  {"core", DomainKind::core},
                                                                  {"uncore", DomainKind::uncore},
                                                                  {"dram", DomainKind::dram}};
  place.expect_keys({"package", "core", "uncore", "dram", "copies"});
  (void)place.require("package", "an object with power_w");
  Socket socket;
  for (const auto& [key, kind] : kDomains) {
    const auto domain = place.find(key);
    if (!domain) continue;
    socket.domains.push_back(read_domain(*domain, {kind, 0, 0, {}}));
  }
  return socket;
}

void give_index(Socket& socket, int index) {
  for (DomainScript& script : socket.domains) {
    Domain& domain = script.domain;
    domain.index = index;
    domain.name = fmt::format("{}-{}", to_string(domain.kind), index);
  }
}

void give_index(Gpu& gpu, int index) {
  Domain& domain = gpu.energy.domain;
  domain.index = index;
  if (domain.name.empty()) domain.name = fmt::format("GPU {}", index);
}

/// An array whose items may stand for several like devices by `copies`.
template <class Device, class Read>
std::vector<Device> read_devices(const Place& place, std::string_view what, Read read) {
  const std::string accepted = fmt::format("an array of at most {} {}", kMostDevices, what);
  std::vector<Device> devices;
  for (const Place& item : place.items(0, kMostDevices, accepted)) {
    const auto copies = item.find("copies");
    const int count = copies ? copies->whole_number(1, kMostDevices) : 1;
    if (static_cast<int>(devices.size()) + count > kMostDevices) {
      place.complain(fmt::format("has too many {}; accepted: at most {}", what, kMostDevices));
      break;
    }
    const Device device = read(item);
    for (int i = 0; i < count; ++i) {
      devices.push_back(device);
      give_index(devices.back(), static_cast<int>(devices.size()) - 1);
    }
  }
  return devices;
}

Machine read_machine(const Place& root) {
  root.expect_keys({"cpu", "ram", "psys", "node", "sockets", "gpus"});
  Machine machine;
  if (const auto cpu = root.find("cpu")) machine.cpu = read_cpu(*cpu);
  if (const auto ram = root.find("ram")) machine.ram = read_memory(*ram);
  if (const auto psys = root.find("psys")) {
    machine.psys = read_domain(*psys, {DomainKind::psys, 0, 0, "psys"});
  }
  if (const auto node = root.find("node")) {
    machine.node = read_domain(*node, {DomainKind::node, 0, 0, "node"});
  }
  if (const auto sockets = root.find("sockets")) {
    machine.sockets = read_devices<Socket>(*sockets, "sockets", read_socket);
  }
  if (const auto gpus = root.find("gpus")) {
    machine.gpus = read_devices<Gpu>(*gpus, "gpus", read_gpu);
  }
  if (machine.sockets.empty() && machine.gpus.empty()) {
    root.complain("describes nothing that uses energy; accepted: at least one of sockets, gpus");
  }
  return machine;
}

}  // namespace

Result<Machine> parse_machine(std::string_view json, std::string name) {
  Verdict verdict{"machine file " + one_line(name), std::nullopt};
  if (json.size() > kLargestMachineFile) {
    verdict.reject(fmt::format("is too large; accepted: at most {} bytes", kLargestMachineFile));
    return tl::unexpected(*verdict.error);
  }
  const auto document = parse_strictly(json, verdict);
  Machine machine = read_machine(Place(document, "", verdict));
  if (verdict.error) return tl::unexpected(*verdict.error);
  machine.name = std::move(name);
  return machine;
}

Result<Machine> load_machine(const std::filesystem::path& file) {
  std::error_code error;
  const auto where = std::filesystem::absolute(file, error);
  if (error)
    return fail(ErrorKind::io, fmt::format("machine file {}: {}", file.string(), error.message()));
  const Host user("/", Environment{}, nullptr);
  const auto text = user.read(where.string());
  if (!text) {
    return fail(text.error().kind,
                fmt::format("machine file {}: {}; accepted: a readable file as "
                            "in docs/machine-file.md",
                            one_line(file.string()), one_line(text.error().message)));
  }
  return parse_machine(*text, file.string());
}

}  // namespace codecarbon::simulated
