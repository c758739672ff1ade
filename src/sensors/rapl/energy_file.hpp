#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "host/host.hpp"
#include "readings/reading.hpp"

namespace codecarbon::rapl {

/// One `energy_uj` file that is read again and again: one pread a reading, no allocation. One
/// thread at a time. Follows the path when another file takes its place (a driver that was loaded
/// anew, a file that was renamed over it); only that costs more.
class EnergyFile {
 public:
  static Result<EnergyFile> open(std::shared_ptr<const Host> host, std::string path);
  /// A file that need not be there yet, or may not be opened yet: every reading tries again.
  static EnergyFile awaited(std::shared_ptr<const Host> host, std::string path);

  /// The counter in microjoules, or why there is none. Anything but a whole number from 0 to the
  /// limit is garbage.
  tl::expected<std::int64_t, ReadFault> read();

  /// No good reading is above this; missing: any is good.
  void set_limit(std::optional<std::int64_t> limit_uj) { limit_uj_ = limit_uj; }
  const std::string& path() const { return path_; }

 private:
  EnergyFile(std::shared_ptr<const Host> host, std::string path, std::optional<KeptFile> file);
  tl::expected<std::int64_t, ReadFault> read_once() const;

  std::shared_ptr<const Host> host_;
  std::string path_;
  std::optional<KeptFile> file_;  // missing until it could be opened
  std::optional<std::int64_t> limit_uj_;
  std::optional<std::int64_t> last_uj_;
};

}  // namespace codecarbon::rapl
