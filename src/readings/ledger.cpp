#include "readings/ledger.hpp"

#include <algorithm>
#include <numeric>

namespace codecarbon {

void Account::add(const Gap& gap) {
  gap_bound += gap.bound;
  gaps[static_cast<std::size_t>(gap.cause)] += gap.length;
}

Duration Account::gap_time() const {
  return std::accumulate(gaps.begin(), gaps.end(), Duration::zero());
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
    if (interval.gap) {
      account.add(
          Gap{interval.gap->cause, std::min(interval.gap->length, common), interval.gap->bound});
    }
  }
  if (interval.length() >= shortest) {
    account.peak = std::max(account.peak, mean_power(interval.energy, interval.length()));
  }
}

void Window::add(std::size_t sensor, const Gap& gap) {
  if (is_open()) ledger_.energies[sensor].add(gap);
}

void Window::add_usage(std::size_t sensor, double value, MonoTime from, MonoTime to) {
  const Duration common = overlap(from, to);
  if (common <= Duration::zero()) return;
  UsageAccount& account = ledger_.usages[sensor];
  account.weighted += value * seconds(common);
  account.time += common;
}

Ledger Window::totals(MonoTime now) const {
  Ledger totals = ledger_;
  if (is_open()) totals.active += std::max(now - *opened_at_, Duration::zero());
  return totals;
}

}  // namespace codecarbon
