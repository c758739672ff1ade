#include "tracker/exit_guard.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace codecarbon {
namespace {

class ExitGuard {
 public:
  ExitGuard() = default;
  ExitGuard(const ExitGuard&) = delete;
  ExitGuard& operator=(const ExitGuard&) = delete;
  ~ExitGuard() {
    for (const auto& item : take_all()) {
      if (const auto alive = item.lock()) alive->finish();
    }
  }

  void add(std::weak_ptr<Finishable> item) {
    const std::lock_guard lock(mutex_);
    std::erase_if(items_, [](const auto& known) { return known.expired(); });
    items_.push_back(std::move(item));
  }

 private:
  std::vector<std::weak_ptr<Finishable>> take_all() {
    const std::lock_guard lock(mutex_);
    return std::exchange(items_, {});
  }

  std::mutex mutex_;
  std::vector<std::weak_ptr<Finishable>> items_;
};

}  // namespace

void finish_at_exit(std::weak_ptr<Finishable> item) {
  // The one object of the process: exit is a thing of the process, and only a static object is told
  // of it without taking a handler that belongs to the program.
  static ExitGuard guard;
  guard.add(std::move(item));
}

}  // namespace codecarbon
