#include "tracker/exit_guard.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

namespace codecarbon {
namespace {

/// What one process has to finish. Never destroyed: trackers may be made and go while other static
/// objects already do.
class ExitGuard {
 public:
  /// That of this process. A forked child gets one of its own: the lock of the parent's may have
  /// been held at the fork, and what it lists is not the child's to finish.
  static ExitGuard& of_process() {
    static std::atomic<ExitGuard*> current = nullptr;
    ExitGuard* guard = current;
    while (guard == nullptr || guard->owner_pid_ != ::getpid()) {
      if (guard == nullptr) std::atexit([] { of_process().finish_all(); });  // a child inherits it
      auto* const fresh = new ExitGuard;
      if (current.compare_exchange_strong(guard, fresh)) return *fresh;
      delete fresh;
    }
    return *guard;
  }

  void add(std::weak_ptr<Finishable> item) {
    const std::lock_guard lock(mutex_);
    std::erase_if(items_, [](const auto& known) { return known.expired(); });
    items_.push_back(std::move(item));
  }

  void finish_all() {
    for (const auto& item : take_all()) {
      if (const auto alive = item.lock()) alive->finish();
    }
  }

 private:
  std::vector<std::weak_ptr<Finishable>> take_all() {
    const std::lock_guard lock(mutex_);
    return std::exchange(items_, {});
  }

  const pid_t owner_pid_ = ::getpid();
  std::mutex mutex_;
  std::vector<std::weak_ptr<Finishable>> items_;
};

}  // namespace

void finish_registered() {
  ExitGuard::of_process().finish_all();
}

void finish_at_exit(std::weak_ptr<Finishable> item) {
  ExitGuard::of_process().add(std::move(item));
}

}  // namespace codecarbon
