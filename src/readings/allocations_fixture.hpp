#pragma once
/// \file
/// For tests only: whether reading a probe asks for memory.

#include <vector>

#include "readings/probe.hpp"

namespace codecarbon::testing_support {

/// How often this program has asked for memory so far. Whoever calls it also compiles
/// allocations_fixture.cpp, which replaces the global operator new. Thread-safe.
long allocations_so_far();

/// How often ten readings of every probe ask for it.
inline long allocations_of_reading(const Discovery& discovery) {
  long most = 0;
  for (const auto& probe : discovery.probes) {
    std::vector<Reading> readings(probe->sensors().size());
    const long before = allocations_so_far();
    for (int i = 0; i < 10; ++i) probe->read(MonoTime{}, readings);
    most += allocations_so_far() - before;
  }
  return most;
}

}  // namespace codecarbon::testing_support
