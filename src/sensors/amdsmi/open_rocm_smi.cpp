#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "sensors/amdsmi/library_gpu.hpp"
#include "sensors/amdsmi/lookup.hpp"
#include "sensors/amdsmi/open_library.hpp"

namespace codecarbon::amdsmi {
namespace {

using abi::Status;

constexpr std::array kRocmSmiNames = {"librocm_smi64.so",   "librocm_smi64.so.1",
                                      "librocm_smi64.so.7", "librocm_smi64.so.6",
                                      "librocm_smi64.so.5", "/opt/rocm/lib/librocm_smi64.so"};

/// ROCm SMI counts its users, so it is shut down with the last GPU, before it is unloaded.
class RocmSession {
 public:
  RocmSession(Library library, Status (*shut_down)())
      : library_(std::move(library)), shut_down_(shut_down) {}
  RocmSession(const RocmSession&) = delete;
  RocmSession& operator=(const RocmSession&) = delete;
  ~RocmSession() { shut_down_(); }

 private:
  Library library_;
  Status (*shut_down_)();
};

}  // namespace

Result<Opened> open_rocm_smi(const Host& host) {
  const auto library = load_first(host, kRocmSmiNames);
  if (!library) return tl::unexpected(library.error());
  Lookup lookup(*library);
  Status (*init)(std::uint64_t) = nullptr;
  Status (*shut_down)() = nullptr;
  Status (*number)(std::uint32_t*) = nullptr;
  abi::Calls<std::uint32_t> calls{};
  lookup.need(init, "rsmi_init");
  lookup.need(shut_down, "rsmi_shut_down");
  lookup.need(number, "rsmi_num_monitor_devices");
  lookup.need(calls.energy, "rsmi_dev_energy_count_get");
  lookup.want(calls.usage, "rsmi_dev_busy_percent_get");
  lookup.want(calls.memory_total, "rsmi_dev_memory_total_get");
  lookup.want(calls.memory_used, "rsmi_dev_memory_usage_get");
  lookup.want(calls.pci_id, "rsmi_dev_pci_id_get");
  if (const auto problem = lookup.problem()) return tl::unexpected(*problem);
  const Status status = init(0);
  if (status != abi::kSuccess) return tl::unexpected(refused(*library, status));
  auto session = std::make_shared<const RocmSession>(*library, shut_down);
  std::uint32_t count = 0;
  if (number(&count) != abi::kSuccess) count = 0;
  std::vector<std::uint32_t> gpus(count);
  for (std::uint32_t i = 0; i < count; ++i) gpus[i] = i;
  return gather<std::uint32_t>(*library, std::move(session), calls, gpus);
}

}  // namespace codecarbon::amdsmi
