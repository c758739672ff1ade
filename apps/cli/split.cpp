#include "split.hpp"

#include <cstddef>

namespace codecarbon::cli {

SplitLine split_line(const std::vector<std::string>& words,
                     const std::function<bool(std::string_view)>& takes_value) {
  SplitLine line;
  auto next = words.begin();
  for (; next != words.end() && !line.had_mark; ++next) {
    const std::string_view word = *next;
    if (word == "--") {
      line.had_mark = true;
    } else if (word.substr(0, 1) != "-") {
      break;
    } else if (word.ends_with('=') && takes_value(word.substr(0, word.size() - 1))) {
      line.flags.emplace_back(word.substr(0, word.size() - 1));
      line.flags.emplace_back();
    } else {
      line.flags.emplace_back(word);
      if (takes_value(word) && next + 1 != words.end()) line.flags.push_back(*++next);
    }
  }
  line.words.assign(next, words.end());
  return line;
}

}  // namespace codecarbon::cli
