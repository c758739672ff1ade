#include "sensors/amdsmi/open_library.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "host/library.hpp"

namespace codecarbon::amdsmi {
namespace {

using abi::Status;

// The plain names come with development packages only; ROCm's own folder is not always searched.
constexpr std::array kAmdSmiNames = {"libamd_smi.so",    "libamd_smi.so.27",
                                     "libamd_smi.so.26", "libamd_smi.so.25",
                                     "libamd_smi.so.24", "/opt/rocm/lib/libamd_smi.so"};
constexpr std::array kRocmSmiNames = {"librocm_smi64.so",   "librocm_smi64.so.1",
                                      "librocm_smi64.so.7", "librocm_smi64.so.6",
                                      "librocm_smi64.so.5", "/opt/rocm/lib/librocm_smi64.so"};

/// The first that is there.
Result<Library> load(const Host& host, std::span<const char* const> names) {
  auto library = Library::load(host, names[0]);
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (library || library.error().kind != ErrorKind::missing_file) break;
    auto other = Library::load(host, names[i]);
    if (other || other.error().kind != ErrorKind::missing_file) library = std::move(other);
  }
  return library;
}

template <class Value>
Answer<Value> answer(Status status, Value value) {
  if (status == abi::kSuccess) return value;
  return tl::unexpected(status == abi::kNotSupported ? CallFault::unsupported : CallFault::failed);
}

/// Asks `call` for one value of a device.
template <class Value, class Call, class... Arguments>
Answer<Value> ask(Call call, Arguments... arguments) {
  if (call == nullptr) return tl::unexpected(CallFault::unsupported);
  Value value{};
  const Status status = call(arguments..., &value);
  return answer(status, value);
}

template <class Device>
class GpuOf final : public Gpu {
 public:
  GpuOf(std::shared_ptr<const void> session, const abi::Calls<Device>& calls, Device device)
      : session_(std::move(session)), calls_(calls), device_(device) {}

  Answer<EnergyCount> energy() const override {
    EnergyCount count;
    std::uint64_t time_ns = 0;
    const Status status = calls_.energy(device_, &count.counts, &count.resolution_uj, &time_ns);
    if (status == abi::kSuccess && count.counts == abi::kNoCount) {
      return tl::unexpected(CallFault::unsupported);
    }
    return answer(status, count);
  }
  Answer<std::uint32_t> busy_percent() const override {
    if (calls_.usage == nullptr) return tl::unexpected(CallFault::unsupported);
    abi::Usage usage{};
    const Status status = calls_.usage(device_, usage.data());
    return answer(status, usage[0]);
  }
  Answer<std::uint64_t> memory_total() const override {
    return ask<std::uint64_t>(calls_.memory_total, device_, abi::kVideoMemory);
  }
  Answer<std::uint64_t> memory_used() const override {
    return ask<std::uint64_t>(calls_.memory_used, device_, abi::kVideoMemory);
  }
  Answer<std::uint64_t> pci_id() const override {
    return ask<std::uint64_t>(calls_.pci_id, device_);
  }

 private:
  std::shared_ptr<const void> session_;
  abi::Calls<Device> calls_;
  Device device_;
};

/// Looks functions up and remembers the first one that is needed and not there.
class Lookup {
 public:
  explicit Lookup(const Library& library) : library_(library) {}

  template <class Function>
  void need(Function*& function, const char* name) {
    function = library_.function<Function>(name);
    if (function == nullptr && missing_ == nullptr) missing_ = name;
  }
  template <class Function>
  void want(Function*& function, const char* name) {
    function = library_.function<Function>(name);
  }
  std::optional<Error> problem() const {
    if (missing_ == nullptr) return std::nullopt;
    return Error{ErrorKind::io, library_.name() + " is too old: it has no " + missing_};
  }

 private:
  const Library& library_;
  const char* missing_ = nullptr;
};

Error refused(const Library& library, Status status) {
  return {ErrorKind::io, library.name() + " does not start (status " + std::to_string(status) +
                             "): is the amdgpu driver loaded, and may this user open /dev/kfd?"};
}

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

template <class Device>
Opened gather(const Library& library, std::shared_ptr<const void> session,
              const abi::Calls<Device>& calls, std::span<const Device> devices) {
  Opened opened{library.name(), {}};
  for (const Device device : devices) {
    opened.gpus.push_back(std::make_unique<GpuOf<Device>>(session, calls, device));
  }
  return opened;
}

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
  const auto library = load(host, kAmdSmiNames);
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

Result<Opened> open_rocm_smi(const Host& host) {
  const auto library = load(host, kRocmSmiNames);
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
