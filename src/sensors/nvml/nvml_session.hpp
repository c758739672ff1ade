#pragma once

#include <memory>
#include <string>

#include "host/library.hpp"
#include "readings/probe.hpp"
#include "sensors/nvml/nvml_api.hpp"

namespace codecarbon::nvml {

/// NVML, loaded and initialised for as long as this object lives. NVML counts initialisations, so
/// any number of these, and other users in the process, do not disturb each other. Its functions
/// may be called from any thread; any of them may hang as long as the driver does.
class Session {
 public:
  /// The finding says why there is none.
  static tl::expected<std::shared_ptr<const Session>, Finding> open(const Host& host);

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { api_.shutdown(); }

  const Api& api() const { return api_; }
  /// For a person: "driver 550.54.14"; empty if it does not say.
  std::string driver() const;
  /// What NVML calls this code.
  std::string text(Return code) const;

 private:
  Session(Library library, Api api) : library_(std::move(library)), api_(api) {}

  Library library_;  // the functions are valid while it is loaded
  Api api_;
};

}  // namespace codecarbon::nvml
