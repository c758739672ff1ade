#include "readings/selection.hpp"

#include <algorithm>
#include <set>

namespace codecarbon {
namespace {

bool gives_energy(const SensorInfo& sensor) {
  return sensor.quantity == Quantity::energy || sensor.quantity == Quantity::power;
}

/// Each GPU once, however many sensors of however many back-ends it has.
std::vector<const Domain*> distinct_gpus(std::span<const SensorInfo* const> sensors) {
  std::vector<const Domain*> gpus;
  for (const SensorInfo* sensor : sensors) {
    const Domain& domain = sensor->domain;
    if (domain.kind != DomainKind::gpu) continue;
    const auto same = [&](const Domain* other) { return other->same_place(domain); };
    if (std::none_of(gpus.begin(), gpus.end(), same)) gpus.push_back(&domain);
  }
  return gpus;
}

/// The facts about the whole set that the choice for each sensor depends on.
struct Survey {
  bool psys = false;
  std::set<int> packages;       // by socket
  bool measured_parts = false;  // of processors
  bool measured_cpu = false;    // parts or all together
  bool modelled_cpu = false;
  bool forced_cpu = false;
  bool dram = false;
  bool measured_ram = false;
  bool forced_ram = false;
  bool vendors_gpu = false;

  explicit Survey(std::span<const SensorInfo* const> sensors) {
    for (const SensorInfo* sensor : sensors) {
      if (gives_energy(*sensor)) note(*sensor);
    }
  }

 private:
  void note(const SensorInfo& sensor) {
    const bool forced = sensor.method == Method::forced;
    const bool measured = sensor.method == Method::measured;
    switch (sensor.domain.kind) {
      case DomainKind::psys:
        psys = measured_parts = measured_cpu = true;
        break;
      case DomainKind::package:
        packages.insert(sensor.domain.index);
        measured_parts = measured_cpu = true;
        break;
      case DomainKind::core:
        measured_parts = measured_cpu = true;
        break;
      case DomainKind::cpu:
        (forced ? forced_cpu : measured ? measured_cpu : modelled_cpu) = true;
        break;
      case DomainKind::dram:
        dram = true;
        break;
      case DomainKind::ram:
        forced_ram = forced_ram || forced;
        measured_ram = measured_ram || measured;
        break;
      case DomainKind::gpu:
        vendors_gpu = vendors_gpu || sensor.domain.vendor != Vendor::unknown;
        break;
      case DomainKind::uncore:
      case DomainKind::node:
        break;
    }
  }
};

class Chooser {
 public:
  Chooser(std::span<const SensorInfo* const> sensors, const SelectionPolicy& policy)
      : sensors_(sensors),
        policy_(policy),
        has_(sensors),
        gpus_(distinct_gpus(sensors)),
        gpu_choice_(choose_gpus(gpus_, policy.gpu_ids, policy.visible)) {
    load_model_ = policy.force_cpu_load && has_.modelled_cpu;
    psys_ = has_.psys && !has_.forced_cpu && !load_model_ &&
            (policy.prefer_psys || has_.packages.empty());
  }

  Use choose(const SensorInfo& sensor) {
    Use use = gives_energy(sensor) ? choose_energy(sensor) : choose_usage(sensor);
    if (!use.is_used()) return use;
    for (const SensorInfo* other : chosen_) {
      if (!shows_the_same(*other, sensor)) continue;
      return passed("the same as " + other->domain.name + " of " + other->source);
    }
    if (const SensorInfo* other = better_than(sensor)) {
      return passed("it gives no reading yet, and " + other->source + " does");
    }
    chosen_.push_back(&sensor);
    return use;
  }

 private:
  static bool shows_the_same(const SensorInfo& a, const SensorInfo& b) {
    const bool alike = gives_energy(a) ? gives_energy(b) : a.quantity == b.quantity;
    return alike && a.domain.same_place(b.domain);
  }

  /// A sensor that is awaited gives way to one of the same place that works.
  const SensorInfo* better_than(const SensorInfo& sensor) const {
    if (!sensor.awaited) return nullptr;
    const auto better = [&](const SensorInfo* other) {
      return !other->awaited && shows_the_same(*other, sensor);
    };
    const auto found = std::find_if(sensors_.begin(), sensors_.end(), better);
    return found == sensors_.end() ? nullptr : *found;
  }

  Use choose_usage(const SensorInfo& sensor) const {
    if (sensor.domain.kind == DomainKind::gpu) {
      if (auto reason = against_gpu(sensor.domain); !reason.empty()) return passed(reason);
    }
    return {std::nullopt, true, {}};
  }

  /// Why this GPU is not measured; empty when it is.
  std::string against_gpu(const Domain& domain) const {
    if (has_.vendors_gpu && domain.vendor == Vendor::unknown) {
      return "the vendor's own sensors are used";
    }
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      if (gpus_[i]->same_place(domain)) return gpu_choice_.reasons[i];
    }
    return {};
  }

  Use choose_gpu(const Domain& domain) const {
    auto reason = against_gpu(domain);
    return reason.empty() ? counted(Component::gpu) : passed(std::move(reason));
  }

  Use choose_energy(const SensorInfo& sensor) const {
    switch (sensor.domain.kind) {
      case DomainKind::psys:
      case DomainKind::package:
      case DomainKind::core:
      case DomainKind::uncore:
        return choose_processor(sensor.domain);
      case DomainKind::cpu:
        return choose_all_processors(sensor);
      case DomainKind::dram:
        return choose_dram();
      case DomainKind::ram:
        return choose_all_memory(sensor);
      case DomainKind::gpu:
        return choose_gpu(sensor.domain);
      case DomainKind::node:
        return {std::nullopt, false, {}, true};
    }
    return passed("of a kind that is not known");
  }

  Use choose_processor(const Domain& domain) const {
    const DomainKind kind = domain.kind;
    if (has_.forced_cpu) return passed("force_cpu_power is set");
    if (load_model_) return passed("force_mode_cpu_load is set");
    if (kind == DomainKind::psys) {
      return psys_ ? counted(Component::cpu)
                   : passed("it contains the packages, which are counted");
    }
    if (psys_) return passed("inside psys, which is counted");
    if (kind == DomainKind::package) return counted(Component::cpu);
    if (has_.packages.contains(domain.index)) return passed("inside the package, which is counted");
    return kind == DomainKind::core ? counted(Component::cpu)
                                    : passed("a part of a package that is not measured whole");
  }

  Use choose_all_processors(const SensorInfo& sensor) const {
    if (sensor.method == Method::forced) return counted(Component::cpu);
    if (has_.forced_cpu) return passed("force_cpu_power is set");
    if (sensor.method == Method::measured) {
      if (load_model_) return passed("force_mode_cpu_load is set");
      return has_.measured_parts ? passed("it contains the packages, which are counted")
                                 : counted(Component::cpu);
    }
    if (has_.measured_cpu && !load_model_) return passed("the processor is measured");
    return counted(Component::cpu);
  }

  Use choose_dram() const {
    if (has_.forced_ram) return passed("force_ram_power is set");
    if (psys_) return passed("inside psys, which is counted");
    if (!policy_.include_dram) return passed("rapl_include_dram is off");
    return counted(Component::ram);
  }

  Use choose_all_memory(const SensorInfo& sensor) const {
    if (sensor.method == Method::forced) return counted(Component::ram);
    if (has_.forced_ram) return passed("force_ram_power is set");
    if (psys_) return passed("inside psys, which is counted");
    const bool measured = sensor.method == Method::measured;
    if (measured && !policy_.include_dram) return passed("rapl_include_dram is off");
    if (policy_.include_dram && (has_.dram || (has_.measured_ram && !measured))) {
      return passed("memory is measured");
    }
    return counted(Component::ram);
  }

  static Use counted(Component component) { return {component, false, {}}; }
  static Use passed(std::string reason) { return {std::nullopt, false, std::move(reason)}; }

  std::span<const SensorInfo* const> sensors_;
  const SelectionPolicy& policy_;
  Survey has_;
  std::vector<const Domain*> gpus_;
  GpuChoice gpu_choice_;
  bool load_model_ = false;
  bool psys_ = false;
  std::vector<const SensorInfo*> chosen_;
};

}  // namespace

std::string_view to_string(Component component) {
  switch (component) {
    case Component::cpu:
      return "cpu";
    case Component::gpu:
      return "gpu";
    case Component::ram:
      return "ram";
  }
  return "";
}

std::vector<Use> select_sensors(std::span<const SensorInfo* const> sensors,
                                const SelectionPolicy& policy) {
  Chooser chooser(sensors, policy);
  std::vector<Use> uses;
  uses.reserve(sensors.size());
  for (const SensorInfo* sensor : sensors) uses.push_back(chooser.choose(*sensor));
  return uses;
}

std::vector<std::string> unknown_gpu_ids(std::span<const SensorInfo* const> sensors,
                                         const SelectionPolicy& policy) {
  return choose_gpus(distinct_gpus(sensors), policy.gpu_ids, policy.visible).unknown;
}

}  // namespace codecarbon
