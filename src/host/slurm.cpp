#include "host/slurm.hpp"

#include <unistd.h>

#include "base/text.hpp"
#include "host/program.hpp"

namespace codecarbon {
namespace {

constexpr ProgramBounds kBounds{std::chrono::seconds(1), 1U << 20U};

std::optional<std::filesystem::path> if_runnable(const std::filesystem::path& program) {
  return ::access(program.c_str(), X_OK) == 0 ? std::optional(program) : std::nullopt;
}

/// In the folders of the PATH, those aside that change with the working directory.
std::optional<std::filesystem::path> on_path(std::string_view name, std::string_view path) {
  while (!path.empty()) {
    const std::filesystem::path folder(take_until(path, ':'));
    if (!folder.is_absolute()) continue;
    if (auto program = if_runnable(folder / name)) return program;
  }
  return std::nullopt;
}

std::optional<std::filesystem::path> find_scontrol(const Host& host) {
  if (host.root() != "/") return if_runnable(host.resolve("usr/bin/scontrol"));
  return on_path("scontrol", host.environment().get("PATH").value_or(""));
}

}  // namespace

SlurmShare ask_slurm(const Host& host) {
  const auto job = slurm_job_id(host.environment());
  if (!job) return {};
  const auto scontrol = find_scontrol(host);
  if (!scontrol) return {};
  const auto output =
      output_of(*scontrol, {"show", "job", std::string(*job)}, host.environment(), kBounds);
  return output ? share_by_scontrol(*output, *job) : SlurmShare{};
}

}  // namespace codecarbon
