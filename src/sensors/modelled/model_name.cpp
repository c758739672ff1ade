#include "sensors/modelled/model_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include "base/text.hpp"

namespace codecarbon::modelled {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes trade marks out: "fx(tm)-4350" is fx-4350, "core(tm)2" is core 2.
void drop_marks(std::string& name) {
  for (const std::string_view mark : {"(r)", "(tm)", "(c)"}) {
    for (auto at = name.find(mark); at != std::string::npos; at = name.find(mark, at)) {
      const auto after = at + mark.size();
      if (after < name.size() && name[after] == '-') {
        name.erase(at, mark.size());
      } else {
        std::fill_n(name.begin() + static_cast<std::ptrdiff_t>(at), mark.size(), ' ');
      }
    }
  }
}

/// Cuts the name where it goes on about something other than the processor's model.
void cut_tail(std::string& name) {
  for (const std::string_view tail : {"@", ",", " with ", " w/ ", " radeon"}) {
    name.resize(std::min(name.find(tail), name.size()));
  }
}

/// "12th"
bool is_ordinal(std::string_view word) {
  if (word.size() < 3 || !is_digit(word[word.size() - 3])) return false;
  const auto ending = word.substr(word.size() - 2);
  return ending == "st" || ending == "nd" || ending == "rd" || ending == "th";
}

bool is_filler(std::string_view word) {
  constexpr std::array<std::string_view, 7> kFillers = {"cpu", "processor", "apu", "soc",
                                                        "gen", "genuine",   "0"};
  return std::find(kFillers.begin(), kFillers.end(), word) != kFillers.end() ||
         word.ends_with("-core") || word.ends_with("ghz") || is_ordinal(word);
}

/// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  const auto end = std::min(text.find_first_of(" \t\""), text.size());
  const auto word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

ModelName::ModelName(std::string_view text) {
  std::string name = lower(text);
  drop_marks(name);
  cut_tail(name);
  for (std::string_view rest = name; !rest.empty();) {
    const auto word = take_word(rest);
    if (word.empty() || is_filler(word)) continue;
    if (word == "intel" || word == "amd") {
      vendor = word;
    } else {
      words.emplace_back(word);
    }
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

bool ModelName::same_as(const ModelName& other) const {
  const bool vendors_agree = vendor.empty() || other.vendor.empty() || vendor == other.vendor;
  return vendors_agree && words == other.words;
}

std::optional<int> cores_in_name(std::string_view text) {
  const std::string name = lower(text);
  const auto end = name.find("-core");
  if (end == std::string::npos) return std::nullopt;
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  int cores = 0;
  const auto [_, error] = std::from_chars(name.data() + begin, name.data() + end, cores);
  if (error != std::errc{} || cores <= 0) return std::nullopt;  // "Quad-Core", as the oldest say
  return cores;
}

std::string_view ModelName::number() const {
  std::string_view longest;
  for (const std::string_view word : words) {
    for (std::size_t from = 0; from < word.size(); ++from) {
      std::size_t end = from;
      while (end < word.size() && is_digit(word[end])) ++end;
      if (end - from > longest.size()) longest = word.substr(from, end - from);
      from = end;
    }
  }
  return longest;
}

}  // namespace codecarbon::modelled
