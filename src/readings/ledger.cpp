#include "readings/ledger.hpp"

#include <algorithm>
#include <numeric>

namespace codecarbon {
namespace {

/// The part of a gap that is no longer than `most`.
Gap clipped(const Gap& gap, Duration most) {
  if (gap.length <= most) return gap;
  const double share = seconds(most) / seconds(gap.length);
  return {gap.cause, most, gap.bound * share};
}

}  // namespace

void Account::add(const Gap& gap) {
  const auto cause = static_cast<std::size_t>(gap.cause);
  gaps[cause] += gap.length;
  gap_bounds[cause] += gap.bound;
}

Duration Account::gap_time() const {
  return std::accumulate(gaps.begin(), gaps.end(), Duration::zero());
}

Energy Account::gap_bound() const {
  return std::accumulate(gap_bounds.begin(), gap_bounds.end(), Energy{});
}

std::optional<double> UsageAccount::mean() const {
  if (time <= Duration::zero()) return std::nullopt;
  return weighted / seconds(time);
}

void Window::open(MonoTime at) {
  if (is_open()) return;
  opened_at_ = at;
  ++ledger_.segments;
}

void Window::close(MonoTime at) {
  if (!is_open()) return;
  ledger_.active += std::max(at - *opened_at_, Duration::zero());
  opened_at_.reset();
}

Duration Window::overlap(MonoTime from, MonoTime to) const {
  if (!is_open()) return Duration::zero();
  return std::max(to - std::max(from, *opened_at_), Duration::zero());
}

void Window::add(std::size_t sensor, const Interval& interval, Duration shortest) {
  if (!is_open()) return;
  Account& account = ledger_.energies[sensor];
  const Duration common = overlap(interval.from, interval.to);
  if (common == interval.length()) {
    account.energy += interval.energy;
    account.bound += interval.bound;
    if (interval.gap) account.add(*interval.gap);
  } else if (common > Duration::zero()) {
    const double share =
        static_cast<double>(common.count()) / static_cast<double>(interval.length().count());
    const Energy part = interval.energy * share;
    account.energy += part;
    account.bound += interval.bound * share + std::max(part, interval.energy - part);
    if (interval.gap) account.add(clipped(*interval.gap, common));
  }
  if (interval.length() >= shortest) {
    account.peak = std::max(account.peak, mean_power(interval.energy, interval.length()));
  }
}

void Window::add(std::size_t sensor, const Gap& gap, MonoTime now) {
  if (is_open()) ledger_.energies[sensor].add(clipped(gap, overlap(now - gap.length, now)));
}

void Window::add_usage(std::size_t sensor, double value, MonoTime from, MonoTime to) {
  const Duration common = overlap(from, to);
  if (common <= Duration::zero()) return;
  UsageAccount& account = ledger_.usages[sensor];
  account.weighted += value * seconds(common);
  account.time += common;
}

void Window::divide(std::size_t sensor, std::optional<Share> share, MonoTime from, MonoTime to) {
  if (!is_open()) return;
  Account& account = ledger_.energies[sensor];
  if (!share) account.split.unknown_time += overlap(from, to);
  if (share && from < *opened_at_) share->bound = 1;
  account.split.add(account.energy - account.split.total(), share);
}

Ledger Window::totals(MonoTime now) const {
  Ledger totals = ledger_;
  if (is_open()) totals.active += std::max(now - *opened_at_, Duration::zero());
  return totals;
}

}  // namespace codecarbon
