#pragma once

#include <memory>
#include <string>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "sensors/ipmi/device.hpp"

namespace codecarbon::ipmi {

/// The power of the whole machine as the controller of its board measures it, asked for through the
/// kernel's device (dev/ipmi0) with the command "Get Power Reading" of DCMI. The probe may hang: a
/// controller can take seconds. Only the running kernel can be asked, so a host with another root
/// has none.
Discovery discover(const Host& host, const SensorSettings& settings);

/// The same with an open device; `path` is its file.
Discovery discover_on(std::unique_ptr<Device> device, const std::string& path);

}  // namespace codecarbon::ipmi
