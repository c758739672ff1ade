#pragma once
/// \file
/// What can be set, by whom it was set last wins: keyword (a field here), then `CODECARBON_*` in
/// the environment, then ./.codecarbon.config, then ~/.codecarbon.config, then the default.

#include <optional>
#include <string>
#include <vector>

#include "codecarbon/csv.hpp"
#include "codecarbon/log.hpp"

namespace codecarbon {

enum class TrackingMode {
  machine,  ///< everything that the machine uses
  process,  ///< the share of this process and its descendants
};

/// Every field left empty is taken from the environment, the files or the default. The meaning, the
/// default and the accepted values of each are in docs/options.md, made from the same table that
/// checks them.
struct Options {
  std::optional<std::string> project_name{};
  std::optional<std::string> experiment_id{};
  std::optional<std::string> experiment_name{};
  std::optional<std::string> run_id{};
  std::optional<std::string> job_id{};
  std::optional<int> rank{};
  std::optional<int> local_rank{};
  std::optional<int> world_size{};

  std::optional<double> measure_power_secs{};
  std::optional<TrackingMode> tracking_mode{};
  std::optional<std::vector<std::string>> gpu_ids{};
  std::optional<double> force_cpu_power{};
  std::optional<double> force_ram_power{};
  std::optional<bool> force_mode_cpu_load{};
  std::optional<bool> rapl_include_dram{};
  std::optional<bool> rapl_prefer_psys{};

  std::optional<bool> offline{};
  std::optional<std::string> country_iso_code{};
  std::optional<std::string> country_2letter_iso_code{};
  std::optional<std::string> region{};
  std::optional<std::string> cloud_provider{};
  std::optional<std::string> cloud_region{};
  std::optional<double> force_carbon_intensity_g_co2e_kwh{};
  std::optional<double> pue{};
  std::optional<double> wue{};

  std::optional<bool> save_to_file{};
  std::optional<bool> save_to_logger{};
  std::optional<std::string> output_dir{};
  std::optional<std::string> output_file{};
  std::optional<CsvMode> on_csv_write{};
  std::optional<CsvColumns> csv_columns{};

  std::optional<LogLevel> log_level{};
  std::optional<std::string> logger_preamble{};

  std::optional<std::string> host_root{};
  std::optional<std::string> machine{};
};

}  // namespace codecarbon
