#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "host/host.hpp"
#include "readings/process.hpp"

namespace codecarbon {

/// The processes that compute on GPUs of AMD, as the kernel's driver lists them: those with a queue
/// there (/sys/class/kfd/kfd/proc/PID/queues, Linux 5.6 or later). Graphics is not in that list.
///
/// Read here rather than through AMD SMI or ROCm SMI, whose calls (rsmi_compute_process_gpus_get,
/// ROCm 4 to 6) follow a null pointer when a process uses a GPU that this user may not see, as on
/// nodes that hand out single GPUs, and write to standard error when one ends meanwhile.
/// One thread at a time; does not allocate.
class KfdUsers {
 public:
  /// Of the GPUs at these PCI addresses together. Missing where the driver has no such list, or
  /// does not know one of them.
  static std::optional<KfdUsers> of(const Host& host, std::span<const std::string> bus_ids);

  /// The processes now, each once, written to `users`; how many. Missing where the list cannot be
  /// read, or says more than there is room for. Utilisation is the number of compute units in use
  /// at this moment, and is looked at only where there are several users.
  std::optional<std::size_t> list(std::span<GpuProcess> users) const;

 private:
  KfdUsers(Fd folder, std::vector<std::uint32_t> gpus)
      : folder_(std::move(folder)), gpus_(std::move(gpus)) {}
  bool is_here(std::uint32_t gpu) const;
  std::optional<bool> has_queue(int pid) const;
  std::optional<double> units_in_use(int pid) const;

  Fd folder_;                        // of all processes
  std::vector<std::uint32_t> gpus_;  // as the driver numbers them
};

}  // namespace codecarbon
