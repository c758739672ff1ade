#include <fmt/core.h>

#include "carbon/carbon.hpp"
#include "codecarbon/version.hpp"
#include "command.hpp"
#include "output.hpp"

namespace codecarbon::cli {
namespace {

class About final : public Command {
 public:
  std::string_view name() const override { return "about"; }
  std::string_view summary() const override { return "Version, licence, and whose data is in it"; }
  void declare(CLI::App&) override {}
  Result<int> run(const Words&) override {
    std::string text = fmt::format(
        "codecarbon {}\n"
        "Measures what computing costs in energy and carbon. MIT licence.\n"
        "Nothing leaves this machine unless you name an output that sends it.\n\n"
        "Data compiled in:\n",
        kVersion);
    for (const std::string& paragraph : data_attributions()) {
      text += fmt::format("\n{}\n", paragraph);
    }
    return print(text);
  }
};

}  // namespace

std::unique_ptr<Command> make_about() {
  return std::make_unique<About>();
}

}  // namespace codecarbon::cli
