#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "codecarbon/clock.hpp"
#include "readings/ledger.hpp"
#include "readings/probe.hpp"
#include "readings/process_meter.hpp"
#include "readings/selection.hpp"
#include "sampling/meter.hpp"
#include "sampling/patient_reader.hpp"
#include "sampling/periodic_worker.hpp"

namespace codecarbon {

/// Reads the probes at a steady beat and at every boundary of a window, and attributes what was
/// used in between to the windows that were open. Thread-safe.
///
/// One thread keeps the beat, and makes the calls that may hang outside the lock; at a boundary
/// such a source delays the call once, by `kPatience` at most. It never costs another source its
/// reading. What is read in one go has one time, that of its tick. While no window is open nothing
/// is read and nothing is anybody's.
class Sampler {
 public:
  /// Told of a sensor's first trouble of each cause, by `tell_gaps` only.
  using GapHook = std::function<void(const SensorInfo&, GapCause)>;
  using WindowKey = std::size_t;

  /// `uses` has one entry per sensor of all probes, in their order. `period` is what the user
  /// wants; counters that could wrap twice in it are read more often, and so are gauges of power.
  /// With `processes` every energy is also divided among those, others and nobody.
  Sampler(std::vector<std::unique_ptr<Probe>> probes, const std::vector<Use>& uses,
          std::shared_ptr<const Clock> clock, Duration period, GapHook on_gap,
          std::unique_ptr<ProcessSource> processes = nullptr);

  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// A new window, closed and empty. It lives until `remove`.
  WindowKey add_window();
  /// Takes a reading; energy counts from it on. The totals so far.
  Ledger open(WindowKey key);
  /// Both with one reading. The totals so far of the first.
  Ledger open(std::array<WindowKey, 2> keys);
  /// Takes a reading; energy counts up to it. The totals so far. Without effect on a closed window.
  Ledger close(WindowKey key);
  /// Takes a reading if the window is open. The totals so far.
  Ledger totals(WindowKey key);
  void remove(WindowKey key);
  /// No window is going to be opened for long: without an open one, the thread of the beat ends
  /// until the next is opened.
  void rest();
  /// Takes a reading for whatever windows are open.
  void sample_now();
  /// Passes on what went wrong since the last time. It is for the caller to do, once it holds no
  /// lock: whoever is told may take their time, and the beat has none.
  void tell_gaps();

  std::span<const UsedSensor> sensors() const { return sensors_; }
  /// The beat that is kept: the wanted period, or less for counters that wrap fast.
  Duration period() const { return period_; }
  /// False when the thread that keeps the beat could not be had: only boundaries are read.
  bool keeps_beat() const;
  /// True when so short a beat needs a priority that the system refused: it is kept as punctually
  /// as the machine is idle.
  bool lacks_priority() const {
    return worker_.lacks_priority() || patient_reader_.lacks_priority();
  }

 private:
  struct Channel;
  struct ProbeSlot;

  void rebase(MonoTime tick);
  bool begin_beat();
  void end_beat();
  void beat();
  std::unique_lock<std::mutex> lock_at_beat();
  void sample(MonoTime tick);
  void sample_at_hand(MonoTime tick);
  void catch_up();
  void take_news();
  void take_news(ProbeSlot& slot);
  void read_wanted(MonoTime tick, std::vector<Reading> ProbeSlot::*into);
  void look_again(MonoTime tick);
  void take(ProbeSlot& slot);
  void take(Channel& channel, const Reading& reading);
  void take_usage(Channel& channel, const Reading& reading);
  void settle_gaps(Window& window, MonoTime now) const;
  bool is_divided(const Channel& channel) const;
  bool is_time_to_divide(MonoTime tick) const;
  void divide(MonoTime tick);
  std::optional<Share> share_of(ProbeSlot& slot, const Channel& channel, const ProcessUse& use);
  void settle_shares(Window& window, MonoTime now) const;
  bool any_open() const;
  void note(Channel& channel, GapCause cause);

  std::shared_ptr<const Clock> clock_;
  Duration period_;
  Rhythm rhythm_ = Rhythm::even;
  GapHook on_gap_;
  std::vector<UsedSensor> sensors_;

  mutable std::mutex mutex_;  // guards all below but the worker
  std::vector<ProbeSlot> probes_;
  std::unique_ptr<ProcessSource> processes_;  // empty: nobody asks whose the energy is
  ProcessMeter process_meter_;
  std::map<WindowKey, Window> windows_;
  WindowKey next_key_ = 0;
  bool gaps_to_tell_ = false;
  bool keeps_beat_ = true;
  PatientReader patient_reader_;
  PeriodicWorker worker_;  // last: stops before what it uses goes
};

/// The longest period in which no counter of these can wrap twice and no gauge shows more than one
/// new value, at most `wanted`, at least 1 ms.
Duration safe_period(std::span<const UsedSensor> sensors, Duration wanted);

}  // namespace codecarbon
