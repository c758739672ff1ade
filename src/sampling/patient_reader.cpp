#include "sampling/patient_reader.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "sampling/signals_blocked.hpp"

namespace codecarbon {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kPatienceForAll = 4;

enum class Stage {
  idle,
  asked,     // in the queue
  reading,   // a thread is in it
  answered,  // and has brought readings
  hanging,   // a thread is in it, and nobody waits any more
};

}  // namespace

struct PatientReader::Item {
  std::unique_ptr<Probe> probe;
  std::vector<Reading> answer;
  Users users{};
  MonoTime tick{};
  bool with_users = false;
  Stage stage = Stage::idle;
  bool has_hung = false;
  Steady::time_point begun{};

  void read() {
    probe->read(tick, answer);
    users.count.reset();
    if (!with_users) return;
    users.count = probe->users(0, users.list);
    if (users.count && *users.count > users.list.size()) users.count.reset();
  }
  bool is_awaited() const {
    return !has_hung && (stage == Stage::asked || stage == Stage::reading);
  }
};

/// Owned by the reader and by every thread that may still be in a call.
struct PatientReader::State {
  explicit State(Duration for_one) : patience(for_one) {}

  const Duration patience;
  std::mutex mutex;  // guards all below
  std::condition_variable changed;
  std::vector<Item> items;
  int crew =
      0;  // the number of the thread that serves; those with lower ones are left to themselves
  bool serving = false;  // there is such a thread

  void serve(int number);
  bool is_waited_for() const {
    return std::any_of(items.begin(), items.end(),
                       [](const Item& item) { return item.is_awaited(); });
  }
  Item* next();
  Item* in_reading();
};

/// Those that hung before come last.
PatientReader::Item* PatientReader::State::next() {
  const auto waits = [](bool hung) {
    return [hung](const Item& item) { return item.stage == Stage::asked && item.has_hung == hung; };
  };
  auto found = std::find_if(items.begin(), items.end(), waits(false));
  if (found == items.end()) found = std::find_if(items.begin(), items.end(), waits(true));
  return found == items.end() ? nullptr : &*found;
}

/// The probe that the serving thread is in; null when it is in none.
PatientReader::Item* PatientReader::State::in_reading() {
  const auto found = std::find_if(items.begin(), items.end(),
                                  [](const Item& item) { return item.stage == Stage::reading; });
  return found == items.end() ? nullptr : &*found;
}

void PatientReader::State::serve(int number) {
  ::pthread_setname_np(::pthread_self(), "codecarbon-gpu");
  std::unique_lock lock(mutex);
  while (true) {
    Item* item = nullptr;
    changed.wait(lock, [&] { return number != crew || (item = next()) != nullptr; });
    if (number != crew) return;
    item->stage = Stage::reading;
    item->begun = Steady::now();
    lock.unlock();
    item->read();
    lock.lock();
    const bool late = item->stage == Stage::hanging;
    item->stage = late ? Stage::idle : Stage::answered;
    if (!late && Steady::now() - item->begun < patience) item->has_hung = false;
    if (!is_waited_for()) changed.notify_all();  // whoever waits does so for all
  }
}

PatientReader::PatientReader(Duration patience) : state_(std::make_shared<State>(patience)) {}

PatientReader::~PatientReader() {
  rest();
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

void PatientReader::ask(std::size_t probe, MonoTime tick, bool with_users) {
  users_[probe].count.reset();
  for (Reading& reading : readings_[probe]) reading = {tick, tl::unexpected(ReadFault::unreadable)};
  const std::lock_guard lock(state_->mutex);
  if (Item* in = state_->in_reading(); in != nullptr && in->has_hung) abandon(*in);
  Item& item = state_->items[probe];
  if (item.stage == Stage::hanging) return;
  item.tick = tick;
  item.with_users = with_users;
  item.stage = Stage::asked;
}

void PatientReader::begin() {
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->next() == nullptr || !has_thread()) return;
  }
  state_->changed.notify_all();
}

/// Called with the lock held. Without a thread nothing is read.
bool PatientReader::has_thread() {
  if (state_->serving) return true;
  const SignalsBlocked blocked;
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

void PatientReader::collect() {
  std::unique_lock lock(state_->mutex);
  const Duration patience = state_->patience;
  const auto last = Steady::now() + kPatienceForAll * patience;
  while (state_->is_waited_for() && has_thread()) {
    const Item* in = state_->in_reading();
    const auto begun = in != nullptr ? in->begun : Steady::now();
    state_->changed.wait_until(lock, std::min(last, begun + patience));
    if (Steady::now() >= last) break;
    Item* late = state_->in_reading();
    if (late != nullptr && Steady::now() >= late->begun + patience) abandon(*late);
  }
  give_up_on_the_rest();
}

/// Called with the lock held. What was not even begun is not read for this sample; one that hung
/// before is read all the same, so that it is seen to answer again.
void PatientReader::give_up_on_the_rest() {
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    Item& item = state_->items[i];
    if (item.stage == Stage::reading && !item.has_hung) abandon(item);
    if (item.stage == Stage::answered) {
      readings_[i].swap(item.answer);
      users_[i] = item.users;
    }
    const bool over = item.stage == Stage::asked && !item.has_hung;
    if (over || item.stage == Stage::answered) item.stage = Stage::idle;
  }
}

void PatientReader::rest() {
  {
    const std::lock_guard lock(state_->mutex);
    if (Item* in = state_->in_reading()) abandon(*in);
    ++state_->crew;
    state_->serving = false;
    state_->changed.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

}  // namespace codecarbon
