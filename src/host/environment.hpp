#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace codecarbon {

/// A snapshot of the environment variables, so that nothing below reads the process's own.
class Environment {
 public:
  Environment() = default;
  explicit Environment(std::map<std::string, std::string, std::less<>> variables);
  /// The variables of this process now. Not safe beside a thread that calls setenv.
  static Environment of_process();

  std::optional<std::string_view> get(std::string_view name) const;
  const std::map<std::string, std::string, std::less<>>& all() const { return variables_; }

 private:
  std::map<std::string, std::string, std::less<>> variables_;
};

}  // namespace codecarbon
