#include "sensors/all.hpp"

#include <array>

#include "sensors/modelled/modelled.hpp"
#include "sensors/rapl/rapl.hpp"
#include "sensors/simulated/simulated.hpp"

namespace codecarbon {

std::span<const BackEnd> all_back_ends() {
  static constexpr std::array<BackEnd, 3> kBackEnds = {{
      {"simulated", "a scripted machine, when one is named", simulated::discover},
      {"rapl", "energy counters of Intel and AMD processors (powercap)", rapl::discover},
      {"modelled", "power from utilisation, rated power and fitted memory", modelled::discover},
  }};
  return kBackEnds;
}

}  // namespace codecarbon
