#include "sampling/patient_reader.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/signals_blocked.hpp"
#include "sampling/punctual.hpp"

namespace codecarbon {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kPatienceForAll = 4;
constexpr const char* kThreadName = "codecarbon-gpu";

enum class Stage {
  idle,
  reading,   // a thread is in it
  hanging,   // a thread is in it, and others go on without it
  answered,  // and nobody has taken the answer
};

struct Order {
  MonoTime tick;
  bool with_users;
  bool awaited;  // by a caller
};

}  // namespace

struct PatientReader::Item {
  std::unique_ptr<Probe> probe;
  std::vector<Reading> answer;
  Users users{};
  std::optional<Order> wanted{};  // next
  Order order{};                  // of the stage
  Stage stage = Stage::idle;
  bool has_hung = false;
  Steady::time_point begun{};

  bool is_awaited() const {
    if (has_hung) return false;
    return (wanted && wanted->awaited) || (stage == Stage::reading && order.awaited);
  }
  /// Called with the lock held, all three.
  void start(Stage in_call) {
    order = *std::exchange(wanted, std::nullopt);
    stage = in_call;
    begun = Steady::now();
  }
  void end(Duration patience) {
    has_hung = Steady::now() - begun >= patience;
    stage = Stage::answered;
  }
  /// Called without.
  void call() {
    probe->read(order.tick, answer);
    if (!order.with_users) return;
    users.count = probe->users(0, users.list);
    if (users.count && *users.count > users.list.size()) users.count.reset();
  }
};

/// Owned by the reader and by every thread that may still be in a call.
struct PatientReader::State : std::enable_shared_from_this<State> {
  State(std::shared_ptr<const Clock> the_clock, Pace the_pace, Hooks the_hooks, Watchdog& dog)
      : clock(std::move(the_clock)), pace(the_pace), hooks(std::move(the_hooks)), watchdog(dog) {}

  const std::shared_ptr<const Clock> clock;
  const Pace pace;
  const Hooks hooks;
  Watchdog& watchdog;  // for the thread that serves
  Alarm alarm{};       // there is something to do before the next beat
  std::atomic<bool> lacks_priority = false;

  std::mutex mutex{};  // guards all below
  std::condition_variable changed{};
  std::vector<Item> items{};
  Beat beat{};
  std::optional<MonoTime> round{};  // the beat whose readings are going on
  std::optional<MonoTime> users_at{};
  Duration punctual_for{};
  int crew = 0;          // the thread that serves; those with lower numbers are left to themselves
  bool serving = false;  // there is such a thread, and it has not seen that it shall quit
  bool quit = false;

  using Lock = std::unique_lock<std::mutex>;

  void serve(int number);
  void read(Item& item, Lock& lock);
  void read_alone(Item& item);
  void await_work(Lock& lock);
  void begin_round(MonoTime due, Lock& lock);
  void end_round(Lock& lock);
  void want(Item& item, Order order);
  Item* next();
  Item* in_reading();
  bool is_waited_for() const {
    return std::any_of(items.begin(), items.end(),
                       [](const Item& item) { return item.is_awaited(); });
  }
};

/// Called with the lock held.
void PatientReader::State::want(Item& item, Order order) {
  if (item.stage == Stage::hanging) return;
  item.wanted = order;
  if (item.has_hung) read_alone(item);
}

PatientReader::Item* PatientReader::State::next() {
  const auto found = std::find_if(items.begin(), items.end(), [](const Item& item) {
    return item.wanted && item.stage != Stage::reading && item.stage != Stage::hanging;
  });
  return found == items.end() ? nullptr : &*found;
}

/// The probe that the serving thread is in; null when it is in none.
PatientReader::Item* PatientReader::State::in_reading() {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [](const Item& item) { return item.stage == Stage::reading; });
  return found == items.end() ? nullptr : &*found;
}

void PatientReader::State::serve(int number) {
  ::pthread_setname_np(::pthread_self(), kThreadName);
  Lock lock(mutex);
  while (number == crew && !quit) {
    if (Item* item = next()) {
      read(*item, lock);
    } else if (round) {
      end_round(lock);
    } else {
      await_work(lock);
    }
  }
  if (number == crew) serving = false;
}

void PatientReader::State::read(Item& item, Lock& lock) {
  item.start(Stage::reading);
  lock.unlock();
  item.call();
  lock.lock();
  item.end(pace.patience);
  if (!is_waited_for()) changed.notify_all();  // whoever waits does so for all
}

/// Called with the lock held.
void PatientReader::State::read_alone(Item& item) {
  item.start(Stage::hanging);
  const SignalsBlocked blocked;
  try {
    std::thread([self = shared_from_this(), &item] {
      ::pthread_setname_np(::pthread_self(), kThreadName);
      item.call();
      const std::lock_guard lock(self->mutex);
      item.end(self->pace.patience);
    }).detach();
  } catch (const std::system_error&) {
    item.stage = Stage::idle;
  }
}

void PatientReader::State::await_work(Lock& lock) {
  const MonoTime due = beat.due();
  const Duration period = beat.period();
  const bool is_new = due != MonoTime::max() && std::exchange(punctual_for, period) != period;
  lock.unlock();
  if (is_new) lacks_priority = !make_punctual(period);
  const bool rung = clock->wait_until(due, alarm);
  if (rung) alarm.clear();
  lock.lock();
  if (!rung && beat.due() == due) begin_round(due, lock);
}

void PatientReader::State::begin_round(MonoTime due, Lock& lock) {
  round = due;
  lock.unlock();
  hooks.before_round();
  lock.lock();
  const MonoTime tick = clock->now();
  const bool with_users = pace.users_every && (!users_at || tick - *users_at >= *pace.users_every);
  if (with_users) users_at = tick;
  for (Item& item : items) {
    if (!item.wanted) want(item, {tick, with_users, false});
  }
  watchdog.bark_in(pace.patience);
}

void PatientReader::State::end_round(Lock& lock) {
  const MonoTime due = *std::exchange(round, std::nullopt);
  lock.unlock();
  hooks.after_round();
  const MonoTime now = clock->now();
  lock.lock();
  beat.served(due, now);
  if (beat.period() > pace.patience) watchdog.be_quiet();  // else the next round comes before it
}

PatientReader::PatientReader(std::shared_ptr<const Clock> clock, Pace pace, Hooks hooks)
    : watchdog_([this] { look_after(); }) {
  state_ = std::make_shared<State>(std::move(clock), pace, std::move(hooks), watchdog_);
}

PatientReader::~PatientReader() {
  rest();
  if (thread_.joinable()) thread_.join();
}

std::size_t PatientReader::add(std::unique_ptr<Probe> probe) {
  const std::vector<Reading> blank(probe->sensors().size());
  Item item;
  item.probe = std::move(probe);
  item.answer = blank;
  state_->items.push_back(std::move(item));
  readings_.push_back(blank);
  users_.emplace_back();
  return readings_.size() - 1;
}

std::size_t PatientReader::size() const {
  return readings_.size();
}

std::span<const Reading> PatientReader::readings(std::size_t probe) const {
  return readings_[probe];
}

std::optional<std::span<const GpuProcess>> PatientReader::users(std::size_t probe) const {
  const Users& users = users_[probe];
  if (!users.count) return std::nullopt;
  return std::span(users.list).first(*users.count);
}

bool PatientReader::run_every(Duration period, Rhythm rhythm) {
  const std::lock_guard lock(state_->mutex);
  state_->beat.start(state_->clock->now(), period, rhythm);
  state_->round.reset();
  if (!has_thread()) return false;
  state_->alarm.ring();
  return true;
}

void PatientReader::park() {
  const std::lock_guard lock(state_->mutex);
  state_->beat.stop();
}

bool PatientReader::lacks_priority() const {
  return state_->lacks_priority;
}

bool PatientReader::fetch(std::size_t probe) {
  const std::lock_guard lock(state_->mutex);
  if (state_->items[probe].stage != Stage::answered) return false;
  keep(probe);
  return true;
}

/// Called with the lock held and an answer there.
void PatientReader::keep(std::size_t probe) {
  Item& item = state_->items[probe];
  readings_[probe].swap(item.answer);
  if (item.order.with_users) users_[probe] = item.users;
  item.stage = Stage::idle;
}

void PatientReader::ask(std::size_t probe, MonoTime tick, bool with_users) {
  for (Reading& reading : readings_[probe]) reading = {tick, tl::unexpected(ReadFault::unreadable)};
  const std::lock_guard lock(state_->mutex);
  state_->want(state_->items[probe], {tick, with_users, true});
}

void PatientReader::ask_for_later(std::size_t probe, MonoTime tick) {
  const std::lock_guard lock(state_->mutex);
  state_->want(state_->items[probe], {tick, false, false});
  watchdog_.bark_in(state_->pace.patience);
  if (has_thread()) state_->alarm.ring();
}

void PatientReader::begin() {
  const std::lock_guard lock(state_->mutex);
  if (has_thread()) state_->alarm.ring();
}

/// Called with the lock held. Without a thread nothing is read.
bool PatientReader::has_thread() {
  state_->quit = false;
  if (state_->serving) return true;
  if (thread_.joinable()) thread_.join();  // it is past all that it could wait for
  const SignalsBlocked blocked;
  state_->punctual_for = {};
  try {
    thread_ = std::thread([state = state_, number = state_->crew] { state->serve(number); });
  } catch (const std::system_error&) {
    return false;
  }
  return state_->serving = true;
}

/// Called with the lock held. Whoever is in that call serves no more.
void PatientReader::abandon(Item& item) {
  item.stage = Stage::hanging;
  item.has_hung = true;
  ++state_->crew;
  state_->serving = false;
  thread_.detach();
}

void PatientReader::look_after() {
  const std::lock_guard lock(state_->mutex);
  if (state_->quit || state_->in_reading() == nullptr) return;
  abandon_if_late();
  watchdog_.bark_in(state_->pace.patience);
}

/// Called with the lock held.
void PatientReader::abandon_if_late() {
  Item* in = state_->in_reading();
  if (in == nullptr || Steady::now() < in->begun + state_->pace.patience) return;
  abandon(*in);
  has_thread();
}

void PatientReader::collect() {
  std::unique_lock lock(state_->mutex);
  const Duration patience = state_->pace.patience;
  const auto last = Steady::now() + kPatienceForAll * patience;
  while (state_->is_waited_for() && state_->serving && Steady::now() < last) {
    const Item* in = state_->in_reading();
    const auto begun = in != nullptr ? in->begun : Steady::now();
    state_->changed.wait_until(lock, std::min(last, begun + patience));
    abandon_if_late();
  }
  give_up_on_the_rest();
}

/// Called with the lock held. What was not even begun is not read for this sample.
void PatientReader::give_up_on_the_rest() {
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    Item& item = state_->items[i];
    if (item.stage == Stage::reading && item.is_awaited()) abandon(item);
    if (item.stage == Stage::answered && item.order.awaited) keep(i);
    item.order.awaited = false;
    if (item.wanted && item.wanted->awaited) item.wanted.reset();
  }
}

void PatientReader::rest() {
  const std::lock_guard lock(state_->mutex);
  state_->beat.stop();
  watchdog_.be_quiet();
  if (Item* in = state_->in_reading()) {
    abandon(*in);
  } else {
    state_->quit = true;
    state_->alarm.ring();
  }
}

}  // namespace codecarbon
