#pragma once
/// \file
/// The quantities of this library. Each is a value of its own type, so that watts are never added
/// to joules and a factor of 3600 lives in one place. All are trivially copyable and constexpr.

#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>

namespace codecarbon {

/// An amount of energy, held as whole microjoules (±9.2e12 J). Sums of it are exact.
class Energy {
 public:
  constexpr Energy() = default;
  static constexpr Energy from_uj(std::int64_t energy_uj) { return Energy{energy_uj}; }
  /// Rounds to the nearest microjoule. `energy_j` must be finite and within ±9.2e12.
  static Energy from_joules(double energy_j) { return Energy{std::llround(energy_j * 1e6)}; }

  constexpr std::int64_t uj() const { return uj_; }
  constexpr double joules() const { return static_cast<double>(uj_) * 1e-6; }
  constexpr double kwh() const { return static_cast<double>(uj_) / 3.6e12; }

  constexpr auto operator<=>(const Energy&) const = default;
  constexpr Energy& operator+=(Energy other) {
    uj_ += other.uj_;
    return *this;
  }
  constexpr Energy& operator-=(Energy other) {
    uj_ -= other.uj_;
    return *this;
  }
  friend constexpr Energy operator+(Energy a, Energy b) { return a += b; }
  friend constexpr Energy operator-(Energy a, Energy b) { return a -= b; }
  /// Scales and rounds to the nearest microjoule. `factor` must be finite.
  friend Energy operator*(Energy a, double factor) {
    return Energy{std::llround(static_cast<double>(a.uj_) * factor)};
  }

 private:
  explicit constexpr Energy(std::int64_t energy_uj) : uj_(energy_uj) {}
  std::int64_t uj_ = 0;
};

/// A rate of energy, held as whole microwatts.
class Power {
 public:
  constexpr Power() = default;
  static constexpr Power from_uw(std::int64_t power_uw) { return Power{power_uw}; }
  /// Rounds to the nearest microwatt. `power_w` must be finite.
  static Power from_watts(double power_w) { return Power{std::llround(power_w * 1e6)}; }

  constexpr std::int64_t uw() const { return uw_; }
  constexpr double watts() const { return static_cast<double>(uw_) * 1e-6; }

  constexpr auto operator<=>(const Power&) const = default;
  constexpr Power& operator+=(Power other) {
    uw_ += other.uw_;
    return *this;
  }
  friend constexpr Power operator+(Power a, Power b) { return a += b; }

 private:
  explicit constexpr Power(std::int64_t power_uw) : uw_(power_uw) {}
  std::int64_t uw_ = 0;
};

/// Power held for a time, rounded to the nearest microjoule. For a running total use
/// PowerIntegrator, which rounds the total and not the steps.
inline Energy operator*(Power power, std::chrono::nanoseconds time) {
  return Energy::from_uj(
      std::llround(static_cast<double>(power.uw()) * (static_cast<double>(time.count()) * 1e-9)));
}

/// The mean power of `energy` over `time`; zero over no time (there is no rate to speak of).
inline Power mean_power(Energy energy, std::chrono::nanoseconds time) {
  if (time.count() <= 0) return {};
  return Power::from_uw(
      std::llround(static_cast<double>(energy.uj()) / (static_cast<double>(time.count()) * 1e-9)));
}

/// A mass of CO2-equivalent, in grams.
class Carbon {
 public:
  constexpr Carbon() = default;
  static constexpr Carbon from_grams(double emissions_g) { return Carbon{emissions_g}; }
  constexpr double grams() const { return grams_; }
  constexpr double kilograms() const { return grams_ * 1e-3; }
  constexpr auto operator<=>(const Carbon&) const = default;
  friend constexpr Carbon operator+(Carbon a, Carbon b) { return Carbon{a.grams_ + b.grams_}; }
  friend constexpr Carbon operator-(Carbon a, Carbon b) { return Carbon{a.grams_ - b.grams_}; }

 private:
  explicit constexpr Carbon(double emissions_g) : grams_(emissions_g) {}
  double grams_ = 0;
};

/// How much CO2-equivalent a unit of electricity stands for, in grams per kilowatt-hour.
class CarbonIntensity {
 public:
  constexpr CarbonIntensity() = default;
  static constexpr CarbonIntensity from_g_per_kwh(double value) { return CarbonIntensity{value}; }
  constexpr double g_per_kwh() const { return value_; }
  constexpr auto operator<=>(const CarbonIntensity&) const = default;
  friend constexpr Carbon operator*(Energy energy, CarbonIntensity intensity) {
    return Carbon::from_grams(energy.kwh() * intensity.value_);
  }

 private:
  explicit constexpr CarbonIntensity(double value) : value_(value) {}
  double value_ = 0;
};

/// A volume of water, in litres.
class Water {
 public:
  constexpr Water() = default;
  static constexpr Water from_litres(double litres) { return Water{litres}; }
  constexpr double litres() const { return litres_; }
  constexpr auto operator<=>(const Water&) const = default;

 private:
  explicit constexpr Water(double litres) : litres_(litres) {}
  double litres_ = 0;
};

}  // namespace codecarbon
