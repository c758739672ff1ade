#pragma once

#include <cstdint>
#include <memory>
#include <tl/expected.hpp>
#include <vector>

#include "readings/reading.hpp"
#include "sensors/simulated/machine.hpp"

namespace codecarbon::simulated {

/// What one sensor shows: the truth as seen through range, resolution, lag and faults.
/// Pure but for the memory of which glitches it has shown. One thread at a time; no allocation.
class Dial {
 public:
  using Shown = tl::expected<std::int64_t, ReadFault>;
  virtual ~Dial() = default;
  /// At machine time `t`, which must not fall from one call to the next.
  virtual Shown show(Duration t) = 0;
};

/// The counter or gauge of a domain, in microjoules or microwatts.
std::unique_ptr<Dial> make_energy_dial(const DomainScript& script);

/// The mean of `profile` since the last call. Of `faults` only `disappear` matters here.
std::unique_ptr<Dial> make_utilization_dial(const Profile& profile,
                                            const std::vector<Fault>& faults);

/// The value of `profile` at the moment. Of `faults` only `disappear` matters here.
std::unique_ptr<Dial> make_memory_dial(const Profile& profile, const std::vector<Fault>& faults);

}  // namespace codecarbon::simulated
