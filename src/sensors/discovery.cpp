#include "sensors/discovery.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/signals_blocked.hpp"

namespace codecarbon {
namespace {

using Steady = std::chrono::steady_clock;

Discovery unanswered(const BackEnd& back_end, std::string reason) {
  Discovery none;
  none.findings.push_back({Finding::Outcome::absent, std::string(back_end.name), std::move(reason),
                           "look in the kernel's log (dmesg) for what the driver says"});
  return none;
}

/// What the asking thread and whoever waits for it share; it lives until both are done with it.
struct Round {
  Round(std::span<const BackEnd> the_drivers, Host the_host, SensorSettings the_settings)
      : host(std::move(the_host)),
        settings(std::move(the_settings)),
        drivers(the_drivers.begin(), the_drivers.end()),
        answers(drivers.size()) {}

  const Host host;
  const SensorSettings settings;
  const std::vector<BackEnd> drivers;
  std::mutex mutex;  // guards all below
  std::condition_variable answered;
  std::vector<std::optional<Result<Discovery>>> answers;
  Steady::time_point asked_at{};  // the driver that is being asked

  /// One after the other from `first` on, up to one that took so long that its answer is not
  /// wanted any more.
  void ask(std::size_t first) {
    ::pthread_setname_np(::pthread_self(), "codecarbon-ask");
    for (std::size_t i = first; i < drivers.size(); ++i) {
      {
        const std::lock_guard lock(mutex);
        asked_at = Steady::now();
      }
      auto found = drivers[i].discover(host, settings);
      const std::lock_guard lock(mutex);
      if (answers[i]) return;
      answers[i] = std::move(found);
      answered.notify_all();
    }
  }
};

class DriverQuestions {
 public:
  DriverQuestions(std::span<const BackEnd> drivers, const Host& host,
                  const SensorSettings& settings, Duration patience)
      : patience_(patience), round_(std::make_shared<Round>(drivers, host, settings)) {
    if (!drivers.empty()) ask(0);
  }

  /// To be called for each, in their order.
  Result<Discovery> answer(std::size_t driver) {
    std::unique_lock lock(round_->mutex);
    auto& answer = round_->answers[driver];
    while (!answer && asks_ && Steady::now() < round_->asked_at + patience_) {
      round_->answered.wait_until(lock, round_->asked_at + patience_);
    }
    if (answer) return std::move(*answer);
    Discovery none =
        unanswered(round_->drivers[driver],
                   asks_ ? fmt::format("a driver did not answer within {:g} s", seconds(patience_))
                         : "the system refused a thread to ask drivers on");
    answer.emplace();
    if (asks_) ask(driver + 1);
    return none;
  }

 private:
  /// With the lock held, or before there is another thread.
  void ask(std::size_t first) {
    round_->asked_at = Steady::now();
    const SignalsBlocked blocked;
    try {
      std::thread([round = round_, first] { round->ask(first); }).detach();
    } catch (const std::system_error&) {
      asks_ = false;
    }
  }

  Duration patience_;
  std::shared_ptr<Round> round_;
  bool asks_ = true;
};

}  // namespace

std::vector<Result<Discovery>> discover_all(std::span<const BackEnd> back_ends, const Host& host,
                                            const SensorSettings& settings, Duration patience) {
  std::vector<BackEnd> drivers;
  for (const BackEnd& back_end : back_ends) {
    if (back_end.kind == BackEnd::Kind::driver) drivers.push_back(back_end);
  }
  DriverQuestions questions(drivers, host, settings, patience);
  std::vector<Result<Discovery>> found(back_ends.size());
  for (std::size_t i = 0; i < back_ends.size(); ++i) {
    if (back_ends[i].kind == BackEnd::Kind::driver) continue;
    found[i] = back_ends[i].discover(host, settings);
  }
  std::size_t driver = 0;
  for (std::size_t i = 0; i < back_ends.size(); ++i) {
    if (back_ends[i].kind == BackEnd::Kind::driver) found[i] = questions.answer(driver++);
  }
  return found;
}

}  // namespace codecarbon
