#include "sensors/simulated/fault_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sensors/simulated/profile_reader.hpp"

namespace codecarbon::simulated {
namespace {

constexpr std::size_t kMostFaults = 1000;
constexpr double kLargestOffset = 1e12;

/// In the order of FaultKind.
constexpr std::string_view kKinds[] = {"empty",  "garbage", "unreadable", "zero",  "disappear",
                                       "freeze", "stuck",   "reset",      "glitch"};

std::int64_t read_offset(const Place& place, Quantity quantity) {
  const bool energy = quantity == Quantity::energy;
  const std::string_view words = energy ? "joules" : "watts";
  const auto offset =
      place.require(energy ? "offset_j" : "offset_w", fmt::format("a number of {}", words));
  return offset ? std::llround(offset->number(-kLargestOffset, kLargestOffset, words) * 1e6) : 0;
}

void read_moment(const Place& place, Quantity quantity, Fault& fault) {
  if (fault.kind == FaultKind::glitch) {
    place.expect_keys({"kind", "at_s", quantity == Quantity::energy ? "offset_j" : "offset_w"});
    fault.offset = read_offset(place, quantity);
  } else {
    place.expect_keys({"kind", "at_s"});
  }
  if (const auto at = place.require("at_s", "a number of seconds")) fault.from = read_seconds(*at);
  fault.to = fault.from;
}

void read_stretch(const Place& place, Fault& fault) {
  place.expect_keys({"kind", "from_s", "to_s"});
  if (const auto from = place.require("from_s", "a number of seconds")) {
    fault.from = read_seconds(*from);
  }
  const auto to = place.find("to_s");
  if (!to) return;
  fault.to = read_seconds(*to);
  if (fault.to <= fault.from) to->reject("a time after from_s");
}

Fault read_fault(const Place& place, Quantity quantity) {
  Fault fault;
  const auto kind = place.require("kind", fmt::format("{}", fmt::join(kKinds, ", ")));
  if (!kind) return fault;
  fault.kind = static_cast<FaultKind>(kind->choice(kKinds));
  const bool of_counters = fault.kind == FaultKind::stuck || fault.kind == FaultKind::reset;
  if (of_counters && quantity != Quantity::energy) {
    kind->reject("stuck and reset only for a sensor of \"energy\"");
  }
  if (fault.kind == FaultKind::reset || fault.kind == FaultKind::glitch) {
    read_moment(place, quantity, fault);
  } else {
    read_stretch(place, fault);
  }
  return fault;
}

void reject_overlap(const Place& place, const std::vector<Fault>& sorted) {
  for (auto fault = sorted.begin(); fault != sorted.end(); ++fault) {
    const auto next = std::find_if(fault + 1, sorted.end(),
                                   [&](const Fault& other) { return other.kind == fault->kind; });
    if (next == sorted.end() || next->from >= fault->to) continue;
    place.complain(fmt::format("has two of kind \"{}\" at {} s; accepted: one of a kind at a time",
                               kKinds[static_cast<std::size_t>(fault->kind)], seconds(next->from)));
  }
}

}  // namespace

std::vector<Fault> read_faults(const Place& place, Quantity quantity) {
  std::vector<Fault> faults;
  for (const Place& item :
       place.items(0, kMostFaults, fmt::format("an array of at most {} faults", kMostFaults))) {
    faults.push_back(read_fault(item, quantity));
  }
  std::stable_sort(faults.begin(), faults.end(),
                   [](const Fault& a, const Fault& b) { return a.from < b.from; });
  reject_overlap(place, faults);
  return faults;
}

}  // namespace codecarbon::simulated
