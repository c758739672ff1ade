#include "sensors/modelled/clock_gauge.hpp"

#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace codecarbon::modelled {
namespace {

constexpr std::size_t kMostFiles = 4;
constexpr double kKhzPerGhz = 1e6;
constexpr std::string_view kPolicies = "sys/devices/system/cpu/cpufreq";

/// A release such as "6.1.0-18-amd64" as {6, 1}; {0, 0} when it is none.
std::pair<int, int> kernel_version(std::string_view release) {
  int major = 0;
  int minor = 0;
  const char* const end = release.data() + release.size();
  const auto [dot, error] = std::from_chars(release.data(), end, major);
  if (error != std::errc{} || dot == end || *dot != '.') return {0, 0};
  if (std::from_chars(dot + 1, end, minor).ec != std::errc{}) return {0, 0};
  return {major, minor};
}

bool answers_at_once(const Host& host) {
  const auto release = host.read("proc/sys/kernel/osrelease");
  return release && kernel_version(*release) >= std::pair(5, 18);
}

std::vector<std::string> policies(const Host& host) {
  std::vector<std::string> names;
  for (std::string& name : host.list(kPolicies)) {
    if (name.starts_with("policy")) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

ClockGauge ClockGauge::open(const Host& host, const CpuIdentity& cpu) {
  ClockGauge gauge;
  if (!cpu.base_ghz || !answers_at_once(host)) return gauge;
  gauge.base_khz_ = *cpu.base_ghz * kKhzPerGhz;
  const auto names = policies(host);
  const std::size_t step = (names.size() + kMostFiles - 1) / kMostFiles;
  for (std::size_t i = 0; i < names.size(); i += step) {
    auto file = host.open(std::string(kPolicies) + "/" + names[i] + "/scaling_cur_freq");
    if (file) gauge.files_.push_back(std::move(*file));
  }
  return gauge;
}

std::optional<double> ClockGauge::of_base() const {
  double sum = 0;
  int count = 0;
  for (const KeptFile& file : files_) {
    std::array<char, 32> buffer;
    const auto text = file.read(buffer);
    const auto khz = text ? parse_integer(*text) : std::nullopt;
    if (!khz || *khz <= 0) continue;
    sum += static_cast<double>(*khz);
    ++count;
  }
  return count > 0 ? std::optional(sum / count / base_khz_) : std::nullopt;
}

}  // namespace codecarbon::modelled
