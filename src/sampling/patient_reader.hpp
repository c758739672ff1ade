#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "readings/probe.hpp"

namespace codecarbon {

/// More processes than this on one device are not told apart.
inline constexpr std::size_t kMostUsers = 64;

/// Reads probes whose sources may hang, one after the other on a thread of its own, so that a call
/// that does not come back delays nobody for long and costs no other probe its reading.
///
/// A read that outlasts the patience leaves the probe without readings until it returns; what it
/// brings then is dropped, as nobody knows of which moment it is. The thread that is stuck in it is
/// left to itself and another one goes on with the rest. A probe that hung once is not waited for
/// again until it has answered in time.
///
/// One caller at a time. The thread is there from the first `begin` to `rest`.
class PatientReader {
 public:
  /// `patience` is for one probe; all together are given four times as much.
  explicit PatientReader(Duration patience);
  ~PatientReader();
  PatientReader(const PatientReader&) = delete;
  PatientReader& operator=(const PatientReader&) = delete;

  /// Its number. Only before the first `ask`.
  std::size_t add(std::unique_ptr<Probe> probe);
  std::size_t size() const;

  /// Has this probe read for the sample of `tick`, once the reading begins, and asked for the
  /// processes that use its device if they are wanted. No effect while it hangs.
  void ask(std::size_t probe, MonoTime tick, bool with_users = false);
  /// Reads what was asked for, on its thread. Returns at once.
  void begin();
  /// Waits for all that were asked; those that did not answer in time have faults for readings.
  void collect();
  /// What the last `collect` brought, valid until the next `ask` of that probe.
  std::span<const Reading> readings(std::size_t probe) const;
  /// The same of the users of its device; missing where they are unknown or were not asked for.
  std::optional<std::span<const GpuProcess>> users(std::size_t probe) const;
  /// Ends the thread until the next `begin`.
  void rest();

 private:
  struct Item;
  struct State;
  struct Users {
    std::array<GpuProcess, kMostUsers> list{};
    std::optional<std::size_t> count{};
  };
  bool has_thread();
  void abandon(Item& item);
  void give_up_on_the_rest();

  std::shared_ptr<State> state_;
  std::vector<std::vector<Reading>> readings_;
  std::vector<Users> users_;
  std::thread thread_;
};

/// How long a driver may take: most answer within a millisecond, slow ones within twenty.
inline constexpr Duration kPatience = std::chrono::milliseconds(50);

}  // namespace codecarbon
