#include "codecarbon/tracker.hpp"

#include <utility>

#include "tracker/run.hpp"
#include "tracker/setup.hpp"

namespace codecarbon {

class Tracker::Impl {
 public:
  Impl(std::shared_ptr<Run> measured, std::vector<std::string> sensor_lines)
      : run(std::move(measured)), sensors(std::move(sensor_lines)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (run->is_foreign()) {
      // Its thread and perhaps the owner of a lock did not come along through the fork, so it
      // cannot be taken apart here: the child keeps the memory until it ends.
      new std::shared_ptr<Run>(std::move(run));
      return;
    }
    run->finish();
  }

  std::shared_ptr<Run> run;
  std::vector<std::string> sensors;
};

Tracker::Tracker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Tracker::Tracker(Tracker&&) noexcept = default;
Tracker& Tracker::operator=(Tracker&&) noexcept = default;
Tracker::~Tracker() = default;

Result<Tracker> Tracker::create(const Options& options, Hooks hooks) {
  auto setup = set_up(options, std::move(hooks));
  if (!setup) return tl::unexpected(std::move(setup.error()));
  auto run = std::make_shared<Run>(std::move(setup->parts));
  finish_at_exit(run);
  return Tracker(std::make_unique<Impl>(std::move(run), std::move(setup->sensor_lines)));
}

std::optional<Carbon> Tracker::start() {
  return impl_->run->call(Call::start);
}
std::optional<Carbon> Tracker::pause() {
  return impl_->run->call(Call::pause);
}
std::optional<Carbon> Tracker::resume() {
  return impl_->run->call(Call::resume);
}
std::optional<Carbon> Tracker::flush() {
  return impl_->run->call(Call::flush);
}
std::optional<Carbon> Tracker::stop() {
  return impl_->run->call(Call::stop);
}

std::string Tracker::start_task(std::string_view name) {
  return impl_->run->start_task(name);
}
std::optional<TaskReport> Tracker::stop_task(std::string_view name) {
  return impl_->run->stop_task(name);
}
std::vector<TaskReport> Tracker::tasks() const {
  return impl_->run->tasks();
}

Report Tracker::report() {
  return impl_->run->report();
}
std::optional<Report> Tracker::last_report() const {
  return impl_->run->last_report();
}
std::string Tracker::run_id() const {
  return impl_->run->run_id();
}
void Tracker::set_run_id(std::string run_id) {
  impl_->run->set_run_id(std::move(run_id));
}
void Tracker::set_project_name(std::string project_name) {
  impl_->run->set_project_name(std::move(project_name));
}
bool Tracker::is_foreign() const {
  return impl_->run->is_foreign();
}
std::vector<std::string> Tracker::sensors() const {
  return impl_->sensors;
}

}  // namespace codecarbon
