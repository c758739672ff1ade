#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sensors/nvml/nvml_session.hpp"

namespace codecarbon::nvml {

/// What NVML answered, or its code for why not. A function that the library lacks is
/// Return::function_not_found.
template <class T>
using Answer = tl::expected<T, Return>;

/// One whole GPU: under MIG, too, these figures are of all its instances together. Cheap to copy;
/// any thread; each call is one call into the driver and none but those that give text allocates.
class NvmlDevice {
 public:
  NvmlDevice(std::shared_ptr<const Session> session, DeviceHandle handle)
      : session_(std::move(session)), handle_(handle) {}
  /// Missing when the driver lists no such GPU or cannot reach it.
  static Answer<NvmlDevice> at(const std::shared_ptr<const Session>& session, unsigned int index);

  // Who it is.
  Answer<std::string> name() const;
  Answer<std::string> uuid() const;
  Answer<PciInfo> pci() const;
  Answer<unsigned int> architecture() const;
  Answer<VirtualizationMode> virtualization_mode() const;
  bool mig_enabled() const;
  /// The UUIDs of its MIG instances.
  std::vector<std::string> mig_uuids() const;

  // What it uses.
  Answer<unsigned long long> energy_mj() const;  ///< since the driver was loaded
  Answer<unsigned int> power_mw() const;
  Answer<unsigned int> power_limit_mw() const;
  Answer<Utilization> utilization() const;
  Answer<Memory> memory() const;

  /// Gets the handle anew after the GPU was away; by UUID, or by bus address if that is empty.
  Return find_again(const std::string& uuid, const std::string& bus_id);

  const Session& session() const { return *session_; }
  DeviceHandle handle() const { return handle_; }

 private:
  std::shared_ptr<const Session> session_;
  DeviceHandle handle_;
};

/// The processes that have a context on the GPU, each once, at the front of `buffer`; how many.
/// Return::insufficient_size when the buffer is too small. Does not allocate. Under MIG the driver
/// may tell only root of the processes of others.
Answer<std::size_t> running_processes(const NvmlDevice& device, std::span<ProcessInfo> buffer);

/// Samples of what share of the GPU each process used since `since` (microseconds, as in the
/// samples; 0: as far back as the driver remembers), at the front of `buffer`; how many. Not under
/// MIG. Return::not_found when there are none. Does not allocate.
Answer<std::size_t> process_utilization(const NvmlDevice& device,
                                        std::span<ProcessUtilization> buffer,
                                        unsigned long long since);

}  // namespace codecarbon::nvml
