#include "sensors/nvml/nvml_device.hpp"

#include <algorithm>
#include <array>

namespace codecarbon::nvml {
namespace {

template <class T, class Function>
Answer<T> ask(Function function, DeviceHandle handle) {
  if (function == nullptr) return tl::unexpected(Return::function_not_found);
  T value{};
  const Return code = function(handle, &value);
  if (code != Return::success) return tl::unexpected(code);
  return value;
}

template <unsigned int size, class Function>
Answer<std::string> ask_text(Function function, DeviceHandle handle) {
  if (function == nullptr) return tl::unexpected(Return::function_not_found);
  std::array<char, size> text{};
  const Return code = function(handle, text.data(), size);
  if (code != Return::success) return tl::unexpected(code);
  text.back() = '\0';
  return std::string(text.data());
}

/// Takes the processes that `function` lists into the free rest of `buffer`.
template <class Function>
Return append(Function function, DeviceHandle handle, std::span<ProcessInfo> buffer,
              std::size_t& used) {
  if (function == nullptr) return Return::function_not_found;
  const auto fresh = buffer.subspan(used);
  auto count = static_cast<unsigned int>(fresh.size());
  const Return code = function(handle, &count, fresh.data());
  if (code != Return::success) return code;
  const auto known = buffer.first(used);
  const auto listed = fresh.first(std::min<std::size_t>(count, fresh.size()));
  const auto end = std::remove_if(listed.begin(), listed.end(), [&](const ProcessInfo& one) {
    return std::any_of(known.begin(), known.end(),
                       [&](const ProcessInfo& other) { return other.pid == one.pid; });
  });
  used += static_cast<std::size_t>(end - listed.begin());
  return code;
}

}  // namespace

Answer<NvmlDevice> NvmlDevice::at(const std::shared_ptr<const Session>& session,
                                  unsigned int index) {
  DeviceHandle handle = nullptr;
  const Return code = session->api().handle_by_index(index, &handle);
  if (code != Return::success) return tl::unexpected(code);
  return NvmlDevice(session, handle);
}

Answer<std::string> NvmlDevice::name() const {
  return ask_text<kNameSize>(session_->api().name, handle_);
}

Answer<std::string> NvmlDevice::uuid() const {
  return ask_text<kUuidSize>(session_->api().uuid, handle_);
}

Answer<PciInfo> NvmlDevice::pci() const {
  return ask<PciInfo>(session_->api().pci_info, handle_);
}

Answer<unsigned int> NvmlDevice::architecture() const {
  return ask<unsigned int>(session_->api().architecture, handle_);
}

Answer<VirtualizationMode> NvmlDevice::virtualization_mode() const {
  return ask<VirtualizationMode>(session_->api().virtualization_mode, handle_);
}

bool NvmlDevice::mig_enabled() const {
  const auto function = session_->api().mig_mode;
  unsigned int current = 0;
  unsigned int pending = 0;
  return function != nullptr && function(handle_, &current, &pending) == Return::success &&
         current == kMigEnabled;
}

std::vector<std::string> NvmlDevice::mig_uuids() const {
  const Api& api = session_->api();
  std::vector<std::string> uuids;
  const auto most = ask<unsigned int>(api.mig_count, handle_);
  if (!most || api.mig_by_index == nullptr) return uuids;
  constexpr unsigned int kMostEver = 64;  // against a driver that answers nonsense; GPUs have 7
  // Indices may have holes.
  for (unsigned int i = 0; i < std::min(*most, kMostEver); ++i) {
    DeviceHandle mig = nullptr;
    if (api.mig_by_index(handle_, i, &mig) != Return::success) continue;
    if (auto uuid = ask_text<kUuidSize>(api.uuid, mig)) uuids.push_back(std::move(*uuid));
  }
  return uuids;
}

Answer<unsigned long long> NvmlDevice::energy_mj() const {
  return ask<unsigned long long>(session_->api().total_energy, handle_);
}

Answer<unsigned int> NvmlDevice::power_mw() const {
  return ask<unsigned int>(session_->api().power_usage, handle_);
}

Answer<unsigned int> NvmlDevice::power_limit_mw() const {
  return ask<unsigned int>(session_->api().enforced_power_limit, handle_);
}

Answer<Utilization> NvmlDevice::utilization() const {
  return ask<Utilization>(session_->api().utilization, handle_);
}

Answer<Memory> NvmlDevice::memory() const {
  return ask<Memory>(session_->api().memory, handle_);
}

Return NvmlDevice::find_again(const std::string& uuid, const std::string& bus_id) {
  const Api& api = session_->api();
  const auto function = uuid.empty() ? api.handle_by_bus_id : api.handle_by_uuid;
  const std::string& key = uuid.empty() ? bus_id : uuid;
  if (function == nullptr || key.empty()) return Return::function_not_found;
  DeviceHandle handle = nullptr;
  const Return code = function(key.c_str(), &handle);
  if (code == Return::success) handle_ = handle;
  return code;
}

Answer<std::size_t> running_processes(const NvmlDevice& device, std::span<ProcessInfo> buffer) {
  const Api& api = device.session().api();
  std::size_t used = 0;
  const Return compute = append(api.compute_processes, device.handle(), buffer, used);
  if (compute != Return::success) return tl::unexpected(compute);
  const Return graphics = append(api.graphics_processes, device.handle(), buffer, used);
  // Boards without graphics say so.
  const bool none = graphics == Return::not_supported || graphics == Return::function_not_found;
  if (graphics != Return::success && !none) return tl::unexpected(graphics);
  return used;
}

Answer<std::size_t> process_utilization(const NvmlDevice& device,
                                        std::span<ProcessUtilization> buffer,
                                        unsigned long long since) {
  const auto function = device.session().api().process_utilization;
  if (function == nullptr) return tl::unexpected(Return::function_not_found);
  auto count = static_cast<unsigned int>(buffer.size());
  const Return code = function(device.handle(), buffer.data(), &count, since);
  if (code != Return::success) return tl::unexpected(code);
  return std::min<std::size_t>(count, buffer.size());
}

}  // namespace codecarbon::nvml
