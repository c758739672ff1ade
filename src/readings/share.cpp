#include "readings/share.hpp"

#include <algorithm>
#include <cmath>

#include "readings/idle_share.hpp"

namespace codecarbon {
namespace {

/// a / b, held to what a fraction can be. `whole` is more than zero.
template <class Number>
double fraction(Number part, Number whole) {
  return std::clamp(static_cast<double>(part) / static_cast<double>(whole), 0.0, 1.0);
}

/// The part of `energy` that this fraction is, at most `most`.
Energy take(Energy energy, double part, Energy most, double& carry) {
  const double exact = static_cast<double>(energy.uj()) * part + carry;
  const Energy taken = std::clamp(Energy::from_uj(std::llround(exact)), Energy{}, most);
  carry = std::clamp(exact - static_cast<double>(taken.uj()), -0.5, 0.5);
  return taken;
}

}  // namespace

double idle_part(double load) {
  constexpr double kActive = 1 - kSeveralDiesIdleShare;
  return kSeveralDiesIdleShare / (kSeveralDiesIdleShare + kActive * std::clamp(load, 0.0, 1.0));
}

std::optional<Share> cpu_share(const CpuUse& use) {
  if (use.capacity <= Duration::zero()) return std::nullopt;
  const Duration own = std::clamp(use.own, Duration::zero(), use.capacity);
  // The kernel samples busy time, and may miss what the processes' own accounts have.
  const Duration busy = std::clamp(use.busy, own, use.capacity);
  const double load = fraction(busy.count(), use.capacity.count());
  const double idle = idle_part(load);
  const Duration error = use.own_error + use.busy_error;
  if (busy == Duration::zero()) {
    return Share{0, 1, fraction(error.count(), use.capacity.count())};
  }
  const double of_active = fraction(own.count(), busy.count());
  const double of_idle = fraction(own.count(), use.capacity.count());
  return Share{(1 - idle) * of_active + idle * of_idle, idle * (1 - load),
               fraction(error.count(), busy.count())};
}

std::optional<Share> memory_share(const MemoryUse& use) {
  if (use.total <= 0) return std::nullopt;
  const double own = fraction(use.own, use.total);
  const double used = std::max(fraction(use.used, use.total), own);
  return Share{own, 1 - used, 0};
}

std::optional<Share> device_share(std::span<const GpuProcess> users, const ProcessSource& tracked) {
  if (users.empty()) return Share{0, 1, 0};
  std::size_t own_users = 0;
  bool all_known = true;
  double own = 0;
  double all = 0;
  for (const GpuProcess& user : users) {
    const auto is_own = tracked.owns(user.pid);
    if (!is_own) return std::nullopt;
    const double load = std::max(user.utilization.value_or(0), 0.0);
    all_known = all_known && user.utilization.has_value();
    if (*is_own) ++own_users;
    own += *is_own ? load : 0;
    all += load;
  }
  if (own_users == users.size()) return Share{1, 0, 0};
  if (own_users == 0) return Share{};
  if (!all_known || !(all > 0) || !std::isfinite(all)) return std::nullopt;
  return Share{fraction(own, all), 0, 0};
}

void Split::add(Energy energy, const std::optional<Share>& share) {
  if (!share) {
    rest += energy;
    bound += energy;
    undivided += energy;
    return;
  }
  const Energy mine = take(energy, share->own, energy, own_carry_);
  const Energy nobodys = take(energy, share->idle, energy - mine, idle_carry_);
  own += mine;
  idle += nobodys;
  rest += energy - mine - nobodys;
  bound += std::min(energy * share->bound, std::max(mine, energy - mine));
}

}  // namespace codecarbon
