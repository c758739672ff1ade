#include "sensors/simulated/profile.hpp"

#include <algorithm>
#include <numeric>

namespace codecarbon::simulated {

class Profile::Shape {
 public:
  virtual ~Shape() = default;
  virtual std::int64_t at(Duration t) const = 0;
  virtual Wide integral(Duration t) const = 0;
  virtual std::int64_t peak() const = 0;
};

namespace {

/// Rounds towards minus infinity. `divisor` is positive.
Wide floor_div(Wide value, Wide divisor) {
  const Wide quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

class Constant final : public Profile::Shape {
 public:
  explicit Constant(std::int64_t value) : value_(value) {}
  std::int64_t at(Duration) const override { return value_; }
  Wide integral(Duration t) const override { return static_cast<Wide>(value_) * t.count(); }
  std::int64_t peak() const override { return value_; }

 private:
  std::int64_t value_;
};

class Steps final : public Profile::Shape {
 public:
  explicit Steps(const std::vector<Profile::Step>& steps) {
    parts_.reserve(steps.size());
    for (const auto& step : steps) {
      const Wide before = parts_.empty() ? 0 : until(parts_.back(), step.from);
      parts_.push_back(Part{step.from, step.value, before});
      peak_ = std::max(peak_, step.value);
    }
  }
  std::int64_t at(Duration t) const override { return part_at(t).value; }
  Wide integral(Duration t) const override { return until(part_at(t), t); }
  std::int64_t peak() const override { return peak_; }

 private:
  struct Part {
    Duration from;
    std::int64_t value;
    Wide before;
  };
  static Wide until(const Part& part, Duration t) {
    return part.before + static_cast<Wide>(part.value) * (t - part.from).count();
  }
  const Part& part_at(Duration t) const {
    const auto next = std::upper_bound(parts_.begin() + 1, parts_.end(), t,
                                       [](Duration when, const Part& p) { return when < p.from; });
    return *(next - 1);
  }

  std::vector<Part> parts_;
  std::int64_t peak_ = 0;
};

class Ramp final : public Profile::Shape {
 public:
  Ramp(std::int64_t from, std::int64_t to, Duration over) : from_(from), to_(to), over_(over) {}
  std::int64_t at(Duration t) const override {
    if (t >= over_) return to_;
    const Wide rise = static_cast<Wide>(to_ - from_) * t.count();
    return from_ + static_cast<std::int64_t>(floor_div(rise, over_.count()));
  }
  Wide integral(Duration t) const override {
    const Duration on_ramp = std::min(t, over_);
    // rise * t^2 / (2 * over), split so that no product leaves 128 bits.
    const Wide rise = static_cast<Wide>(to_ - from_) * on_ramp.count();
    const Wide doubled = Wide{2} * over_.count();
    const Wide whole = floor_div(rise, doubled);
    const Wide rest = rise - whole * doubled;
    return static_cast<Wide>(from_) * on_ramp.count() + whole * on_ramp.count() +
           floor_div(rest * on_ramp.count(), doubled) +
           static_cast<Wide>(to_) * (t - on_ramp).count();
  }
  std::int64_t peak() const override { return std::max(from_, to_); }

 private:
  std::int64_t from_;
  std::int64_t to_;
  Duration over_;
};

class Square final : public Profile::Shape {
 public:
  Square(std::int64_t low, std::int64_t high, Duration period, Duration high_for)
      : low_(low), high_(high), period_(period), high_for_(high_for) {}
  std::int64_t at(Duration t) const override { return t % period_ < high_for_ ? high_ : low_; }
  Wide integral(Duration t) const override {
    const Wide one = within(period_);
    return one * (t / period_) + within(t % period_);
  }
  std::int64_t peak() const override { return std::max(low_, high_); }

 private:
  Wide within(Duration t) const {
    const Duration high = std::min(t, high_for_);
    return static_cast<Wide>(high_) * high.count() + static_cast<Wide>(low_) * (t - high).count();
  }

  std::int64_t low_;
  std::int64_t high_;
  Duration period_;
  Duration high_for_;
};

class Repeat final : public Profile::Shape {
 public:
  Repeat(Profile profile, Duration every)
      : profile_(std::move(profile)), every_(every), one_(profile_.integral(every)) {}
  std::int64_t at(Duration t) const override { return profile_.at(t % every_); }
  Wide integral(Duration t) const override {
    return one_ * (t / every_) + profile_.integral(t % every_);
  }
  std::int64_t peak() const override { return profile_.peak(); }

 private:
  Profile profile_;
  Duration every_;
  Wide one_;
};

class Sum final : public Profile::Shape {
 public:
  explicit Sum(std::vector<Profile> terms) : terms_(std::move(terms)) {}
  std::int64_t at(Duration t) const override {
    return total(std::int64_t{0}, [&](const Profile& term) { return term.at(t); });
  }
  Wide integral(Duration t) const override {
    return total(Wide{0}, [&](const Profile& term) { return term.integral(t); });
  }
  std::int64_t peak() const override {
    return total(std::int64_t{0}, [](const Profile& term) { return term.peak(); });
  }

 private:
  template <class Number, class Of>
  Number total(Number zero, Of of) const {
    return std::accumulate(terms_.begin(), terms_.end(), zero,
                           [&](Number sum, const Profile& term) { return sum + of(term); });
  }

  std::vector<Profile> terms_;
};

}  // namespace

Profile Profile::constant(std::int64_t value) {
  return Profile(std::make_shared<const Constant>(value));
}
Profile Profile::steps(const std::vector<Step>& steps) {
  return Profile(std::make_shared<const Steps>(steps));
}
Profile Profile::ramp(std::int64_t from, std::int64_t to, Duration over) {
  return Profile(std::make_shared<const Ramp>(from, to, over));
}
Profile Profile::square(std::int64_t low, std::int64_t high, Duration period, Duration high_for) {
  return Profile(std::make_shared<const Square>(low, high, period, high_for));
}
Profile Profile::repeat(Profile profile, Duration every) {
  return Profile(std::make_shared<const Repeat>(std::move(profile), every));
}
Profile Profile::sum(std::vector<Profile> terms) {
  return Profile(std::make_shared<const Sum>(std::move(terms)));
}

std::int64_t Profile::at(Duration t) const {
  return shape_->at(std::max(t, Duration::zero()));
}

Wide Profile::integral(Duration t) const {
  return shape_->integral(std::max(t, Duration::zero()));
}

std::int64_t Profile::mean(Duration from, Duration to) const {
  from = std::max(from, Duration::zero());
  if (to <= from) return at(to);
  return static_cast<std::int64_t>((integral(to) - integral(from)) / (to - from).count());
}

std::int64_t Profile::peak() const {
  return shape_->peak();
}

Wide energy_uj_until(const Profile& power, Duration t) {
  constexpr Wide kMicrowattNanosecondsPerMicrojoule = 1'000'000'000;
  return power.integral(t) / kMicrowattNanosecondsPerMicrojoule;
}

}  // namespace codecarbon::simulated
