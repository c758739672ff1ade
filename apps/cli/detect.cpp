#include <CLI/App.hpp>

#include "command.hpp"
#include "diagnosis_view.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "settings.hpp"

namespace codecarbon::cli {
namespace {

class Detect final : public Command {
 public:
  std::string_view name() const override { return "detect"; }
  std::string_view summary() const override { return "The machine as a run would see it"; }
  void declare(CLI::App& app) override {
    app.add_flag("--json", as_json_, "One JSON object");
    flags_.declare(app);
  }
  Result<int> run(const Words&) override {
    const auto options = flags_.read();
    if (!options) return tl::unexpected(options.error());
    const auto diagnosis = diagnose(*options, kCommandLine);
    if (!diagnosis) return tl::unexpected(diagnosis.error());
    return print(as_json_ ? diagnosis_json(*diagnosis)
                          : machine_text(*diagnosis) + "\n" + sensors_text(*diagnosis));
  }

 private:
  OptionFlags flags_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_detect() {
  return std::make_unique<Detect>();
}

}  // namespace codecarbon::cli
