#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "host/host.hpp"
#include "readings/reading.hpp"

namespace codecarbon {

/// How a file writes its number: the number in the unit of the sensor, or nothing when the text
/// holds none.
using NumberFormat = std::optional<std::int64_t> (*)(std::string_view);

/// A file with one number that is read again and again: one pread a reading, no allocation. One
/// thread at a time. Follows the path when another file takes its place (a driver that was loaded
/// anew, a file that was renamed over it); only that costs more.
class NumberFile {
 public:
  static Result<NumberFile> open(std::shared_ptr<const Host> host, std::string path,
                                 NumberFormat format = parse_integer);
  /// A file that need not be there yet, or may not be opened yet: every reading tries again.
  static NumberFile awaited(std::shared_ptr<const Host> host, std::string path,
                            NumberFormat format = parse_integer);

  /// The number, or why there is none. Anything but a number from 0 to the limit is garbage.
  tl::expected<std::int64_t, ReadFault> read();

  /// No good reading is above this; missing: any is good.
  void set_limit(std::optional<std::int64_t> limit) { limit_ = limit; }
  const std::string& path() const { return path_; }

 private:
  NumberFile(std::shared_ptr<const Host> host, std::string path, NumberFormat format,
             std::optional<KeptFile> file);
  tl::expected<std::int64_t, ReadFault> read_once() const;

  std::shared_ptr<const Host> host_;
  std::string path_;
  NumberFormat format_;
  std::optional<KeptFile> file_;  // missing until it could be opened
  std::optional<std::int64_t> limit_;
  std::optional<std::int64_t> last_;
};

}  // namespace codecarbon
