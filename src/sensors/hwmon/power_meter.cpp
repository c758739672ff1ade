#include "sensors/hwmon/power_meter.hpp"

#include <optional>
#include <utility>

#include "base/text.hpp"
#include "sensors/hwmon/label.hpp"

namespace codecarbon::hwmon {
namespace {

constexpr auto kMostOfNode = Power::from_uw(20'000'000'000);
constexpr auto kMostOfSocket = Power::from_uw(2'000'000'000);

/// How far off the meter may be by its own word: "95.5%" is 5 % (the kernel drops zeros after the
/// point, so only what stands before it counts).
double bound_of(const std::string& accuracy) {
  std::string_view text = accuracy;
  const auto percent = parse_integer(text.substr(0, text.find_first_of(".%")));
  if (!percent || *percent < 0 || *percent > 100) return 0;
  return static_cast<double>(100 - *percent) / 100;
}

/// The power of `domain` as this meter averages it.
FileSensor gauge(const Host& host, const Chip& meter, Domain domain, Power most) {
  FileSensor sensor;
  SensorInfo& info = sensor.info;
  info.domain = std::move(domain);
  info.quantity = Quantity::power;
  info.plausible_power = most;
  info.relative_bound = bound_of(text_of(host, meter, "power1_accuracy"));
  const auto averaging = parse_integer(text_of(host, meter, "power1_average_interval"));
  constexpr std::int64_t kHour = 3'600'000;
  if (averaging && *averaging > 0 && *averaging <= kHour) {
    info.averaging = info.update_period = std::chrono::milliseconds(*averaging);
  }
  sensor.path = meter.folder + "/power1_average";
  return sensor;
}

Domain domain_of(const SocketLabel& label) {
  const std::string package = "package-" + std::to_string(label.socket);
  switch (label.part) {
    case SocketPart::cores:
      return {DomainKind::core, label.socket, 0, package + "/core"};
    case SocketPart::rest:
      return {DomainKind::uncore, label.socket, 0, package + "/uncore"};
    case SocketPart::socket:
    case SocketPart::module:
      break;
  }
  return {DomainKind::package, label.socket, 0, package};
}

void add_socket_meter(const Host& host, const Chip& meter, const SocketLabel& label,
                      const std::string& text, Found& found) {
  if (label.part == SocketPart::module) {
    found.pass_over(host, text, meter,
                    "it holds a processor and its GPU, which have sensors of their own, and is not "
                    "the whole machine");
    return;
  }
  found.files.push_back(gauge(host, meter, domain_of(label), kMostOfSocket));
}

}  // namespace

void add_power_meters(const Host& host, const std::vector<Chip>& meters, Found& found) {
  std::vector<const Chip*> unlabelled;
  for (const Chip& meter : meters) {
    const std::string text = text_of(host, meter, "power1_oem_info");
    if (const auto label = parse_socket_label(text)) {
      add_socket_meter(host, meter, *label, text, found);
    } else if (lower(text).find("socket") != std::string::npos) {
      found.pass_over(host, in_quotes(text), meter, "a part of the machine that is not known");
    } else {
      unlabelled.push_back(&meter);
    }
  }
  for (const Chip* meter : unlabelled) {
    if (unlabelled.size() > 1) {
      found.pass_over(host, "ACPI power meter", *meter,
                      "there are several, and none says which part of the machine it measures");
      continue;
    }
    FileSensor node = gauge(host, *meter, {DomainKind::node, 0, 0, "node"}, kMostOfNode);
    node.may_hang = true;  // the firmware asks the board's controller, which takes its time
    found.files.push_back(std::move(node));
  }
}

}  // namespace codecarbon::hwmon
