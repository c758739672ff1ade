#pragma once

#include <string>
#include <string_view>

#include "host/host.hpp"
#include "readings/probe.hpp"
#include "sensors/nvml/nvml_api.hpp"

namespace codecarbon::nvml {

/// What to tell a person about NVML itself. `library` names the file.
Finding explain_no_library(const Host& host, const Error& error);
Finding explain_too_old(std::string_view library);
Finding explain_init(std::string_view library, Return code, std::string text);

/// What to tell about one GPU, named by `subject`, that answered with `code`, in words `text`.
Finding explain_device(std::string subject, Return code, std::string text);
/// About a GPU that has neither a counter nor a power reading. `virtual_gpu`: it is a share that a
/// hypervisor gave to this machine.
Finding explain_no_reading(std::string subject, bool virtual_gpu);

}  // namespace codecarbon::nvml
