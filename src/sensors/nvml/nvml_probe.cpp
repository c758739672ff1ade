#include "sensors/nvml/nvml_probe.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "readings/gpu_model.hpp"

namespace codecarbon::nvml {
namespace {

using Value = tl::expected<std::int64_t, ReadFault>;

constexpr std::size_t kMostProcesses = 64;
constexpr std::size_t kMostSamples = 256;

constexpr std::int64_t kMicroPerMilli = 1000;
constexpr std::int64_t kMillionthsPerPercent = 10'000;
constexpr std::int64_t kWhole = 1'000'000;

/// `answer` x `scale`; garbage when that is beyond all that can be true.
template <class T>
Value scaled(const Answer<T>& answer, std::int64_t scale,
             std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  if (!answer) return tl::unexpected(fault_of(answer.error()));
  if (*answer > static_cast<unsigned long long>(most / scale)) {
    return tl::unexpected(ReadFault::garbage);
  }
  return static_cast<std::int64_t>(*answer) * scale;
}

}  // namespace

ReadFault fault_of(Return code) {
  switch (code) {
    case Return::gpu_is_lost:
    case Return::reset_required:
    case Return::not_found:
    case Return::invalid_argument:  // a handle from before the GPU was away
    case Return::uninitialized:
      return ReadFault::gone;
    case Return::timeout:
    case Return::not_ready:
    case Return::no_data:
      return ReadFault::empty;
    default:
      return ReadFault::unreadable;
  }
}

NvmlProbe::NvmlProbe(NvmlDevice device, std::vector<SensorInfo> sensors)
    : device_(std::move(device)), sensors_(std::move(sensors)), usages_(sensors_.size()) {}

/// The power that the model says. A GPU that has a utilisation and does not tell it now owes its
/// reading: half the limit would be a guess with a bound of its own.
NvmlProbe::Value NvmlProbe::model(const SensorInfo& sensor) const {
  const auto use = scaled(device_.utilization().map([](const Utilization& all) { return all.gpu; }),
                          kMillionthsPerPercent, kWhole);
  if (use) return gpu_power(sensor.plausible_power, *use).uw();
  if (sensor.relative_bound < kGpuGuessBound) return tl::unexpected(use.error());
  return gpu_power(sensor.plausible_power, std::nullopt).uw();
}

NvmlProbe::Value NvmlProbe::ask(const SensorInfo& sensor) const {
  if (sensor.method == Method::modelled) return model(sensor);
  switch (sensor.quantity) {
    case Quantity::energy:
      return scaled(device_.energy_mj(), kMicroPerMilli);
    case Quantity::power:
      return scaled(device_.power_mw(), kMicroPerMilli);
    case Quantity::utilization:
      return scaled(device_.utilization().map([](const Utilization& all) { return all.gpu; }),
                    kMillionthsPerPercent, kWhole);
    case Quantity::memory_used:
      return scaled(device_.memory().map([](const Memory& all) { return all.used; }), 1);
  }
  return tl::unexpected(ReadFault::unreadable);
}

NvmlProbe::Value NvmlProbe::read_one(MonoTime tick, std::size_t sensor) {
  const Quantity quantity = sensors_[sensor].quantity;
  if (quantity == Quantity::energy || quantity == Quantity::power) return ask(sensors_[sensor]);
  Usage& usage = usages_[sensor];
  if (!usage.asked_at || tick - *usage.asked_at >= kUsageEvery) {
    usage = {tick, ask(sensors_[sensor])};
  }
  return usage.value;
}

/// True when the driver has the GPU again.
bool NvmlProbe::recover(MonoTime tick) {
  if (searched_at_ && tick - *searched_at_ < kSearchEvery) return false;
  searched_at_ = tick;
  const Domain& domain = sensors_.front().domain;
  return device_.find_again(domain.uuid, domain.bus_id) == Return::success;
}

std::optional<std::size_t> NvmlProbe::users(std::size_t, std::span<GpuProcess> users) {
  std::array<ProcessInfo, kMostProcesses> listed;
  const auto count = running_processes(device_, listed);
  if (!count || *count > users.size()) return std::nullopt;
  for (std::size_t i = 0; i < *count; ++i) users[i] = {static_cast<int>(listed[i].pid), {}};
  // One user needs no comparison.
  if (*count > 1) add_utilization(users.first(*count));
  return *count;
}

/// The driver samples several times a second; what each process has in all samples since the last
/// call is its part. One without a sample did nothing. Without any the parts stay unknown.
void NvmlProbe::add_utilization(std::span<GpuProcess> users) {
  std::array<ProcessUtilization, kMostSamples> samples;
  const auto count = process_utilization(device_, samples, sampled_until_us_);
  if (!count) return;
  for (GpuProcess& user : users) user.utilization = 0;
  for (const ProcessUtilization& sample : std::span(samples).first(*count)) {
    sampled_until_us_ = std::max(sampled_until_us_, sample.timestamp);
    for (GpuProcess& user : users) {
      if (user.pid == static_cast<int>(sample.pid)) *user.utilization += sample.sm;
    }
  }
}

void NvmlProbe::read(MonoTime tick, std::span<Reading> readings) {
  bool gone = false;
  for (std::size_t i = 0; i < std::min(readings.size(), sensors_.size()); ++i) {
    // A lost GPU is asked once, not once for each sensor: such calls are slow.
    Value value = gone ? tl::unexpected(ReadFault::gone) : read_one(tick, i);
    if (!gone && !value && value.error() == ReadFault::gone) {
      if (recover(tick)) value = ask(sensors_[i]);
      gone = !value && value.error() == ReadFault::gone;
    }
    readings[i] = {tick, value};
  }
}

}  // namespace codecarbon::nvml
