#pragma once
/// \file
/// What `detect` and `doctor` show of a diagnosis. Pure.

#include <string>
#include <string_view>

#include "tracker/diagnosis.hpp"

namespace codecarbon::cli {

/// "found", "absent", "denied", "unsupported".
/// "energy_uj", "power_uw", "utilization_millionths", "memory_bytes".
std::string_view quantity_name(Quantity quantity);
std::string_view word_for(Finding::Outcome outcome);

/// Whether a figure can be had for this column ("cpu", "gpu", "ram"), measured or not.
bool has_figure(const Diagnosis& diagnosis, std::string_view use);
/// Whether a run would have figures for processors and memory.
bool is_usable(const Diagnosis& diagnosis);

std::string machine_text(const Diagnosis& diagnosis);    ///< processors, memory, GPUs, place
std::string sensors_text(const Diagnosis& diagnosis);    ///< used, then passed over and why
std::string back_ends_text(const Diagnosis& diagnosis);  ///< each finding with its remedy
std::string verdict_text(const Diagnosis& diagnosis);    ///< one line

/// All of it as one JSON object with a line end.
std::string diagnosis_json(const Diagnosis& diagnosis);

}  // namespace codecarbon::cli
