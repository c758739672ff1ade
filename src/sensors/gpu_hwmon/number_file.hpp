#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "host/host.hpp"
#include "readings/reading.hpp"

namespace codecarbon::gpu_hwmon {

/// A kernel file that holds one number from 0 on and is read again and again: one pread a reading,
/// no allocation. One thread at a time. A file that is not there, or no longer, is looked for anew
/// at every reading; only that costs more.
class NumberFile {
 public:
  NumberFile(std::shared_ptr<const Host> host, std::string path);

  tl::expected<std::int64_t, ReadFault> read();
  const std::string& path() const { return path_; }

 private:
  tl::expected<std::int64_t, ReadFault> read_once() const;
  bool reopen();

  std::shared_ptr<const Host> host_;
  std::string path_;
  std::optional<KeptFile> file_;
};

}  // namespace codecarbon::gpu_hwmon
