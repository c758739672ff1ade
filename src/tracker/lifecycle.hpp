#pragma once

#include <string_view>

#include "codecarbon/log.hpp"

namespace codecarbon {

enum class State { idle, running, paused, stopped };
enum class Call { start, pause, resume, flush, stop };

/// What a call does in a state: one cell of the lifecycle table.
struct Transition {
  State next;
  bool opens = false;       ///< energy counts from now on
  bool closes = false;      ///< energy counts up to now
  bool row = false;         ///< a row of the totals so far is written
  bool ends_tasks = false;  ///< open tasks are closed and all tasks written
  LogLevel level = LogLevel::debug;
  std::string_view message = {};  ///< empty: nothing is said
};

/// The whole table. Pure. `has_tasks`: tasks were measured, so that there is something to report
/// even before the first start.
Transition transition(State state, Call call, bool has_tasks);

}  // namespace codecarbon
