#include "sensors/battery/battery.hpp"

#include <utility>

#include "base/text.hpp"
#include "sensors/battery/battery_probe.hpp"
#include "sensors/battery/supply_text.hpp"
#include "sensors/files/refusal.hpp"

namespace codecarbon::battery {
namespace {

constexpr std::string_view kTree = "sys/class/power_supply";

// A thousand volts, amperes or watts, in millionths: above any battery of a machine.
constexpr std::int64_t kMost = 1'000'000'000;

std::string text_of(const Host& host, const std::string& path) {
  const auto text = host.read(path);
  return text ? std::string(trimmed(*text)) : std::string();
}

/// The supplies of the machine, sorted.
class Supplies {
 public:
  explicit Supplies(const Host& host) : host_(std::make_shared<const Host>(host)) {
    for (const std::string& name : host.list(kTree)) {
      add(name, std::string(kTree) + "/" + name);
    }
  }

  std::vector<Battery> batteries;
  std::vector<NumberFile> online;
  std::string names;  ///< of the batteries, for a person
  std::vector<Finding> unusable;

 private:
  void add(const std::string& name, const std::string& folder) {
    if (text_of(*host_, folder + "/scope") == "Device") return;
    if (text_of(*host_, folder + "/type") == "Battery") {
      add_battery(name, folder);
    } else if (auto file = NumberFile::open(host_, folder + "/online")) {
      online.push_back(std::move(*file));
    }
  }

  void add_battery(const std::string& name, const std::string& folder) {
    const auto open = [&](std::string_view file, NumberFormat format) {
      return NumberFile::open(host_, folder + "/" + std::string(file), format);
    };
    auto status = open("status", parse_status);
    auto power = open("power_now", parse_magnitude);
    std::optional<NumberFile> volts;
    if (!power) {
      power = open("current_now", parse_magnitude);
      auto voltage = open("voltage_now", parse_magnitude);
      if (voltage) volts = std::move(*voltage);
    }
    if (!status || !power || (!volts && power->path().ends_with("current_now"))) {
      unusable.push_back({Finding::Outcome::unsupported,
                          name + " (" + host_->resolve(folder).string() + ")",
                          "it does not say what power it gives",
                          {}});
      return;
    }
    power->set_limit(kMost);
    if (volts) volts->set_limit(kMost);
    names += (names.empty() ? "" : " + ") + name;
    batteries.push_back({std::move(*status), std::move(*power), std::move(volts)});
  }

  std::shared_ptr<const Host> host_;
};

SensorInfo describe(const Host& host, const std::string& names) {
  SensorInfo info;
  info.domain = {DomainKind::node, 0, 0, "node"};
  info.quantity = Quantity::power;
  info.source = host.resolve(kTree).string() + "/" + names;
  info.plausible_power = Power::from_uw(kMost);
  // Batteries report when they like; the slow ones every half minute.
  info.update_period = std::chrono::seconds(30);
  return info;
}

Finding nothing(const Host& host, std::string subject, std::string reason) {
  if (subject.empty()) subject = host.resolve(kTree).string();
  return {Finding::Outcome::absent, std::move(subject), std::move(reason), {}};
}

}  // namespace

Discovery discover(const Host& host, const SensorSettings&) {
  Supplies supplies(host);
  Discovery discovery;
  discovery.findings = std::move(supplies.unusable);
  // One battery that says nothing makes the sum of the others something less than the machine.
  if (!discovery.findings.empty()) return discovery;
  if (supplies.batteries.empty()) {
    discovery.findings.push_back(nothing(host, {}, "the machine has no battery"));
    return discovery;
  }
  SensorInfo info = describe(host, supplies.names);
  const std::string subject = info.domain.name + " (" + info.source + ")";
  auto probe = std::make_unique<BatteryProbe>(std::move(info), std::move(supplies.batteries),
                                              std::move(supplies.online));
  if (const auto power = probe->power()) {
    discovery.findings.push_back({Finding::Outcome::found, subject, {}, {}});
    discovery.probes.push_back(std::move(probe));
  } else if (power.error() == ReadFault::empty) {
    discovery.findings.push_back(
        nothing(host, subject, "the machine does not run on its battery now"));
  } else {
    discovery.findings.push_back(
        {Finding::Outcome::unsupported, subject, std::string(why_not(power.error())), {}});
  }
  return discovery;
}

}  // namespace codecarbon::battery
