#include "sampling/sampler.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace codecarbon {
namespace {

constexpr Duration kShortestPeriod = std::chrono::milliseconds(1);

// A millisecond for the lock, much more than a call holds it that reads nothing.
constexpr int kTriesAtBeat = 100;
constexpr Duration kBetweenTries = std::chrono::microseconds(10);

/// A gauge of the power of the moment says nothing of the time between two looks.
constexpr Duration kGaugePeriod = std::chrono::milliseconds(100);

/// A mean power over less than this says more about the counter's steps than about the machine.
Duration shortest_for_power(const SensorInfo& info) {
  return std::max<Duration>(std::chrono::milliseconds(10), 10 * info.update_period);
}

std::vector<UsedSensor> sensors_in_use(const std::vector<std::unique_ptr<Probe>>& probes,
                                       const std::vector<Use>& uses) {
  std::vector<UsedSensor> sensors;
  auto use = uses.begin();
  for (const auto& probe : probes) {
    for (const SensorInfo& info : probe->sensors()) {
      if (use->is_used()) sensors.push_back({&info, *use});
      ++use;
    }
  }
  return sensors;
}

PatientReader::Pace pace_of(const ProcessSource* processes) {
  PatientReader::Pace pace;
  if (processes != nullptr) pace.users_every = processes->shortest_interval();
  return pace;
}

}  // namespace

/// One sensor in use: where its readings come from and what they become.
struct Sampler::Channel {
  const SensorInfo* info;
  std::size_t sensor;                // index into sensors_ and into a ledger
  std::size_t position;              // within its probe's readings
  std::optional<EnergyMeter> meter;  // missing for a usage sensor
  std::optional<MonoTime> usage_at{};
  std::optional<Share> share{};  // of the newest stretch of which the processes' use is known
  std::array<bool, kGapCauses> gap_seen{};
  std::array<bool, kGapCauses> gap_told{};
};

struct Sampler::ProbeSlot {
  std::unique_ptr<Probe> probe;        // missing when the patient reader has it,
  std::optional<std::size_t> patient;  // under this number
  std::vector<Reading> readings;
  std::vector<Reading> second_look;
  std::vector<Channel> channels;
  bool wanted = true;    // in the round of reading that is going on
  bool doubted = false;  // `readings` are to be looked at again before they are taken
  MonoTime taken_at{};   // nothing older is taken any more

  bool doubts(const Channel& channel) const {
    return channel.meter && channel.meter->suspicious(readings[channel.position]);
  }
  bool is_doubtful() const {
    return std::any_of(channels.begin(), channels.end(),
                       [this](const Channel& channel) { return doubts(channel); });
  }
  void correct() {
    for (const Channel& channel : channels) {
      if (doubts(channel)) readings[channel.position] = second_look[channel.position];
    }
  }
};

namespace {

/// A gauge that is read less often than it averages may show the same phase of a load each time.
bool may_be_in_step(std::span<const UsedSensor> sensors, Duration period) {
  return std::any_of(sensors.begin(), sensors.end(), [period](const UsedSensor& sensor) {
    return sensor.info->quantity == Quantity::power && sensor.info->averaging < period;
  });
}

/// As often as it has something new to say.
Duration gauge_period(const SensorInfo& info) {
  return std::max({info.averaging, info.update_period, kGaugePeriod});
}

}  // namespace

Duration safe_period(std::span<const UsedSensor> sensors, Duration wanted) {
  Duration period = wanted;
  for (const UsedSensor& sensor : sensors) {
    const SensorInfo& info = *sensor.info;
    if (info.quantity == Quantity::power) period = std::min(period, gauge_period(info));
    const auto turn = info.turn();
    if (info.quantity != Quantity::energy || !turn) continue;
    const double fastest_wrap_s = turn->joules() / info.plausible_power.watts();
    const auto half = std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(std::min(fastest_wrap_s / 2, seconds(wanted))));
    period = std::min(period, half);
  }
  return std::max(period, std::min(wanted, kShortestPeriod));
}

Sampler::Sampler(std::vector<std::unique_ptr<Probe>> probes, const std::vector<Use>& uses,
                 std::shared_ptr<const Clock> clock, Duration period, GapHook on_gap,
                 std::unique_ptr<ProcessSource> processes)
    : clock_(std::move(clock)),
      on_gap_(std::move(on_gap)),
      sensors_(sensors_in_use(probes, uses)),
      processes_(std::move(processes)),
      patient_reader_(clock_, pace_of(processes_.get()),
                      {[this] { beat(); }, [this] { catch_up(); }}),
      worker_(
          clock_, [this] { beat(); }, PeriodicWorker::Priority::punctual) {
  period_ = safe_period(sensors_, period);
  if (may_be_in_step(sensors_, period_)) rhythm_ = Rhythm::scattered;
  std::size_t sensor = 0;
  for (auto& probe : probes) {
    const std::vector<Reading> blank(probe->sensors().size());
    ProbeSlot slot{nullptr, std::nullopt, blank, blank, {}};
    for (std::size_t position = 0; position < probe->sensors().size(); ++position) {
      const SensorInfo& info = probe->sensors()[position];
      if (sensor == sensors_.size() || sensors_[sensor].info != &info) continue;
      Channel channel{&info, sensor, position, std::nullopt};
      if (sensors_[sensor].use.gives_energy()) channel.meter.emplace(info);
      slot.channels.push_back(channel);
      ++sensor;
    }
    if (slot.channels.empty()) continue;  // nothing of it is used: it is never read
    if (probe->may_hang()) {
      slot.patient = patient_reader_.add(std::move(probe));
    } else {
      slot.probe = std::move(probe);
    }
    probes_.push_back(std::move(slot));
  }
}

Sampler::~Sampler() = default;

Sampler::WindowKey Sampler::add_window() {
  const std::lock_guard lock(mutex_);
  windows_.emplace(next_key_, Window(sensors_.size()));
  return next_key_++;
}

Ledger Sampler::open(WindowKey key) {
  return open({key, key});
}

Ledger Sampler::open(std::array<WindowKey, 2> keys) {
  const std::lock_guard lock(mutex_);
  Window& window = windows_.at(keys[0]);
  Window& beside = windows_.at(keys[1]);
  const MonoTime tick = clock_->now();
  if (window.is_open() && beside.is_open()) return window.totals(tick);
  const bool first = !any_open();
  if (first) rebase(tick);
  sample(tick);
  window.open(tick);
  beside.open(tick);
  if (first) keeps_beat_ = begin_beat();
  return window.totals(tick);
}

Ledger Sampler::close(WindowKey key) {
  const std::lock_guard lock(mutex_);
  Window& window = windows_.at(key);
  if (!window.is_open()) return window.totals({});
  const MonoTime now = clock_->now();
  sample(now);
  settle_gaps(window, now);
  settle_shares(window, now);
  window.close(now);
  if (!any_open()) end_beat();
  return window.totals(now);
}

Ledger Sampler::totals(WindowKey key) {
  const std::lock_guard lock(mutex_);
  const Window& window = windows_.at(key);
  if (!window.is_open()) return window.totals({});
  const MonoTime now = clock_->now();
  sample(now);
  Window settled = window;
  settle_gaps(settled, now);
  settle_shares(settled, now);
  return settled.totals(now);
}

void Sampler::remove(WindowKey key) {
  const std::lock_guard lock(mutex_);
  windows_.erase(key);
  if (!any_open()) end_beat();
}

void Sampler::rest() {
  const std::lock_guard lock(mutex_);
  if (any_open()) return;
  worker_.retire();
  patient_reader_.rest();
}

bool Sampler::keeps_beat() const {
  const std::lock_guard lock(mutex_);
  return keeps_beat_;
}

/// One thread keeps the beat: that which makes the calls that may hang, if there are any.
bool Sampler::begin_beat() {
  return patient_reader_.size() > 0 ? patient_reader_.run_every(period_, rhythm_)
                                    : worker_.run_every(period_, rhythm_);
}

void Sampler::end_beat() {
  worker_.park();
  patient_reader_.park();
}

void Sampler::sample_now() {
  const std::lock_guard lock(mutex_);
  if (any_open()) sample(clock_->now());
}

/// Empty when a call is reading at a boundary: it reads all that the beat would, and waits for the
/// thread of the beat to do so, which therefore must not wait for it. Whoever else has the lock has
/// it for a moment.
std::unique_lock<std::mutex> Sampler::lock_at_beat() {
  std::unique_lock lock(mutex_, std::try_to_lock);
  for (int tries = 0; !lock && tries < kTriesAtBeat; ++tries) {
    std::this_thread::sleep_for(kBetweenTries);
    lock.try_lock();
  }
  return lock;
}

void Sampler::beat() {
  const auto lock = lock_at_beat();
  if (!lock || !any_open()) return;
  take_news();
  sample_at_hand(clock_->now());
}

void Sampler::catch_up() {
  const auto lock = lock_at_beat();
  if (lock && any_open()) take_news();
}

void Sampler::rebase(MonoTime tick) {
  for (ProbeSlot& slot : probes_) {
    for (Channel& channel : slot.channels) {
      if (channel.meter) channel.meter->rebase(tick);
      channel.usage_at.reset();
      channel.share.reset();
    }
  }
  process_meter_.rebase();
}

void Sampler::sample(MonoTime tick) {
  for (ProbeSlot& slot : probes_) slot.wanted = true;
  read_wanted(tick, &ProbeSlot::readings);
  look_again(tick);
  for (ProbeSlot& slot : probes_) take(slot);
  divide(tick);
}

void Sampler::sample_at_hand(MonoTime tick) {
  for (ProbeSlot& slot : probes_) slot.wanted = !slot.patient;
  read_wanted(tick, &ProbeSlot::readings);
  look_again(tick);
  for (ProbeSlot& slot : probes_) {
    if (!slot.patient) take(slot);
  }
  divide(tick);
}

void Sampler::take_news() {
  for (ProbeSlot& slot : probes_) {
    if (slot.patient && patient_reader_.fetch(*slot.patient)) take_news(slot);
  }
}

/// What is doubted waits for the second look, which comes with the next news.
void Sampler::take_news(ProbeSlot& slot) {
  const auto readings = patient_reader_.readings(*slot.patient);
  if (readings.front().at < slot.taken_at) return;  // a boundary has been in between
  std::ranges::copy(readings, (slot.doubted ? slot.second_look : slot.readings).begin());
  if (slot.doubted) {
    slot.correct();
  } else if (slot.is_doubtful()) {
    slot.doubted = true;
    return patient_reader_.ask_for_later(*slot.patient, readings.front().at);
  }
  take(slot);
}

/// A reading that contradicts the last one is taken once more before it is believed; those beside
/// it stay as they were read.
void Sampler::look_again(MonoTime tick) {
  bool any = false;
  for (ProbeSlot& slot : probes_) any = (slot.wanted = slot.wanted && slot.is_doubtful()) || any;
  if (!any) return;
  read_wanted(tick, &ProbeSlot::second_look);
  for (ProbeSlot& slot : probes_) {
    if (slot.wanted) slot.correct();
  }
}

/// Those that may hang are read at the same time as the others, none of which waits for them.
void Sampler::read_wanted(MonoTime tick, std::vector<Reading> ProbeSlot::*into) {
  const bool with_users = is_time_to_divide(tick);
  bool awaited = false;
  for (const ProbeSlot& slot : probes_) {
    if (!slot.wanted || !slot.patient) continue;
    patient_reader_.ask(*slot.patient, tick, with_users);
    awaited = true;
  }
  if (awaited) patient_reader_.begin();
  for (ProbeSlot& slot : probes_) {
    if (slot.wanted && slot.probe) slot.probe->read(tick, slot.*into);
  }
  if (!awaited) return;
  patient_reader_.collect();
  for (ProbeSlot& slot : probes_) {
    if (!slot.wanted || !slot.patient) continue;
    std::ranges::copy(patient_reader_.readings(*slot.patient), (slot.*into).begin());
  }
}

void Sampler::take(ProbeSlot& slot) {
  slot.doubted = false;
  slot.taken_at = slot.readings.front().at;
  for (Channel& channel : slot.channels) {
    const Reading& reading = slot.readings[channel.position];
    channel.meter ? take(channel, reading) : take_usage(channel, reading);
  }
}

void Sampler::take(Channel& channel, const Reading& reading) {
  const auto interval = channel.meter->advance(reading);
  if (!interval) {
    if (channel.meter->unresolved(reading.at)) note(channel, GapCause::unreadable);
    return;
  }
  if (interval->gap) note(channel, interval->gap->cause);
  const Duration shortest = shortest_for_power(*channel.info);
  for (auto& [key, window] : windows_) window.add(channel.sensor, *interval, shortest);
}

void Sampler::take_usage(Channel& channel, const Reading& reading) {
  const auto before = std::exchange(channel.usage_at, reading.at);
  if (!reading.value || !before) return;
  const auto value = static_cast<double>(*reading.value);
  for (auto& [key, window] : windows_) {
    window.add_usage(channel.sensor, value, *before, reading.at);
  }
}

void Sampler::settle_gaps(Window& window, MonoTime now) const {
  for (const ProbeSlot& slot : probes_) {
    for (const Channel& channel : slot.channels) {
      if (!channel.meter) continue;
      if (const auto gap = channel.meter->unresolved(now)) window.add(channel.sensor, *gap, now);
    }
  }
}

void Sampler::divide(MonoTime tick) {
  if (!is_time_to_divide(tick)) return;
  const auto use = process_meter_.advance(tick, processes_->read(tick));
  if (!use) return;
  for (ProbeSlot& slot : probes_) {
    for (Channel& channel : slot.channels) {
      if (!is_divided(channel)) continue;
      channel.share = share_of(slot, channel, *use);
      for (auto& [key, window] : windows_) {
        window.divide(channel.sensor, channel.share, use->from, use->to);
      }
    }
  }
}

/// What the whole node uses is a figure beside those that are somebody's.
bool Sampler::is_divided(const Channel& channel) const {
  return sensors_[channel.sensor].use.component.has_value();
}

bool Sampler::is_time_to_divide(MonoTime tick) const {
  return processes_ && process_meter_.is_due(tick, processes_->shortest_interval());
}

std::optional<Share> Sampler::share_of(ProbeSlot& slot, const Channel& channel,
                                       const ProcessUse& use) {
  switch (*sensors_[channel.sensor].use.component) {
    case Component::cpu:
      return use.cpu_share(channel.info->of_part);
    case Component::ram:
      return use.memory_share(channel.info->of_part);
    case Component::gpu:
      break;
  }
  if (slot.patient) {
    const auto users = patient_reader_.users(*slot.patient);
    return users ? device_share(*users, *processes_) : std::nullopt;
  }
  std::array<GpuProcess, kMostUsers> users;
  const auto count = slot.probe->users(channel.position, users);
  if (!count || *count > users.size()) return std::nullopt;
  return device_share(std::span(users).first(*count), *processes_);
}

/// What came since the processes were last looked at is divided as what came before, for want of
/// anything better.
void Sampler::settle_shares(Window& window, MonoTime now) const {
  if (!processes_) return;
  const MonoTime since = process_meter_.last().value_or(now);
  for (const ProbeSlot& slot : probes_) {
    for (const Channel& channel : slot.channels) {
      if (!is_divided(channel)) continue;
      auto share = channel.share;
      if (share) share->bound = 1;
      window.divide(channel.sensor, share, since, now);
    }
  }
}

bool Sampler::any_open() const {
  return std::any_of(windows_.begin(), windows_.end(),
                     [](const auto& entry) { return entry.second.is_open(); });
}

void Sampler::note(Channel& channel, GapCause cause) {
  const auto index = static_cast<std::size_t>(cause);
  channel.gap_seen[index] = true;
  gaps_to_tell_ = gaps_to_tell_ || !channel.gap_told[index];
}

void Sampler::tell_gaps() {
  std::vector<std::pair<const SensorInfo*, GapCause>> news;
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(gaps_to_tell_, false)) return;
    for (ProbeSlot& slot : probes_) {
      for (Channel& channel : slot.channels) {
        for (std::size_t cause = 0; cause < kGapCauses; ++cause) {
          if (!channel.gap_seen[cause] || std::exchange(channel.gap_told[cause], true)) continue;
          news.emplace_back(channel.info, static_cast<GapCause>(cause));
        }
      }
    }
  }
  for (const auto& [info, cause] : news) on_gap_(*info, cause);
}

}  // namespace codecarbon
