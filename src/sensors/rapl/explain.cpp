#include "sensors/rapl/explain.hpp"

#include "host/machine_facts.hpp"

namespace codecarbon::rapl {
namespace {

bool in_container(const Host& host) {
  return host.exists(".dockerenv") || host.exists("run/.containerenv");
}

}  // namespace

Finding explain_absence(const Host& host) {
  Finding finding{Finding::Outcome::absent, host.resolve(kPowercap).string(), {}, {}};
  const CpuIdentity cpu = read_cpu_identity(host);
  if (cpu.virtual_machine) {
    finding.reason = "this is a virtual machine, and its hypervisor passes no energy counters on";
    finding.remedy =
        "measure on the physical machine, or give force_cpu_power if you know better "
        "than the model";
  } else if (cpu.vendor.empty() && host.exists("proc/cpuinfo")) {
    finding.reason = "this processor has no RAPL counters (only Intel and AMD ones do)";
    finding.remedy = "give force_cpu_power if you know better than the model";
  } else if (in_container(host)) {
    finding.reason = "container runtimes hide the energy counters";
    finding.remedy =
        "mount /sys/class/powercap and /sys/devices/virtual/powercap of the machine "
        "into the container, read-only";
  } else {
    finding.reason = "the kernel shows no RAPL zones";
    finding.remedy = "load the driver: modprobe intel_rapl_msr (for AMD, too, from Linux 5.11 on)";
  }
  return finding;
}

Finding explain_denial(const Host& host, std::span<const Zone> zones) {
  Finding finding{Finding::Outcome::denied, {}, {}, {}};
  for (const Zone& zone : zones) {
    finding.subject += (finding.subject.empty() ? "" : ", ") + zone.domain.name;
  }
  finding.subject += " (" + host.resolve(zones.front().energy_path()).string() + ")";
  finding.reason =
      "only root may read it: kernels since 5.10 (5.4.77) keep energy counters from "
      "others because fine readings of them can leak secrets (CVE-2020-8694)";
  finding.remedy =
      "if you trust the members of a group with that, let only them read it: groupadd rapl; "
      "usermod -aG rapl USER; and in /etc/udev/rules.d/70-rapl.rules: SUBSYSTEM==\"powercap\", "
      "ACTION==\"add\", RUN+=\"/bin/sh -c 'cd /sys%p && chgrp rapl energy_uj && chmod g+r "
      "energy_uj'\"; then udevadm trigger -c add -s powercap, and log in anew";
  return finding;
}

}  // namespace codecarbon::rapl
