#pragma once

#include <span>
#include <string>
#include <string_view>

#include "host/environment.hpp"
#include "node/ancestry.hpp"
#include "node/ranks.hpp"

namespace codecarbon {

/// Finds what the ranks of a job call it, or gives a name to a job that has none: made from what
/// the ranks of a node have in common and other jobs do not: the address where they meet, the batch
/// job around them, the process that started them. Names are lines of at most 200 bytes.
class JobNamer {
 public:
  JobNamer(const Environment& environment, const Ancestry& ancestry)
      : environment_(environment), ancestry_(ancestry) {}

  /// `found` are the launchers around this process, not empty, the innermost first.
  std::string name(std::span<const Ranks> found) const;
  /// For ranks that nobody gave but the options.
  std::string name_given_ranks() const;

 private:
  std::string name_around(std::span<const Ranks> outer) const;
  std::string make(const Ranks& ranks, const std::string& around) const;

  const Environment& environment_;
  const Ancestry& ancestry_;
};

/// `text` on one line of bearable length.
std::string job_name(std::string text);

}  // namespace codecarbon
