#include "report/shares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "carbon/footprint.hpp"
#include "report/bounds.hpp"

namespace codecarbon {
namespace {

/// How far off the processes' part of this sensor may be: by how it was divided, by what the sensor
/// missed, and in proportion by how the sensor's energy was obtained.
Energy own_bound(const SensorInfo& info, const Account& account, int segments) {
  const Energy machine = account.energy;
  const double part = machine > Energy{} ? static_cast<double>(account.split.own.uj()) /
                                               static_cast<double>(machine.uj())
                                         : 0.0;
  const Energy missed = machine - account.split.total();
  return missed + account.split.bound + account.bound * part + account.gap_bound() +
         boundary_bound(info, account, segments);
}

/// What could not be divided, and what was never tried.
Energy undivided(const Account& account) {
  return account.split.undivided + account.energy - account.split.total();
}

/// The same division of the energy that the PUE makes of it.
ShareReport at_supply(const ShareReport& share, double pue) {
  ShareReport scaled;
  const Energy machine = with_pue(share.machine(), pue);
  scaled.own = with_pue(share.own, pue);
  scaled.idle = std::min(with_pue(share.idle, pue), machine - scaled.own);
  scaled.rest = machine - scaled.own - scaled.idle;
  scaled.unknown = std::min(with_pue(share.unknown, pue), scaled.rest);
  scaled.bound = with_pue(share.bound, pue);
  return scaled;
}

ShareReport sum_shares(Component component, std::span<const UsedSensor> sensors,
                       const Ledger& ledger, double pue) {
  ShareReport sum;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (sensors[i].use.component != component) continue;
    const Account& account = ledger.energies[i];
    sum.own += account.split.own;
    sum.idle += account.split.idle;
    sum.rest += account.energy - account.split.own - account.split.idle;
    sum.unknown += undivided(account);
    sum.bound += own_bound(*sensors[i].info, account, ledger.segments);
  }
  return at_supply(sum, pue);
}

void take_own(Summary::Sum& sum, const ShareReport& share) {
  sum.energy = share.own;
  sum.bound = share.bound;
}

}  // namespace

ProcessShare summarize_shares(std::span<const UsedSensor> sensors, const Ledger& ledger,
                              double pue) {
  return {sum_shares(Component::cpu, sensors, ledger, pue),
          sum_shares(Component::gpu, sensors, ledger, pue),
          sum_shares(Component::ram, sensors, ledger, pue),
          {}};
}

void add_share_notes(std::vector<std::string>& notes, std::span<const UsedSensor> sensors,
                     const Ledger& ledger, double pue) {
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (!sensors[i].use.component) continue;
    const Account& account = ledger.energies[i];
    if (undivided(account) == Energy{}) continue;
    notes.push_back(fmt::format(
        "{}: whose energy it was is unknown for {:.3f} s: at most {:.3f} J of the processes' may "
        "be missing",
        sensors[i].info->domain.name, seconds(account.split.unknown_time),
        with_pue(undivided(account), pue).joules()));
  }
}

void make_own(Summary& summary) {
  take_own(summary.cpu, summary.share->cpu);
  take_own(summary.gpu, summary.share->gpu);
  take_own(summary.ram, summary.share->ram);
}

}  // namespace codecarbon
