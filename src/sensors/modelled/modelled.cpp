#include "sensors/modelled/modelled.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "embedded/cpu_rated_power.hpp"
#include "host/limits.hpp"
#include "host/machine_facts.hpp"
#include "sensors/files/cpu_times_source.hpp"
#include "sensors/modelled/constant_probe.hpp"
#include "sensors/modelled/cpu_load_probe.hpp"
#include "sensors/modelled/memory_model.hpp"
#include "sensors/modelled/memory_modules.hpp"
#include "sensors/modelled/memory_probe.hpp"
#include "sensors/modelled/rated_power.hpp"
#include "sensors/modelled/share.hpp"

namespace codecarbon::modelled {
namespace {

SensorInfo info(DomainKind kind, Quantity quantity, Method method, std::string source) {
  SensorInfo sensor;
  sensor.domain = {kind, 0, 0, kind == DomainKind::cpu ? "processors" : "memory"};
  sensor.quantity = quantity;
  sensor.method = method;
  sensor.source = std::move(source);
  return sensor;
}

/// An energy sensor whose power never exceeds `most`.
SensorInfo energy(DomainKind kind, Method method, std::string source, Power most, double bound) {
  SensorInfo sensor = info(kind, Quantity::energy, method, std::move(source));
  sensor.plausible_power = most + most + Power::from_uw(1'000'000);
  sensor.relative_bound = bound;
  return sensor;
}

class Assembly {
 public:
  Assembly(const Host& host, const SensorSettings& settings) : host_(host), settings_(settings) {}

  Discovery build() {
    if (settings_.forced_cpu_power && !settings_.force_cpu_load) {
      add_forced(DomainKind::cpu, *settings_.forced_cpu_power, "force_cpu_power");
    }
    add_load();
    if (settings_.forced_ram_power) {
      add_forced(DomainKind::ram, *settings_.forced_ram_power, "force_ram_power");
    }
    add_memory();
    return std::move(discovery_);
  }

 private:
  void add_forced(DomainKind kind, Power power, std::string_view option) {
    add_constant(
        energy(kind, Method::forced, fmt::format("{} of {} W", option, power.watts()), power, 0),
        power);
  }

  void add_constant(SensorInfo sensor, Power power) {
    found(sensor);
    discovery_.probes.push_back(
        std::make_unique<ConstantProbe>(std::move(sensor), power, host_.clock().now()));
  }

  void add_load() {
    auto times = open_cpu_times(host_, limits_);
    if (!times) {
      absent("processor load", "proc/stat", times.error().message,
             "mount /proc, or give force_cpu_power");
      return;
    }
    auto load = info(DomainKind::cpu, Quantity::utilization, Method::measured, times->description);
    load.update_period = kLoadWindow;
    auto probe = std::make_unique<CpuLoadProbe>(std::move(times->source), times->first,
                                                std::move(load), host_.clock().now());
    if (!settings_.forced_cpu_power || settings_.force_cpu_load) add_load_energy(*probe);
    found(probe->sensors().back());
    discovery_.probes.push_back(std::move(probe));
  }

  void add_load_energy(CpuLoadProbe& probe) {
    const RatedPower rated = settings_.forced_cpu_power
                                 ? rate_as_forced(*settings_.forced_cpu_power, cpu_)
                                 : rate_what_is_allowed();
    auto sensor =
        energy(DomainKind::cpu, Method::modelled, rated.source, rated.curve.most(), rated.bound);
    sensor.update_period = kLoadWindow;
    sensor.of_part = limits_.processors.has_value();  // as its load is
    found(sensor);
    probe.add_energy(std::move(sensor), rated.curve, ClockGauge::open(host_, cpu_));
  }

  RatedPower rate_what_is_allowed() const {
    return share_of(rate(cpu_, embedded::cpu_rated_power), cpu_.logical, limits_);
  }

  void add_memory() {
    auto memory = open_memory(host_, limits_);
    if (!memory) {
      absent("memory", "proc/meminfo", memory.error().message,
             "mount /proc, or give force_ram_power");
      return;
    }
    if (!settings_.forced_ram_power) {
      add_memory_energy(limits_.memory_bytes.value_or(memory->total));
    }
    auto used = info(DomainKind::ram, Quantity::memory_used, Method::measured, memory->description);
    used.memory_total = memory->total;
    found(used);
    discovery_.probes.push_back(
        std::make_unique<MemoryProbe>(std::move(memory->source), std::move(used)));
  }

  void add_memory_energy(std::int64_t total) {
    // The modules of a virtual machine are what its hypervisor made up, and a part of the memory is
    // no set of modules.
    const bool has_own_modules = !cpu_.virtual_machine && !limits_.memory_bytes;
    const auto modules = has_own_modules ? read_memory_modules(host_) : std::vector<MemoryModule>();
    RatedMemory memory = rate_memory(total, modules);
    if (limits_.memory_bytes) {
      memory.source =
          fmt::format("{}, about {:.1f} W", limits_.memory_source, memory.power.watts());
    }
    auto sensor =
        energy(DomainKind::ram, Method::modelled, memory.source, memory.power, memory.bound);
    sensor.memory_total = total;
    sensor.of_part = limits_.memory_bytes.has_value();
    add_constant(std::move(sensor), memory.power);
  }

  void found(const SensorInfo& sensor) {
    const bool usage = sensor.quantity != Quantity::energy;
    discovery_.findings.push_back(
        {Finding::Outcome::found,
         fmt::format("{} of {} ({})", usage ? "usage" : "power", sensor.domain.name, sensor.source),
         {},
         {}});
  }

  void absent(std::string_view what, std::string_view file, std::string reason,
              std::string_view remedy) {
    discovery_.findings.push_back({Finding::Outcome::absent,
                                   fmt::format("{} ({})", what, host_.resolve(file).string()),
                                   std::move(reason), std::string(remedy)});
  }

  const Host& host_;
  const SensorSettings& settings_;
  const ResourceLimits limits_ = read_limits(host_);
  const CpuIdentity cpu_ = read_cpu_identity(host_);
  Discovery discovery_;
};

}  // namespace

Discovery discover(const Host& host, const SensorSettings& settings) {
  return Assembly(host, settings).build();
}

}  // namespace codecarbon::modelled
