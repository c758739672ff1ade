#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "readings/probe.hpp"
#include "sampling/beat.hpp"
#include "sampling/watchdog.hpp"

namespace codecarbon {

/// More processes than this on one device are not told apart.
inline constexpr std::size_t kMostUsers = 64;

/// How long a driver may take: most answer within a millisecond, slow ones within twenty.
inline constexpr Duration kPatience = std::chrono::milliseconds(50);

/// Reads probes whose sources may hang, one after the other on a thread of its own: at a beat, and
/// at once when a caller asks. A call that does not come back delays nobody for long and costs no
/// other probe its reading.
///
/// A call that outlasts the patience is left to itself, with its thread, and another one goes on
/// with the rest. What it brings in the end is an answer like any other, of the moment at which it
/// began; until then the probe has none. A probe that hung is read on a thread made for that call,
/// and no caller waits for it, until it has answered in time.
///
/// One caller at a time. There is a thread from the first `begin` or `run_every` to `rest`.
class PatientReader {
 public:
  struct Pace {
    Duration patience = kPatience;  ///< for one probe; all together are given four times as much
    std::optional<Duration> users_every{};  ///< at the beat; missing: they are not asked for then
  };
  /// What else is done at a beat, on the reader's thread while no lock is held. Never again once
  /// the destructor has returned.
  struct Hooks {
    std::function<void()> before_round;
    std::function<void()> after_round;  ///< there may be something to fetch
  };
  PatientReader(std::shared_ptr<const Clock> clock, Pace pace, Hooks hooks);
  ~PatientReader();
  PatientReader(const PatientReader&) = delete;
  PatientReader& operator=(const PatientReader&) = delete;

  /// Its number. Only before the first `ask` and `run_every`.
  std::size_t add(std::unique_ptr<Probe> probe);
  std::size_t size() const;

  /// Reads all every `period`, from one period from now on. False when the system refuses a thread.
  bool run_every(Duration period, Rhythm rhythm);
  /// Ends that, not what is asked for.
  void park();
  /// True when so short a beat needs a priority that the system refused.
  bool lacks_priority() const;
  /// True when the probe has answered since and no caller waits for it; `readings` are that then.
  bool fetch(std::size_t probe);

  /// Has this probe read for the sample of `tick` once the reading begins, and asked for the
  /// processes that use its device if they are wanted. No effect while it hangs.
  void ask(std::size_t probe, MonoTime tick, bool with_users = false);
  /// Reads what was asked for, on its thread. Returns at once.
  void begin();
  /// Reads this one for nobody who waits: the answer is to be fetched.
  void ask_for_later(std::size_t probe, MonoTime tick);
  /// Waits for all that were asked; those that did not answer in time have faults for readings.
  void collect();
  /// What the last `collect` or `fetch` brought, valid until the next `ask` of that probe.
  std::span<const Reading> readings(std::size_t probe) const;
  /// The users of its device when they were last asked for; missing where they are unknown.
  std::optional<std::span<const GpuProcess>> users(std::size_t probe) const;
  /// Ends the thread until it is needed again. Does not wait for it.
  void rest();

 private:
  struct Item;
  struct State;
  struct Users {
    std::array<GpuProcess, kMostUsers> list{};
    std::optional<std::size_t> count{};
  };
  bool has_thread();
  void look_after();
  void abandon(Item& item);
  void abandon_if_late();
  void give_up_on_the_rest();
  void keep(std::size_t probe);

  std::shared_ptr<State> state_;
  std::vector<std::vector<Reading>> readings_;
  std::vector<Users> users_;
  std::thread thread_;
  Watchdog watchdog_;  // last: nobody looks after what goes
};

}  // namespace codecarbon
