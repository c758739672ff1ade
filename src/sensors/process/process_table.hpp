#pragma once

#include <dirent.h>

#include <memory>
#include <span>
#include <vector>

#include "host/host.hpp"
#include "host/process_stat.hpp"

namespace codecarbon::process {

/// All processes of a /proc, read again and again. Takes three system calls a process, and does not
/// allocate once it has seen as many as there are. One thread at a time.
class ProcessTable {
 public:
  static Result<ProcessTable> open(const Host& host);

  /// Those that can be read now; one that ends meanwhile is left out. Valid until the next call.
  std::span<ProcessStat> read();

 private:
  struct Close {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };
  explicit ProcessTable(DIR* folder) : folder_(folder) {}

  std::unique_ptr<DIR, Close> folder_;
  std::vector<ProcessStat> processes_;
};

}  // namespace codecarbon::process
