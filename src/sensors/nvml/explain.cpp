#include "sensors/nvml/explain.hpp"

#include <utility>

namespace codecarbon::nvml {
namespace {

using Outcome = Finding::Outcome;

constexpr std::string_view kSubject = "NVIDIA driver";
constexpr std::string_view kFitTogether =
    "install a driver of one version: reboot or reload the kernel module after an update; in a "
    "container, let the NVIDIA container runtime bring the library of the machine";

std::string subject_of(std::string_view library) {
  return std::string(kSubject) + " (" + std::string(library) + ")";
}

}  // namespace

Finding explain_no_library(const Host& host, const Error& error) {
  Finding finding{Outcome::absent, std::string(kSubject), {}, {}};
  if (error.kind != ErrorKind::missing_file) {
    finding.outcome = Outcome::unsupported;
    finding.reason = error.message;
    finding.remedy = kFitTogether;
  } else if (host.exists("proc/driver/nvidia/version")) {
    finding.reason = "the driver is loaded, but its library libnvidia-ml.so.1 is not here";
    finding.remedy =
        "in a container, start it with the NVIDIA container runtime and its capability "
        "\"utility\"; else install the library that belongs to the driver";
  } else {
    finding.reason = "no NVIDIA driver is installed (no libnvidia-ml.so.1)";
  }
  return finding;
}

Finding explain_too_old(std::string_view library) {
  return {Outcome::unsupported, subject_of(library),
          "it lacks functions that drivers have since 2013 (R319), so it is too old or no NVML",
          "install a newer driver"};
}

Finding explain_init(std::string_view library, Return code, std::string text) {
  Finding finding{Outcome::unsupported, subject_of(library), std::move(text), {}};
  switch (code) {
    case Return::driver_not_loaded:
      finding.outcome = Outcome::absent;
      finding.remedy = "if there is an NVIDIA GPU, load its driver: modprobe nvidia";
      break;
    case Return::gpu_not_found:
      finding.outcome = Outcome::absent;
      break;
    case Return::no_permission:
      finding.outcome = Outcome::denied;
      finding.remedy =
          "let this user read and write /dev/nvidiactl and /dev/nvidia*; in a container, pass "
          "the devices in";
      break;
    case Return::lib_rm_version_mismatch:
    case Return::function_not_found:
    case Return::library_not_found:
      finding.remedy = kFitTogether;
      break;
    default:
      finding.remedy = "see what nvidia-smi and the kernel log say";
  }
  return finding;
}

Finding explain_device(std::string subject, Return code, std::string text) {
  Finding finding{Outcome::unsupported, std::move(subject), std::move(text), {}};
  switch (code) {
    case Return::no_permission:
      finding.outcome = Outcome::denied;
      finding.remedy =
          "let this user read and write the GPU's /dev/nvidia*; in a container, pass the device in";
      break;
    case Return::gpu_is_lost:
    case Return::irq_issue:
      finding.remedy = "see the kernel log for Xid messages; a reboot may bring it back";
      break;
    case Return::reset_required:
      finding.remedy = "stop what uses it, then: nvidia-smi --gpu-reset";
      break;
    case Return::insufficient_power:
      finding.remedy = "attach its power cables";
      break;
    default:
      finding.remedy = "see what nvidia-smi and the kernel log say";
  }
  return finding;
}

Finding explain_no_reading(std::string subject, bool virtual_gpu) {
  Finding finding{Outcome::unsupported, std::move(subject), {}, {}};
  if (virtual_gpu) {
    finding.reason = "it is a virtual GPU, and its hypervisor passes no power reading on";
    finding.remedy = "measure on the physical machine";
  } else {
    finding.reason = "it has neither an energy counter nor a power reading";
  }
  return finding;
}

}  // namespace codecarbon::nvml
