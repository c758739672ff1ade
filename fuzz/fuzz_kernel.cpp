// What the kernel's other energy interfaces write: whatever bytes come, each reader gives a value
// in its range or none. The whole input goes to each of them.

#include <cstdint>
#include <span>
#include <string_view>

#include "require.hpp"
#include "sensors/battery/supply_text.hpp"
#include "sensors/craypm/counter_text.hpp"
#include "sensors/hwmon/label.hpp"
#include "sensors/ipmi/dcmi.hpp"
#include "sensors/perf/scale.hpp"
#include "sensors/perf/source.hpp"

namespace codecarbon::fuzz {
namespace {

void check_perf(std::string_view text) {
  perf::parse_event(text);
  const auto scale = perf::Scale::parse(text);
  if (!scale) return;
  std::int64_t before = 0;
  for (int bit = 0; bit < 64; ++bit) {
    const auto energy = scale->microjoules(std::uint64_t{1} << bit);
    if (!energy) break;
    require(*energy >= before);
    before = *energy;
  }
}

void check_craypm(std::string_view text) {
  const auto energy = craypm::parse_joules(text);
  require(!energy || (*energy >= 0 && *energy % 1'000'000 == 0));
  const auto domain = craypm::parse_counter_name(text);
  require(!domain || (domain->index >= 0 && !domain->name.empty()));
}

void check_others(std::string_view text) {
  const auto label = hwmon::parse_socket_label(text);
  require(!label || label->socket >= 0);
  const auto status = battery::parse_status(text);
  require(!status || (*status >= 0 && *status <= 2));
  const auto magnitude = battery::parse_magnitude(text);
  require(!magnitude || *magnitude >= 0);
}

void check_ipmi(std::span<const std::uint8_t> bytes) {
  const auto power = ipmi::decode_power(bytes);
  require(!power || (power->now_watts > 0 && power->now_watts <= 0xffff));
}

}  // namespace
}  // namespace codecarbon::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = codecarbon::fuzz::as_text(data, size);
  codecarbon::fuzz::check_perf(text);
  codecarbon::fuzz::check_craypm(text);
  codecarbon::fuzz::check_others(text);
  codecarbon::fuzz::check_ipmi({data, size});
  return 0;
}
