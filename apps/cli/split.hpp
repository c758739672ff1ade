#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace codecarbon::cli {

/// A command line parted in flags and the words behind them.
struct SplitLine {
  std::vector<std::string> flags;  ///< with their values; "--flag=" has become "--flag", ""
  std::vector<std::string> words;  ///< verbatim
  bool had_mark = false;           ///< "--" stood between them
};

/// The words start behind the first "--" or, without one, at the first word that is neither a flag
/// nor the value of one. `takes_value` tells of a flag ("--region") whether it has a value. Pure.
SplitLine split_line(const std::vector<std::string>& words,
                     const std::function<bool(std::string_view)>& takes_value);

}  // namespace codecarbon::cli
