#include "config/option_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"
#include "config/option_row.hpp"

namespace codecarbon {
namespace {

constexpr std::string_view kRun = "The run";
constexpr std::string_view kMeasuring = "Measuring";
constexpr std::string_view kPlace = "Place and carbon";
constexpr std::string_view kOutput = "Output";
constexpr std::string_view kMessages = "Messages";
constexpr std::string_view kMachine = "Another machine";

constexpr std::string_view kRankText = "a whole number from 0 to 99999999, below world_size";
constexpr Between kRank{0, 99'999'999};

constexpr std::string_view kWatts = "a number of watts from 0 to 100000, such as 65";
constexpr Between kForcedWatts{0, 100'000};

constexpr std::array kRows{
    option<"project_name", &Options::project_name, &is_text>(
        kRun, {"NAME", "codecarbon", "any text in UTF-8", "Names the project in every row."}),
    option<"experiment_id", &Options::experiment_id, &is_identifier>(
        kRun, {"ID", "5b0fa12a-3dd7-45bb-9766-cc326314d9f1",
               "a text in UTF-8 that is not empty, on one line",
               "Identifies the experiment that the run belongs to."}),
    option<"experiment_name", &Options::experiment_name, &is_line>(
        kRun, {"NAME", "base", "a text in UTF-8 on one line",
               "Names the experiment; part of the name of the per-task file."}),
    option<"run_id", &Options::run_id, &is_identifier>(
        kRun, {"ID", "", "a text in UTF-8 that is not empty, on one line",
               "Identifies this run in every row; a new UUID when not given."}),
    option<"job_id", &Options::job_id, &is_identifier>(
        kRun, {"ID", "", "a text in UTF-8 that is not empty, on one line",
               "Names the job whose ranks share a node; that of the launcher when not given."}),
    option<"rank", &Options::rank, kRank>(
        kRun, {"NUMBER", "", kRankText, "Rank of this process in its job, found as job_id is."}),
    option<"local_rank", &Options::local_rank, kRank>(
        kRun, {"NUMBER", "", kRankText, "Rank among those of the job that are on this node."}),
    option<"world_size", &Options::world_size, Between{1, 100'000'000}>(
        kRun, {"NUMBER", "", "a whole number from 1 to 100000000", "Number of ranks of the job."}),

    option<"measure_power_secs", &Options::measure_power_secs, Between{1, 86'400'000, 1000}>(
        kMeasuring, {"SECONDS", "15", "a number of seconds from 0.001 to 86400, such as 15",
                     "Time between two samples; counters that would wrap in between are read more "
                     "often whatever this says."}),
    option<"tracking_mode", &Options::tracking_mode>(
        kMeasuring, {"MODE", "machine", "machine or process",
                     "What is measured: machine is everything that the machine uses, process the "
                     "share of this process and all that it starts."}),
    option<"gpu_ids", &Options::gpu_ids, &are_gpu_ids>(
        kMeasuring,
        {"LIST", "",
         "GPU indices or identifiers, such as 0, 1 or [0, 1] or GPU-3f1c; an empty list "
         "or [] is no GPU",
         "The GPUs that are measured; all that the job can see when not given."}),
    option<"force_cpu_power", &Options::force_cpu_power, kForcedWatts>(
        kMeasuring, {"WATTS", "", kWatts, "Counts the CPU at this power instead of measuring it."}),
    option<"force_ram_power", &Options::force_ram_power, kForcedWatts>(
        kMeasuring,
        {"WATTS", "", kWatts, "Counts the memory at this power instead of measuring it."}),
    yes_or_no<"force_mode_cpu_load", &Options::force_mode_cpu_load>(
        kMeasuring, "false",
        "Models the CPU from its utilisation and rated power even where it has a counter."),
    yes_or_no<"rapl_include_dram", &Options::rapl_include_dram>(
        kMeasuring, "true",
        "Uses the memory's own counter, where there is one, in place of the memory model."),
    yes_or_no<"rapl_prefer_psys", &Options::rapl_prefer_psys>(
        kMeasuring, "false",
        "Counts the platform domain (psys), which contains the packages, in place of them."),

    yes_or_no<"offline", &Options::offline>(
        kPlace, "false", "Never touches the network; the place is what the options say."),
    option<"country_iso_code", &Options::country_iso_code, &is_line>(
        kPlace, {"CODE", "", "a country code of three letters (ISO 3166), such as FRA",
                 "Country whose electricity is used; the world average when no place is given."}),
    option<"country_2letter_iso_code", &Options::country_2letter_iso_code, &is_two_letters>(
        kPlace, {"CODE", "", "a country code of two letters (ISO 3166), such as FR",
                 "The same in two letters; country_iso_code goes before it."}),
    option<"region", &Options::region, &is_line>(
        kPlace, {"NAME", "", "a text in UTF-8 on one line, such as california",
                 "State, province or grid zone of the country, where its figures differ."}),
    option<"cloud_provider", &Options::cloud_provider, &is_line>(
        kPlace, {"NAME", "", "a text in UTF-8 on one line, such as aws, gcp or azure",
                 "Cloud that the machine is rented from; needs cloud_region too."}),
    option<"cloud_region", &Options::cloud_region, &is_line>(
        kPlace, {"NAME", "", "a text in UTF-8 on one line, such as eu-west-3",
                 "Region of that cloud; goes before country and region."}),
    option<"force_carbon_intensity_g_co2e_kwh", &Options::force_carbon_intensity_g_co2e_kwh,
           Between{0, 10'000}>(kPlace,
                               {"GRAMS", "", "a number of gCO2e/kWh from 0 to 10000, such as 56",
                                "Carbon intensity of the electricity; goes before every place."}),
    option<"pue", &Options::pue, Between{1, 100}>(
        kPlace, {"RATIO", "1", "a number from 1 to 100, such as 1.2",
                 "Power usage effectiveness of the building: multiplies energy and power."}),
    option<"wue", &Options::wue, Between{0, 1000}>(
        kPlace, {"LITRES", "0", "a number of litres per kWh from 0 to 1000, such as 1.8",
                 "Water usage effectiveness of the building: water is this times energy."}),

    yes_or_no<"save_to_file", &Options::save_to_file>(kOutput, "true",
                                                      "Writes rows to a CSV file."),
    yes_or_no<"save_to_logger", &Options::save_to_logger>(kOutput, "false",
                                                          "Writes each row to the log as well."),
    option<"output_dir", &Options::output_dir, &is_path>(
        kOutput, {"FOLDER", ".", "an existing folder", "Where the CSV files are."}),
    option<"output_file", &Options::output_file, &is_file_template>(
        kOutput,
        {"FILE", "emissions.csv",
         "the name or the path of a file, such as emissions.csv; in its name {rank}, "
         "{local_rank}, {world_size} (or {rank:03d}), {job} and {host}, and {{ for a brace",
         "The CSV file; an absolute path goes before output_dir. The names in braces are "
         "replaced by what they stand for; outside a job rank and local_rank are 0, "
         "world_size is 1 and job is none."}),
    option<"on_csv_write", &Options::on_csv_write>(
        kOutput, {"MODE", "append", "append or update",
                  "append: a new row each time; update: one row per run, replaced each time."}),
    option<"csv_columns", &Options::csv_columns>(
        kOutput, {"SET", "standard", "standard or extended",
                  "extended adds host, rank, job, and method and bound of each component."}),

    option<"log_level", &Options::log_level>(
        kMessages, {"LEVEL", "info",
                    "debug, info, warning, error or critical, or a level of Python's logging, a "
                    "whole number from 0 to 50",
                    "The least important messages that are shown."}),
    option<"logger_preamble", &Options::logger_preamble, &is_line>(
        kMessages, {"TEXT", "", "a text in UTF-8 on one line", "Put in front of every message."}),

    option<"host_root", &Options::host_root, &is_path>(
        kMachine, {"FOLDER", "/", "an existing folder",
                   "Reads /sys and /proc below this folder: a container's mount of its host, or a "
                   "copy of a machine."}),
    option<"machine", &Options::machine, &is_path>(
        kMachine, {"FILE", "", "a readable file",
                   "Plays the simulated machine that this file describes instead of measuring."}),
};

tl::unexpected<Error> unknown_option(const GivenValue& given) {
  std::vector<std::string_view> names;
  for (const OptionRow& row : kRows) names.push_back(row.name);
  std::string message = in_quotes(given.option) + origin_suffix(given.origin) + " is not an option";
  const auto meant = closest(given.option, names);
  message += meant ? fmt::format("; did you mean {}?", *meant)
                   : fmt::format(": accepted are {}", fmt::join(names, ", "));
  return fail(ErrorKind::unknown_option, std::move(message));
}

}  // namespace

std::span<const OptionRow> option_table() {
  return kRows;
}

const OptionRow* find_option(std::string_view name) {
  const auto found = std::find_if(kRows.begin(), kRows.end(),
                                  [&](const OptionRow& row) { return row.name == name; });
  return found == kRows.end() ? nullptr : &*found;
}

std::string flag_name(const OptionRow& row) {
  std::string flag = "--" + std::string(row.name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string environment_name(const OptionRow& row) {
  return "CODECARBON_" + upper(row.name);
}

Status set_option(Options& options, std::string_view name, std::string_view text,
                  std::string_view origin) {
  const GivenValue given{name, text, origin};
  const OptionRow* row = find_option(name);
  if (row == nullptr) return unknown_option(given);
  const Acceptance accepted = row->set(options, text);
  if (!accepted) return refuse(given, accepted.error());
  return {};
}

tl::unexpected<Error> refuse(const GivenValue& given, std::string_view reason, ErrorKind kind) {
  return fail(kind,
              fmt::format("{}: {}{} is not accepted: {}", given.option, in_quotes(given.text),
                          origin_suffix(given.origin), reason),
              std::string(given.option));
}

std::string origin_suffix(std::string_view origin) {
  return origin.empty() ? std::string() : fmt::format(" (from {})", origin);
}

}  // namespace codecarbon
