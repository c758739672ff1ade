#pragma once

#include <future>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/signals_blocked.hpp"
#include "codecarbon/clock.hpp"

namespace codecarbon {

/// Calls `work`, which may hang, on a thread of its own and waits for it at most for `patience`.
/// Missing when it has not returned by then: it is left to itself with all that it owns, and what
/// it brings in the end is dropped; and when the system refuses a thread.
template <class Work>
std::optional<std::invoke_result_t<Work>> call_patiently(Duration patience, Work work) {
  std::packaged_task<std::invoke_result_t<Work>()> task(std::move(work));
  auto result = task.get_future();
  try {
    const SignalsBlocked blocked;
    std::thread(std::move(task)).detach();
  } catch (const std::system_error&) {
    return std::nullopt;
  }
  if (result.wait_for(patience) != std::future_status::ready) return std::nullopt;
  return result.get();
}

}  // namespace codecarbon
