#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "codecarbon/error.hpp"
#include "sensors/simulated/machine.hpp"

namespace codecarbon::simulated {

/// A machine file is no larger than this.
inline constexpr std::size_t kLargestMachineFile = 1U << 20U;

/// The machine that `json` describes (docs/machine-file.md). `name` is for messages. Whatever the
/// text, the answer is a checked machine or an error that names file, place in it, value and what
/// is accepted; nothing is thrown.
Result<Machine> parse_machine(std::string_view json, std::string name);

/// The same from a file of the user's, not below any host root.
Result<Machine> load_machine(const std::filesystem::path& file);

}  // namespace codecarbon::simulated
