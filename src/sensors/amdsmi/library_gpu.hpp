#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "host/library.hpp"
#include "sensors/amdsmi/open_library.hpp"

namespace codecarbon::amdsmi {

template <class Value>
Answer<Value> answer(abi::Status status, Value value) {
  if (status == abi::kSuccess) return value;
  return tl::unexpected(status == abi::kNotSupported ? CallFault::unsupported : CallFault::failed);
}

/// Asks `call` for one value of a device.
template <class Value, class Call, class... Arguments>
Answer<Value> ask(Call call, Arguments... arguments) {
  if (call == nullptr) return tl::unexpected(CallFault::unsupported);
  Value value{};
  const abi::Status status = call(arguments..., &value);
  return answer(status, value);
}

/// A GPU behind the calls that both libraries have.
template <class Device>
class GpuOf final : public Gpu {
 public:
  GpuOf(std::shared_ptr<const void> session, const abi::Calls<Device>& calls, Device device)
      : session_(std::move(session)), calls_(calls), device_(device) {}

  Answer<EnergyCount> energy() const override {
    EnergyCount count;
    std::uint64_t time_ns = 0;
    const abi::Status status =
        calls_.energy(device_, &count.counts, &count.resolution_uj, &time_ns);
    if (status == abi::kSuccess && count.counts == abi::kNoCount) {
      return tl::unexpected(CallFault::unsupported);
    }
    return answer(status, count);
  }
  Answer<std::uint32_t> busy_percent() const override {
    if (calls_.usage == nullptr) return tl::unexpected(CallFault::unsupported);
    abi::Usage usage{};
    const abi::Status status = calls_.usage(device_, usage.data());
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

/// `session` is kept until the last GPU is gone.
template <class Device>
Opened gather(const Library& library, std::shared_ptr<const void> session,
              const abi::Calls<Device>& calls, std::span<const Device> devices) {
  Opened opened{library.name(), {}};
  for (const Device device : devices) {
    opened.gpus.push_back(std::make_unique<GpuOf<Device>>(session, calls, device));
  }
  return opened;
}

}  // namespace codecarbon::amdsmi
