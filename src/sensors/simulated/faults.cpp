#include "sensors/simulated/faults.hpp"

#include <algorithm>
#include <iterator>

namespace codecarbon::simulated {
namespace {

bool active(const Fault& fault, Duration t) {
  return fault.from <= t && t < fault.to;
}

std::optional<Dial::Shown> answer_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::empty:
      return tl::unexpected(ReadFault::empty);
    case FaultKind::garbage:
      return tl::unexpected(ReadFault::garbage);
    case FaultKind::unreadable:
      return tl::unexpected(ReadFault::unreadable);
    case FaultKind::disappear:
      return tl::unexpected(ReadFault::gone);
    case FaultKind::zero:
      return Dial::Shown(0);
    case FaultKind::freeze:
    case FaultKind::stuck:
    case FaultKind::reset:
    case FaultKind::glitch:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Faults Faults::of_device(const std::vector<Fault>& faults) {
  std::vector<Fault> gone;
  std::copy_if(faults.begin(), faults.end(), std::back_inserter(gone),
               [](const Fault& fault) { return fault.kind == FaultKind::disappear; });
  return Faults(std::move(gone));
}

std::optional<Dial::Shown> Faults::answer(Duration t) const {
  for (const Fault& fault : faults_) {
    if (!active(fault, t)) continue;
    if (auto answer = answer_of(fault.kind)) return answer;
  }
  return std::nullopt;
}

Duration Faults::seen_at(Duration t) const {
  for (const Fault& fault : faults_) {
    if (fault.kind == FaultKind::freeze && active(fault, t)) return fault.from;
  }
  return t;
}

std::int64_t Faults::take_glitch(Duration t) {
  std::size_t passed = 0;
  std::int64_t offset = 0;
  for (const Fault& fault : faults_) {
    if (fault.kind != FaultKind::glitch || fault.from > t) continue;
    ++passed;
    offset = fault.offset;
  }
  if (passed == glitches_) return 0;
  glitches_ = passed;
  return offset;
}

std::optional<Duration> Faults::last_reset(Duration t) const {
  std::optional<Duration> last;
  for (const Fault& fault : faults_) {
    if (fault.kind == FaultKind::reset && fault.from <= t) last = fault.from;
  }
  return last;
}

}  // namespace codecarbon::simulated
