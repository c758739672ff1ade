#include "tracker/lifecycle.hpp"

namespace codecarbon {
namespace {

Transition open_run() {
  return {.next = State::running, .opens = true};
}
Transition pause_run() {
  return {.next = State::paused, .closes = true, .row = true};
}
Transition stop_run() {
  return {.next = State::stopped, .closes = true, .row = true, .ends_tasks = true};
}
Transition row_only(State state) {
  return {.next = state, .row = true};
}
Transition nothing(State state) {
  return {.next = state};
}
Transition refused(State state, LogLevel level, std::string_view message) {
  return {.next = state, .level = level, .message = message};
}
Transition warned(State state, std::string_view message) {
  return refused(state, LogLevel::warning, message);
}

Transition when_idle(Call call, bool has_tasks) {
  switch (call) {
    case Call::start:
      return open_run();
    case Call::pause:
      return warned(State::idle, "pause has no effect: the tracker has not been started");
    case Call::resume:
      return warned(State::idle,
                    "resume has no effect: the tracker has not been started; call start");
    case Call::flush:
      if (has_tasks) return row_only(State::idle);
      return refused(State::idle, LogLevel::error,
                     "flush has nothing to write: the tracker has not been started");
    case Call::stop:
      if (has_tasks) return {.next = State::idle, .row = true, .ends_tasks = true};
      return refused(State::idle, LogLevel::error,
                     "stop has nothing to report: the tracker has not been started");
  }
  return nothing(State::idle);
}

Transition when_running(Call call) {
  switch (call) {
    case Call::start:
      return warned(State::running, "start has no effect: the tracker is already running");
    case Call::pause:
      return pause_run();
    case Call::resume:
      return warned(State::running, "resume has no effect: the tracker is running");
    case Call::flush:
      return row_only(State::running);
    case Call::stop:
      return stop_run();
  }
  return nothing(State::running);
}

Transition when_paused(Call call) {
  switch (call) {
    case Call::start:
    case Call::resume:
      return open_run();
    case Call::pause:
      return warned(State::paused, "pause has no effect: the tracker is already paused");
    case Call::flush:
      return row_only(State::paused);
    case Call::stop:
      return {.next = State::stopped, .row = true, .ends_tasks = true};
  }
  return nothing(State::paused);
}

Transition when_stopped(Call call) {
  switch (call) {
    case Call::start:
    case Call::resume:
      return open_run();
    case Call::pause:
      return warned(State::stopped, "pause has no effect: the tracker is stopped");
    case Call::flush:
    case Call::stop:
      return nothing(State::stopped);
  }
  return nothing(State::stopped);
}

}  // namespace

Transition transition(State state, Call call, bool has_tasks) {
  switch (state) {
    case State::idle:
      return when_idle(call, has_tasks);
    case State::running:
      return when_running(call);
    case State::paused:
      return when_paused(call);
    case State::stopped:
      return when_stopped(call);
  }
  return nothing(state);
}

}  // namespace codecarbon
