#include "readings/selection.hpp"

#include <algorithm>
#include <set>

namespace codecarbon {
namespace {

bool gives_energy(const SensorInfo& sensor) {
  return sensor.quantity == Quantity::energy || sensor.quantity == Quantity::power;
}

bool is_selected_gpu(const SensorInfo& sensor, const SelectionPolicy& policy) {
  if (!policy.gpu_ids) return true;
  const std::string index = std::to_string(sensor.domain.index);
  return std::find(policy.gpu_ids->begin(), policy.gpu_ids->end(), index) != policy.gpu_ids->end();
}

/// The facts about the whole set that the choice for each sensor depends on.
struct Survey {
  bool psys = false;
  std::set<int> packages;  // by socket
  bool measured_cpu = false;
  bool modelled_cpu = false;
  bool forced_cpu = false;
  bool dram = false;
  bool forced_ram = false;

  explicit Survey(std::span<const SensorInfo* const> sensors) {
    for (const SensorInfo* sensor : sensors) {
      if (gives_energy(*sensor)) note(*sensor);
    }
  }

 private:
  void note(const SensorInfo& sensor) {
    const bool forced = sensor.method == Method::forced;
    switch (sensor.domain.kind) {
      case DomainKind::psys:
        psys = measured_cpu = true;
        break;
      case DomainKind::package:
        packages.insert(sensor.domain.index);
        measured_cpu = true;
        break;
      case DomainKind::core:
        measured_cpu = true;
        break;
      case DomainKind::cpu:
        (forced ? forced_cpu : modelled_cpu) = true;
        break;
      case DomainKind::dram:
        dram = true;
        break;
      case DomainKind::ram:
        forced_ram = forced_ram || forced;
        break;
      case DomainKind::uncore:
      case DomainKind::gpu:
      case DomainKind::node:
        break;
    }
  }
};

class Chooser {
 public:
  Chooser(std::span<const SensorInfo* const> sensors, const SelectionPolicy& policy)
      : policy_(policy), has_(sensors) {
    load_model_ = policy.force_cpu_load && has_.modelled_cpu;
    psys_ = has_.psys && !has_.forced_cpu && !load_model_ &&
            (policy.prefer_psys || has_.packages.empty());
  }

  Use choose(const SensorInfo& sensor) {
    if (!gives_energy(sensor)) return choose_usage(sensor);
    Use use = choose_energy(sensor);
    if (!use.component) return use;
    for (const SensorInfo* other : counted_) {
      if (!other->domain.same_place(sensor.domain)) continue;
      return {std::nullopt, false, "the same as " + other->domain.name + " of " + other->source};
    }
    counted_.push_back(&sensor);
    return use;
  }

 private:
  Use choose_usage(const SensorInfo& sensor) const {
    if (sensor.domain.kind == DomainKind::gpu && !is_selected_gpu(sensor, policy_)) {
      return passed("not among gpu_ids");
    }
    return {std::nullopt, true, {}};
  }

  Use choose_energy(const SensorInfo& sensor) const {
    switch (sensor.domain.kind) {
      case DomainKind::psys:
      case DomainKind::package:
      case DomainKind::core:
      case DomainKind::uncore:
        return choose_processor(sensor.domain);
      case DomainKind::cpu:
        return choose_cpu_model(sensor);
      case DomainKind::dram:
        return choose_dram();
      case DomainKind::ram:
        return choose_ram_model(sensor);
      case DomainKind::gpu:
        return is_selected_gpu(sensor, policy_) ? counted(Component::gpu)
                                                : passed("not among gpu_ids");
      case DomainKind::node:
        return passed("it contains the parts, which are counted");
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

  Use choose_cpu_model(const SensorInfo& sensor) const {
    if (sensor.method == Method::forced) return counted(Component::cpu);
    if (has_.forced_cpu) return passed("force_cpu_power is set");
    if (has_.measured_cpu && !load_model_) return passed("the processor is measured");
    return counted(Component::cpu);
  }

  Use choose_dram() const {
    if (has_.forced_ram) return passed("force_ram_power is set");
    if (psys_) return passed("inside psys, which is counted");
    if (!policy_.include_dram) return passed("rapl_include_dram is off");
    return counted(Component::ram);
  }

  Use choose_ram_model(const SensorInfo& sensor) const {
    if (sensor.method == Method::forced) return counted(Component::ram);
    if (has_.forced_ram) return passed("force_ram_power is set");
    if (psys_) return passed("inside psys, which is counted");
    if (has_.dram && policy_.include_dram) return passed("memory is measured");
    return counted(Component::ram);
  }

  static Use counted(Component component) { return {component, false, {}}; }
  static Use passed(std::string reason) { return {std::nullopt, false, std::move(reason)}; }

  const SelectionPolicy& policy_;
  Survey has_;
  bool load_model_ = false;
  bool psys_ = false;
  std::vector<const SensorInfo*> counted_;
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
  std::vector<std::string> unknown = policy.gpu_ids.value_or(std::vector<std::string>{});
  std::erase_if(unknown, [&](const std::string& id) {
    return std::any_of(sensors.begin(), sensors.end(), [&](const SensorInfo* sensor) {
      return sensor->domain.kind == DomainKind::gpu && std::to_string(sensor->domain.index) == id;
    });
  });
  return unknown;
}

}  // namespace codecarbon
