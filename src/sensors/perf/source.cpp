#include "sensors/perf/source.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "host/cpu_list.hpp"
#include "host/machine_facts.hpp"

namespace codecarbon::perf {
namespace {

constexpr std::array<std::pair<std::string_view, DomainKind>, 5> kEvents = {{
    {"energy-pkg", DomainKind::package},
    {"energy-cores", DomainKind::core},
    {"energy-gpu", DomainKind::uncore},
    {"energy-ram", DomainKind::dram},
    {"energy-psys", DomainKind::psys},
}};

std::string path_of(std::string_view file) {
  return std::string(kSource) + "/" + std::string(file);
}

std::optional<int> topology(const Host& host, int processor, std::string_view fact) {
  const auto text = host.read("sys/devices/system/cpu/cpu" + std::to_string(processor) +
                              "/topology/" + std::string(fact));
  const auto value = text ? parse_integer(*text) : std::nullopt;
  if (!value || *value < 0 || *value > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*value);
}

Result<EnergyEvent> read_event(const Host& host, std::string_view name, DomainKind kind) {
  const std::string file = path_of("events/" + std::string(name));
  const auto text = host.read(file);
  if (!text) return tl::unexpected(text.error());
  const auto config = parse_event(*text);
  if (!config) return fail(ErrorKind::format, "its code is " + in_quotes(*text));
  const auto unit = host.read(file + ".unit");
  if (!unit || trimmed(*unit) != "Joules") {
    return fail(ErrorKind::format, "it does not say that it counts joules");
  }
  const auto factor = host.read(file + ".scale");
  const auto scale = factor ? Scale::parse(*factor) : std::nullopt;
  if (!scale) return fail(ErrorKind::format, "it does not say how much one count is");
  return EnergyEvent{std::string(name), kind, *config, *scale};
}

}  // namespace

std::optional<std::uint64_t> parse_event(std::string_view text) {
  constexpr std::string_view kPrefix = "event=0x";
  text = trimmed(text);
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  std::uint64_t code = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return code;
}

std::optional<std::uint32_t> source_type(const Host& host) {
  const auto text = host.read(path_of("type"));
  const auto type = text ? parse_integer(*text) : std::nullopt;
  if (!type || *type < 0 || *type > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*type);
}

std::vector<EnergyEvent> energy_events(const Host& host, std::vector<Finding>& findings) {
  std::vector<EnergyEvent> events;
  for (const auto& [name, kind] : kEvents) {
    const std::string file = path_of("events/" + std::string(name));
    if (!host.exists(file)) continue;
    auto event = read_event(host, name, kind);
    if (event) {
      events.push_back(std::move(*event));
    } else {
      findings.push_back({Finding::Outcome::unsupported,
                          std::string(name) + " (" + host.resolve(file).string() + ")",
                          event.error().message,
                          {}});
    }
  }
  return events;
}

std::vector<Place> places(const Host& host) {
  std::vector<Place> all;
  const auto mask = read_cpu_list(host, path_of("cpumask"));
  if (!mask) return all;
  const std::string vendor = read_cpu_identity(host).vendor;
  const bool whole_packages = vendor == "AuthenticAMD" || vendor == "HygonGenuine";
  for (int cpu = 0; cpu <= mask->last(); ++cpu) {
    if (!mask->contains(cpu)) continue;
    const int next = static_cast<int>(all.size());  // where the kernel says no number
    Place place{cpu, topology(host, cpu, "physical_package_id").value_or(next),
                topology(host, cpu, "die_id").value_or(0), false};
    const auto same_socket = [&](const Place& other) { return other.socket == place.socket; };
    const auto sibling = std::find_if(all.begin(), all.end(), same_socket);
    if (sibling != all.end()) {
      if (whole_packages) continue;
      sibling->one_of_many = place.one_of_many = true;
    }
    all.push_back(place);
  }
  return all;
}

}  // namespace codecarbon::perf
