#include "sensors/ipmi/ipmi.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace codecarbon::ipmi {
namespace {

using std::chrono::milliseconds;

constexpr std::array<std::string_view, 3> kDevices = {"dev/ipmi0", "dev/ipmi/0", "dev/ipmidev/0"};

// A controller that works answers in some tens of milliseconds. The start of a run waits for no
// more than this; a reading has a thread of its own and more patience.
constexpr milliseconds kFirstPatience{250};
constexpr milliseconds kPatience{2000};
constexpr std::int64_t kMicro = 1'000'000;

/// An errno or a reason out of the answer.
struct Trouble {
  int error = 0;
  NoPower reason = NoPower::malformed;
};

tl::expected<PowerReading, Trouble> ask(Device& device, milliseconds patience) {
  std::array<std::uint8_t, kMostOfAnswer> answer{};
  const auto length = device.ask(kGetPowerReading, answer, patience);
  if (!length) return tl::unexpected(Trouble{length.error(), {}});
  const auto power = decode_power(std::span(answer).first(std::min(*length, answer.size())));
  if (!power) return tl::unexpected(Trouble{0, power.error()});
  return *power;
}

ReadFault fault_of(const Trouble& trouble) {
  if (trouble.error == ENODEV || trouble.error == ENXIO) return ReadFault::gone;
  if (trouble.error != 0) return ReadFault::unreadable;
  switch (trouble.reason) {
    case NoPower::busy:
    case NoPower::off:
      return ReadFault::empty;
    case NoPower::malformed:
      return ReadFault::garbage;
    case NoPower::unsupported:
    case NoPower::refused:
      return ReadFault::unreadable;
  }
  return ReadFault::unreadable;
}

std::string in_words(const Trouble& trouble) {
  if (trouble.error == ETIMEDOUT) return "the board's controller does not answer in time";
  if (trouble.error != 0) return std::strerror(trouble.error);
  switch (trouble.reason) {
    case NoPower::busy:
      return "the board's controller is busy";
    case NoPower::unsupported:
      return "the board's controller knows no DCMI power reading";
    case NoPower::refused:
      return "the board's controller refuses the DCMI power reading";
    case NoPower::malformed:
      return "the board's controller gives an answer of no known form";
    case NoPower::off:
      return "the board's controller does not measure power now";
  }
  return {};
}

class PowerProbe final : public Probe {
 public:
  PowerProbe(SensorInfo sensor, std::unique_ptr<Device> device)
      : sensor_(std::move(sensor)), device_(std::move(device)) {}
  std::span<const SensorInfo> sensors() const override { return {&sensor_, 1}; }
  bool may_hang() const override { return true; }
  void read(MonoTime tick, std::span<Reading> readings) override {
    readings[0].at = tick;
    if (const auto power = ask(*device_, kPatience)) {
      readings[0].value = power->now_watts * kMicro;
    } else {
      readings[0].value = tl::unexpected(fault_of(power.error()));
    }
  }

 private:
  SensorInfo sensor_;
  std::unique_ptr<Device> device_;
};

SensorInfo describe(const std::string& path) {
  SensorInfo info;
  info.domain = {DomainKind::node, 0, 0, "node"};
  info.quantity = Quantity::power;
  info.source = path + " (DCMI)";
  info.plausible_power = Power::from_uw(20'000 * kMicro);
  info.update_period = std::chrono::seconds(1);
  return info;
}

Finding denied(std::string path) {
  return {
      Finding::Outcome::denied, std::move(path),
      "only root may open it: whoever can, commands the board's controller, which can switch "
      "the machine off and let others in",
      "run as root what measures the node, or, only for a group that you would trust with the "
      "machine: groupadd ipmi; usermod -aG ipmi USER; and in /etc/udev/rules.d/70-ipmi.rules: "
      "KERNEL==\"ipmi0\", GROUP=\"ipmi\", MODE=\"0660\"; then udevadm trigger, and log in anew"};
}

}  // namespace

Discovery discover_on(std::unique_ptr<Device> device, const std::string& path) {
  Discovery discovery;
  const auto power = ask(*device, kFirstPatience);
  if (!power) {
    discovery.findings.push_back(
        {Finding::Outcome::unsupported, path, in_words(power.error()), {}});
    return discovery;
  }
  SensorInfo info = describe(path);
  discovery.findings.push_back(
      {Finding::Outcome::found, info.domain.name + " (" + info.source + ")", {}, {}});
  discovery.probes.push_back(std::make_unique<PowerProbe>(std::move(info), std::move(device)));
  return discovery;
}

Discovery discover(const Host& host, const SensorSettings&) {
  Discovery discovery;
  for (const std::string_view name : kDevices) {
    const std::string path = host.resolve(name).string();
    if (!host.exists(name)) continue;
    if (host.root() != "/") {
      discovery.findings.push_back({Finding::Outcome::unsupported,
                                    path,
                                    "this is the device of another machine, which cannot be asked",
                                    {}});
      return discovery;
    }
    auto device = open_device(path);
    if (device) return discover_on(std::move(*device), path);
    const bool refused = device.error() == EACCES || device.error() == EPERM;
    discovery.findings.push_back(
        refused ? denied(path)
                : Finding{Finding::Outcome::unsupported, path, std::strerror(device.error()), {}});
    return discovery;
  }
  discovery.findings.push_back(
      {Finding::Outcome::absent, host.resolve(kDevices.front()).string(),
       "the board has no controller, or the kernel does not show it",
       "if it has one, load the drivers: modprobe ipmi_si; modprobe ipmi_devintf"});
  return discovery;
}

}  // namespace codecarbon::ipmi
