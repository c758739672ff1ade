#pragma once

#include <span>
#include <string>
#include <string_view>

#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"

namespace codecarbon {

/// A value was taken; or what would have been, for a message.
using Acceptance = tl::expected<void, std::string>;

/// One option: everything that the command's flags, the environment names, the file keys, their
/// documentation and their validation need to know about it.
struct OptionRow {
  std::string_view name;          ///< field of Options and file key: "measure_power_secs"
  std::string_view placeholder;   ///< in usage: "N", "FILE"; empty for a yes/no option
  std::string_view default_text;  ///< empty: no default
  std::string_view accepted;      ///< for messages: "a number of seconds, more than 0"
  std::string_view help;          ///< one sentence
  std::string_view section;       ///< heading in the documentation: "Output"
  bool is_boolean = false;

  /// Parses, validates and stores.
  Acceptance (*set)(Options&, std::string_view text);
  /// Checks a value that a program put into the field itself; missing is fine.
  Acceptance (*check)(const Options&);
  bool (*is_set)(const Options&);
  /// The value as `set` would take it; empty when missing.
  std::string (*show)(const Options&);
};

/// All options, in the order of the documentation.
std::span<const OptionRow> option_table();

/// The row of this name, or nothing.
const OptionRow* find_option(std::string_view name);

/// How the command and the environment call it: "--measure-power-secs",
/// "CODECARBON_MEASURE_POWER_SECS".
std::string flag_name(const OptionRow& row);
std::string environment_name(const OptionRow& row);

/// Sets the option of this name, as any door does that has text. `origin` says where the text is
/// from ("--pue", "environment CODECARBON_PUE") and is part of the message when it is not accepted.
/// Fails with unknown_option, and the nearest name, when there is no such option.
Status set_option(Options& options, std::string_view name, std::string_view text,
                  std::string_view origin);

/// One value that somebody gave. `origin` may be empty: not known.
struct GivenValue {
  std::string_view option;
  std::string_view text;
  std::string_view origin;
};

/// The one form of every refusal of a value:
/// `pue: "0.5" (from --pue) is not accepted: a number from 1 to 100, such as 1.2`.
tl::unexpected<Error> refuse(const GivenValue& given, std::string_view reason,
                             ErrorKind kind = ErrorKind::invalid_value);

/// " (from --pue)"; empty when the origin is not known.
std::string origin_suffix(std::string_view origin);

}  // namespace codecarbon
