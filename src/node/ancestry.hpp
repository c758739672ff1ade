#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/fd.hpp"
#include "host/host.hpp"

namespace codecarbon {

/// What the processes above this one tell about the job.
class Ancestry {
 public:
  virtual ~Ancestry() = default;
  /// Names the process that started the ranks of this node: the nearest ancestor that was started
  /// without the environment variable `variable`, which its ranks have, wrappers between them too;
  /// the farthest that can be looked at where all have it, and the parent where `variable` is
  /// empty. No two processes have one name, on whatever node and at whatever time.
  virtual std::string launcher(std::string_view variable) const = 0;
  /// The run that the nearest tracking ancestor has; missing where none tracks.
  virtual std::optional<std::string> tracked_run() const = 0;
};

/// The ancestors of this process, by its /proc. Of those of other users only their names are known.
class ProcessAncestry final : public Ancestry {
 public:
  /// `host` has the /proc of this process: its root is "/".
  explicit ProcessAncestry(Host host) : host_(std::move(host)) {}
  std::string launcher(std::string_view variable) const override;
  std::optional<std::string> tracked_run() const override;

 private:
  Host host_;
};

/// Lets the processes that this one starts find that it tracks, and which run: a file in memory
/// that is there as long as the returned descriptor is open in this process; of several the oldest
/// is found. No variable is set, since a host program may read its environment at any moment.
/// Nothing for the ninth of a process, and where fewer than 1000 files may be open.
Fd mark_tracked_run(std::string_view run_id);

}  // namespace codecarbon
