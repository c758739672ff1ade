#include "sensors/all.hpp"

#include <array>

#include "sensors/amdsmi/amdsmi.hpp"
#include "sensors/battery/battery.hpp"
#include "sensors/craypm/craypm.hpp"
#include "sensors/gpu_hwmon/gpu_hwmon.hpp"
#include "sensors/hwmon/hwmon.hpp"
#include "sensors/ipmi/ipmi.hpp"
#include "sensors/levelzero/levelzero.hpp"
#include "sensors/modelled/modelled.hpp"
#include "sensors/nvml/nvml.hpp"
#include "sensors/perf/perf.hpp"
#include "sensors/process/process.hpp"
#include "sensors/rapl/rapl.hpp"
#include "sensors/simulated/simulated.hpp"

namespace codecarbon {
namespace {

/// A back-end that takes any settings.
template <Discovery (*look)(const Host&, const SensorSettings&)>
Result<Discovery> never_fails(const Host& host, const SensorSettings& settings) {
  return look(host, settings);
}

}  // namespace

std::span<const BackEnd> all_back_ends() {
  static constexpr auto kBackEnds = std::to_array<BackEnd>({
      {"simulated", "a scripted machine, when one is named", simulated::discover},
      {"rapl", "energy counters of Intel and AMD processors (powercap)",
       never_fails<rapl::discover>},
      {"perf", "the same counters through the kernel's event source", never_fails<perf::discover>},
      {"nvml", "energy counters or power of NVIDIA GPUs (NVML)", never_fails<nvml::discover>,
       BackEnd::Kind::driver},
      {"amdsmi", "energy counters of AMD's GPUs (AMD SMI, else ROCm SMI)",
       never_fails<amdsmi::discover>, BackEnd::Kind::driver},
      {"gpu_hwmon", "energy and power of graphics cards as the kernel's drivers show them (hwmon)",
       never_fails<gpu_hwmon::discover>, BackEnd::Kind::driver},
      {"levelzero", "energy counters of Intel's graphics cards that the kernel does not show",
       never_fails<levelzero::discover>, BackEnd::Kind::driver},
      {"hwmon", "board and processor sensors, ACPI power meters", never_fails<hwmon::discover>,
       BackEnd::Kind::driver},
      {"craypm", "energy counters of HPE Cray nodes", never_fails<craypm::discover>},
      {"battery", "the whole machine while it runs on its battery", never_fails<battery::discover>},
      {"ipmi", "the whole machine as its board's controller measures it",
       never_fails<ipmi::discover>, BackEnd::Kind::driver},
      {"modelled", "power from utilisation, rated power and fitted memory",
       never_fails<modelled::discover>},
      {"process", "the share of a process and its descendants, where it is asked for",
       never_fails<process::discover>, BackEnd::Kind::processes},
  });
  return kBackEnds;
}

}  // namespace codecarbon
