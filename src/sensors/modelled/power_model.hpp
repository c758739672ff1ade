#pragma once

#include <cstdint>

#include "codecarbon/units.hpp"

namespace codecarbon::modelled {

/// Power of processors at a load from 0 to 1:
///
///     P(u) = rated x (0.11 + 0.63 u^0.6)
///
/// Idle processors draw a tenth of their rated power, half-loaded ones already most of what they
/// ever will, and few reach the rating. Fitted to package power measured by RAPL on an EPYC 8024P,
/// a Threadripper 1950X and a Xeon E3-1240 v2, with all and with some cores loaded (the load
/// profiles published with codecarbon, MIT, 2025-01): off by 35 % of the measured power on average,
/// where half the rating whatever the load is off by 63 % and a straight line to the rating by 44
/// %. Monotone in the load. A load outside 0 to 1 counts as the nearer end.
Power power_at(Power rated, double load);

/// The largest error of `power_at` among those measurements, as a fraction of the modelled power.
inline constexpr double kLoadModelBound = 0.82;

/// The same where even the rated power is a guess: the truth may be anything up to twice as much.
inline constexpr double kGenericBound = 1.0;

/// Rated power of processors of which only the number is known: 4 W a logical processor, about what
/// servers (2 x 64 cores: 4.4 W) and notebooks (28 W, 8 processors: 3.5 W) are rated at.
Power generic_rated_power(int logical_processors);

/// Power of the memory fitted, by its size:
///
///     modules = sqrt(GB / 8)      P = 3 W x modules + 0.03 W x GB
///
/// Larger machines have more and larger modules, so both grow with the root of the size (8 GB: one;
/// 128 GB: 4 of 32 GB; 1 TB: 11 of 90 GB), and a module draws about 3 W plus refresh in proportion
/// to its size, as data sheets of DDR4 and DDR5 modules say (3 to 6 W). An estimate of ours: 8
/// GB 3.2 W, 64 GB 10 W, 1 TB 65 W. Continuous and monotone; zero for nothing.
Power memory_power(std::int64_t bytes);

/// How far off `memory_power` may be: low-power notebook memory draws half, busy servers half more.
inline constexpr double kMemoryModelBound = 0.5;

}  // namespace codecarbon::modelled
