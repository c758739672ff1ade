#pragma once
/// \file
/// From the energy of the computer to what was drawn and evaporated on its behalf. Pure.
/// Emissions are energy x intensity, as units.hpp has it; power is energy / time, so that it
/// includes the PUE when the energy does.

#include "codecarbon/units.hpp"

namespace codecarbon {

/// Energy with the data centre's share (cooling, conversion) on top. `pue` is 1 or more and finite.
inline Energy with_pue(Energy energy, double pue) {
  return energy * pue;
}

/// Water for `energy`, which includes the PUE. `wue` is litres per kilowatt-hour, 0 or more.
inline Water water_use(Energy energy, double wue) {
  return Water::from_litres(energy.kwh() * wue);
}

}  // namespace codecarbon
