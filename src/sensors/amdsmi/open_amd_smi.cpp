#include <algorithm>
#include <array>
#include <vector>

#include "sensors/amdsmi/library_gpu.hpp"
#include "sensors/amdsmi/lookup.hpp"
#include "sensors/amdsmi/open_library.hpp"

namespace codecarbon::amdsmi {
namespace {

using abi::Status;

// The plain names come with development packages only; ROCm's own folder is not always searched.
constexpr std::array kAmdSmiNames = {"libamd_smi.so",    "libamd_smi.so.27",
                                     "libamd_smi.so.26", "libamd_smi.so.25",
                                     "libamd_smi.so.24", "/opt/rocm/lib/libamd_smi.so"};

using Handle = void*;
using ListSockets = Status(std::uint32_t*, Handle*);
using ListProcessors = Status(Handle, std::uint32_t*, Handle*);

/// What `list` gives: first asked how many, then which.
template <class List, class... Of>
std::vector<Handle> list_all(List* list, Of... of) {
  std::uint32_t count = 0;
  if (list(of..., &count, nullptr) != abi::kSuccess) return {};
  std::vector<Handle> handles(count);
  if (list(of..., &count, handles.data()) != abi::kSuccess) return {};
  handles.resize(std::min<std::size_t>(count, handles.size()));
  return handles;
}

}  // namespace

Result<Opened> open_amd_smi(const Host& host) {
  const auto library = load_first(host, kAmdSmiNames);
  if (!library) return tl::unexpected(library.error());
  Lookup lookup(*library);
  Status (*init)(std::uint64_t) = nullptr;
  ListSockets* sockets = nullptr;
  ListProcessors* processors = nullptr;
  abi::Calls<Handle> calls{};
  lookup.need(init, "amdsmi_init");
  lookup.need(sockets, "amdsmi_get_socket_handles");
  lookup.need(processors, "amdsmi_get_processor_handles");
  lookup.need(calls.energy, "amdsmi_get_energy_count");
  lookup.want(calls.usage, "amdsmi_get_gpu_activity");
  lookup.want(calls.memory_total, "amdsmi_get_gpu_memory_total");
  lookup.want(calls.memory_used, "amdsmi_get_gpu_memory_usage");
  lookup.want(calls.pci_id, "amdsmi_get_gpu_bdf_id");
  if (const auto problem = lookup.problem()) return tl::unexpected(*problem);
  const Status status = init(abi::kInitAmdGpus);
  if (status != abi::kSuccess) return tl::unexpected(refused(*library, status));
  std::vector<Handle> gpus;
  for (const Handle socket : list_all(sockets)) {
    for (const Handle gpu : list_all(processors, socket)) gpus.push_back(gpu);
  }
  // Never shut down: this library does not count its users, and the program may be one.
  return gather<Handle>(*library, std::make_shared<const Library>(*library), calls, gpus);
}

}  // namespace codecarbon::amdsmi
