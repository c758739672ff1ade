#pragma once

#include <vector>

#include "codecarbon/error.hpp"
#include "codecarbon/options.hpp"
#include "config/option_table.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace codecarbon::cli {

/// One flag for every row of the option table: `--name VALUE`, or `--name` and `--no-name` for a
/// yes/no option. The table validates and words the messages.
class OptionFlags {
 public:
  void declare(CLI::App& app);

  /// The options that were given, after the line was parsed; of a repeated one the last.
  /// Fails on the first value that is not acceptable.
  Result<Options> read() const;

 private:
  struct Flag {
    const OptionRow* row;
    const CLI::Option* parsed;
  };
  std::vector<Flag> flags_;
};

}  // namespace codecarbon::cli
