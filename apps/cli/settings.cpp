#include "settings.hpp"

#include <filesystem>
#include <system_error>

#include "host/environment.hpp"
#include "tracker/job.hpp"

namespace codecarbon::cli {
namespace {

// Empty when it was removed under this process: then nothing is found there.
std::filesystem::path working_directory() {
  std::error_code gone;
  return std::filesystem::current_path(gone);
}

}  // namespace

Result<ResolvedOptions> effective_options(const Options& keywords) {
  return resolve_options(keywords, Environment::of_process(), working_directory(), kCommandLine);
}

std::string row_file(const Options& effective, const Report& report) {
  if (!effective.save_to_file.value_or(true)) return {};
  const std::filesystem::path folder = effective.output_dir.value_or(".");
  const auto file = expand_output_file(effective, report.job, report.system.host);
  return (folder / file).lexically_normal().string();
}

}  // namespace codecarbon::cli
