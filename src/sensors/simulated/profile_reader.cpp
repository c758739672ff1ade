#include "sensors/simulated/profile_reader.hpp"

#include <fmt/format.h>

#include <cmath>

namespace codecarbon::simulated {
namespace {

constexpr std::size_t kMostSteps = 100'000;
constexpr std::size_t kMostTerms = 64;
constexpr double kShortestSeconds = 1e-6;
constexpr double kShortestMilliseconds = kShortestSeconds * 1e3;

std::int64_t read_value(const Place& place, const Unit& unit) {
  return std::llround(place.number(0, unit.most, unit.words) * unit.scale);
}

/// The value at `name_unit`, which must be there: "low_w".
std::int64_t require_value(const Place& parent, std::string_view name, const Unit& unit) {
  const auto place =
      parent.require(fmt::format("{}_{}", name, unit.suffix),
                     fmt::format("a number of {} from 0 to {}", unit.words, unit.most));
  return place ? read_value(*place, unit) : 0;
}

Profile read_steps(const Place& place, const Unit& unit) {
  const std::string pair = fmt::format("[seconds, {}]", unit.words);
  std::vector<Profile::Step> steps;
  for (const Place& item :
       place.items(1, kMostSteps, fmt::format("an array of 1 to {} pairs {}", kMostSteps, pair))) {
    const auto both = item.items(2, 2, "a pair " + pair);
    if (both.size() != 2) return {};
    const Profile::Step step{read_seconds(both[0]), read_value(both[1], unit)};
    if (steps.empty() && step.from != Duration::zero()) both[0].reject("0 in the first step");
    if (!steps.empty() && step.from <= steps.back().from) {
      both[0].reject("a time after that of the step before");
    }
    steps.push_back(step);
  }
  return steps.empty() ? Profile() : Profile::steps(steps);
}

Profile read_ramp(const Place& place, const Unit& unit) {
  place.expect_keys(
      {fmt::format("from_{}", unit.suffix), fmt::format("to_{}", unit.suffix), "over_s"});
  const auto from = require_value(place, "from", unit);
  const auto to = require_value(place, "to", unit);
  const auto over = place.require("over_s", "a number of seconds");
  return over ? Profile::ramp(from, to, read_seconds(*over, kShortestSeconds)) : Profile();
}

Profile read_square(const Place& place, const Unit& unit) {
  place.expect_keys({fmt::format("low_{}", unit.suffix), fmt::format("high_{}", unit.suffix),
                     "period_ms", "duty"});
  const auto low = require_value(place, "low", unit);
  const auto high = require_value(place, "high", unit);
  const auto duty = place.find("duty");
  const double share = duty ? duty->number(0, 1, "the period") : 0.5;
  const auto period_ms = place.require("period_ms", "a number of milliseconds");
  if (!period_ms) return {};
  const Duration period = read_milliseconds(*period_ms, kShortestMilliseconds);
  const Duration high_for(std::llround(static_cast<double>(period.count()) * share));
  return Profile::square(low, high, period, std::min(high_for, period));
}

Profile read_repeat(const Place& place, const Unit& unit) {
  place.expect_keys({"every_s", "profile"});
  const auto every = place.require("every_s", "a number of seconds");
  const auto profile = place.require("profile", "a profile");
  if (!every || !profile) return {};
  return Profile::repeat(read_profile(*profile, unit), read_seconds(*every, kShortestSeconds));
}

Profile read_sum(const Place& place, const Unit& unit) {
  const auto most = std::llround(unit.most * unit.scale);
  std::vector<Profile> terms;
  std::int64_t peak = 0;
  for (const Place& item :
       place.items(1, kMostTerms, fmt::format("an array of 1 to {} profiles", kMostTerms))) {
    terms.push_back(read_profile(item, unit));
    peak += terms.back().peak();
  }
  if (peak > most) {
    place.complain(fmt::format("adds up to {} {}; accepted: at most {}",
                               static_cast<double>(peak) / unit.scale, unit.words, unit.most));
  }
  return Profile::sum(std::move(terms));
}

struct Shape {
  std::string_view key;
  Profile (*read)(const Place&, const Unit&);
};

constexpr Shape kShapes[] = {{"steps", read_steps},
                             {"ramp", read_ramp},
                             {"square", read_square},
                             {"repeat", read_repeat},
                             {"sum", read_sum}};

}  // namespace

Duration read_seconds(const Place& place, double least) {
  return Duration(std::llround(place.number(least, kLongestSeconds, "seconds") * 1e9));
}

Duration read_milliseconds(const Place& place, double least) {
  return Duration(std::llround(place.number(least, kLongestSeconds * 1e3, "milliseconds") * 1e6));
}

Profile read_profile(const Place& place, const Unit& unit) {
  if (place.is_number()) return Profile::constant(read_value(place, unit));
  const std::string accepted = fmt::format(
      "a number of {} from 0 to {}, or an object with one of steps, ramp, square, "
      "repeat, sum",
      unit.words, unit.most);
  if (!place.is_object()) {
    place.reject(accepted);
    return {};
  }
  place.expect_keys({"steps", "ramp", "square", "repeat", "sum"});
  std::optional<Profile> profile;
  for (const Shape& shape : kShapes) {
    const auto found = place.find(shape.key);
    if (!found) continue;
    if (profile) place.complain("has two shapes; accepted: " + accepted);
    profile = shape.read(*found, unit);
  }
  if (!profile) place.complain("has no shape; accepted: " + accepted);
  return profile.value_or(Profile());
}

}  // namespace codecarbon::simulated
